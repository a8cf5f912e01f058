/* The JSON of `lint --json`; the manual page tells its fields. */
#include <string.h>

#include "constraints_json.h"
#include "json_writer.h"
#include "lint.h"

#define DEGREES 57.29577951308232

/* To a ten-thousandth: beyond that it is arithmetic. */
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
	jc_json_write_string(json, "remedy", jc_lint_remedy(entry->code));
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
	jc_json_write_float(&json, "hipsHeight", jc_skeleton_hips_height(skeleton));
	write_rest(&json, report);
	jc_json_begin_object(&json, "bones");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)b) >= 0) {
			write_bone(&json, report, (enum jc_bone)b);
		}
	}
	jc_json_end_object(&json);
	jc_constraints_write(&json, skeleton);
	jc_json_begin_array(&json, "findings");
	for (size_t i = 0; i < report->lint->count; i++) {
		write_finding(&json, &report->lint->entries[i], skeleton);
	}
	jc_json_end_array(&json);
	jc_json_write_integer(&json, "findingsDropped", (long long)report->lint->dropped);
	jc_json_end_object(&json);
	putc('\n', stream);
}

/* The name of the error serves as code. */
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
