/* Error codes. A function that can fail returns int: JC_OK (some return a count >= 0) or a
 * negative enum jc_error. Parsers also fill a diagnostic for people. */
#ifndef JOINTCAST_ERROR_H
#define JOINTCAST_ERROR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Results of functions. */
enum jc_error {
	JC_OK = 0,
	JC_ERROR_SYNTAX = -1,      /* not in the expected format */
	JC_ERROR_TRUNCATED = -2,   /* ends too early */
	JC_ERROR_LIMIT = -3,       /* exceeds a maximum of limits.h */
	JC_ERROR_INVALID = -4,     /* well-formed, but breaks a rule or contradicts itself */
	JC_ERROR_UNSUPPORTED = -5, /* valid, but not supported by this version */
	JC_ERROR_NO_HUMANOID = -6, /* no humanoid was found in the input */
	JC_ERROR_MEMORY = -7,
	JC_ERROR_SPACE = -8,  /* the caller's buffer is too small */
	JC_ERROR_ABSENT = -9, /* valid, but does not contain the requested item */
	JC_ERROR_READ = -10,  /* the read callback failed */
};

/* The problem and its place in the input, two phrases of one line: lower case, no full stop,
 * variable text in single quotes. Owned by the caller. A function that fails fills both (where
 * may stay empty); a function that succeeds does not write to them. */
struct jc_diagnostic {
	char what[200];  /* the problem */
	char where[120]; /* its place, such as "line 12" or "nodes[3]/translation" */
};

/* A short name for an error, e.g. "truncated"; never NULL. */
const char *jc_error_name(int error);

/* Fills diagnostic (may be NULL) and returns error, so that a parser can end with
 * `return jc_diagnose(...)`. where may be NULL. Control, invisible and bidirectional
 * characters in the message become '?'. */
int jc_diagnose(struct jc_diagnostic *diagnostic, int error, const char *where, const char *format,
	...) __attribute__((format(printf, 4, 5)));

#ifdef __cplusplus
}
#endif

#endif
