/* Everything that one file holds: its skeletons and its motions, each with
 * what its reader found odd. */
#ifndef JC_CLI_FILE_CONTENTS_H
#define JC_CLI_FILE_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/lint.h"
#include "jointcast/motion.h"
#include "jointcast/skeleton.h"

/* Humanoids or motions listed of one file, and of them such as cannot be used;
 * no more are looked for. */
#define JC_CONTENTS_MAXIMUM 256
#define JC_CONTENTS_FAULTS  16

struct jc_contents_item {
	bool is_motion;
	struct jc_skeleton *skeleton; /* owned, as is motion; NULL where it is the other */
	struct jc_motion *motion;
	struct jc_lint lint;
	int error; /* why there is neither, with the diagnostic, else JC_OK */
	struct jc_diagnostic fault;
};

struct jc_contents {
	size_t count;
	size_t faults; /* of them, those with an error */
	struct jc_contents_item *items;
};

/* Reads a file, demo:NAME or `humanoid`. Where nothing in it can be used, reports
 * why and returns enum jc_exit; contents start as { 0 } and are finished either
 * way. */
int jc_contents_read(const char *argument, struct jc_contents *contents);
void jc_contents_finish(struct jc_contents *contents);

/* Whether looking ended at a maximum, so that the file may hold more. */
static inline bool jc_contents_is_cut(const struct jc_contents *contents)
{
	return contents->count == JC_CONTENTS_MAXIMUM || contents->faults == JC_CONTENTS_FAULTS;
}

#endif
