/* Reads and writes OSC packets. The reader walks a packet twice with the same code, first to check
 * it, then to deliver its messages: it allocates nothing and delivers nothing of a damaged packet.
 */
#include "jointcast_private/osc.h"

#include <stdio.h>
#include <string.h>

#define BUNDLE_TAG      "#bundle" /* with its NUL the eight bytes an OSC-string takes */
#define TIME_TAG_NOW    1u        /* OSC 1.0, "Temporal Semantics": immediately */
#define SECONDS_TO_1970 INT64_C(2208988800)

struct reader {
	const uint8_t *bytes;
	void (*on_message)(void *context, const struct jc_osc_message *message);
	void *context;
	struct jc_diagnostic *diagnostic;
};

static int fail(const struct reader *reader, int error, size_t at, const char *what)
{
	char where[32];

	snprintf(where, sizeof(where), "at byte %zu", at);
	jc_diagnose(reader->diagnostic, error, where, "%s", what);
	return error;
}

static uint32_t load_32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       (uint32_t)bytes[3];
}

static uint64_t load_64(const uint8_t *bytes)
{
	return (uint64_t)load_32(bytes) << 32 | load_32(bytes + 4);
}

static void store_32(uint8_t *bytes, uint32_t value)
{
	bytes[0] = (uint8_t)(value >> 24);
	bytes[1] = (uint8_t)(value >> 16);
	bytes[2] = (uint8_t)(value >> 8);
	bytes[3] = (uint8_t)value;
}

/* A string of that many bytes with its NUL and padding. */
static size_t padded(size_t length)
{
	return (length + 4) & ~(size_t)3;
}

static int read_string(const struct reader *reader, size_t *at, size_t end, const char **out_text)
{
	const uint8_t *bytes = reader->bytes;
	const uint8_t *nul = memchr(bytes + *at, '\0', end - *at);

	if (!nul) {
		return fail(reader, JC_ERROR_TRUNCATED, *at, "a string without an end");
	}
	/* The end is a multiple of four from here, so the padding is inside. */
	size_t past = *at + padded((size_t)(nul - bytes) - *at);

	for (size_t i = (size_t)(nul - bytes); i < past; i++) {
		if (bytes[i] != 0) {
			return fail(reader, JC_ERROR_SYNTAX, i, "padding that is not zero");
		}
	}
	*out_text = (const char *)bytes + *at;
	*at = past;
	return JC_OK;
}

/* Bytes of a number; 0 for true and false, which are all tag. */
static size_t number_size(char type)
{
	return type == 'd' ? 8 : type == 'i' || type == 'f' ? 4 : 0;
}

static int read_argument(
	const struct reader *reader, size_t *at, size_t end, struct jc_osc_argument *argument)
{
	size_t size = number_size(argument->type);

	if (argument->type == 's') {
		return read_string(reader, at, end, &argument->s);
	}
	if (end - *at < size) {
		return fail(reader, JC_ERROR_TRUNCATED, *at, "an argument is missing");
	}
	if (size == 4) {
		argument->i = (int32_t)load_32(reader->bytes + *at); /* of a float, the bits */
	} else if (size == 8) {
		uint64_t bits = load_64(reader->bytes + *at);

		memcpy(&argument->d, &bits, sizeof(bits));
	}
	*at += size;
	return JC_OK;
}

/* Reads type tags and arguments. */
static int read_arguments(
	const struct reader *reader, size_t at, size_t end, struct jc_osc_message *message)
{
	const char *tags;

	/* "Older implementations may omit the type tag string." */
	if (at == end || reader->bytes[at] != ',') {
		return JC_OK;
	}
	int status = read_string(reader, &at, end, &tags);

	if (status != JC_OK) {
		return status;
	}
	for (tags++; status == JC_OK && *tags; tags++) {
		if (message->argument_count == JC_LIMIT_OSC_ARGUMENTS || !strchr("ifdsTF", *tags)) {
			return JC_OK;
		}
		struct jc_osc_argument *argument = &message->arguments[message->argument_count];

		argument->type = *tags;
		status = read_argument(reader, &at, end, argument);
		message->argument_count++;
	}
	if (status == JC_OK && at != end) {
		return fail(reader, JC_ERROR_SYNTAX, at, "more than the arguments");
	}
	return status;
}

static int read_message(const struct reader *reader, size_t at, size_t end)
{
	struct jc_osc_message message;
	int status = read_string(reader, &at, end, &message.address);

	message.argument_count = 0;
	if (status == JC_OK) {
		status = read_arguments(reader, at, end, &message);
	}
	if (status == JC_OK && reader->on_message) {
		reader->on_message(reader->context, &message);
	}
	return status;
}

static int read_packet(const struct reader *reader, size_t at, size_t end, unsigned depth);

static int read_bundle(const struct reader *reader, size_t at, size_t end, unsigned depth)
{
	int status = JC_OK;

	if (end - at < 16) {
		return fail(reader, JC_ERROR_TRUNCATED, at, "a bundle without a time tag");
	}
	if (memcmp(reader->bytes + at, BUNDLE_TAG, sizeof(BUNDLE_TAG)) != 0) {
		return fail(reader, JC_ERROR_SYNTAX, at, "neither a message nor a bundle");
	}
	if (depth == JC_LIMIT_OSC_DEPTH) {
		return fail(reader, JC_ERROR_LIMIT, at, "bundles nested too deeply");
	}
	for (at += 16; status == JC_OK && at < end;) {
		uint32_t size = load_32(reader->bytes + at);

		at += 4;
		if (size > end - at) {
			return fail(
				reader, JC_ERROR_TRUNCATED, at, "an element ends past its bundle");
		}
		status = read_packet(reader, at, at + size, depth + 1);
		at += size;
	}
	return status;
}

