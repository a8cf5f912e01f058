/* One object for each constraint: who follows whom, and how. */
#include "constraints_json.h"

void jc_constraints_write(struct jc_json_writer *json, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	jc_json_begin_array(json, "constraints");
	for (size_t i = 0; i < jc_skeleton_constraint_count(skeleton); i++) {
		const struct jc_node_constraint *c = &jc_skeleton_constraints(skeleton)[i];

		jc_json_begin_object(json, NULL);
		jc_json_write_string(json, "kind", jc_constraint_kind_name(c->kind));
		jc_json_write_integer(json, "node", c->node);
		jc_json_write_string(json, "name", nodes[c->node].name);
		jc_json_write_integer(json, "source", c->source);
		jc_json_write_string(json, "sourceName", nodes[c->source].name);
		if (c->axis[0]) {
			jc_json_write_string(json, "axis", c->axis);
		} else {
			jc_json_write_null(json, "axis");
		}
		jc_json_write_float(json, "weight", c->weight);
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}
