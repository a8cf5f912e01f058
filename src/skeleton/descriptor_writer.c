/* Writes the canonical text of a skeleton. Its SHA-256 identifies the skeleton on the
 * wire, so no byte may depend on the version of a library, the locale, or the order of
 * child nodes in a file. */
#include <openssl/evp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "descriptor.h"
#include "jointcast/limits.h"

/* Text with a maximum length. Once full it stays full; the caller checks at the end. */
struct text {
	char *bytes; /* JC_LIMIT_DESCRIPTOR_BYTES + 1 */
	size_t length;
	bool overflow;
};

static void put(struct text *text, const char *bytes, size_t length)
{
	if (length > JC_LIMIT_DESCRIPTOR_BYTES - text->length) {
		text->overflow = true;
		return;
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
}

__attribute__((format(printf, 2, 3))) static void put_format(
	struct text *text, const char *format, ...)
{
	char line[160];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	put(text, line, (size_t)length);
}

/* Nine digits distinguish all floats. */
static void put_float(struct text *text, float value)
{
	char number[32];
	int length = snprintf(number, sizeof(number), "%.9g", value == 0.0f ? 0.0 : (double)value);

	for (int i = 0; i < length; i++) {
		if (!strchr("0123456789+-e", number[i])) {
			number[i] = '.'; /* the decimal sign of the locale */
		}
	}
	put(text, number, (size_t)length);
}

static void put_floats(struct text *text, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		put(text, i == 0 ? "[" : ",", 1);
		put_float(text, values[i]);
	}
	put(text, "]", 1);
}

static void put_quat(struct text *text, struct jc_quat q)
{
	put_floats(text, (const float[]){ q.x, q.y, q.z, q.w }, 4);
}

static void put_string(struct text *text, const char *string)
{
	put(text, "\"", 1);
	for (const char *c = string; *c; c++) {
		if (*c == '"' || *c == '\\') {
			put_format(text, "\\%c", *c);
		} else if ((unsigned char)*c < 0x20) {
			put_format(text, "\\u%04x", (unsigned)*c);
		} else {
			put(text, c, 1);
		}
	}
	put(text, "\"", 1);
}

static void put_transform(struct text *text, struct jc_transform t)
{
	put_format(text, ",\"translation\":");
	put_floats(text, (const float[]){ t.translation.x, t.translation.y, t.translation.z }, 3);
	put_format(text, ",\"rotation\":");
	put_quat(text, t.rotation);
	put_format(text, ",\"scale\":");
	put_floats(text, (const float[]){ t.scale.x, t.scale.y, t.scale.z }, 3);
}

/* Marks the ancestors of bones, virtual transforms, and, with_body, of limits and segments, then
 * numbers them parents first. out_numbers is by node, -1 for nodes that are left out. */
static void number_nodes(const struct jc_skeleton *skeleton, bool with_body, int *out_numbers)
{
	int count = 0;

	for (size_t i = 0; i < skeleton->node_count; i++) {
		out_numbers[i] = -1;
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (skeleton->bones[b] >= 0) {
			out_numbers[skeleton->bones[b]] = 0;
		}
	}
	for (size_t i = 0; i < skeleton->virtual_transform_count; i++) {
		if (skeleton->virtual_transforms[i].parent >= 0) {
			out_numbers[skeleton->virtual_transforms[i].parent] = 0;
		}
	}
	for (size_t i = 0; with_body && i < skeleton->limit_count; i++) {
		out_numbers[skeleton->limits[i].node] = 0;
	}
	for (size_t i = 0; with_body && i < skeleton->segment_count; i++) {
		out_numbers[skeleton->segments[i].node] = 0;
	}
	for (size_t i = skeleton->node_count; i-- > 0;) {
		int node = skeleton->order[i];

		if (out_numbers[node] == 0 && skeleton->nodes[node].parent >= 0) {
			out_numbers[skeleton->nodes[node].parent] = 0;
		}
	}
	for (size_t i = 0; i < skeleton->node_count; i++) {
		if (out_numbers[skeleton->order[i]] == 0) {
			out_numbers[skeleton->order[i]] = count++;
		}
	}
	/* A descriptor has a node, also that of a prop whose virtual transforms are roots. */
	if (count == 0 && skeleton->node_count > 0) {
		out_numbers[skeleton->order[0]] = 0;
	}
}

