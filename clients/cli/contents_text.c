/* What `inspect` tells people: facts in a column, then findings. */
#include "contents.h"

#include <stdbool.h>

#include "jointcast/transform.h"
#include "plain.h"

static const char *const axis_names[] = { "+X", "-X", "+Y", "-Y", "+Z", "-Z" };

/* The axis of the file's model space along which a canonical direction lies,
 * or "oblique". */
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

static void write_bones(FILE *stream, const char *label, uint64_t mask)
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
		/* Four a line, under the number. */
		fprintf(stream, "%s%-*s%s", written % 4 == 1 ? "               " : "",
			last ? 0 : 24, jc_bone_name(bone), last ? "\n" : "");
	}
}

static void write_lint(FILE *stream, const struct jc_lint *lint)
{
	for (size_t i = 0; i < lint->count; i++) {
		const struct jc_lint_entry *entry = &lint->entries[i];

		fprintf(stream, "  %-12s ", entry->severity == JC_WARNING ? "warning" : "note");
		jc_plain_write(stream, entry->text);
		fprintf(stream, " [%s]\n", entry->code);
	}
	if (lint->dropped > 0) {
		fprintf(stream, "  %-12s %zu further findings\n", "note", lint->dropped);
	}
}

/* How the bones were found; nothing where the file says which they are. */
static void write_naming(FILE *stream, const char *label, const char *family, float confidence)
{
	if (!*family) {
		return;
	}
	fprintf(stream, "  %-12s ", label);
	jc_plain_write(stream, family);
	if (confidence < 1.0f) {
		fprintf(stream, ", confidence %.2f", (double)confidence);
	}
	putc('\n', stream);
}

/* What the file says of the figure, as far as it does. */
static void write_facts(FILE *stream, const struct jc_skeleton_facts *facts)
{
	if (*facts->version) {
		fprintf(stream, "  %-12s ", "version");
		jc_plain_write(stream, facts->version);
		putc('\n', stream);
	}
	if (facts->mass > 0.0) {
		fprintf(stream, "  %-12s %.6g kg\n", "mass", facts->mass);
	}
	for (size_t i = 0; i < facts->info_count; i++) {
		fprintf(stream, "  %-12s ", "info");
		jc_plain_write(stream, facts->info[i]);
		putc('\n', stream);
	}
	if (facts->info_dropped > 0) {
		fprintf(stream, "  %-12s %zu more\n", "info", facts->info_dropped);
	}
}

static void write_skeleton(FILE *stream, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	const struct jc_virtual_transform *all = jc_skeleton_virtual_transforms(skeleton);
	size_t count = jc_skeleton_virtual_transform_count(skeleton);
	struct jc_quat facing = jc_skeleton_facing(skeleton);

	write_facts(stream, jc_skeleton_facts(skeleton));
	write_naming(
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
			jc_plain_write_quoted(stream, nodes[node].name);
			putc('\n', stream);
		}
	}
	write_bones(stream, "missing", ~jc_skeleton_bone_mask(skeleton));
	for (size_t i = 0; i < count; i++) {
		fprintf(stream, "  %-12s %zu ", "virtual", i);
		jc_plain_write_quoted(stream, all[i].name);
		if (all[i].parent >= 0) {
			fprintf(stream, " on node %d ", all[i].parent);
			jc_plain_write_quoted(stream, nodes[all[i].parent].name);
		}
		putc('\n', stream);
	}
}

static void write_constraints(FILE *stream, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);

	for (size_t i = 0; i < jc_skeleton_constraint_count(skeleton); i++) {
		const struct jc_node_constraint *c = &jc_skeleton_constraints(skeleton)[i];

		fprintf(stream, "  %-12s %s", "constraint", jc_constraint_kind_name(c->kind));
		fprintf(stream, "%s%s %.3g  node %d ", c->axis[0] ? " " : "", c->axis,
			(double)c->weight, c->node);
		jc_plain_write_quoted(stream, nodes[c->node].name);
		fprintf(stream, " after node %d ", c->source);
		jc_plain_write_quoted(stream, nodes[c->source].name);
		putc('\n', stream);
	}
}

static void write_motion(FILE *stream, const struct jc_motion_info *info)
{
	write_naming(stream, info->kind == JC_MOTION_POSES ? "naming" : "profile", info->family,
		info->confidence);
	fprintf(stream, "  %-12s %zu at %.6g fps, %.6g s\n", "frames", info->frame_count, info->fps,
		info->duration);
	fprintf(stream, "  %-12s %.6g m\n", "unit", (double)info->metres_per_unit);
	if (info->hips_height > 0.0f) {
		fprintf(stream, "  %-12s %.4f m\n", "hips height", (double)info->hips_height);
	}
	write_bones(stream, "bones", info->bone_mask);
	write_bones(stream, "missing", ~info->bone_mask);
}

static void write_fault(FILE *stream, const struct jc_diagnostic *fault)
{
	fprintf(stream, "cannot be used: ");
	jc_plain_write(stream, fault->what);
	if (fault->where[0]) {
		fprintf(stream, ", ");
		jc_plain_write(stream, fault->where);
	}
	putc('\n', stream);
}

void jc_contents_write_text(FILE *stream, const char *name, const struct jc_contents *contents)
{
	size_t skeletons = 0, motions = 0;

	jc_plain_write(stream, name);
	putc('\n', stream);
	for (size_t i = 0; i < contents->count; i++) {
		const struct jc_contents_item *item = &contents->items[i];
		const struct jc_motion_info *info =
			item->motion ? jc_motion_info(item->motion) : NULL;

		fprintf(stream, "\n%s %zu: ", item->is_motion ? "motion" : "skeleton",
			item->is_motion ? motions++ : skeletons++);
		if (item->error) {
			write_fault(stream, &item->fault);
			continue;
		}
		fprintf(stream, "%s ",
			info ? info->format
			     : jc_skeleton_format_name(jc_skeleton_format(item->skeleton)));
		jc_plain_write_quoted(stream, info ? info->name : jc_skeleton_name(item->skeleton));
		putc('\n', stream);
		if (info) {
			write_motion(stream, info);
		} else {
			write_skeleton(stream, item->skeleton);
			write_constraints(stream, item->skeleton);
		}
		write_lint(stream, &item->lint);
	}
	if (jc_contents_is_cut(contents)) {
		fprintf(stream, "\nno more than this is looked for in one file\n");
	}
}
