/* Reports what an artist should change in a skeleton, as JSON or as text. The manual page
 * jointcast-lint(1) documents the fields. */
#include "report/lint_report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json_writer.h"
#include "report/skeleton_json.h"
#include "terminal_text.h"

static const struct {
	const char *code, *remedy;
} remedies[] = {
	{ "missing-bones", "map these bones in the exporter, or add joints for them; until then "
			   "their rotation goes to the next bone below" },
	{ "missing-feature", "add and map the bones if the figure should do this" },
	{ "unknown-bone", "rename it to a bone of the humanoid, or take it out of the map" },
	{ "bone-twice", "map the bone to one node only" },
	{ "detached-bone", "attach its joint to the bone above it in a body" },
	{ "scaled", "apply the scale of the armature before exporting" },
	{ "uneven-scale", "apply the scale of this node before exporting, or --fix" },
	{ "mirrored", "apply the negative scale before exporting, then check left and right" },
	{ "sheared-bone", "apply the scales of the nodes above before exporting, or --fix" },
	{ "shear", "apply the scales of the nodes above before exporting, or --fix" },
	{ "flat-bone", "give the node a scale other than 0" },
	{ "rest-pose", "--fix writes it with the T-pose as its rest" },
	{ "rest-trunk", "set the trunk upright in the rest pose, or --fix" },
	{ "rest-shoulders", "let the shoulder bones point sideways in the rest pose, or --fix" },
	{ "rest-arms", "spread the arms level and sideways in the rest pose, or --fix" },
	{ "rest-hands", "straighten the wrists, palms down, in the rest pose, or --fix" },
	{ "rest-palms", "turn the palms to the ground in the rest pose" },
	{ "rest-fingers", "straighten the fingers, parallel to the ground, or --fix" },
	{ "rest-thumbs", "point the thumbs half way between side and front, level, or --fix" },
	{ "rest-legs", "straighten the legs below the hips in the rest pose, or --fix" },
	{ "rest-feet", "point the toes straight ahead in the rest pose, or --fix" },
	{ "bone-axes", "point +Y along each bone and +X along its bend axis, or --fix" },
	{ "left-right", "exchange the names or the mapping of left and right" },
	{ "facing", "turn the figure to the front of its format before exporting, or --fix" },
	{ "tilted", "set the figure upright before exporting" },
	{ "size", "check the unit of the export: one unit is a metre" },
	{ "ground", "stand the figure with its soles on y = 0" },
	{ "off-centre", "move the figure to the origin" },
	{ "twist-joints", "drive them by VRMC_node_constraint or in the shader of the program" },
	{ "constraint-fault", "correct it; programs interpret it differently" },
	{ "constrained-bone", "put the constraint on a joint of its own beside the bone" },
	{ "constraint-above-bone", "hang the joint beside the bone instead of above it" },
	{ "no-skeletons", "list the skeleton in humanoidSkeletons, or --fix" },
	{ "no-root", "name the topmost node of the skeleton as rootNode" },
	{ "outside-root", "name a rootNode that is above all bones, or --fix" },
	{ "not-a-joint", "list the bones among the joints of a skin, or --fix" },
	{ "no-inverse-bind", "export the skin with inverse bind matrices, or --fix" },
	{ "skins-disagree", "bind all skins in one pose" },
	{ "baked-skin", "apply the armature's transform before exporting, or --fix" },
	{ "draco", "export the meshes without compression, or decompress the file" },
	{ "bind-pose", "leave the figure in its bind pose when exporting, or --fix" },
	{ "hanim-head", "attach the shoulders to a vertebra of the trunk" },
	{ "hanim-names", "give the joints the names of H-Anim, or --fix" },
	{ "hanim-not-neutral", "reset the joints before exporting: in the default pose only center "
			       "has a value of its own" },
	{ "hanim-not-portable", "animate the rotation of joints and the translation of the root" },
	{ "khr-character", "correct it, or --fix --draft" },
	{ "khr-mapping", "name the roles of a mapping set by its URI, or --fix --draft" },
	{ "khr-reference-pose",
		"store a key for each node and no other channels, or --fix --draft" },
	{ "khr-expression", "begin the animation as the file stands, with two keys or more" },
	{ "khr-look-at", "give the target a hint of text, or none" },
	{ "virtual-transform", "correct it; it is left out until then" },
	{ "virtual-transforms-many", "put the important ones first, or give them tags" },
	{ "virtual-transform-unnamed", "name them" },
};

