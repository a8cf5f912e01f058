/* Reports what inspect found in a file, as JSON or as text. The manual page jointcast-inspect(1)
 * documents the fields. */
#include "report/inspect_report.h"

#include <stdbool.h>

#include "jointcast/transform.h"
#include "report/json_writer.h"
#include "report/prop_report.h"
#include "report/skeleton_json.h"
#include "terminal_text.h"

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

/* Writes the names of the bones whose bits are set. */
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

/* The format of an item, as the file has it. */
static const char *format_of(
	const struct jc_contents *contents, const struct jc_contents_item *item)
{
	if (contents->format) {
		return contents->format;
	}
	return item->motion ? jc_motion_info(item->motion)->format
			    : jc_skeleton_format_name(jc_skeleton_format(item->skeleton));
}

static void write_skeleton(
	struct jc_json_writer *json, const char *format, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	jc_json_write_string(json, "format", format);
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
	jc_skeleton_json_write_virtual_transforms(json, skeleton, NULL, true);
	jc_skeleton_json_write_constraints(json, skeleton);
	jc_skeleton_json_write_limits(json, skeleton);
	jc_skeleton_json_write_segments(json, skeleton);
}

static void write_motion(
	struct jc_json_writer *json, const char *format, const struct jc_motion_info *info)
{
	jc_json_write_string(json, "kind", info->kind == JC_MOTION_POSES ? "poses" : "body-frames");
	jc_json_write_string(json, "format", format);
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

/* Labels of the items in text; their plurals are members of the JSON. */
static const char *const kind_names[JC_CONTENTS_KINDS] = {
	[JC_CONTENTS_SKELETON] = "skeleton",
	[JC_CONTENTS_MOTION] = "motion",
	[JC_CONTENTS_PROP] = "prop",
};

static void write_items(
	struct jc_json_writer *json, const struct jc_contents *contents, enum jc_contents_kind kind)
{
	long long index = 0;
	char key[16];

	snprintf(key, sizeof(key), "%ss", kind_names[kind]);
	jc_json_begin_array(json, key);
	for (size_t i = 0; i < contents->count; i++) {
		const struct jc_contents_item *item = &contents->items[i];

		if (item->kind != kind) {
			continue;
		}
		jc_json_begin_object(json, NULL);
		jc_json_write_integer(json, "index", index++);
		if (item->error) {
			jc_json_write_string(json, "error", item->fault.what);
			jc_json_write_string(json, "where", item->fault.where);
		} else if (kind == JC_CONTENTS_MOTION) {
			write_motion(json, format_of(contents, item), jc_motion_info(item->motion));
		} else if (kind == JC_CONTENTS_PROP) {
			jc_prop_report_write_json(json, item->skeleton, &item->fault);
		} else {
			write_skeleton(json, format_of(contents, item), item->skeleton);
		}
		write_lint(json, &item->lint);
		jc_json_end_object(json);
	}
	jc_json_end_array(json);
}

void jc_inspect_report_write_json(
	FILE *stream, const char *name, const struct jc_contents *contents)
{
	struct jc_json_writer json;

	jc_json_writer_init(&json, stream);
	jc_json_begin_object(&json, NULL);
	jc_json_write_string(&json, "file", name);
	for (int kind = 0; kind < JC_CONTENTS_KINDS; kind++) {
		write_items(&json, contents, (enum jc_contents_kind)kind);
	}
	jc_json_write_bool(&json, "cut", jc_contents_is_cut(contents));
	jc_json_end_object(&json);
	putc('\n', stream);
}

static const char *const axis_names[] = { "+X", "-X", "+Y", "-Y", "+Z", "-Z" };

/* The model axis of the file that corresponds to a canonical direction, or "oblique". */
static const char *axis_name(struct jc_quat facing, struct jc_vec3 direction)
{
	struct jc_vec3 d = jc_quat_rotate(facing, direction);
	const float components[] = { d.x, -d.x, d.y, -d.y, d.z, -d.z };

	for (int i = 0; i < 6; i++) {
		if (components[i] > 0.9999f) {
			return axis_names[i];
		}
	}
	return "oblique";
}

static void print_bones(FILE *stream, const char *label, uint64_t mask)
{
	int count = 0;
	int written = 0;

	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		count += (int)(mask >> bone & 1);
	}
	fprintf(stream, "  %-12s %d of %d\n", label, count, JC_BONE_COUNT);
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		bool last;

