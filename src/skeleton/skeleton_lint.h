/* Findings about a skeleton for the artist who made it. */
#ifndef JC_SKELETON_SKELETON_LINT_H
#define JC_SKELETON_SKELETON_LINT_H

#include <stddef.h>

#include "jointcast/humanoid.h"
#include "jointcast/lint.h"
#include "jointcast/skeleton.h"

/* The findings of jc_skeleton_lint about how the figure stands. */
int jc_rest_lint(const struct jc_skeleton *skeleton, struct jc_lint *lint);

/* A list of bone names for a message. Initialise with { .count = 0 }. */
struct jc_skeleton_lint_bones {
	size_t count;       /* of all added bones */
	enum jc_bone first; /* the first added bone */
	size_t used;
	char text[140]; /* as many names as fit, then "..." */
};

void jc_skeleton_lint_add_bone(struct jc_skeleton_lint_bones *list, enum jc_bone bone);

#endif