/* The remedy for a finding, by its code; empty when the text of the finding is enough. */
static const char *find_remedy(const char *code)
{
	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++) {
		if (strcmp(remedies[i].code, code) == 0) {
			return remedies[i].remedy;
		}
	}
	return "";
}

#define DEGREES 57.29577951308232

/* Four decimals: smaller differences are rounding errors. */
static void write_degrees(struct jc_json_writer *json, const char *key, float radians)
{
	jc_json_write_double(json, key, (double)(long)((double)radians * DEGREES * 1e4) / 1e4);
}

static void write_finding(struct jc_json_writer *json, const struct jc_lint_entry *entry,
	const struct jc_skeleton *skeleton)
{
	bool is_warning = entry->severity == JC_WARNING;

	jc_json_begin_object(json, NULL);
	jc_json_write_string(json, "severity", is_warning ? "warning" : "note");
	jc_json_write_string(json, "code", entry->code);
	if (entry->bone == JC_BONE_NONE) {
		jc_json_write_null(json, "bone");
	} else {
		jc_json_write_string(json, "bone", jc_bone_name(entry->bone));
	}
	if (entry->node < 0 || (size_t)entry->node >= jc_skeleton_node_count(skeleton)) {
		jc_json_write_null(json, "node");
		jc_json_write_null(json, "name");
	} else {
		jc_json_write_integer(json, "node", entry->node);
		jc_json_write_string(json, "name", jc_skeleton_nodes(skeleton)[entry->node].name);
	}
	jc_json_write_string(json, "text", entry->text);
	jc_json_write_string(json, "remedy", find_remedy(entry->code));
	jc_json_end_object(json);
}

static void write_bone(
	struct jc_json_writer *json, const struct jc_lint_report *report, enum jc_bone b)
{
	const struct jc_bone_posture *bone = &report->posture.bones[b];
	int node = jc_skeleton_bone_node(report->skeleton, b);

	jc_json_begin_object(json, jc_bone_name(b));
	jc_json_write_integer(json, "node", node);
	jc_json_write_string(json, "name", jc_skeleton_nodes(report->skeleton)[node].name);
	if (bone->has_direction) {
		jc_json_write_float(json, "length", bone->length);
		write_degrees(json, "restDegrees", bone->rest_angle);
		write_degrees(json, "tPoseDegrees", bone->t_angle);
		write_degrees(json, "toleranceDegrees", bone->tolerance);
	} else {
		jc_json_write_null(json, "length");
		jc_json_write_null(json, "restDegrees");
		jc_json_write_null(json, "tPoseDegrees");
		jc_json_write_null(json, "toleranceDegrees");
	}
	write_degrees(json, "axisDegrees", bone->axis_angle);
	write_degrees(json, "rollDegrees", bone->roll_angle);
	jc_json_end_object(json);
}

static void write_rest(struct jc_json_writer *json, const struct jc_lint_report *report)
{
	const struct jc_posture *posture = &report->posture;

	jc_json_begin_object(json, "rest");
	jc_json_write_string(json, "kind", jc_rest_kind_name(posture->kind));
	if (posture->kind == JC_REST_UNKNOWN) {
		jc_json_write_null(json, "armDegrees");
	} else {
		write_degrees(json, "armDegrees", posture->arm_angle);
	}
	if (posture->has_facing) {
		write_degrees(json, "turnDegrees", posture->format_turn);
		write_degrees(json, "tiltDegrees", posture->format_tilt);
	} else {
		jc_json_write_null(json, "turnDegrees");
		jc_json_write_null(json, "tiltDegrees");
	}
	if (posture->head_height > 0.0f) {
		jc_json_write_float(json, "headHeight", posture->head_height);
	} else {
		jc_json_write_null(json, "headHeight");
	}
	jc_json_end_object(json);
}