static int read_packet(const struct reader *reader, size_t at, size_t end, unsigned depth)
{
	if (at == end) {
		return fail(reader, JC_ERROR_TRUNCATED, at, "nothing where a message should be");
	}
	if ((end - at) % 4 != 0) {
		return fail(reader, JC_ERROR_SYNTAX, at, "a size that is not a multiple of four");
	}
	switch (reader->bytes[at]) {
	case '/':
		return read_message(reader, at, end);
	case '#':
		return read_bundle(reader, at, end, depth);
	default:
		return fail(reader, JC_ERROR_SYNTAX, at, "neither a message nor a bundle");
	}
}

int jc_osc_read(const void *bytes, size_t length,
	void (*on_message)(void *context, const struct jc_osc_message *message), void *context,
	struct jc_diagnostic *diagnostic)
{
	struct reader reader = { .bytes = bytes, .diagnostic = diagnostic };
	int status = read_packet(&reader, 0, length, 0);

	if (status == JC_OK) {
		reader.on_message = on_message;
		reader.context = context;
		status = read_packet(&reader, 0, length, 0);
	}
	return status;
}

bool jc_osc_matches(const struct jc_osc_message *message, const char *types)
{
	size_t count = strlen(types);

	if (message->argument_count < count) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (!strchr(types[i] == 'n' ? "ifd" : "s", message->arguments[i].type)) {
			return false;
		}
	}
	return true;
}

double jc_osc_number(const struct jc_osc_argument *argument)
{
	return argument->type == 'i'   ? (double)argument->i
	       : argument->type == 'f' ? (double)argument->f
				       : argument->d;
}

int64_t jc_osc_sent_ns(const void *bytes, size_t length)
{
	uint64_t tag;

	if (length < 16 || memcmp(bytes, BUNDLE_TAG, sizeof(BUNDLE_TAG)) != 0) {
		return INT64_MIN;
	}
	tag = load_64((const uint8_t *)bytes + 8);
	if (tag <= TIME_TAG_NOW) {
		return INT64_MIN;
	}
	return ((int64_t)(tag >> 32) - SECONDS_TO_1970) * 1000000000 +
	       (int64_t)((tag & UINT32_MAX) * 1000000000 >> 32);
}

void jc_osc_names_add(struct jc_osc_names *names, const char *address)
{
	char name[JC_LIMIT_OSC_NAME_BYTES];

	snprintf(name, sizeof(name), "%.*s", (int)sizeof(name) - 1, address);
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->list[i], name) == 0) {
			return;
		}
	}
	if (names->count < JC_LIMIT_OSC_NAMES) {
		memcpy(names->list[names->count++], name, sizeof(name));
	}
}

static size_t message_size(const struct jc_osc_message *message)
{
	size_t size = padded(strlen(message->address)) + padded(1 + message->argument_count);

	for (size_t i = 0; i < message->argument_count; i++) {
		const struct jc_osc_argument *argument = &message->arguments[i];

		size += argument->type == 's' ? padded(strlen(argument->s))
					      : number_size(argument->type);
	}
	return size;
}

static uint8_t *write_string(uint8_t *out, const char *text)
{
	size_t length = strlen(text);
	size_t size = padded(length);

	memcpy(out, text, length);
	memset(out + length, 0, size - length);
	return out + size;
}

static uint8_t *write_argument(uint8_t *out, const struct jc_osc_argument *argument)
{
	size_t size = number_size(argument->type);

	if (argument->type == 's') {
		return write_string(out, argument->s);
	}
	if (size == 4) {
		store_32(out, (uint32_t)argument->i);
	} else if (size == 8) {
		uint64_t bits;

		memcpy(&bits, &argument->d, sizeof(bits));
		store_32(out, (uint32_t)(bits >> 32));
		store_32(out + 4, (uint32_t)bits);
	}
	return out + size;
}

int jc_osc_write(const struct jc_osc_message *message, void *out_bytes, size_t capacity)
{
	char tags[JC_LIMIT_OSC_ARGUMENTS + 2] = ",";
	size_t size = message_size(message);
	uint8_t *out = out_bytes;

	if (size > capacity || size > INT32_MAX) {
		return JC_ERROR_SPACE;
	}
	for (size_t i = 0; i < message->argument_count; i++) {
		tags[1 + i] = message->arguments[i].type;
	}
	tags[1 + message->argument_count] = '\0';
	out = write_string(out, message->address);
	out = write_string(out, tags);
	for (size_t i = 0; i < message->argument_count; i++) {
		out = write_argument(out, &message->arguments[i]);
	}
	return (int)size;
}

int jc_osc_bundle_begin(void *out_bytes, size_t capacity)
{
	uint8_t *out = out_bytes;

	if (capacity < 16) {
		return JC_ERROR_SPACE;
	}
	memcpy(out, BUNDLE_TAG, sizeof(BUNDLE_TAG));
	store_32(out + 8, 0);
	store_32(out + 12, (uint32_t)TIME_TAG_NOW);
	return 16;
}

int jc_osc_bundle_append(const struct jc_osc_message *message, void *out_bytes, size_t capacity)
{
	uint8_t *out = out_bytes;

	if (capacity < 4) {
		return JC_ERROR_SPACE;
	}
	int size = jc_osc_write(message, out + 4, capacity - 4);

	if (size > 0) {
		store_32(out, (uint32_t)size);
		size += 4;
	}
	return size;
}
