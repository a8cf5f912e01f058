/* The contents of one file: its skeletons, motions and props, with the findings of their readers.
 */
#ifndef JC_CLI_FILE_CONTENTS_H
#define JC_CLI_FILE_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"
#include "jointcast/lint.h"
#include "jointcast/motion.h"
#include "jointcast/skeleton.h"

/* The maximum of items of one file, and of unusable ones among them. Reading stops there. */
#define JC_CONTENTS_MAXIMUM 256
#define JC_CONTENTS_FAULTS  16

enum jc_contents_kind {
	JC_CONTENTS_SKELETON,
	JC_CONTENTS_MOTION,
	JC_CONTENTS_PROP, /* a glTF file without a humanoid that has virtual transforms */
	JC_CONTENTS_KINDS,
};

struct jc_contents_item {
	enum jc_contents_kind kind;
	struct jc_skeleton *skeleton; /* owned, like motion; one of them is NULL */
	struct jc_motion *motion;
	struct jc_lint lint;
	int error; /* JC_OK, or the error of an unusable item */
	/* Describes the error; of a prop, why it has no humanoid. */
	struct jc_diagnostic fault;
};

struct jc_contents {
	const char *format; /* of a file that was converted to be read; NULL: its items state it */
	size_t count;
	size_t faults; /* items with an error */
	struct jc_contents_item *items;
};

/* Reads a file, demo:NAME or `humanoid`; bones: the file of a bone map, or NULL. When no item can
 * be used, reports the reason and returns enum jc_exit. `contents` starts as { 0 }; the caller
 * finishes it in any case. */
int jc_contents_read(const char *argument, const char *bones, struct jc_contents *contents);
void jc_contents_finish(struct jc_contents *contents);

/* Whether reading stopped at a maximum, so that the file may contain more. */
static inline bool jc_contents_is_cut(const struct jc_contents *contents)
{
	return contents->count == JC_CONTENTS_MAXIMUM || contents->faults == JC_CONTENTS_FAULTS;
}

#endif
