/* Describes a prop. The manual page jointcast-inspect(1) documents the fields. */
#include "report/prop_report.h"

#include <math.h>
#include <stdbool.h>

#include "jointcast/limits.h"
#include "jointcast/retarget.h"
#include "jointcast/transform.h"
#include "report/skeleton_json.h"
#include "terminal_text.h"

/* The places of all virtual transforms at rest. */
struct places {
	struct jc_transform virtuals[JC_LIMIT_VIRTUAL_TRANSFORMS];
};

static struct places evaluate(const struct jc_skeleton *prop)
{
	struct places places;

	jc_virtual_transforms_evaluate(prop, jc_skeleton_rest_worlds(prop), places.virtuals);
	return places;
}

static void write_nodes(struct jc_json_writer *json, const struct jc_skeleton *prop)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(prop);

	jc_json_begin_array(json, "nodes");
	for (size_t i = 0; i < jc_skeleton_node_count(prop); i++) {
		jc_json_begin_object(json, NULL);
		jc_json_write_integer(json, "node", (long long)i);
		jc_json_write_string(json, "name", nodes[i].name);
		if (nodes[i].parent >= 0) {
			jc_json_write_integer(json, "parent", nodes[i].parent);
		} else {
			jc_json_write_null(json, "parent");
		}
		jc_json_write_vec3(json, "worldPosition",
			jc_mat4_translation(jc_skeleton_rest_worlds(prop)[i]));
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}

void jc_prop_report_write_json(struct jc_json_writer *json, const struct jc_skeleton *prop,
	const struct jc_diagnostic *reason)
{
	struct places places = evaluate(prop);

	jc_json_write_string(json, "format", jc_skeleton_format_name(jc_skeleton_format(prop)));
	jc_json_write_string(json, "name", jc_skeleton_name(prop));
	jc_json_write_string(json, "reason", reason->what);
	write_nodes(json, prop);
	jc_skeleton_json_write_virtual_transforms(json, prop, places.virtuals, true);
}

/* Prints numbers to a tenth of a millimetre. */
static void print_numbers(FILE *stream, const char *label, const float *numbers, size_t count)
{
	fputs(label, stream);
	for (size_t i = 0; i < count; i++) {
		/* + 0.0 makes 0 of -0 */
		fprintf(stream, " %.7g", round((double)numbers[i] * 1e4) / 1e4 + 0.0);
	}
}

static void print_vec3(FILE *stream, const char *label, struct jc_vec3 v)
{
	print_numbers(stream, label, (const float[]){ v.x, v.y, v.z }, 3);
}

static void print_parent(FILE *stream, const struct jc_skeleton *prop, int parent)
{
	if (parent >= 0) {
		fprintf(stream, " on node %d ", parent);
		jc_terminal_write_quoted(stream, jc_skeleton_nodes(prop)[parent].name);
	}
}

static void print_virtual(FILE *stream, const struct jc_skeleton *prop, size_t index,
	const struct jc_transform *place)
{
	const struct jc_virtual_transform *virtual = &jc_skeleton_virtual_transforms(prop)[index];
	const struct {
		bool is_respected;
		const char *name;
	} flags[] = {
		{ virtual->respect_position, "position" },
		{ virtual->respect_rotation, "rotation" },
		{ virtual->respect_scale, "scale" },
	};

	fprintf(stream, "  %-12s %zu ", "virtual", index);
	jc_terminal_write_quoted(stream, virtual->name);
	print_parent(stream, prop, virtual->parent);
	for (size_t i = 0; i < virtual->tag_count; i++) {
		fputs(i == 0 ? ", tags " : " ", stream);
		jc_terminal_write_quoted(stream, virtual->tags[i]);
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (virtual->parent >= 0 && !flags[i].is_respected) {
			fprintf(stream, ", without the %s of its parent", flags[i].name);
		}
	}
	print_vec3(stream, "\n               position", place->translation);
	print_numbers(stream, ", rotation",
		(const float[]){ place->rotation.x, place->rotation.y, place->rotation.z,
			place->rotation.w },
		4);
	print_vec3(stream, ", scale", place->scale);
	putc('\n', stream);
}

void jc_prop_report_write_text(
	FILE *stream, const struct jc_skeleton *prop, const struct jc_diagnostic *reason)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(prop);
	struct places places = evaluate(prop);

	fprintf(stream, "  %-12s ", "reason");
	jc_terminal_write(stream, reason->what);
	putc('\n', stream);
	for (size_t i = 0; i < jc_skeleton_node_count(prop); i++) {
		fprintf(stream, "  %-12s %zu ", "node", i);
		jc_terminal_write_quoted(stream, nodes[i].name);
		print_parent(stream, prop, nodes[i].parent);
		print_vec3(stream, ", position",
			jc_mat4_translation(jc_skeleton_rest_worlds(prop)[i]));
		putc('\n', stream);
	}
	for (size_t i = 0; i < jc_skeleton_virtual_transform_count(prop); i++) {
		print_virtual(stream, prop, i, &places.virtuals[i]);
	}
}
