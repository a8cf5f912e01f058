/* Info of an H-Anim figure in the asset of a glTF file. */
#ifndef JC_MOTION_GLTF_INFO_H
#define JC_MOTION_GLTF_INFO_H

#include "jointcast/skeleton.h"

struct json_t; /* jansson */

/* Sets extras.hanimInfo to the strings, and copyright to the value of the tag "copyright", unless
 * the asset has one. JC_OK or JC_ERROR_MEMORY. */
int jc_gltf_info_set(struct json_t *asset, const struct jc_skeleton_facts *facts);

#endif