void jc_lint_report_write_json(FILE *stream, const struct jc_lint_report *report)
{
	const struct jc_skeleton *skeleton = report->skeleton;
	struct jc_json_writer json;

	jc_json_writer_init(&json, stream);
	jc_json_begin_object(&json, NULL);
	jc_json_write_string(&json, "file", report->file);
	jc_json_write_integer(&json, "index", (long long)report->index);
	jc_json_write_bool(&json, "usable", true);
	jc_json_write_string(
		&json, "format", jc_skeleton_format_name(jc_skeleton_format(skeleton)));
	jc_json_write_string(&json, "skeleton", jc_skeleton_name(skeleton));
	if (report->no_humanoid) {
		jc_json_write_string(&json, "prop", report->no_humanoid);
		jc_json_write_null(&json, "hipsHeight");
		jc_json_write_null(&json, "rest");
	} else {
		jc_json_write_null(&json, "prop");
		jc_json_write_float(&json, "hipsHeight", jc_skeleton_hips_height(skeleton));
		write_rest(&json, report);
	}
	if (report->avatar) {
		jc_avatar_report_write_json(&json, report->avatar);
	} else {
		jc_json_write_null(&json, "avatar");
	}
	jc_json_begin_object(&json, "bones");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0) {
			write_bone(&json, report, (enum jc_bone)b);
		}
	}
	jc_json_end_object(&json);
	jc_skeleton_json_write_constraints(&json, skeleton);
	jc_json_begin_array(&json, "findings");
	for (size_t i = 0; i < report->lint->count; i++) {
		write_finding(&json, &report->lint->entries[i], skeleton);
	}
	jc_json_end_array(&json);
	jc_json_write_integer(&json, "findingsDropped", (long long)report->lint->dropped);
	jc_json_end_object(&json);
	putc('\n', stream);
}

/* The name of the error is the code of the finding. */
void jc_lint_report_write_refusal(FILE *stream, const char *file, size_t index,
	const struct jc_diagnostic *diagnostic, int error)
{
	struct jc_json_writer json;

	jc_json_writer_init(&json, stream);
	jc_json_begin_object(&json, NULL);
	jc_json_write_string(&json, "file", file);
	jc_json_write_integer(&json, "index", (long long)index);
	jc_json_write_bool(&json, "usable", false);
	jc_json_begin_array(&json, "findings");
	jc_json_begin_object(&json, NULL);
	jc_json_write_string(&json, "severity", "error");
	jc_json_write_string(&json, "code", jc_error_name(error));
	jc_json_write_string(&json, "text", diagnostic->what);
	jc_json_write_string(&json, "where", diagnostic->where);
	jc_json_end_object(&json);
	jc_json_end_array(&json);
	jc_json_end_object(&json);
	putc('\n', stream);
}

static const struct {
	enum jc_severity severity;
	const char *title, *colour;
} groups[] = {
	{ JC_WARNING, "warnings", "\033[33m" },
	{ JC_NOTE, "notes", "\033[36m" },
};

static bool is_coloured(FILE *stream)
{
	const char *refused = getenv("NO_COLOR");

	return isatty(fileno(stream)) && !(refused && *refused);
}

static void print_summary(FILE *stream, const struct jc_lint_report *report)
{
	const struct jc_posture *posture = &report->posture;
	const struct jc_skeleton *skeleton = report->skeleton;

	fprintf(stream, "  %-10s %d of %d\n", "bones",
		__builtin_popcountll(jc_skeleton_bone_mask(skeleton)), JC_BONE_COUNT);
	fprintf(stream, "  %-10s %s", "rest", jc_rest_kind_name(posture->kind));
	if (posture->kind != JC_REST_UNKNOWN) {
		double below = (double)posture->arm_angle * DEGREES;

		fprintf(stream, ", arms %.1f degrees %s level", fabs(below),
			below < 0.0 ? "above" : "below");
	}
	fputs("\n", stream);
	if (posture->has_facing) {
		fprintf(stream, "  %-10s turned %.1f degrees from the front, leans %.1f\n",
			"facing", fabs((double)posture->format_turn) * DEGREES,
			(double)posture->format_tilt * DEGREES);
	}
	fprintf(stream, "  %-10s hips %.3f m", "height", (double)jc_skeleton_hips_height(skeleton));
	if (posture->head_height > 0.0f) {
		fprintf(stream, ", head %.3f m over the feet", (double)posture->head_height);
	}
	fputs("\n", stream);
	if (report->avatar) {
		jc_avatar_report_write_text(stream, report->avatar);
	}
}

