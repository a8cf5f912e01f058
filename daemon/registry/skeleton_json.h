/* Registered skeletons and their lint reports as JSON, for WebSocket messages and HTTP. */
#ifndef JC_SKELETON_JSON_H
#define JC_SKELETON_JSON_H

#include <jansson.h>

#include "registry/registry.h"

/* Each is a new reference, NULL without memory. */

/* The result of a registration: name, hash, whether it is stored, lint. */
json_t *jc_skeleton_json_registered(const struct jc_registry_answer *answer);

/* The skeletons of an owner. */
json_t *jc_skeleton_json_list(const struct jc_registry *registry, const struct jc_owner *owner);

/* One line of what was wrong, and where. */
void jc_skeleton_json_reason(const struct jc_diagnostic *diagnostic, char out_text[512]);

#endif