		if (!(mask >> bone & 1)) {
			continue;
		}
		written++;
		last = written % 4 == 0 || written == count;
		/* four names per line, aligned with the number above */
		fprintf(stream, "%s%-*s%s", written % 4 == 1 ? "               " : "",
			last ? 0 : 24, jc_bone_name(bone), last ? "\n" : "");
	}
}

static void print_lint(FILE *stream, const struct jc_lint *lint)
{
	for (size_t i = 0; i < lint->count; i++) {
		const struct jc_lint_entry *entry = &lint->entries[i];

		fprintf(stream, "  %-12s ", entry->severity == JC_WARNING ? "warning" : "note");
		jc_terminal_write(stream, entry->text);
		fprintf(stream, " [%s]\n", entry->code);
	}
	if (lint->dropped > 0) {
		fprintf(stream, "  %-12s %zu further findings\n", "note", lint->dropped);
	}
}

/* How the bones were found; nothing when the file itself maps them. */
static void print_naming(FILE *stream, const char *label, const char *family, float confidence)
{
	if (!*family) {
		return;
	}
	fprintf(stream, "  %-12s ", label);
	jc_terminal_write(stream, family);
	if (confidence < 1.0f) {
		fprintf(stream, ", confidence %.2f", (double)confidence);
	}
	putc('\n', stream);
}

/* Facts that the file states about the figure. */
static void print_facts(FILE *stream, const struct jc_skeleton_facts *facts)
{
	if (*facts->version) {
		fprintf(stream, "  %-12s ", "version");
		jc_terminal_write(stream, facts->version);
		putc('\n', stream);
	}
	if (facts->mass > 0.0) {
		fprintf(stream, "  %-12s %.6g kg\n", "mass", facts->mass);
	}
	for (size_t i = 0; i < facts->info_count; i++) {
		fprintf(stream, "  %-12s ", "info");
		jc_terminal_write(stream, facts->info[i]);
		putc('\n', stream);
	}
	if (facts->info_dropped > 0) {
		fprintf(stream, "  %-12s %zu more\n", "info", facts->info_dropped);
	}
}

static void print_skeleton(FILE *stream, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);
	size_t count = jc_skeleton_virtual_transform_count(skeleton);
	struct jc_quat facing = jc_skeleton_facing(skeleton);

	print_facts(stream, jc_skeleton_facts(skeleton));
	print_naming(
		stream, "naming", jc_skeleton_family(skeleton), jc_skeleton_confidence(skeleton));
	fprintf(stream, "  %-12s %.4f m\n", "hips height",
		(double)jc_skeleton_hips_height(skeleton));
	fprintf(stream, "  %-12s 1 m\n", "unit");
	fprintf(stream, "  %-12s %s up, faces %s\n", "axes",
		axis_name(facing, (struct jc_vec3){ 0.0f, 1.0f, 0.0f }),
		axis_name(facing, (struct jc_vec3){ 0.0f, 0.0f, 1.0f }));
	fprintf(stream, "  %-12s %zu\n", "nodes", jc_skeleton_node_count(skeleton));
	fprintf(stream, "  %-12s %s\n", "hash", jc_skeleton_hash(skeleton));
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		int node = jc_skeleton_bone_node(skeleton, bone);

		if (node >= 0) {
			fprintf(stream, "  %-12s %-24s node %d ", "bone", jc_bone_name(bone), node);
			jc_terminal_write_quoted(stream, nodes[node].name);
			putc('\n', stream);
		}
	}
	print_bones(stream, "missing", ~jc_skeleton_bone_mask(skeleton));
	for (size_t i = 0; i < count; i++) {
		fprintf(stream, "  %-12s %zu ", "virtual", i);
		jc_terminal_write_quoted(stream, all[i].name);
		if (all[i].parent >= 0) {
			fprintf(stream, " on node %d ", all[i].parent);
			jc_terminal_write_quoted(stream, nodes[all[i].parent].name);
		}
		putc('\n', stream);
	}
	if (jc_skeleton_limit_count(skeleton) > 0) {
		fprintf(stream, "  %-12s %zu joints\n", "limits",
			jc_skeleton_limit_count(skeleton));
	}
	if (jc_skeleton_segment_count(skeleton) > 0) {
		fprintf(stream, "  %-12s %zu with mass, center or inertia\n", "segments",
			jc_skeleton_segment_count(skeleton));
	}
}

