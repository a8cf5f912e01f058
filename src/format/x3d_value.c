/* Reads X3D XML attribute values, whose type follows from their form. */
#include "scene_private.h"

#include <string.h>

#include "jointcast/limits.h"
#include "scene_number.h"

static void skip_space(struct jc_span *text)
{
	while (text->length > 0 && (strchr(" \t\r\n,", *text->start) && *text->start)) {
		text->start++;
		text->length--;
	}
}

static void skip(struct jc_span *text, size_t length)
{
	text->start += length;
	text->length -= length;
}

/* The next word, up to white space or a comma. */
static struct jc_span word(struct jc_span text)
{
	size_t length = 0;

	while (length < text.length && !strchr(" \t\r\n,", text.start[length])) {
		length++;
	}
	return (struct jc_span){ text.start, length };
}

/* Each returns the error, or NO_MATCH when the text is not of that shape. */
#define NO_MATCH 1

static int read_numbers(struct jc_scene_builder *builder, struct jc_span text)
{
	while (skip_space(&text), text.length > 0) {
		double value;
		size_t length = jc_scene_number(text, &value);
		int error;

		if (length == 0 ||
			(length < text.length && !strchr(" \t\r\n,", text.start[length]))) {
			return NO_MATCH;
		}
		error = jc_scene_push_number(builder, value);
		if (error) {
			return error;
		}
		skip(&text, length);
	}
	return JC_OK;
}

static int read_booleans(struct jc_scene_builder *builder, struct jc_span text)
{
	while (skip_space(&text), text.length > 0) {
		struct jc_span next = word(text);
		bool value = jc_span_is(next, "true");
		int error;

		if (!value && !jc_span_is(next, "false")) {
			return NO_MATCH;
		}
		error = jc_scene_push_boolean(builder, value);
		if (error) {
			return error;
		}
		skip(&text, next.length);
	}
	return JC_OK;
}

/* "one" "two" */
static int read_strings(struct jc_scene_builder *builder, struct jc_span text)
{
	while (skip_space(&text), text.length > 0) {
		size_t end = 1;
		int error;

		if (*text.start != '"') {
			return NO_MATCH;
		}
		while (end < text.length && text.start[end] != '"') {
			end += text.start[end] == '\\' ? 2 : 1;
		}
		if (end >= text.length) {
			return NO_MATCH;
		}
		error = jc_scene_push_string(
			builder, (struct jc_span){ text.start + 1, end - 1 }, true);
		if (error) {
			return error;
		}
		skip(&text, end + 1);
	}
	return JC_OK;
}

/* Tries all forms in turn, each with an empty field; text always fits. */
int jc_x3d_read_value(struct jc_scene_builder *builder, struct jc_span name, struct jc_span text)
{
	static int (*const shapes[])(struct jc_scene_builder *, struct jc_span) = { read_numbers,
		read_booleans, read_strings };
	struct jc_span rest = text;
	size_t shape = 0;
	int error = NO_MATCH;

	skip_space(&rest);
	while (error == NO_MATCH && shape < 3 && rest.length > 0) {
		error = jc_scene_begin_field(builder, name);
		if (!error) {
			error = shapes[shape++](builder, rest);
		}
	}
	if (error == NO_MATCH) {
		error = jc_scene_begin_field(builder, name);
		if (!error) {
			error = jc_scene_push_string(builder, text, false);
		}
	} else if (!error && shape < 3 && text.length < JC_LIMIT_NAME_BYTES) {
		error = jc_scene_push_string(builder, text, false);
	}
	return error ? error : jc_scene_end_field(builder);
}
