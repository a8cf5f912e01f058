/* EXT_skeleton_humanoid at the root of a glTF file, for all readers of such files. */
#ifndef JC_PRIVATE_EXT_HUMANOID_H
#define JC_PRIVATE_EXT_HUMANOID_H

#include <stdbool.h>

#include "jointcast/gltf.h"
#include "jointcast/lint.h"

/* Whether the file has the extension at its root without a skeleton: humanoidSkeletons is required
 * and holds 1 element at least ("EXT_skeleton_humanoid property"). Adds a finding to lint (may be
 * NULL) then. Bones are read as from a file without the extension. */
bool jc_ext_humanoid_lint_empty(const struct jc_gltf *gltf, struct jc_lint *lint);

#endif