static void print_findings(FILE *stream, const struct jc_lint_report *report)
{
	const struct jc_lint *lint = report->lint;
	bool coloured = is_coloured(stream);

	for (size_t g = 0; g < sizeof(groups) / sizeof(*groups); g++) {
		size_t count = 0;

		for (size_t i = 0; i < lint->count; i++) {
			const struct jc_lint_entry *entry = &lint->entries[i];
			const char *remedy = find_remedy(entry->code);

			if (entry->severity != groups[g].severity) {
				continue;
			}
			if (count++ == 0) {
				fprintf(stream, "\n%s%s%s\n", coloured ? groups[g].colour : "",
					groups[g].title, coloured ? "\033[0m" : "");
			}
			fprintf(stream, "  %-21s ", entry->code);
			jc_terminal_write(stream, entry->text);
			if (remedy[0]) {
				fprintf(stream, "\n  %-21s -> %s", "", remedy);
			}
			fputs("\n", stream);
		}
	}
	if (lint->dropped > 0) {
		fprintf(stream, "\n%zu further findings\n", lint->dropped);
	}
}

static void print_constraints(FILE *stream, const struct jc_skeleton *skeleton)
{
	const struct jc_skeleton_node *nodes = jc_skeleton_nodes(skeleton);
	size_t count = jc_skeleton_constraint_count(skeleton);

	if (count) {
		fputs("\nconstraints\n", stream);
	}
	for (size_t i = 0; i < count; i++) {
		const struct jc_node_constraint *c = &jc_skeleton_constraints(skeleton)[i];

		fprintf(stream, "  %-8s %-9s %.3g  node %d ", jc_constraint_kind_name(c->kind),
			c->axis, (double)c->weight, c->node);
		jc_terminal_write_quoted(stream, nodes[c->node].name);
		fprintf(stream, " after node %d ", c->source);
		jc_terminal_write_quoted(stream, nodes[c->source].name);
		fputs("\n", stream);
	}
}

static void print_bones(FILE *stream, const struct jc_lint_report *report)
{
	const struct jc_skeleton *skeleton = report->skeleton;

	fprintf(stream, "\n%-26s %8s %7s %7s %7s %7s  %s\n", "bones, in degrees", "metres", "rest",
		"T-pose", "axis", "roll", "node");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const struct jc_bone_posture *bone = &report->posture.bones[b];
		int node = jc_skeleton_bone_node(skeleton, (enum jc_bone)b);

		if (node < 0) {
			continue;
		}
		fprintf(stream, "  %-24s ", jc_bone_name((enum jc_bone)b));
		if (bone->has_direction) {
			fprintf(stream, "%8.3f %7.1f %7.1f", (double)bone->length,
				(double)bone->rest_angle * DEGREES,
				(double)bone->t_angle * DEGREES);
		} else {
			fprintf(stream, "%8s %7s %7s", "-", "-", "-");
		}
		fprintf(stream, " %7.1f %7.1f  %d ", (double)bone->axis_angle * DEGREES,
			(double)bone->roll_angle * DEGREES, node);
		jc_terminal_write_quoted(stream, jc_skeleton_nodes(skeleton)[node].name);
		fputs("\n", stream);
	}
}

void jc_lint_report_write_text(FILE *stream, const struct jc_lint_report *report)
{
	jc_terminal_write(stream, report->file);
	fprintf(stream, "\n%s %zu: %s ", report->no_humanoid ? "prop" : "skeleton", report->index,
		jc_skeleton_format_name(jc_skeleton_format(report->skeleton)));
	jc_terminal_write_quoted(stream, jc_skeleton_name(report->skeleton));
	fputs("\n", stream);
	if (report->no_humanoid) {
		fprintf(stream, "  %-10s ", "reason");
		jc_terminal_write(stream, report->no_humanoid);
		fprintf(stream, "\n  %-10s %zu\n", "virtuals",
			jc_skeleton_virtual_transform_count(report->skeleton));
		print_findings(stream, report);
		return;
	}
	print_summary(stream, report);
	print_findings(stream, report);
	print_constraints(stream, report->skeleton);
	print_bones(stream, report);
}
