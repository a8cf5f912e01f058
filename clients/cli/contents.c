/* Asks the readers for index after index until the file has no more. */
#include "contents.h"

#include <stdlib.h>

#include "load.h"
#include "status.h"

/* A cleared item at the end, or NULL. */
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

static int read_item(struct jc_input *input, enum jc_content content, size_t index,
	struct jc_contents_item *item, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf_resolver resolver = jc_input_resolver(input);

	if (content == JC_CONTENT_MOTIONS) {
		return jc_motion_read(input->bytes, input->length, index, &resolver, &item->motion,
			&item->lint, diagnostic);
	}
	return jc_skeleton_read(input->bytes, input->length, index, &resolver, &item->skeleton,
		&item->lint, diagnostic);
}

/* Appends everything of one kind; the error of the first that is not there. */
static int read_all(struct jc_input *input, enum jc_content content, struct jc_contents *contents,
	struct jc_diagnostic *diagnostic)
{
	size_t index = 0;

	while (contents->count < JC_CONTENTS_MAXIMUM) {
		struct jc_diagnostic past_the_end = { 0 };
		struct jc_contents_item *item = append(contents);
		int error = item ? read_item(input, content, index, item,
					   index ? &past_the_end : diagnostic)
				 : JC_ERROR_MEMORY;

		if (error == JC_OK) {
			index++;
			continue;
		}
		contents->count -= item != NULL;
		/* An index past the last one is how a list ends. */
		return index == 0 || error == JC_ERROR_MEMORY ? error : JC_OK;
	}
	return JC_OK;
}

static int read_file(const char *path, struct jc_contents *contents)
{
	struct jc_diagnostic diagnostic = { 0 }, motionless = { 0 };
	struct jc_input input;
	int status = jc_input_read(path, &input);
	int error;

	if (status != JC_EXIT_DONE) {
		return status;
	}
	error = read_all(&input, jc_load_content(&input), contents, &diagnostic);
	/* glTF may hold either or both. */
	if (jc_load_content(&input) == JC_CONTENT_SKELETONS &&
		(error == JC_OK || error == JC_ERROR_NO_HUMANOID)) {
		int motion_error = read_all(&input, JC_CONTENT_MOTIONS, contents, &motionless);

		if (error && motion_error != JC_ERROR_NO_HUMANOID) {
			error = motion_error;
			diagnostic = motionless;
		}
	}
	if (error) {
		status = jc_report_diagnostic(error, path, &diagnostic);
	}
	jc_input_finish(&input);
	return status;
}

int jc_contents_read(const char *argument, struct jc_contents *contents)
{
	struct jc_contents_item *item;

	if (!jc_load_is_builtin(argument)) {
		return read_file(argument, contents);
	}
	item = append(contents);
	if (!item) {
		return jc_report(JC_EXIT_IO, argument, "out of memory");
	}
	if (jc_load_is_demo(argument)) {
		return jc_load_motion(argument, 0, false, &item->motion, &item->lint);
	}
	return jc_load_skeleton(argument, 0, &item->skeleton, &item->lint);
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
