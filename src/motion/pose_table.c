/* Reads and writes poses as CSV tables for spreadsheets and statistics: time in seconds,
 * displacement of the hips in hips heights, N of each bone, on request positions in metres; an
 * empty rotation marks an absent bone. */
#include "jointcast/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file_buffer.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "jointcast_private/csv.h"
#include "motion_private.h"
#include "write_losses.h"

/* Earlier versions began their tables with a comment line. */
#define FORMER_WORDS "# jointcast poses"

/* Columns are "hips.x", "BONE.qx" and "BONE.px". */
static const char *const axis_names[4] = { "x", "y", "z", "w" };

struct csv_motion {
	struct jc_motion motion;
	struct jc_csv *csv; /* owned; rotations are of unit length */
	int time;           /* columns, or -1 */
	int hips[3];
	int rotations[JC_BONE_COUNT][4];
	int position; /* the last column of positions, which follow from the rotations */
};

static void destroy(struct jc_motion *motion)
{
	struct csv_motion *self = (struct csv_motion *)motion;

	jc_csv_destroy(self->csv);
	free(self);
}

static double *cell(const struct csv_motion *self, size_t row, int column)
{
	return &self->csv->values[row * self->csv->column_count + (size_t)column];
}

static double row_time(const struct csv_motion *self, size_t row)
{
	return *cell(self, row, self->time) - *cell(self, 0, self->time);
}

static void read_pose(const struct csv_motion *self, size_t row, struct jc_pose *out_pose)
{
	jc_pose_init(out_pose);
	if (self->hips[0] >= 0) {
		out_pose->hips_translation =
			(struct jc_vec3){ (float)*cell(self, row, self->hips[0]),
				(float)*cell(self, row, self->hips[1]),
				(float)*cell(self, row, self->hips[2]) };
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const int *columns = self->rotations[b];

		if (columns[0] >= 0 && !isnan(*cell(self, row, columns[0]))) {
			out_pose->rotations[b] = (struct jc_quat){
				(float)*cell(self, row, columns[0]),
				(float)*cell(self, row, columns[1]),
				(float)*cell(self, row, columns[2]),
				(float)*cell(self, row, columns[3]),
			};
			out_pose->states[b] = JC_TRACKED;
		}
	}
}

/* The last row at or before t. */
static size_t find_row(const struct csv_motion *self, double t)
{
	size_t low = 0, high = self->csv->row_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (row_time(self, middle) <= t) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

static void pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct csv_motion *self = (const struct csv_motion *)motion;
	size_t row = find_row(self, t);
	double from = row_time(self, row);
	struct jc_pose next;

	read_pose(self, row, out_pose);
	if (row + 1 == self->csv->row_count || t <= from) {
		return;
	}
	read_pose(self, row + 1, &next);
	jc_pose_interpolate(
		out_pose, &next, (float)((t - from) / (row_time(self, row + 1) - from)), out_pose);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (out_pose->states[b] == JC_ABSENT) {
			out_pose->rotations[b] = JC_QUAT_IDENTITY;
		}
	}
}

static const struct jc_motion_ops csv_ops = { .destroy = destroy, .pose = pose };

/* The place for the column of this name, or NULL. */
static int *find_place(struct csv_motion *self, const char *name)
{
	const char *point = strrchr(name, '.');
	char kind = point && strchr("pq", point[1]) ? point[1] : '\0';
	char owner[JC_CSV_NAME_BYTES];
	enum jc_bone bone;

	if (strcmp(name, "time") == 0) {
		return &self->time;
	}
	if (!point) {
		return NULL;
	}
	snprintf(owner, sizeof(owner), "%.*s", (int)(point - name), name);
	bone = jc_bone_find(owner);
	for (int axis = 0; axis < 4; axis++) {
		if (strcmp(point + 1 + (kind != '\0'), axis_names[axis]) != 0) {
			continue;
		}
		if (kind == 'q' && bone != JC_BONE_NONE) {
			return &self->rotations[bone][axis];
		}
		if (kind == 'p' && bone != JC_BONE_NONE && axis < 3) {
			return &self->position;
		}
		if (!kind && bone == JC_BONE_HIPS && axis < 3) {
			return &self->hips[axis];
		}
	}
	return NULL;
}

/* Either all columns of a set must be present, or none. */
static int check_set(const int *columns, int count, const char *owner, const char *prefix,
	struct jc_diagnostic *diagnostic)
{
	for (int i = 0; i < count; i++) {
		if ((columns[i] < 0) != (columns[0] < 0)) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"some of the columns %s.%sx to %s.%s%s are missing", owner, prefix,
				owner, prefix, axis_names[count - 1]);
		}
	}
	return JC_OK;
}

