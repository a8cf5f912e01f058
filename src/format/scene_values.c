/* Collects the values of one field. */
#include "scene_parts.h"

#include <math.h>
#include <string.h>

#include "jointcast/limits.h"

int jc_scene_begin_field(struct jc_scene_builder *builder, struct jc_span name)
{
	int error = jc_scene_intern(builder, name, &builder->field.name);

	if (error) {
		return error;
	}
	builder->field = (struct jc_scene_field){ .name = builder->field.name };
	builder->booleans = false;
	builder->number_count = 0;
	builder->string_count = 0;
	/* PROTO wrappers of interpolators have these too. */
	builder->keeps_arrays = jc_scene_top(builder)->keeps_arrays ||
				strcmp(builder->field.name, "key") == 0 ||
				strcmp(builder->field.name, "keyValue") == 0;
	return JC_OK;
}

static int add_number(struct jc_scene_builder *builder, double value)
{
	if (jc_scene_reserve(builder, &builder->numbers, &builder->number_capacity,
		    builder->number_count, sizeof(*builder->numbers))) {
		return JC_ERROR_MEMORY;
	}
	builder->numbers[builder->number_count++] = value;
	return JC_OK;
}

int jc_scene_push_number(struct jc_scene_builder *builder, double value)
{
	if (!isfinite(value)) {
		return jc_scene_fail(builder, JC_ERROR_INVALID,
			"a number of field '%s' is not finite", builder->field.name);
	}
	if (builder->field.omitted > 0) {
		builder->field.omitted++;
		return JC_OK;
	}
	if (!builder->keeps_arrays && builder->number_count >= JC_LIMIT_SCENE_PLAIN_VALUES) {
		builder->field.omitted = builder->number_count + 1;
		builder->number_count = 0;
		return JC_OK;
	}
	if (builder->number_total + builder->number_count >= JC_LIMIT_SCENE_NUMBERS) {
		return jc_scene_fail(builder, JC_ERROR_LIMIT,
			"more than %u numbers of motions and humanoids", JC_LIMIT_SCENE_NUMBERS);
	}
	return add_number(builder, value);
}

int jc_scene_push_boolean(struct jc_scene_builder *builder, bool value)
{
	builder->booleans = true;
	return jc_scene_push_number(builder, value ? 1.0 : 0.0);
}

int jc_scene_push_string(struct jc_scene_builder *builder, struct jc_span text, bool escaped)
{
	size_t length = 0;
	char *copy;

	if (text.length > JC_LIMIT_SCENE_STRING_BYTES ||
		builder->string_count >= JC_LIMIT_SCENE_STRINGS) {
		builder->field.omitted++;
		return JC_OK;
	}
	if (jc_scene_reserve(builder, &builder->strings, &builder->string_capacity,
		    builder->string_count, sizeof(*builder->strings))) {
		return JC_ERROR_MEMORY;
	}
	copy = jc_scene_take(builder, text.length + 1);
	if (!copy) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < text.length; i++) {
		if (escaped && text.start[i] == '\\' && i + 1 < text.length) {
			i++;
		}
		copy[length++] = text.start[i];
	}
	builder->strings[builder->string_count++] = copy;
	return JC_OK;
}

int jc_scene_end_field(struct jc_scene_builder *builder)
{
	struct jc_scene_field field = builder->field;
	struct jc_scene_field *place;
	int error;

	field.number_count = builder->number_count;
	field.string_count = builder->string_count;
	field.numbers = jc_scene_copy(
		builder, builder->numbers, field.number_count, sizeof(*builder->numbers));
	field.strings = jc_scene_copy(
		builder, builder->strings, field.string_count, sizeof(*builder->strings));
	if (!field.numbers || !field.strings) {
		return JC_ERROR_MEMORY;
	}
	error = jc_scene_place_field(builder, field.name, &place);
	if (error) {
		return error;
	}
	if (field.number_count > 0) {
		field.kind = builder->booleans ? JC_SCENE_BOOLEANS : JC_SCENE_NUMBERS;
	} else if (field.string_count > 0) {
		field.kind = JC_SCENE_STRINGS;
	}
	builder->number_total += field.number_count;
	*place = field;
	return JC_OK;
}
