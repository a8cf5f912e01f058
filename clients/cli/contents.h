/* Everything that one file holds: its skeletons and its motions, each with
 * what its reader found odd. */
#ifndef JC_CLI_CONTENTS_H
#define JC_CLI_CONTENTS_H

#include <stddef.h>
#include <stdio.h>

#include "jointcast/lint.h"
#include "jointcast/motion.h"
#include "jointcast/skeleton.h"

/* Humanoids or motions listed of one file; no more are looked for. */
#define JC_CONTENTS_MAXIMUM 256

struct jc_contents_item {
	struct jc_skeleton *skeleton; /* owned, as is motion; one of the two is NULL */
	struct jc_motion *motion;
	struct jc_lint lint;
};

struct jc_contents {
	size_t count;
	struct jc_contents_item *items;
};

/* Reads a file, demo:NAME or `humanoid`. Reports what goes wrong and returns
 * enum jc_exit; contents start as { 0 } and are finished either way. */
int jc_contents_read(const char *argument, struct jc_contents *contents);
void jc_contents_finish(struct jc_contents *contents);

void jc_contents_write_json(FILE *stream, const char *name, const struct jc_contents *contents);
void jc_contents_write_text(FILE *stream, const char *name, const struct jc_contents *contents);

#endif