static void put_nodes(struct text *text, const struct jc_skeleton *skeleton, const int *numbers)
{
	const char *separator = "";

	put_format(text, ",\"nodes\":[");
	for (size_t i = 0; i < skeleton->node_count && !text->overflow; i++) {
		const struct jc_skeleton_node *node = &skeleton->nodes[skeleton->order[i]];

		if (numbers[skeleton->order[i]] < 0) {
			continue;
		}
		put_format(text, "%s{\"name\":", separator);
		put_string(text, node->name);
		put_format(text, ",\"parent\":%d", node->parent < 0 ? -1 : numbers[node->parent]);
		put_transform(text, node->rest);
		put(text, "}", 1);
		separator = ",";
	}
	put(text, "]", 1);
}

static bool is_turn(struct jc_quat q)
{
	return q.x != 0.0f || q.y != 0.0f || q.z != 0.0f;
}

static void put_bones(struct text *text, const struct jc_skeleton *skeleton, const int *numbers)
{
	const char *separator = "";

	put_format(text, ",\"bones\":{");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (skeleton->bones[b] >= 0) {
			put_format(text, "%s\"%s\":%d", separator, jc_bone_name((enum jc_bone)b),
				numbers[skeleton->bones[b]]);
			separator = ",";
		}
	}
	put(text, "}", 1);
}

/* Writes rotations of bones that differ from identity. */
static void put_rotations(
	struct text *text, const char *key, const struct jc_quat rotations[JC_BONE_COUNT])
{
	const char *separator = "";

	put_format(text, ",\"%s\":{", key);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (is_turn(rotations[b])) {
			put_format(text, "%s\"%s\":", separator, jc_bone_name((enum jc_bone)b));
			put_quat(text, rotations[b]);
			separator = ",";
		}
	}
	put(text, "}", 1);
}

static bool has_offsets(const struct jc_skeleton *skeleton)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (is_turn(skeleton->offsets[b])) {
			return true;
		}
	}
	return false;
}

static const char *boolean(bool value)
{
	return value ? "true" : "false";
}

static void put_virtual_transforms(
	struct text *text, const struct jc_skeleton *skeleton, const int *numbers)
{
	put_format(text, ",\"virtualTransforms\":[");
	for (size_t i = 0; i < skeleton->virtual_transform_count; i++) {
		const struct jc_virtual_transform *virtual = &skeleton->virtual_transforms[i];

		put_format(text, "%s{\"name\":", i == 0 ? "" : ",");
		put_string(text, virtual->name);
		put_format(text, ",\"parent\":%d",
			virtual->parent < 0 ? -1 : numbers[virtual->parent]);
		put_transform(text, virtual->offset);
		put_format(
			text, ",\"respectParentPosition\":%s", boolean(virtual->respect_position));
		put_format(
			text, ",\"respectParentRotation\":%s", boolean(virtual->respect_rotation));
		put_format(text, ",\"respectParentScale\":%s", boolean(virtual->respect_scale));
		put_format(text, ",\"tags\":[");
		for (size_t tag = 0; tag < virtual->tag_count; tag++) {
			put(text, ",", tag == 0 ? 0 : 1);
			put_string(text, virtual->tags[tag]);
		}
		put_format(text, "]}");
	}
	put(text, "]", 1);
}

static void put_vec3(struct text *text, const char *key, struct jc_vec3 v)
{
	put_format(text, ",\"%s\":", key);
	put_floats(text, (const float[]){ v.x, v.y, v.z }, 3);
}

static void put_limits(struct text *text, const struct jc_skeleton *skeleton, const int *numbers)
{
	for (size_t i = 0; i < skeleton->limit_count && !text->overflow; i++) {
		const struct jc_joint_limit *limit = &skeleton->limits[i];

		put_format(text, "%s{\"node\":%d", i == 0 ? ",\"limits\":[" : ",",
			numbers[limit->node]);
		if (!limit->is_unlimited) {
			put_vec3(text, "lower", limit->lower);
			put_vec3(text, "upper", limit->upper);
		}
		put_format(text, ",\"orientation\":");
		put_quat(text, limit->orientation);
		put_vec3(text, "stiffness", limit->stiffness);
		put(text, "}", 1);
	}
	put(text, "]", skeleton->limit_count > 0);
}

