/* One entry of KHR_virtual_transform as JSON. */
#ifndef JC_MOTION_GLTF_VIRTUAL_H
#define JC_MOTION_GLTF_VIRTUAL_H

#include "jointcast/skeleton.h"

struct json_t; /* jansson */

/* Makes the entry: parent is an index in the nodes of the file; parts of the offset that are the
 * default are left out. NULL without memory. */
struct json_t *jc_gltf_virtual_json(const struct jc_virtual_transform *virtual_transform);

#endif
