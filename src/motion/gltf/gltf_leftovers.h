/* Channels of a clip that a motion does not use, by reason. */
#ifndef JC_MOTION_GLTF_LEFTOVERS_H
#define JC_MOTION_GLTF_LEFTOVERS_H

#include "jointcast/humanoid.h"
#include "jointcast/lint.h"

/* All zeros: none. */
struct jc_gltf_leftovers {
	size_t unmapped;     /* they move bones that the skeleton of the file lacks */
	enum jc_bone lacked; /* the first of these bones */
	size_t not_portable; /* they scale or shift bones */
	size_t others;       /* they move other nodes */
};

/* Adds one finding for each reason that applies. */
void jc_gltf_leftovers_lint(const struct jc_gltf_leftovers *left, struct jc_lint *lint);

#endif
