/* What bodies of a recording are called when they are replayed. */
#ifndef JC_BODY_NAMES_H
#define JC_BODY_NAMES_H

#include <stddef.h>

#include "maxima.h"

struct jc_body_rename {
	char from[JC_MAX_BODY_NAME], to[JC_MAX_BODY_NAME];
};

/* All zeros: as they were called. */
struct jc_body_names {
	char prefix[JC_MAX_BODY_NAME]; /* before every name that is not in the list */
	size_t rename_count;
	struct jc_body_rename renames[JC_MAX_REPLAY_RENAMES];
};

#endif