static void print_constraints(FILE *stream, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	for (size_t i = 0; i < jc_skeleton_constraint_count(skeleton); i++) {
		const struct jc_node_constraint *c = &jc_skeleton_constraints(skeleton)[i];

		fprintf(stream, "  %-12s %s", "constraint", jc_constraint_kind_name(c->kind));
		fprintf(stream, "%s%s %.3g  node %d ", c->axis[0] ? " " : "", c->axis,
			(double)c->weight, c->node);
		jc_terminal_write_quoted(stream, nodes[c->node].name);
		fprintf(stream, " after node %d ", c->source);
		jc_terminal_write_quoted(stream, nodes[c->source].name);
		putc('\n', stream);
	}
}

static void print_motion(FILE *stream, const struct jc_motion_info *info)
{
	print_naming(stream, info->kind == JC_MOTION_POSES ? "naming" : "profile", info->family,
		info->confidence);
	fprintf(stream, "  %-12s %zu at %.6g fps, %.6g s\n", "frames", info->frame_count, info->fps,
		info->duration);
	fprintf(stream, "  %-12s %.6g m\n", "unit", (double)info->metres_per_unit);
	if (info->hips_height > 0.0f) {
		fprintf(stream, "  %-12s %.4f m\n", "hips height", (double)info->hips_height);
	}
	print_bones(stream, "bones", info->bone_mask);
	print_bones(stream, "missing", ~info->bone_mask);
}

static void print_fault(FILE *stream, const struct jc_diagnostic *fault)
{
	fprintf(stream, "cannot be used: ");
	jc_terminal_write(stream, fault->what);
	if (fault->where[0]) {
		fprintf(stream, ", ");
		jc_terminal_write(stream, fault->where);
	}
	putc('\n', stream);
}

void jc_inspect_report_write_text(
	FILE *stream, const char *name, const struct jc_contents *contents)
{
	size_t counts[JC_CONTENTS_KINDS] = { 0 };

	jc_terminal_write(stream, name);
	putc('\n', stream);
	for (size_t i = 0; i < contents->count; i++) {
		const struct jc_contents_item *item = &contents->items[i];
		const struct jc_motion_info *info =
			item->motion ? jc_motion_info(item->motion) : NULL;

		fprintf(stream, "\n%s %zu: ", kind_names[item->kind], counts[item->kind]++);
		if (item->error) {
			print_fault(stream, &item->fault);
			continue;
		}
		fprintf(stream, "%s ", format_of(contents, item));
		jc_terminal_write_quoted(
			stream, info ? info->name : jc_skeleton_name(item->skeleton));
		putc('\n', stream);
		if (info) {
			print_motion(stream, info);
		} else if (item->kind == JC_CONTENTS_PROP) {
			jc_prop_report_write_text(stream, item->skeleton, &item->fault);
		} else {
			print_skeleton(stream, item->skeleton);
			print_constraints(stream, item->skeleton);
		}
		print_lint(stream, &item->lint);
	}
	if (jc_contents_is_cut(contents)) {
		fprintf(stream, "\nthe search in one file ends at this number\n");
	}
}