static void put_segments(struct text *text, const struct jc_skeleton *skeleton, const int *numbers)
{
	for (size_t i = 0; i < skeleton->segment_count && !text->overflow; i++) {
		const struct jc_skeleton_segment *segment = &skeleton->segments[i];

		put_format(text, "%s{\"name\":", i == 0 ? ",\"segments\":[" : ",");
		put_string(text, segment->name);
		put_format(text, ",\"node\":%d,\"mass\":", numbers[segment->node]);
		put_float(text, segment->mass);
		put_vec3(text, "centerOfMass", segment->center_of_mass);
		if (segment->has_inertia) {
			put_format(text, ",\"momentsOfInertia\":");
			put_floats(text, segment->inertia, 9);
		}
		put(text, "}", 1);
	}
	put(text, "]", skeleton->segment_count > 0);
}

/* with_body: with limits and segments. */
static void put_skeleton(
	struct text *text, const struct jc_skeleton *skeleton, bool with_body, int *numbers)
{
	number_nodes(skeleton, with_body, numbers);
	text->length = 0;
	text->overflow = false;
	put_format(text, "{\"name\":");
	put_string(text, skeleton->name);
	put_format(text,
		",\"format\":\"%s\",\"hipsHeight\":", jc_skeleton_format_name(skeleton->format));
	put_float(text, skeleton->hips_height);
	if (skeleton->has_floor) {
		put_format(text, ",\"floor\":");
		put_float(text, skeleton->floor);
	}
	put_format(text, ",\"facing\":");
	put_quat(text, skeleton->facing);
	put_nodes(text, skeleton, numbers);
	put_bones(text, skeleton, numbers);
	put_rotations(text, "corrections", skeleton->corrections);
	if (has_offsets(skeleton)) {
		put_rotations(text, "offsets", skeleton->offsets);
	}
	put_virtual_transforms(text, skeleton, numbers);
	if (with_body) {
		put_limits(text, skeleton, numbers);
		put_segments(text, skeleton, numbers);
	}
	put(text, "}", 1);
}

static int hash_text(const struct text *text, char *out_hash)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned size = 0;

	if (EVP_Digest(text->bytes, text->length, digest, &size, EVP_sha256(), NULL) != 1 ||
		size * 2 != JC_SKELETON_HASH_LENGTH) {
		return JC_ERROR_MEMORY;
	}
	for (unsigned i = 0; i < size; i++) {
		snprintf(out_hash + (size_t)2 * i, 3, "%02x", digest[i]);
	}
	return JC_OK;
}

int jc_descriptor_write(const struct jc_skeleton *skeleton, char **out_json, char *out_hash,
	struct jc_diagnostic *diagnostic)
{
	struct text text = { .bytes = malloc(JC_LIMIT_DESCRIPTOR_BYTES + 1) };
	int *numbers = calloc(skeleton->node_count, sizeof(*numbers));
	char *fitted;
	int error = JC_ERROR_MEMORY;

	if (!text.bytes || !numbers) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto out;
	}
	put_skeleton(&text, skeleton, true, numbers);
	if (text.overflow) {
		put_skeleton(&text, skeleton, false, numbers);
	}
	if (text.overflow) {
		error = jc_diagnose(diagnostic, JC_ERROR_LIMIT, "nodes",
			"too large: a skeleton descriptor has at most %u bytes",
			JC_LIMIT_DESCRIPTOR_BYTES);
		goto out;
	}
	text.bytes[text.length] = '\0';
	if (hash_text(&text, out_hash)) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto out;
	}
	fitted = realloc(text.bytes, text.length + 1);
	*out_json = fitted ? fitted : text.bytes;
	text.bytes = NULL;
	error = JC_OK;
out:
	free(numbers);
	free(text.bytes);
	return error;
}
