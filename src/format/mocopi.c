/* Reads mocopi packets: nested fields of at most four levels, so that no list of open fields is
 * needed. */
#include "jointcast_private/apps/mocopi.h"

#include <math.h>
#include <string.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define FIELD_HEAD   8 /* length and name */
#define TRAN_BYTES   28
#define NO_PARENT    0xffffu
#define SECONDS_MOST 4.0e9 /* since 1970 */
#define FORMAT_NAME  "sony motion format"

struct span {
	const uint8_t *bytes;
	size_t length;
};

struct field {
	char name[5];
	struct span value;
};

static uint32_t read_u32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static uint32_t read_u16(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static double read_double(const uint8_t *bytes)
{
	uint64_t bits = read_u32(bytes) | (uint64_t)read_u32(bytes + 4) << 32;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static float read_float(const uint8_t *bytes)
{
	uint32_t bits = read_u32(bytes);
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Cuts the first field off a list. Returns JC_ERROR_TRUNCATED if it is not whole. */
static int next_field(struct span *list, struct field *out_field, struct jc_diagnostic *diagnostic)
{
	if (list->length < FIELD_HEAD) {
		return jc_diagnose(
			diagnostic, JC_ERROR_TRUNCATED, NULL, "a field ends in its length or name");
	}
	size_t length = read_u32(list->bytes);

	for (int i = 0; i < 4; i++) {
		uint8_t letter = list->bytes[4 + i];

		if (letter < 'a' || letter > 'z') {
			return jc_diagnose(diagnostic, JC_ERROR_SYNTAX, NULL,
				"the name of a field has no letters");
		}
		out_field->name[i] = (char)letter;
	}
	out_field->name[4] = '\0';
	if (length > list->length - FIELD_HEAD) {
		return jc_diagnose(diagnostic, JC_ERROR_TRUNCATED, out_field->name,
			"the field is longer than what contains it");
	}
	out_field->value = (struct span){ list->bytes + FIELD_HEAD, length };
	list->bytes += FIELD_HEAD + length;
	list->length -= FIELD_HEAD + length;
	return JC_OK;
}

static bool is_named(const struct field *field, const char *name)
{
	return strcmp(field->name, name) == 0;
}

/* Requires the size of a number. */
static int check_size(const struct field *field, size_t size, struct jc_diagnostic *diagnostic)
{
	return field->value.length == size
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_SYNTAX, field->name,
				 "%zu bytes instead of %zu", field->value.length, size);
}

static int read_head(struct span list, struct jc_diagnostic *diagnostic)
{
	struct field field;
	int status;

	while (list.length > 0) {
		status = next_field(&list, &field, diagnostic);
		if (status != JC_OK) {
			return status;
		}
		if (is_named(&field, "ftyp") &&
			(field.value.length < strlen(FORMAT_NAME) ||
				memcmp(field.value.bytes, FORMAT_NAME, strlen(FORMAT_NAME)) != 0)) {
			return jc_diagnose(
				diagnostic, JC_ERROR_UNSUPPORTED, "ftyp", "not '" FORMAT_NAME "'");
		}
		if (is_named(&field, "vrsn") &&
			(field.value.length != 1 || field.value.bytes[0] != 1)) {
			return jc_diagnose(
				diagnostic, JC_ERROR_UNSUPPORTED, "vrsn", "the version is not 1");
		}
	}
	return JC_OK;
}

static int read_tran(
	const struct field *field, struct jc_mocopi_joint *joint, struct jc_diagnostic *diagnostic)
{
	float values[7];
	int status = check_size(field, TRAN_BYTES, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	for (int i = 0; i < 7; i++) {
		values[i] = read_float(field->value.bytes + 4 * i);
	}
	joint->rotation = (struct jc_quat){ values[0], values[1], values[2], values[3] };
	joint->position = (struct jc_vec3){ values[4], values[5], values[6] };

	float length = sqrtf(values[0] * values[0] + values[1] * values[1] + values[2] * values[2] +
			     values[3] * values[3]);

	/* False also for NaN. */
	if (!(fabsf(length - 1.0f) <= JC_LIMIT_UNIT_ERROR) ||
		!(jc_vec3_length(joint->position) <= JC_LIMIT_JOINT_DISTANCE)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "tran",
			"an invalid rotation, or a position that is too far away");
	}
	joint->rotation = jc_quat_normalize(joint->rotation);
	return JC_OK;
}

/* Reads bndt or btdt into the joint that it names. *known: bit = joint. */
static int read_joint(struct span list, bool has_parents, struct jc_mocopi_packet *packet,
	uint32_t *known, struct jc_diagnostic *diagnostic)
{
	struct jc_mocopi_joint joint = { .parent = -1 };
	uint32_t index = JC_MOCOPI_JOINTS, parent = NO_PARENT;
	bool has_place = false;
	struct field field;

	while (list.length > 0) {
		int status = next_field(&list, &field, diagnostic);

		if (status == JC_OK && (is_named(&field, "bnid") || is_named(&field, "pbid"))) {
			status = check_size(&field, 2, diagnostic);
			if (status == JC_OK) {
				*(field.name[0] == 'b' ? &index : &parent) =
					read_u16(field.value.bytes);
			}
		} else if (status == JC_OK && is_named(&field, "tran")) {
			status = read_tran(&field, &joint, diagnostic);
			has_place = true;
		}
		if (status != JC_OK) {
			return status;
		}
	}
	if (index >= JC_MOCOPI_JOINTS || *known >> index & 1 || !has_place) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "bnid",
			"a joint that is unknown, repeated or without a place");
	}
	if (has_parents) {
		bool is_root = parent == NO_PARENT;

		if (is_root != (index == 0) || (!is_root && parent >= index)) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, "pbid",
				"joint %u cannot be below joint %u", index, parent);
		}
		joint.parent = is_root ? -1 : (int)parent;
	}
	packet->joints[index] = joint;
	*known |= UINT32_C(1) << index;
	return JC_OK;
}

