/* The one status convention: functions that can fail return int, JC_OK or a
 * negative enum jc_error. Parsers also fill a diagnostic for people. */
#ifndef JOINTCAST_ERROR_H
#define JOINTCAST_ERROR_H

#include <stddef.h>

enum jc_error {
	JC_OK = 0,
	JC_ERROR_SYNTAX = -1,      /* not of the format it claims to be */
	JC_ERROR_TRUNCATED = -2,   /* ends before it should */
	JC_ERROR_LIMIT = -3,       /* exceeds a maximum of limits.h */
	JC_ERROR_INVALID = -4,     /* well-formed, but contradicts itself or a rule */
	JC_ERROR_UNSUPPORTED = -5, /* valid, but not a thing this version reads */
	JC_ERROR_NO_HUMANOID = -6, /* holds no humanoid that could be found */
	JC_ERROR_MEMORY = -7,
	JC_ERROR_SPACE = -8,  /* the caller's buffer is too small */
	JC_ERROR_ABSENT = -9, /* sound, but holds none of what was asked for, or fewer */
	JC_ERROR_READ = -10,  /* what the input is read from fails */
};

/* What is wrong, and where in the input, as two phrases of one line: lower
 * case, no full stop, variable text in single quotes. Owned by the caller; a
 * function that fails fills both (where may stay empty), one that succeeds
 * leaves them alone. */
struct jc_diagnostic {
	char what[200];
	char where[120];
};

/* A short name for an error, e.g. "truncated"; never NULL. */
const char *jc_error_name(int error);

/* Fills diagnostic (may be NULL) and returns error, so that a parser can end
 * with `return jc_diagnose(...)`. where may be NULL. What is
 * not plain in the message (text.h) is replaced by '?'. */
int jc_diagnose(struct jc_diagnostic *diagnostic, int error, const char *where, const char *format,
	...) __attribute__((format(printf, 4, 5)));

#endif
