/* A stream spec as JSON in requests between hosts, with the token of its view (cluster/subjects.h):
 * proto/CLUSTER.md, "Views". */
#ifndef JC_VIEW_SPEC_H
#define JC_VIEW_SPEC_H

#include <jansson.h>

#include "cluster/subjects.h"
#include "space/stream_spec.h"

/* Returns a new object; NULL without memory, or where the token cannot be made. */
json_t *jc_view_spec_pack(const struct jc_stream_spec *spec);

/* Returns NULL, or what is wrong: also where the object names another token than its spec has. */
const char *jc_view_spec_read(
	const json_t *object, struct jc_stream_spec *out_spec, char out_token[JC_VIEW_TOKEN]);

#endif
