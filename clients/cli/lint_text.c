/* What `lint` tells people: a summary, findings by severity with what to do about
 * them, then every bone in figures. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "lint.h"
#include "plain.h"

#define DEGREES 57.29577951

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

static void write_summary(FILE *stream, const struct jc_lint_report *report)
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
}

static void write_findings(FILE *stream, const struct jc_lint_report *report)
{
	const struct jc_lint *lint = report->lint;
	bool coloured = is_coloured(stream);

	for (size_t g = 0; g < sizeof(groups) / sizeof(*groups); g++) {
		size_t count = 0;

		for (size_t i = 0; i < lint->count; i++) {
			const struct jc_lint_entry *entry = &lint->entries[i];
			const char *remedy = jc_lint_remedy(entry->code);

			if (entry->severity != groups[g].severity) {
				continue;
			}
			if (count++ == 0) {
				fprintf(stream, "\n%s%s%s\n", coloured ? groups[g].colour : "",
					groups[g].title, coloured ? "\033[0m" : "");
			}
			fprintf(stream, "  %-21s ", entry->code);
			jc_plain_write(stream, entry->text);
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

static void write_constraints(FILE *stream, const struct jc_skeleton *skeleton)
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
		jc_plain_write_quoted(stream, nodes[c->node].name);
		fprintf(stream, " after node %d ", c->source);
		jc_plain_write_quoted(stream, nodes[c->source].name);
		fputs("\n", stream);
	}
}

static void write_bones(FILE *stream, const struct jc_lint_report *report)
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
		jc_plain_write_quoted(stream, jc_skeleton_nodes(skeleton)[node].name);
		fputs("\n", stream);
	}
}

void jc_lint_report_write_text(FILE *stream, const struct jc_lint_report *report)
{
	jc_plain_write(stream, report->file);
	fprintf(stream, "\nskeleton %zu: %s ", report->index,
		jc_skeleton_format_name(jc_skeleton_format(report->skeleton)));
	jc_plain_write_quoted(stream, jc_skeleton_name(report->skeleton));
	fputs("\n", stream);
	write_summary(stream, report);
	write_findings(stream, report);
	write_constraints(stream, report->skeleton);
	write_bones(stream, report);
}
