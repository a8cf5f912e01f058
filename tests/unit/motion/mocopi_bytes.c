/* Fields are written with a length of 0, which is corrected at their end. */
#include "mocopi_bytes.h"

#include <string.h>

const char *const mocopi_names[MOCOPI_JOINTS] = { "root", "torso_1", "torso_2", "torso_3",
	"torso_4", "torso_5", "torso_6", "torso_7", "neck_1", "neck_2", "head", "l_shoulder",
	"l_up_arm", "l_low_arm", "l_hand", "r_shoulder", "r_up_arm", "r_low_arm", "r_hand",
	"l_up_leg", "l_low_leg", "l_foot", "l_toes", "r_up_leg", "r_low_leg", "r_foot", "r_toes" };

void mocopi_figure_init(struct mocopi_figure *figure)
{
	static const struct {
		int parent;
		float position[3];
	} rest[MOCOPI_JOINTS] = {
		{ -1, { 0.0f, 0.92f, 0.0f } },
		{ 0, { 0.0f, 0.05f, 0.0f } },
		{ 1, { 0.0f, 0.06f, 0.0f } },
		{ 2, { 0.0f, 0.06f, 0.0f } },
		{ 3, { 0.0f, 0.07f, 0.0f } },
		{ 4, { 0.0f, 0.08f, 0.0f } },
		{ 5, { 0.0f, 0.09f, 0.0f } },
		{ 6, { 0.0f, 0.1f, 0.0f } },
		{ 7, { 0.0f, 0.05f, 0.0f } },
		{ 8, { 0.0f, 0.05f, 0.0f } },
		{ 9, { 0.0f, 0.05f, 0.0f } },
		{ 7, { 0.02f, -0.06f, 0.0f } },
		{ 11, { 0.14f, 0.0f, 0.0f } },
		{ 12, { 0.28f, 0.0f, 0.0f } },
		{ 13, { 0.24f, 0.0f, 0.0f } },
		{ 7, { -0.02f, -0.06f, 0.0f } },
		{ 15, { -0.14f, 0.0f, 0.0f } },
		{ 16, { -0.28f, 0.0f, 0.0f } },
		{ 17, { -0.24f, 0.0f, 0.0f } },
		{ 0, { 0.09f, -0.04f, 0.0f } },
		{ 19, { 0.0f, -0.39f, 0.0f } },
		{ 20, { 0.0f, -0.4f, 0.0f } },
		{ 21, { 0.0f, -0.07f, 0.13f } },
		{ 0, { -0.09f, -0.04f, 0.0f } },
		{ 23, { 0.0f, -0.39f, 0.0f } },
		{ 24, { 0.0f, -0.4f, 0.0f } },
		{ 25, { 0.0f, -0.07f, 0.13f } },
	};

	memset(figure, 0, sizeof(*figure));
	for (int i = 0; i < MOCOPI_JOINTS; i++) {
		figure->parents[i] = rest[i].parent;
		memcpy(figure->positions[i], rest[i].position, sizeof(rest[i].position));
		figure->rotations[i][3] = 1.0f;
	}
}

void mocopi_figure_mirror(struct mocopi_figure *figure)
{
	for (int i = 0; i < MOCOPI_JOINTS; i++) {
		figure->positions[i][0] = -figure->positions[i][0];
		figure->rotations[i][1] = -figure->rotations[i][1];
		figure->rotations[i][2] = -figure->rotations[i][2];
	}
}

/* Writes the last `count` bytes of a number, lowest first. */
static size_t put_number(uint8_t *bytes, size_t at, uint64_t number, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[at + i] = (uint8_t)(number >> 8 * i);
	return at + count;
}

static size_t begin(uint8_t *bytes, size_t at, const char *name)
{
	at = put_number(bytes, at, 0, 4);
	memcpy(bytes + at, name, 4);
	return at + 4;
}

/* `value` is where the value of the field begins. */
static void end(uint8_t *bytes, size_t value, size_t at)
{
	put_number(bytes, value - 8, at - value, 4);
}

static size_t put_field(
	uint8_t *bytes, size_t at, const char *name, const void *value, size_t length)
{
	size_t start = begin(bytes, at, name);

	memcpy(bytes + start, value, length);
	end(bytes, start, start + length);
	return start + length;
}

static size_t put_integer(
	uint8_t *bytes, size_t at, const char *name, uint64_t number, size_t count)
{
	size_t start = begin(bytes, at, name);

	at = put_number(bytes, start, number, count);
	end(bytes, start, at);
	return at;
}

/* The fields before those of a skeleton or a frame. */
static size_t put_heads(uint8_t *bytes)
{
	size_t start = begin(bytes, 0, "head");
	size_t at = put_field(bytes, start, "ftyp", "sony motion format", 18);

	at = put_integer(bytes, at, "vrsn", 1, 1);
	end(bytes, start, at);
	start = begin(bytes, at, "sndf");
	at = put_integer(bytes, start, "ipad", 0x0100007f, 8);
	at = put_integer(bytes, at, "rcvp", 12351, 2);
	end(bytes, start, at);
	return at;
}

static size_t put_joints(
	const struct mocopi_figure *figure, bool has_parents, uint8_t *bytes, size_t at)
{
	size_t list = begin(bytes, at, has_parents ? "bons" : "btrs");

	at = list;
	for (int i = 0; i < MOCOPI_JOINTS; i++) {
		size_t start = begin(bytes, at, has_parents ? "bndt" : "btdt");
		float tran[7];

		at = put_integer(bytes, start, "bnid", (uint64_t)i, 2);
		if (has_parents)
			at = put_integer(
				bytes, at, "pbid", (uint64_t)(int64_t)figure->parents[i], 2);
		memcpy(tran, figure->rotations[i], 4 * sizeof(float));
		memcpy(tran + 4, figure->positions[i], 3 * sizeof(float));
		at = put_field(bytes, at, "tran", tran, sizeof(tran));
		end(bytes, start, at);
	}
	end(bytes, list, at);
	return at;
}

size_t mocopi_write_skeleton(const struct mocopi_figure *figure, uint8_t *out_bytes)
{
	size_t start = begin(out_bytes, put_heads(out_bytes), "skdf");
	size_t at = put_joints(figure, true, out_bytes, start);

	end(out_bytes, start, at);
	return at;
}

size_t mocopi_write_frame(
	const struct mocopi_figure *figure, uint32_t number, double unix_time, uint8_t *out_bytes)
{
	size_t start = begin(out_bytes, put_heads(out_bytes), "fram");
	size_t at = put_integer(out_bytes, start, "fnum", number, 4);

	at = put_field(out_bytes, at, "time", &(float){ (float)number / 60.0f }, sizeof(float));
	if (unix_time > 0.0)
		at = put_field(out_bytes, at, "uttm", &unix_time, sizeof(double));
	at = put_joints(figure, false, out_bytes, at);
	end(out_bytes, start, at);
	return at;
}
