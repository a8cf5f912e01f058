/* The JSON of `inspect --json`; the manual page tells its fields. */
#include "constraints_json.h"
#include "contents.h"
#include "json_writer.h"
#include "virtual_transforms_json.h"

static void write_lint(struct jc_json_writer *json, const struct jc_lint *lint)
{
	jc_json_begin_array(json, "lint");
	for (size_t i = 0; i < lint->count; i++) {
		const struct jc_lint_entry *entry = &lint->entries[i];

		jc_json_begin_object(json, NULL);
		jc_json_write_string(
			json, "severity", entry->severity == JC_WARNING ? "warning" : "note");
		jc_json_write_string(json, "code", entry->code);
		jc_json_write_string(json, "text", entry->text);
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
	jc_json_write_integer(json, "lintDropped", (long long)lint->dropped);
}

/* The bones whose bit is (or is not) in the mask, by name. */
static void write_bone_names(struct jc_json_writer *json, const char *key, uint64_t mask)
{
	jc_json_begin_array(json, key);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		if (mask >> bone & 1) {
			jc_json_write_string(json, NULL, jc_bone_name(bone));
		}
	}
	jc_json_end_array(json);
}

static void write_facts(struct jc_json_writer *json, const struct jc_skeleton_facts *facts)
{
	jc_json_write_string(json, "version", facts->version);
	if (facts->mass > 0.0) {
		jc_json_write_double(json, "mass", facts->mass);
	} else {
		jc_json_write_null(json, "mass");
	}
	jc_json_begin_array(json, "info");
	for (size_t i = 0; i < facts->info_count; i++) {
		jc_json_write_string(json, NULL, facts->info[i]);
	}
	jc_json_end_array(json);
	jc_json_write_integer(json, "infoDropped", (long long)facts->info_dropped);
}

static void write_skeleton(struct jc_json_writer *json, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	jc_json_write_string(json, "format", jc_skeleton_format_name(jc_skeleton_format(skeleton)));
	jc_json_write_string(json, "name", jc_skeleton_name(skeleton));
	write_facts(json, jc_skeleton_facts(skeleton));
	jc_json_write_string(json, "family", jc_skeleton_family(skeleton));
	jc_json_write_float(json, "confidence", jc_skeleton_confidence(skeleton));
	jc_json_write_float(json, "hipsHeight", jc_skeleton_hips_height(skeleton));
	jc_json_write_float(json, "metresPerUnit", 1.0f);
	jc_json_write_quat(json, "facing", jc_skeleton_facing(skeleton));
	jc_json_write_integer(json, "nodes", (long long)jc_skeleton_node_count(skeleton));
	jc_json_write_string(json, "hash", jc_skeleton_hash(skeleton));
	jc_json_begin_object(json, "bones");
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int node = jc_skeleton_bone_node(skeleton, bone);

		if (node < 0) {
			continue;
		}
		jc_json_begin_object(json, jc_bone_name(bone));
		jc_json_write_integer(json, "node", node);
		jc_json_write_string(json, "name", nodes[node].name);
		jc_json_end_object(json);
	}
	jc_json_end_object(json);
	write_bone_names(json, "missing", ~jc_skeleton_bone_mask(skeleton));
	jc_virtual_transforms_write(json, skeleton, NULL);
	jc_constraints_write(json, skeleton);
}

static void write_motion(struct jc_json_writer *json, const struct jc_motion_info *info)
{
	jc_json_write_string(json, "kind", info->kind == JC_MOTION_POSES ? "poses" : "body-frames");
	jc_json_write_string(json, "format", info->format);
	jc_json_write_string(json, "name", info->name);
	jc_json_write_string(json, "family", info->family);
	jc_json_write_float(json, "confidence", info->confidence);
	jc_json_write_double(json, "duration", info->duration);
	jc_json_write_double(json, "fps", info->fps);
	jc_json_write_integer(json, "frames", (long long)info->frame_count);
	jc_json_write_float(json, "hipsHeight", info->hips_height);
	jc_json_write_float(json, "metresPerUnit", info->metres_per_unit);
	write_bone_names(json, "bones", info->bone_mask);
	write_bone_names(json, "missing", ~info->bone_mask);
}

static void write_items(
	struct jc_json_writer *json, const struct jc_contents *contents, bool motions)
{
	long long index = 0;

	jc_json_begin_array(json, motions ? "motions" : "skeletons");
	for (size_t i = 0; i < contents->count; i++) {
		const struct jc_contents_item *item = &contents->items[i];

		if (item->is_motion != motions) {
			continue;
		}
		jc_json_begin_object(json, NULL);
		jc_json_write_integer(json, "index", index++);
		if (item->error) {
			jc_json_write_string(json, "error", item->fault.what);
			jc_json_write_string(json, "where", item->fault.where);
		} else if (motions) {
			write_motion(json, jc_motion_info(item->motion));
		} else {
			write_skeleton(json, item->skeleton);
		}
		write_lint(json, &item->lint);
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}

void jc_contents_write_json(FILE *stream, const char *name, const struct jc_contents *contents)
{
	struct jc_json_writer json;

	jc_json_writer_init(&json, stream);
	jc_json_begin_object(&json, NULL);
	jc_json_write_string(&json, "file", name);
	write_items(&json, contents, false);
	write_items(&json, contents, true);
	jc_json_write_bool(&json, "cut", jc_contents_is_cut(contents));
	jc_json_end_object(&json);
	putc('\n', stream);
}
