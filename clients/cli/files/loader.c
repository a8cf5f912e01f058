/* Loads the motion or skeleton that an argument names. */
#include "files/loader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "error_report.h"
#include "files/recording_file.h"
#include "jointcast/emulation.h"
#include "jointcast_private/scene.h"

static const char *const demo_prefix = "demo:";
static const char *const builtin_skeleton = "humanoid";

bool jc_load_is_demo(const char *argument)
{
	return strncmp(argument, demo_prefix, strlen(demo_prefix)) == 0;
}

bool jc_load_is_builtin(const char *argument)
{
	return jc_load_is_demo(argument) || strcmp(argument, builtin_skeleton) == 0;
}

/* memmem, because the file need not end with a NUL. */
static bool holds(const char *text, size_t length, const char *word)
{
	return memmem(text, length, word, strlen(word)) != NULL;
}

enum jc_content jc_load_content(const struct jc_input_file *input)
{
	const char *text = input->bytes;
	size_t length = input->length;
	const char *line_end;
	size_t line_length;

	if ((length >= 4 && memcmp(text, "glTF", 4) == 0) || jc_scene_is(text, length)) {
		return JC_CONTENT_BOTH;
	}
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		length -= 3;
	}
	while (length > 0 && strchr(" \t\r\n", *text) && *text) {
		text++;
		length--;
	}
	if (length == 0 || *text != '{') {
		return JC_CONTENT_MOTIONS;
	}
	/* JSON: body frames are marked in the first line, a glTF has an asset, an A-Frame recording
	 * has poses, a descriptor has neither. */
	line_end = memchr(text, '\n', length);
	line_length = line_end ? (size_t)(line_end - text) : length;
	if (holds(text, line_length, "\"jointcast\"") &&
		holds(text, line_length, "\"body-frames\"")) {
		return JC_CONTENT_MOTIONS;
	}
	if (holds(text, length, "\"asset\"")) {
		return JC_CONTENT_BOTH;
	}
	/* A recording of A-Frame. */
	return holds(text, length, "\"poses\"") ? JC_CONTENT_MOTIONS : JC_CONTENT_SKELETONS;
}

int jc_load_split(const char *argument, char **out_path, size_t *out_index)
{
	const size_t index_maximum = 1u << 20;
	char *path = strdup(argument);
	char *hash = path ? strrchr(path, '#') : NULL;

	if (!path) {
		return jc_report(JC_EXIT_IO, argument, "out of memory");
	}
	if (hash && jc_command_parse_count(hash + 1, index_maximum, out_index)) {
		*hash = '\0';
	}
	*out_path = path;
	return JC_EXIT_DONE;
}

/* A recording with missing parts is reported even if the caller does not read the lint. */
static int read_recorded(
	const char *path, size_t index, struct jc_motion **out_motion, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint missing = { 0 };
	struct jc_recording_file file;
	int status = jc_recording_file_open(path, &file);
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	error = jc_recording_read_body(
		file.recording, index, out_motion, lint ? lint : &missing, &diagnostic);
	jc_recording_file_close(&file);
	if (error) {
		return jc_report_diagnostic(error, path, &diagnostic);
	}
	for (size_t i = 0; i < missing.count; i++) {
		if (missing.entries[i].severity == JC_WARNING) {
			jc_report(JC_EXIT_DONE, path, "%s", missing.entries[i].text);
		}
	}
	return JC_EXIT_DONE;
}

int jc_load_bone_map(const char *path, struct jc_bone_map **out_map)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_input_file input;
	int status;
	int error;

	*out_map = NULL;
	if (!path) {
		return JC_EXIT_DONE;
	}
	status = jc_input_file_read(path, &input);
	if (status != JC_EXIT_DONE) {
		return status;
	}
	error = jc_bone_map_read(path, input.bytes, input.length, out_map, &diagnostic);
	jc_input_file_finish(&input);
	if (!error) {
		return JC_EXIT_DONE;
	}
	/* The place is FILE:LINE. */
	return diagnostic.where[0]
		       ? jc_report(JC_EXIT_INPUT, diagnostic.where, "%s", diagnostic.what)
		       : jc_report_diagnostic(error, path, &diagnostic);
}

int jc_load_refuse_map(const char *argument)
{
	return jc_report(JC_EXIT_INPUT, argument, "has no joints to which a bone map could apply");
}

static int read_file(const char *path, size_t index, const struct jc_bone_map *map,
	struct jc_motion **out_motion, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_gltf_resolver resolver;
	struct jc_input_file input;
	int status = jc_input_file_read(path, &input);
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	resolver = jc_input_file_resolver(&input);
	error = map ? jc_motion_read_mapped(input.bytes, input.length, index, map, &resolver,
			      out_motion, lint, &diagnostic)
		    : jc_recording_read_motion(input.bytes, input.length, index, &resolver,
			      out_motion, lint, &diagnostic);
	status = error ? jc_report_diagnostic(error, path, &diagnostic) : JC_EXIT_DONE;
	jc_input_file_finish(&input);
	return status;
}