/* Reads bons or btrs. */
static int read_joints(struct span list, const char *name, struct jc_mocopi_packet *packet,
	struct jc_diagnostic *diagnostic)
{
	bool has_parents = packet->kind == JC_MOCOPI_SKELETON;
	uint32_t known = 0;
	struct field field;
	int status;

	while (list.length > 0) {
		status = next_field(&list, &field, diagnostic);
		if (status == JC_OK && is_named(&field, has_parents ? "bndt" : "btdt")) {
			status = read_joint(field.value, has_parents, packet, &known, diagnostic);
		}
		if (status != JC_OK) {
			return status;
		}
	}
	return known == (UINT32_C(1) << JC_MOCOPI_JOINTS) - 1
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, name, "not all 27 joints");
}

/* Reads uttm: seconds since 1970. The float32 of `time` is not read: its zero is unknown, too, and
 * it is coarser. */
static int read_time(const struct field *field, struct jc_mocopi_packet *packet,
	struct jc_diagnostic *diagnostic)
{
	int status = check_size(field, 8, diagnostic);
	double seconds = status == JC_OK ? read_double(field->value.bytes) : 0.0;

	/* False also for NaN. */
	if (fabs(seconds) < SECONDS_MOST) {
		packet->sent_ns = (int64_t)(seconds * 1.0e9);
	}
	return status;
}

/* Reads skdf or fram. */
static int read_body(
	struct span list, struct jc_mocopi_packet *packet, struct jc_diagnostic *diagnostic)
{
	const char *name = packet->kind == JC_MOCOPI_SKELETON ? "bons" : "btrs";
	bool has_joints = false;
	bool has_number = packet->kind == JC_MOCOPI_SKELETON;
	struct field field;

	while (list.length > 0) {
		int status = next_field(&list, &field, diagnostic);

		if (status == JC_OK && is_named(&field, "fnum")) {
			status = check_size(&field, 4, diagnostic);
			packet->number = status == JC_OK ? read_u32(field.value.bytes) : 0;
			has_number = true;
		} else if (status == JC_OK && is_named(&field, "uttm")) {
			status = read_time(&field, packet, diagnostic);
		} else if (status == JC_OK && is_named(&field, name)) {
			status = read_joints(field.value, name, packet, diagnostic);
			has_joints = true;
		}
		if (status != JC_OK) {
			return status;
		}
	}
	return has_joints && has_number ? JC_OK
					: jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
						  "a packet without joints or without a number");
}

int jc_mocopi_read(const void *bytes, size_t length, struct jc_mocopi_packet *out_packet,
	struct jc_diagnostic *diagnostic)
{
	struct jc_mocopi_packet packet = { .sent_ns = INT64_MIN };
	struct span list = { bytes, length };
	bool has_head = false, has_body = false;
	struct field field;

	if (length > JC_MOCOPI_PACKET_BYTES) {
		return jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, NULL, "a packet of %zu bytes", length);
	}
	while (list.length > 0) {
		int status = next_field(&list, &field, diagnostic);
		bool is_skeleton = status == JC_OK && is_named(&field, "skdf");

		if (status == JC_OK && is_named(&field, "head")) {
			status = read_head(field.value, diagnostic);
			has_head = true;
		} else if (is_skeleton || (status == JC_OK && is_named(&field, "fram"))) {
			packet.kind = is_skeleton ? JC_MOCOPI_SKELETON : JC_MOCOPI_FRAME;
			status = has_body ? jc_diagnose(diagnostic, JC_ERROR_INVALID, field.name,
						    "a second figure or frame")
					  : read_body(field.value, &packet, diagnostic);
			has_body = true;
		}
		if (status != JC_OK) {
			return status;
		}
	}
	if (!has_head || !has_body) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "neither a skeleton nor a frame");
	}
	*out_packet = packet;
	return JC_OK;
}
