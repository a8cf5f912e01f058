/* Splits and joins long messages. */
#include "cluster/parts.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/little_endian.h"
#include "jointcast/error.h"

int jc_parts_split_init(struct jc_parts_split *split, uint32_t number, const void *bytes,
	size_t length, size_t most)
{
	most = most < JC_PART_BYTES ? most : JC_PART_BYTES;
	if (most <= JC_PARTS_HEAD || length > JC_MAX_PARTS_BYTES) {
		return JC_ERROR_LIMIT;
	}
	most -= JC_PARTS_HEAD;

	size_t parts = length ? (length + most - 1) / most : 1;

	if (parts > JC_MAX_PARTS) {
		return JC_ERROR_LIMIT;
	}
	*split = (struct jc_parts_split){ .number = number,
		.parts = (uint16_t)parts,
		.bytes = bytes,
		.length = length,
		.most = most };
	return JC_OK;
}

size_t jc_parts_split_next(struct jc_parts_split *split, uint8_t out_part[JC_PART_BYTES])
{
	if (split->part == split->parts) {
		return 0;
	}
	size_t at = split->part * split->most;
	size_t length = split->length - at < split->most ? split->length - at : split->most;

	jc_put_u32(out_part, split->number);
	jc_put_u16(out_part + 4, split->part++);
	jc_put_u16(out_part + 6, split->parts);
	if (length > 0) {
		memcpy(out_part + JC_PARTS_HEAD, split->bytes + at, length);
	}
	return JC_PARTS_HEAD + length;
}

static void drop(struct jc_parts *parts, struct jc_parts_message *message)
{
	for (size_t i = 0; message->texts && i < message->parts; i++) {
		free(message->texts[i]);
	}
	free(message->texts);
	free(message->lengths);
	parts->length -= message->length;
	*message = (struct jc_parts_message){ 0 };
}

static struct jc_parts_message *find(struct jc_parts *parts, uint32_t number)
{
	for (size_t i = 0; i < JC_MAX_PARTS_UNFINISHED; i++) {
		if (parts->messages[i].parts > 0 && parts->messages[i].number == number) {
			return &parts->messages[i];
		}
	}
	return NULL;
}

static void drop_old(struct jc_parts *parts, int64_t now_ns)
{
	for (size_t i = 0; i < JC_MAX_PARTS_UNFINISHED; i++) {
		struct jc_parts_message *message = &parts->messages[i];

		if (message->parts > 0 &&
			now_ns - message->began_ns > JC_MAX_PARTS_SECONDS * INT64_C(1000000000)) {
			drop(parts, message);
			parts->abandoned++;
		}
	}
}

/* A free place, or that of the oldest message. */
static struct jc_parts_message *make_room(struct jc_parts *parts)
{
	struct jc_parts_message *oldest = &parts->messages[0];

	for (size_t i = 0; i < JC_MAX_PARTS_UNFINISHED; i++) {
		if (parts->messages[i].parts == 0) {
			return &parts->messages[i];
		}
		if (parts->messages[i].began_ns < oldest->began_ns) {
			oldest = &parts->messages[i];
		}
	}
	drop(parts, oldest);
	parts->abandoned++;
	return oldest;
}

static int begin(struct jc_parts *parts, uint32_t number, uint16_t count, int64_t now_ns,
	struct jc_parts_message **out_message)
{
	uint8_t **texts = calloc(count, sizeof(*texts));
	size_t *lengths = calloc(count, sizeof(*lengths));

	if (!texts || !lengths) {
		free(texts);
		free(lengths);
		return JC_ERROR_MEMORY;
	}
	*out_message = make_room(parts);
	**out_message = (struct jc_parts_message){ .number = number,
		.parts = count,
		.began_ns = now_ns,
		.texts = texts,
		.lengths = lengths };
	return JC_OK;
}

static int add(struct jc_parts *parts, struct jc_parts_message *message, uint16_t part,
	const uint8_t *bytes, size_t length)
{
	uint8_t *text;

	if (message->texts[part]) {
		return JC_ERROR_INVALID;
	}
	if (length > JC_MAX_PARTS_BYTES - parts->length) {
		return JC_ERROR_LIMIT;
	}
	text = malloc(length ? length : 1);
	if (!text) {
		return JC_ERROR_MEMORY;
	}
	if (length > 0) {
		memcpy(text, bytes, length);
	}
	message->texts[part] = text;
	message->lengths[part] = length;
	message->length += length;
	message->got++;
	parts->length += length;
	return JC_OK;
}

static int join(struct jc_parts *parts, struct jc_parts_message *message, const char **out_bytes,
	size_t *out_length)
{
	size_t at = 0;
	uint8_t *whole = malloc(message->length + 1);

	if (!whole) {
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < message->parts; i++) {
		memcpy(whole + at, message->texts[i], message->lengths[i]);
		at += message->lengths[i];
	}
	whole[at] = '\0';
	drop(parts, message);
	parts->finished = whole;
	*out_bytes = (const char *)whole;
	*out_length = at;
	return JC_OK;
}

int jc_parts_take(struct jc_parts *parts, const uint8_t *bytes, size_t length, int64_t now_ns,
	const char **out_bytes, size_t *out_length)
{
	struct jc_parts_message *message;
	int status = JC_OK;

	*out_bytes = NULL;
	*out_length = 0;
	free(parts->finished);
	parts->finished = NULL;
	drop_old(parts, now_ns);
	if (length < JC_PARTS_HEAD) {
		return JC_ERROR_TRUNCATED;
	}
	uint32_t number = jc_get_u32(bytes);
	uint16_t part = jc_get_u16(bytes + 4), count = jc_get_u16(bytes + 6);

	message = find(parts, number);
	if (part >= count || count > JC_MAX_PARTS || (message && message->parts != count)) {
		status = JC_ERROR_INVALID;
	} else if (!message) {
		status = begin(parts, number, count, now_ns, &message);
	}
	if (status == JC_OK) {
		status = add(parts, message, part, bytes + JC_PARTS_HEAD, length - JC_PARTS_HEAD);
	}
	if (status == JC_OK && message->got == message->parts) {
		status = join(parts, message, out_bytes, out_length);
	}
	if (status != JC_OK && message) {
		drop(parts, message);
	}
	return status;
}

void jc_parts_finish(struct jc_parts *parts)
{
	for (size_t i = 0; i < JC_MAX_PARTS_UNFINISHED; i++) {
		if (parts->messages[i].parts > 0) {
			drop(parts, &parts->messages[i]);
		}
	}
	free(parts->finished);
	*parts = (struct jc_parts){ 0 };
}
