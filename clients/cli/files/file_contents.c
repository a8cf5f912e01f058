/* Reads all skeletons and motions of a file, index by index, or the file as a prop. */
#include "files/file_contents.h"

#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "files/body_frame_lint.h"
#include "files/loader.h"
#include "files/recording_file.h"

/* Appends a cleared item; NULL without memory. */
static struct jc_contents_item *append(struct jc_contents *contents)
{
	struct jc_contents_item *items =
		realloc(contents->items, (contents->count + 1) * sizeof(*items));

	if (!items) {
		return NULL;
	}
	contents->items = items;
	items += contents->count++;
	*items = (struct jc_contents_item){ 0 };
	return items;
}

/* A file under inspection, and the map of its bones. */
struct subject {
	struct jc_input_file input;
	struct jc_bone_map *map; /* owned; may be NULL */
};

static int read_item(struct subject *subject, size_t index, struct jc_contents_item *item)
{
	struct jc_input_file *input = &subject->input;
	struct jc_gltf_resolver resolver = jc_input_file_resolver(input);

	if (item->kind == JC_CONTENTS_MOTION) {
		int error = subject->map
				    ? jc_motion_read_mapped(input->bytes, input->length, index,
					      subject->map, &resolver, &item->motion, &item->lint,
					      &item->fault)
				    : jc_recording_read_motion(input->bytes, input->length, index,
					      &resolver, &item->motion, &item->lint, &item->fault);

		if (!error) {
			jc_body_frame_lint(item->motion, &item->lint);
		}
		return error;
	}
	return jc_skeleton_read_mapped(input->bytes, input->length, index, subject->map, &resolver,
		&item->skeleton, &item->lint, &item->fault);
}

/* Appends all items of one kind, including unusable ones. Fails only without memory. */
static int read_all(
	struct subject *subject, enum jc_contents_kind kind, struct jc_contents *contents)
{
	for (size_t index = 0;
		contents->count < JC_CONTENTS_MAXIMUM && contents->faults < JC_CONTENTS_FAULTS;
		index++) {
		struct jc_contents_item *item = append(contents);

		if (!item) {
			return JC_ERROR_MEMORY;
		}
		item->kind = kind;
		item->error = read_item(subject, index, item);
		if (item->error == JC_ERROR_MEMORY) {
			return JC_ERROR_MEMORY;
		}
		if (item->error == JC_ERROR_ABSENT) {
			contents->count--;
			break;
		}
		contents->faults += item->error != JC_OK;
		if (item->error && index == 0 && kind == JC_CONTENTS_SKELETON) {
			break; /* a file that is damaged as a whole has the same error at every
				  index */
		}
	}
	return JC_OK;
}

/* Drops the error of the missing skeleton: a file with motions may have none. */
static void drop_first(struct jc_contents *contents)
{
	contents->faults--;
	contents->count--;
	memmove(contents->items, contents->items + 1, contents->count * sizeof(*contents->items));
}

static int first_error(const struct jc_contents *contents)
{
	return contents->count > 0 ? contents->items[0].error : JC_OK;
}

/* Reads a file without a humanoid as a prop. Its motions that move no bone are those of the prop
 * itself and are left out. */
static int read_prop(struct subject *subject, struct jc_contents *contents)
{
	struct jc_contents_item *prop = &contents->items[0];
	size_t kept = 1;
	int error = jc_load_prop(&subject->input, &prop->skeleton, &prop->lint, &prop->fault);

	if (error) {
		return error;
	}
	prop->kind = JC_CONTENTS_PROP;
	prop->error = JC_OK;
	contents->faults--;
	error = read_all(subject, JC_CONTENTS_MOTION, contents);
	for (size_t i = 1; i < contents->count; i++) {
		if (contents->items[i].error == JC_ERROR_NO_HUMANOID) {
			contents->faults--;
		} else {
			contents->items[kept++] = contents->items[i];
		}
	}
	contents->count = kept;
	return error;
}

/* glTF files and scenes may contain skeletons, motions or both. */
static int read_both(struct subject *subject, struct jc_contents *contents)
{
	int error = read_all(subject, JC_CONTENTS_SKELETON, contents);
	bool is_boneless = first_error(contents) == JC_ERROR_NO_HUMANOID;

	if (error || (first_error(contents) && !is_boneless)) {
		return error;
	}
	if (is_boneless) {
		error = read_prop(subject, contents);
		if (error != JC_ERROR_NO_HUMANOID) {
			return error;
		}
	}
	error = read_all(subject, JC_CONTENTS_MOTION, contents);
	if (!error && is_boneless && contents->count > 1 &&
		contents->items[1].error != JC_ERROR_NO_HUMANOID) {
		drop_first(contents);
	}
	return error;
}