static int read_motion(const char *argument, size_t index, const struct jc_bone_map *map,
	struct jc_motion **out_motion, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	int error;

	if (map && (jc_load_is_demo(argument) || jc_recording_file_is(argument))) {
		return jc_load_refuse_map(argument);
	}
	if (jc_load_is_demo(argument)) {
		if (index > 0) {
			return jc_report(JC_EXIT_INPUT, argument, "has no motion %zu", index);
		}
		error = jc_motion_create_demo(
			argument + strlen(demo_prefix), out_motion, &diagnostic);
		return error ? jc_report_diagnostic(error, argument, &diagnostic) : JC_EXIT_DONE;
	}
	if (jc_recording_file_is(argument)) {
		return read_recorded(argument, index, out_motion, lint);
	}
	return read_file(argument, index, map, out_motion, lint);
}

/* Replaces the motion by the selected interval of it, or destroys it. */
static int cut(
	const char *argument, const struct jc_load_options *options, struct jc_motion **motion)
{
	double length = jc_motion_info(*motion)->duration;
	double until = options->until > 0.0 ? fmin(options->until, length) : length;

	if (options->from == 0.0 && options->until == 0.0) {
		return JC_EXIT_DONE;
	}
	switch (jc_motion_create_excerpt(*motion, options->from, until, motion)) {
	case JC_OK:
		return JC_EXIT_DONE;
	case JC_ERROR_INVALID:
		return jc_report(JC_EXIT_INPUT, argument,
			"contains nothing from %g to %g s: its length is %g s", options->from,
			until, length);
	default:
		return jc_report(JC_EXIT_IO, argument, "out of memory");
	}
}

int jc_load_motion(const char *argument, size_t index, const struct jc_load_options *options,
	struct jc_motion **out_motion, struct jc_lint *lint)
{
	struct jc_bone_map *map;
	struct jc_motion *motion;
	int status = jc_load_bone_map(options->bones, &map);

	if (status == JC_EXIT_DONE) {
		status = read_motion(argument, index, map, &motion, lint);
		jc_bone_map_destroy(map);
	}
	if (status != JC_EXIT_DONE) {
		return status;
	}
	if (!options->as_tracked && jc_emulation_complete_motion(motion, 0.0f)) {
		jc_motion_destroy(motion);
		return jc_report(JC_EXIT_IO, argument, "out of memory");
	}
	if (options->mirror && jc_motion_create_mirror(motion, &motion)) {
		return jc_report(JC_EXIT_IO, argument, "out of memory");
	}
	status = cut(argument, options, &motion);
	if (status == JC_EXIT_DONE) {
		*out_motion = motion;
	}
	return status;
}

static int read_skeleton(const char *path, size_t index, const struct jc_bone_map *map,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_gltf_resolver resolver;
	struct jc_input_file input;
	int status = jc_input_file_read(path, &input);
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	resolver = jc_input_file_resolver(&input);
	error = jc_skeleton_read_mapped(
		input.bytes, input.length, index, map, &resolver, out_skeleton, lint, &diagnostic);
	status = error ? jc_report_diagnostic(error, path, &diagnostic) : JC_EXIT_DONE;
	jc_input_file_finish(&input);
	return status;
}

int jc_load_skeleton(const char *argument, size_t index, const char *bones,
	struct jc_skeleton **out_skeleton, struct jc_lint *lint)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_bone_map *map;
	int status;
	int error;

	if (strcmp(argument, builtin_skeleton) == 0) {
		if (bones) {
			return jc_load_refuse_map(argument);
		}
		if (index > 0) {
			return jc_report(JC_EXIT_INPUT, argument, "has no skeleton %zu", index);
		}
		error = jc_skeleton_create_builtin(out_skeleton);
		return error ? jc_report_diagnostic(error, argument, &diagnostic) : JC_EXIT_DONE;
	}
	status = jc_load_bone_map(bones, &map);
	if (status == JC_EXIT_DONE) {
		status = read_skeleton(argument, index, map, out_skeleton, lint);
		jc_bone_map_destroy(map);
	}
	return status;
}

int jc_load_prop(const struct jc_input_file *input, struct jc_skeleton **out_prop,
	struct jc_lint *lint, struct jc_diagnostic *refusal)
{
	static const char need[] = "; a prop needs KHR_virtual_transform";
	char what[sizeof(refusal->what)];
	int error;

	*lint = (struct jc_lint){ 0 };
	if (input->format) {
		return JC_ERROR_NO_HUMANOID; /* no other format has virtual transforms */
	}
	error = jc_skeleton_read_prop(input->bytes, input->length, out_prop, lint, NULL);
	if (error == JC_ERROR_ABSENT && refusal->where[0] == '\0') {
		snprintf(what, sizeof(what), "%.*s%s", (int)(sizeof(what) - sizeof(need)),
			refusal->what, need);
		memcpy(refusal->what, what, sizeof(what));
	}
	return error == JC_OK || error == JC_ERROR_MEMORY ? error : JC_ERROR_NO_HUMANOID;
}
