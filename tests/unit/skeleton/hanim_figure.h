/* What the tests of H-Anim figures share: the figure of the 1.0 specification and
 * how a text is read as a skeleton. */
#ifndef JC_TEST_HANIM_FIGURE_H
#define JC_TEST_HANIM_FIGURE_H

#include <stddef.h>

#include "jointcast/skeleton.h"

#define VRML "#VRML V2.0 utf8\n"

/* Fails the test where the text is none; owned by the caller. */
struct jc_skeleton *hanim_read(const char *text, size_t index);

/* Empty where the bone is not there. */
const char *hanim_bone_node(const struct jc_skeleton *skeleton, enum jc_bone bone);

void hanim_assert_vec3(struct jc_vec3 v, double x, double y, double z, double within);

/* A 1.0 file: the joints stand in the scene, Humanoid lists them. Owned. */
char *hanim_make_figure(void);

#endif