/* Appends one body of a recording; false without memory. */
static bool take_body(struct jc_contents *contents, struct jc_recorded_motion *motion)
{
	struct jc_contents_item *item = append(contents);

	if (!item || motion->error == JC_ERROR_MEMORY) {
		jc_motion_destroy(motion->motion);
		return false;
	}
	item->kind = JC_CONTENTS_MOTION;
	item->error = motion->error;
	item->motion = motion->motion;
	item->lint = motion->lint;
	item->fault = motion->fault;
	if (!item->error) {
		jc_body_frame_lint(item->motion, &item->lint);
	}
	contents->faults += item->error != JC_OK;
	return true;
}

/* Reads every body of a recording. */
static int read_bodies(const struct jc_recording *recording, struct jc_contents *contents)
{
	size_t count = jc_recording_body_count(recording);
	struct jc_recorded_motion *motions;
	bool taken = true;

	count = count < JC_CONTENTS_MAXIMUM ? count : JC_CONTENTS_MAXIMUM;
	motions = calloc(count ? count : 1, sizeof(*motions));
	if (!motions || jc_recording_read_bodies(recording, count, motions, NULL)) {
		free(motions);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		if (taken && !jc_contents_is_cut(contents)) {
			taken = take_body(contents, &motions[i]);
		} else {
			jc_motion_destroy(motions[i].motion);
		}
	}
	free(motions);
	return taken ? JC_OK : JC_ERROR_MEMORY;
}

static int read_recorded(const char *path, struct jc_contents *contents)
{
	struct jc_recording_file file;
	int status = jc_recording_file_open(path, &file);
	struct jc_diagnostic fault = { 0 };
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	error = jc_recording_expect_bodies(file.recording, &fault);
	if (error) {
		jc_recording_file_close(&file);
		return jc_report_diagnostic(error, path, &fault);
	}
	error = read_bodies(file.recording, contents);
	jc_recording_file_close(&file);
	if (error) {
		return jc_report(JC_EXIT_IO, path, "out of memory");
	}
	if (contents->count > contents->faults) {
		return JC_EXIT_DONE;
	}
	return jc_report_diagnostic(first_error(contents), path, &contents->items[0].fault);
}

static int read_file(const char *path, const char *bones, struct jc_contents *contents)
{
	struct subject subject;
	int status = jc_load_bone_map(bones, &subject.map);
	enum jc_content content;
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	status = jc_input_file_read(path, &subject.input);
	if (status != JC_EXIT_DONE) {
		jc_bone_map_destroy(subject.map);
		return status;
	}
	contents->format = subject.input.format;
	content = jc_load_content(&subject.input);
	error = content == JC_CONTENT_BOTH
			? read_both(&subject, contents)
			: read_all(&subject,
				  content == JC_CONTENT_MOTIONS ? JC_CONTENTS_MOTION
								: JC_CONTENTS_SKELETON,
				  contents);
	jc_input_file_finish(&subject.input);
	jc_bone_map_destroy(subject.map);
	if (error) {
		return jc_report(JC_EXIT_IO, path, "out of memory");
	}
	if (contents->count > contents->faults) {
		return JC_EXIT_DONE;
	}
	if (contents->count == 0) {
		return jc_report(JC_EXIT_INPUT, path, "contains neither a skeleton nor a motion");
	}
	return jc_report_diagnostic(first_error(contents), path, &contents->items[0].fault);
}

int jc_contents_read(const char *argument, const char *bones, struct jc_contents *contents)
{
	const struct jc_load_options as_it_is = { .as_tracked = true, .bones = bones };
	struct jc_contents_item *item;

	if (!jc_load_is_builtin(argument)) {
		if (!jc_recording_file_is(argument)) {
			return read_file(argument, bones, contents);
		}
		return bones ? jc_load_refuse_map(argument) : read_recorded(argument, contents);
	}
	item = append(contents);
	if (!item) {
		return jc_report(JC_EXIT_IO, argument, "out of memory");
	}
	if (jc_load_is_demo(argument)) {
		item->kind = JC_CONTENTS_MOTION;
		return jc_load_motion(argument, 0, &as_it_is, &item->motion, &item->lint);
	}
	return jc_load_skeleton(argument, 0, bones, &item->skeleton, &item->lint);
}

void jc_contents_finish(struct jc_contents *contents)
{
	for (size_t i = 0; i < contents->count; i++) {
		jc_skeleton_destroy(contents->items[i].skeleton);
		jc_motion_destroy(contents->items[i].motion);
	}
	free(contents->items);
	*contents = (struct jc_contents){ 0 };
}