static int map_columns(struct csv_motion *self, struct jc_diagnostic *diagnostic)
{
	int error;

	self->time = -1;
	memset(self->hips, -1, sizeof(self->hips));
	memset(self->rotations, -1, sizeof(self->rotations));
	for (size_t i = 0; i < self->csv->column_count; i++) {
		int *place = find_place(self, self->csv->names[i]);

		if (!place) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				"unknown column '%s'; known are time, hips.x to hips.z, BONE.qx to "
				"BONE.qw and BONE.px to BONE.pz",
				self->csv->names[i]);
		}
		*place = (int)i;
	}
	if (self->time < 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "no column 'time'");
	}
	error = check_set(self->hips, 3, "hips", "", diagnostic);
	for (int b = 0; !error && b < JC_BONE_COUNT; b++) {
		error = check_set(
			self->rotations[b], 4, jc_bone_name((enum jc_bone)b), "q", diagnostic);
		if (self->rotations[b][0] >= 0) {
			self->motion.info.bone_mask |= UINT64_C(1) << b;
		}
	}
	if (!error && self->motion.info.bone_mask == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL, "no bone has columns");
	}
	return error;
}

/* Normalises a rotation, unless it is empty. */
static int check_rotation(const struct csv_motion *self, size_t row, enum jc_bone bone,
	const char *where, struct jc_diagnostic *diagnostic)
{
	const int *columns = self->rotations[bone];
	double norm = 0.0;
	int empty = 0;

	if (columns[0] < 0) {
		return JC_OK;
	}
	for (int axis = 0; axis < 4; axis++) {
		double value = *cell(self, row, columns[axis]);

		empty += isnan(value);
		norm += value * value;
	}
	if (empty == 4) {
		return JC_OK;
	}
	if (!(norm > 0.81 && norm < 1.21)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, where,
			"the rotation of %s is not a unit quaternion", jc_bone_name(bone));
	}
	for (int axis = 0; axis < 4; axis++) {
		*cell(self, row, columns[axis]) /= sqrt(norm);
	}
	return JC_OK;
}

static int check_row(const struct csv_motion *self, size_t row, struct jc_diagnostic *diagnostic)
{
	double t = *cell(self, row, self->time);
	char where[32];
	int error = JC_OK;

	snprintf(where, sizeof(where), "row %zu", row + 1);
	if (!(fabs(t) <= (double)JC_LIMIT_MOTION_SECONDS) ||
		(row > 0 && t <= *cell(self, row - 1, self->time))) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, where,
			"the time is not after that of the row before");
	}
	for (int axis = 0; axis < 3 && self->hips[0] >= 0; axis++) {
		if (!(fabs(*cell(self, row, self->hips[axis])) <= (double)JC_LIMIT_COORDINATE)) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, where,
				"the position of the hips is empty or too far");
		}
	}
	for (int b = 0; !error && b < JC_BONE_COUNT; b++) {
		error = check_rotation(self, row, (enum jc_bone)b, where, diagnostic);
	}
	return error;
}

static int read_file(const struct jc_motion_file *file, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct csv_motion *self = calloc(1, sizeof(*self));
	struct jc_motion_info *info;
	int error;

	if (!self) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	(void)lint; /* this format has no warnings */
	info = &self->motion.info;
	self->motion.ops = &csv_ops;
	error = jc_csv_read(file->bytes, file->length, &self->csv, diagnostic);
	if (!error) {
		error = map_columns(self, diagnostic);
	}
	for (size_t row = 0; !error && row < self->csv->row_count; row++) {
		error = check_row(self, row, diagnostic);
	}
	if (error) {
		destroy(&self->motion);
		return error;
	}
	info->kind = JC_MOTION_POSES;
	info->format = "csv";
	info->confidence = 1.0f;
	info->name = "";
	info->family = "";
	info->duration = row_time(self, self->csv->row_count - 1);
	info->frame_count = self->csv->row_count;
	info->fps = info->duration > 0.0 ? (double)(info->frame_count - 1) / info->duration : 0.0;
	info->metres_per_unit = 1.0f;
	*out_motion = &self->motion;
	return JC_OK;
}

/* Blanks and quotes around the name are no part of it. */
static bool is_time(const char *cell, size_t length)
{
	while (length > 0 && strchr(" \t\"", cell[0])) {
		cell++;
		length--;
	}
	while (length > 0 && strchr(" \t\"", cell[length - 1])) {
		length--;
	}
	return length == strlen("time") && memcmp(cell, "time", length) == 0;
}

/* Whether one of the names in the first line is "time". */
static bool names_time(const struct jc_motion_file *file)
{
	const char *at = file->text;

	for (;;) {
		size_t length = 0;

		while (at + length < file->end && !strchr(",\r\n", at[length])) {
			length++;
		}
		if (is_time(at, length)) {
			return true;
		}
		at += length;
		if (at == file->end || *at != ',') {
			return false;
		}
		at++;
	}
}

