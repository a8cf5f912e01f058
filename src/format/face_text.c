/* Reads the fields between the bars one by one, twice: the first time to check them. */
#include "jointcast_private/apps/face_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 32      /* of the text of a number, with the NUL */
#define MOST_ANGLE   1000.0f /* degrees; larger ones are damage */
#define MOST_METRES  1000.0f

struct field {
	const char *text;
	size_t length;
};

static bool begins_with(const struct field *field, const char *prefix)
{
	size_t length = strlen(prefix);

	return field->length >= length && memcmp(field->text, prefix, length) == 0;
}

/* Reads a decimal number that fills the text; false for anything else. */
static bool read_number(const char *text, size_t length, float *out_number)
{
	char copy[NUMBER_BYTES];
	char *end;

	if (length == 0 || length >= sizeof(copy)) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		/* No hexadecimal digits, no "inf" and no spaces, which strtof would read. */
		if (!strchr("0123456789+-.eE", text[i]) || !text[i]) {
			return false;
		}
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	*out_number = strtof(copy, &end);
	return !*end && isfinite(*out_number);
}

/* Reads `count` numbers or more with commas between them; keeps the first three. */
static bool read_numbers(struct field list, size_t count, float out_numbers[3])
{
	size_t known = 0;

	for (;;) {
		const char *comma = memchr(list.text, ',', list.length);
		size_t length = comma ? (size_t)(comma - list.text) : list.length;
		float number;

		if (known == 6 || !read_number(list.text, length, &number) ||
			fabsf(number) > (known < 3 ? MOST_ANGLE : MOST_METRES)) {
			return false;
		}
		if (known < 3) {
			out_numbers[known] = number;
		}
		known++;
		if (!comma) {
			return known >= count;
		}
		list.text += length + 1;
		list.length -= length + 1;
	}
}

/* Reads "head#…" or an eye. *out_known is false for other fields. */
static int read_angles(const struct field *field, struct jc_face_text *text, bool *out_known)
{
	const struct {
		const char *prefix;
		size_t count;
		struct jc_face_text_angles *angles;
	} parts[] = {
		{ "head#", 3, &text->head },
		{ "rightEye#", 3, &text->right_eye },
		{ "leftEye#", 3, &text->left_eye },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t length = strlen(parts[i].prefix);
		float numbers[3];

		if (!begins_with(field, parts[i].prefix)) {
			continue;
		}
		*out_known = true;
		if (!read_numbers((struct field){ field->text + length, field->length - length },
			    parts[i].count, numbers)) {
			return JC_ERROR_INVALID;
		}
		*parts[i].angles = (struct jc_face_text_angles){ true,
			{ numbers[0], numbers[1], numbers[2] } };
		return JC_OK;
	}
	*out_known = false;
	return JC_OK;
}

/* The name as in ARKit: "eyeBlink_L" is eyeBlinkLeft. False: no name. */
static bool read_name(const char *text, size_t length, char out_name[JC_FACE_TEXT_NAME])
{
	bool has_side = length > 2 && text[length - 2] == '_' &&
			(text[length - 1] == 'L' || text[length - 1] == 'R');
	const char *side = !has_side ? "" : text[length - 1] == 'L' ? "Left" : "Right";
	size_t stem = has_side ? length - 2 : length;

	if (stem == 0 || stem + strlen(side) >= JC_FACE_TEXT_NAME) {
		return false;
	}
	for (size_t i = 0; i < stem; i++) {
		char c = text[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    c == '_')) {
			return false;
		}
	}
	memcpy(out_name, text, stem);
	strcpy(out_name + stem, side);
	return true;
}

/* Reads NAME-VALUE or NAME&VALUE. */
static int read_value(const struct field *field, char out_name[JC_FACE_TEXT_NAME], float *out_value)
{
	const char *mark = memchr(field->text, '&', field->length);
	float number;

	mark = mark ? mark : memchr(field->text, '-', field->length);
	if (!mark || !read_name(field->text, (size_t)(mark - field->text), out_name)) {
		return JC_ERROR_SYNTAX;
	}
	if (!read_number(mark + 1, field->length - (size_t)(mark - field->text) - 1, &number)) {
		return JC_ERROR_INVALID;
	}
	*out_value = fminf(fmaxf(number * 0.01f, 0.0f), 1.0f);
	return JC_OK;
}

static int read_fields(const char *bytes, size_t length,
	void (*on_value)(void *context, const char *name, float value), void *context,
	struct jc_face_text *text, size_t *out_place)
{
	*out_place = 0;
	while (length > 0) {
		const char *bar = memchr(bytes, '|', length);
		size_t used = bar ? (size_t)(bar - bytes) + 1 : length;
		struct field field = { bytes, bar ? used - 1 : used };
		char name[JC_FACE_TEXT_NAME];
		bool is_known;
		float value;

		bytes += used;
		length -= used;
		if (++*out_place > JC_FACE_TEXT_ITEMS) {
			return JC_ERROR_LIMIT;
		}
		if (field.length > 0 && field.text[0] == '=') {
			field.text++;
			field.length--;
		}
		if (field.length == 0 || begins_with(&field, "___")) {
			continue; /* the mark of a stream over TCP */
		}
		int status = read_angles(&field, text, &is_known);

		if (status == JC_OK && !is_known) {
			status = read_value(&field, name, &value);
			if (status == JC_OK && on_value) {
				on_value(context, name, value);
			}
		}
		if (status != JC_OK) {
			return status;
		}
	}
	return JC_OK;
}

int jc_face_text_read(const char *bytes, size_t length,
	void (*on_value)(void *context, const char *name, float value), void *context,
	struct jc_face_text *out_text, struct jc_diagnostic *diagnostic)
{
	struct jc_face_text text = { .head = { .is_known = false } };
	char where[32];
	size_t place;

	if (length > JC_FACE_TEXT_BYTES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "a text of %zu bytes", length);
	}
	int status = read_fields(bytes, length, NULL, NULL, &text, &place);

	if (status != JC_OK) {
		snprintf(where, sizeof(where), "field %zu", place);
		return jc_diagnose(diagnostic, status, where, "%s",
			status == JC_ERROR_LIMIT ? "too many fields"
			: status == JC_ERROR_INVALID
				? "an impossible number"
				: "neither a value of a blend shape nor angles");
	}
	if (place < 2) {
		return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL, "no text of a face");
	}
	read_fields(bytes, length, on_value, context, &text, &place);
	*out_text = text;
	return JC_OK;
}
