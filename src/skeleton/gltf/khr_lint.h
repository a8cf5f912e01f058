/* The parts of jc_khr_character_lint. */
#ifndef JC_SKELETON_KHR_LINT_H
#define JC_SKELETON_KHR_LINT_H

#include "jointcast/gltf.h"
#include "jointcast/lint.h"

/* Reference poses, and expressions with the channels of their types. */
void jc_khr_reference_pose_lint(const struct jc_gltf *gltf, struct jc_lint *lint);
void jc_khr_expression_lint(const struct jc_gltf *gltf, struct jc_lint *lint);

#endif