static bool accepts(const struct jc_motion_file *file)
{
	return jc_motion_file_starts_with(file, FORMER_WORDS) || names_time(file);
}

const struct jc_motion_reader jc_pose_table_reader = {
	.holds_one_motion = true, .accepts = accepts, .read = read_file
};

#define TIME_DIGITS  12
#define FLOAT_DIGITS 9

static bool has(const struct jc_clip *clip, int bone)
{
	return jc_motion_info(clip->motion)->bone_mask >> bone & 1;
}

static bool has_position(const struct jc_clip *clip, int bone)
{
	return clip->positions && has(clip, bone) &&
	       jc_skeleton_bone_node(clip->skeleton, (enum jc_bone)bone) >= 0;
}

static void put_header(const struct jc_clip *clip, struct jc_file_buffer *output)
{
	jc_file_buffer_text(output, "time,hips.x,hips.y,hips.z");
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		for (int axis = 0; axis < 4 && has(clip, b); axis++) {
			jc_file_buffer_text(
				output, ",%s.q%s", jc_bone_name((enum jc_bone)b), axis_names[axis]);
		}
	}
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		for (int axis = 0; axis < 3 && has_position(clip, b); axis++) {
			jc_file_buffer_text(
				output, ",%s.p%s", jc_bone_name((enum jc_bone)b), axis_names[axis]);
		}
	}
	jc_file_buffer_put(output, "\n", 1);
}

static void put_cells(struct jc_file_buffer *output, const float *values, size_t count, float sign)
{
	for (size_t i = 0; i < count; i++) {
		jc_file_buffer_put(output, ",", 1);
		jc_file_buffer_number(output, (double)(sign * values[i]), FLOAT_DIGITS);
	}
}

static void put_row(const struct jc_clip *clip, size_t frame, const struct jc_pose *pose,
	struct jc_quat before[JC_BONE_COUNT], struct jc_file_buffer *output)
{
	const struct jc_vec3 *hips = &pose->hips_translation;

	jc_file_buffer_number(output, (double)frame * clip->frame_seconds, TIME_DIGITS);
	put_cells(output, (const float[]){ hips->x, hips->y, hips->z }, 3, 1.0f);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		struct jc_quat q = pose->rotations[b];
		float dot = q.x * before[b].x + q.y * before[b].y + q.z * before[b].z +
			    q.w * before[b].w;
		float sign = dot < 0.0f ? -1.0f : 1.0f;

		if (!has(clip, b)) {
			continue;
		}
		if (pose->states[b] == JC_ABSENT) {
			jc_file_buffer_put(output, ",,,,", 4);
			continue;
		}
		put_cells(output, (const float[]){ q.x, q.y, q.z, q.w }, 4, sign);
		before[b] = (struct jc_quat){ sign * q.x, sign * q.y, sign * q.z, sign * q.w };
	}
}

static void put_positions(const struct jc_clip *clip, size_t frame, const struct jc_pose *pose,
	struct jc_file_buffer *output)
{
	struct jc_vec3 positions[JC_BONE_COUNT];

	if (!clip->positions) {
		return;
	}
	clip->positions(clip->context, frame, positions);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		const struct jc_vec3 *p = &positions[b];

		if (!has_position(clip, b)) {
			continue;
		}
		if (pose->states[b] == JC_ABSENT) {
			jc_file_buffer_put(output, ",,,", 3);
		} else {
			put_cells(output, (const float[]){ p->x, p->y, p->z }, 3, 1.0f);
		}
	}
}

int jc_write_csv(const struct jc_clip *clip, struct jc_written *out_file, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_file_buffer output = { 0 };
	struct jc_write_losses losses = { 0 };
	struct jc_quat before[JC_BONE_COUNT] = { 0 };
	int error;

	if (clip->frame_count > JC_LIMIT_MOTION_FRAMES) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "%zu frames, more than %u",
			clip->frame_count, JC_LIMIT_MOTION_FRAMES);
	}
	put_header(clip, &output);
	for (size_t i = 0; i < clip->frame_count && !output.error; i++) {
		struct jc_pose pose;

		clip->pose(clip->context, i, &pose);
		jc_write_losses_add(&losses, &pose);
		put_row(clip, i, &pose, before, &output);
		put_positions(clip, i, &pose, &output);
		jc_file_buffer_put(&output, "\n", 1);
	}
	error = jc_file_buffer_finish(&output, out_file, diagnostic);
	if (!error) {
		losses.gaps = 0; /* empty cells show the gaps */
		jc_write_losses_report(
			&losses, clip, jc_motion_info(clip->motion)->bone_mask, false, false, lint);
	}
	return error;
}
