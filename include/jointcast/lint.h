/* Findings about an input that is usable: problems that an artist should fix, and assumptions
 * that a reader made. */
#ifndef JOINTCAST_LINT_H
#define JOINTCAST_LINT_H

#include <stddef.h>

#include "limits.h"
#include "tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much a finding matters. */
enum jc_severity {
	JC_NOTE,    /* an assumption or a measured fact */
	JC_WARNING, /* the result may differ from the author's intention */
};

/* One finding. */
struct jc_lint_entry {
	enum jc_severity severity; /* note or warning */
	enum jc_bone bone;         /* concerned bone, or JC_BONE_NONE */
	int node;                  /* node index in the file, or -1 */
	char code[32];             /* stable identifier, e.g. "extra-frames" */
	char text[240];            /* one line for people */
};

/* A list with a fixed maximum; `dropped` counts findings beyond it. Initialise with
 * `struct jc_lint lint = { 0 };`. */
struct jc_lint {
	size_t count;                                /* of the entries */
	size_t dropped;                              /* findings that did not fit */
	struct jc_lint_entry entries[JC_LIMIT_LINT]; /* in the order of discovery */
};

/* Appends a finding; lint may be NULL. */
void jc_lint_add(struct jc_lint *lint, enum jc_severity severity, const char *code,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Appends a finding about a bone (or JC_BONE_NONE) and its node (or -1). */
void jc_lint_add_at(struct jc_lint *lint, enum jc_severity severity, const char *code,
	enum jc_bone bone, int node, const char *format, ...) __attribute__((format(printf, 6, 7)));

#ifdef __cplusplus
}
#endif

#endif
