/* Helpers of the tests of H-Anim figures: the figure of the 1.0 specification, and
 * reading text as a skeleton. */
#ifndef JC_TEST_HANIM_FIGURE_H
#define JC_TEST_HANIM_FIGURE_H

#include <stddef.h>

#include "jointcast/skeleton.h"

#define VRML "#VRML V2.0 utf8\n"

/* Fails the test if the text is not a skeleton; the caller owns the result. */
struct jc_skeleton *hanim_read(const char *text, size_t index);

/* Empty if the bone is missing. */
const char *hanim_bone_node(const struct jc_skeleton *skeleton, enum jc_bone bone);

void hanim_assert_vec3(struct jc_vec3 v, double x, double y, double z, double within);

/* A 1.0 file: the joints are in the scene and Humanoid lists them. The caller owns the
 * text. */
char *hanim_make_figure(void);

#endif
