/* Cuts BVH files into consecutive windows, reads each in process, and compares up axis, unit and
 * bones with those of the whole file.
 *
 * usage: bvh_windows [--bones] FRAMES STRIDE FILE…     each STRIDE-th window of so many frames
 *
 * Prints a line for each file: windows, those with another axis, those of them without a warning,
 * windows with a warning about the axis, windows with another unit, refused windows, windows in
 * which a bone is a quarter turn off, those of them without a warning. --bones adds a line for each
 * bone that is off: the mean and the largest angle in degrees. The exit status is 1 if a window has
 * another axis without a warning, another unit, or a turned bone without a warning. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"

#define TILTED 0.5f   /* a tilt of the hips that only another axis explains, radians */
#define TURNED 0.785f /* of a bone relative to the hips: another quarter turn, radians */
#define LISTED 1.0    /* degrees */

struct file {
	const char *name;
	char *text;
	size_t length;
	size_t motion; /* where MOTION begins */
	size_t *lines; /* where each frame begins, and the end of the last */
	size_t frames;
	double seconds; /* of a frame */
	struct jc_motion *whole;
};

struct count {
	size_t windows, tilted, silent, warned, scaled, refused, turned, turned_silent;
	double sums[JC_BONE_COUNT], most[JC_BONE_COUNT]; /* degrees */
};

static void *must(void *memory)
{
	if (!memory) {
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	return memory;
}

static bool read_text(struct file *file)
{
	FILE *stream = fopen(file->name, "rb");
	long size = -1;

	if (stream && fseek(stream, 0, SEEK_END) == 0) {
		size = ftell(stream);
		rewind(stream);
	}
	if (size >= 0) {
		file->text = must(malloc((size_t)size + 2));
		file->length = fread(file->text, 1, (size_t)size, stream);
		file->text[file->length++] = '\n';
		file->text[file->length] = '\0';
	}
	if (stream) {
		fclose(stream);
	}
	return size >= 0;
}

/* Finds the frames: the lines after "Frame Time" that are not empty. */
static bool find_frames(struct file *file)
{
	const char *motion = strstr(file->text, "MOTION");
	const char *time = motion ? strstr(motion, "Frame Time:") : NULL;
	size_t room = 0;

	if (!time || sscanf(time, "Frame Time: %lf", &file->seconds) != 1) {
		return false;
	}
	file->motion = (size_t)(motion - file->text);
	for (const char *c = strchr(time, '\n') + 1; c[strspn(c, " \t\r\n")];
		c = strchr(c, '\n') + 1) {
		if (file->frames + 2 > room) {
			room = 2 * room + 1024;
			file->lines = must(realloc(file->lines, room * sizeof(*file->lines)));
		}
		file->lines[file->frames++] = (size_t)(c - file->text);
		file->lines[file->frames] = (size_t)(strchr(c, '\n') + 1 - file->text);
	}
	return file->frames > 0;
}

/* The window as a file of its own; NULL if the reader refuses it. */
static struct jc_motion *read_window(
	const struct file *file, size_t first, size_t count, struct jc_lint *lint)
{
	size_t body = file->lines[first + count] - file->lines[first];
	char *text = must(malloc(file->motion + body + 128));
	struct jc_motion *motion = NULL;

	memcpy(text, file->text, file->motion);
	size_t head = file->motion + (size_t)sprintf(text + file->motion,
					     "MOTION\nFrames: %zu\nFrame Time: %.9f\n", count,
					     file->seconds);

	memcpy(text + head, file->text + file->lines[first], body);
	if (jc_motion_read(text, head + body, 0, NULL, &motion, lint, NULL) != JC_OK) {
		motion = NULL;
	}
	free(text);
	return motion;
}

static bool has_warning(const struct jc_lint *lint, const char *code)
{
	for (size_t i = 0; i < lint->count; i++) {
		if (strcmp(lint->entries[i].code, code) == 0 &&
			lint->entries[i].severity == JC_WARNING) {
			return true;
		}
	}
	return false;
}

/* The angle between the verticals of two readings of one pose, radians. */
static float tilt(const struct jc_motion *whole, double at, const struct jc_motion *window)
{
	const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
	struct jc_pose a, b;

	jc_motion_pose(whole, at, &a);
	jc_motion_pose(window, 0.0, &b);
	struct jc_quat turn = jc_quat_multiply(
		b.rotations[JC_BONE_HIPS], jc_quat_conjugate(a.rotations[JC_BONE_HIPS]));

	return jc_vec3_angle(jc_quat_rotate(turn, up), up);
}

/* Rotations from the T-pose to the pose, as the hips see them. */
static void find_turns(const struct jc_motion *motion, double at, struct jc_quat *out_turns)
{
	struct jc_pose pose;

	jc_motion_pose(motion, at, &pose);
	out_turns[JC_BONE_HIPS] = JC_QUAT_IDENTITY;
	for (int b = JC_BONE_HIPS + 1; b < JC_BONE_COUNT; b++) {
		out_turns[b] = jc_quat_multiply(
			out_turns[jc_bone_parent((enum jc_bone)b)], pose.rotations[b]);
	}
}

/* Adds the angles between the bones of two readings of one pose; returns the largest, radians. */
static float compare_bones(const struct jc_motion *whole, double at, const struct jc_motion *window,
	struct count *count)
{
	struct jc_quat a[JC_BONE_COUNT], b[JC_BONE_COUNT];
	float largest = 0.0f;

	find_turns(whole, at, a);
	find_turns(window, 0.0, b);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		float angle = jc_quat_angle(a[i], b[i]);
		double degrees = (double)angle * 57.29577951;

		count->sums[i] += degrees;
		count->most[i] = fmax(count->most[i], degrees);
		largest = fmaxf(largest, angle);
	}
	return largest;
}

static void compare(const struct file *file, size_t first, size_t length, struct count *count)
{
	struct jc_lint lint = { 0 };
	struct jc_motion *window = read_window(file, first, length, &lint);

	count->windows++;
	if (!window) {
		count->refused++;
		return;
	}
	bool tilted = tilt(file->whole, (double)first * file->seconds, window) > TILTED;
	float scale = jc_motion_info(window)->metres_per_unit /
		      jc_motion_info(file->whole)->metres_per_unit;

	count->tilted += tilted;
	bool turned =
		compare_bones(file->whole, (double)first * file->seconds, window, count) > TURNED;

	count->silent += tilted && !has_warning(&lint, "axes") && !has_warning(&lint, "rest");
	count->warned += has_warning(&lint, "axes");
	count->turned += turned;
	count->turned_silent += turned && !has_warning(&lint, "rest");
	count->scaled += fabsf(scale - 1.0f) > 1e-3f;
	jc_motion_destroy(window);
}

static void print_bones(const struct count *count)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (count->most[b] > LISTED) {
			printf("  %-30s %6.1f %6.1f\n", jc_bone_name((enum jc_bone)b),
				count->sums[b] / (double)(count->windows - count->refused),
				count->most[b]);
		}
	}
}

/* Returns whether all windows have the axis, the unit and the bones of the file. */
static bool compare_file(const char *name, size_t length, size_t stride, bool lists_bones)
{
	struct file file = { .name = name };
	struct count count = { 0 };

	if (!read_text(&file) || !find_frames(&file) ||
		jc_motion_read(file.text, file.length, 0, NULL, &file.whole, NULL, NULL) != JC_OK) {
		printf("%-64s refused\n", name);
	} else {
		for (size_t first = 0; first + length <= file.frames; first += length * stride) {
			compare(&file, first, length, &count);
		}
		printf("%-64s %6zu %4zu %4zu %4zu %4zu %4zu %4zu %4zu\n", name, count.windows,
			count.tilted, count.silent, count.warned, count.scaled, count.refused,
			count.turned, count.turned_silent);
		if (lists_bones) {
			print_bones(&count);
		}
	}
	jc_motion_destroy(file.whole);
	free(file.lines);
	free(file.text);
	return count.silent + count.scaled + count.turned_silent == 0;
}

int main(int argc, char **argv)
{
	bool lists_bones = argc > 1 && strcmp(argv[1], "--bones") == 0;
	char **words = argv + 1 + lists_bones;
	size_t length = argc > 3 + lists_bones ? strtoul(words[0], NULL, 10) : 0;
	size_t stride = argc > 3 + lists_bones ? strtoul(words[1], NULL, 10) : 0;
	int status = 0;

	if (length == 0 || stride == 0) {
		fprintf(stderr, "usage: bvh_windows [--bones] FRAMES STRIDE FILE…\n");
		return 2;
	}
	printf("%-64s %6s %4s %4s %4s %4s %4s %4s %4s\n", "file", "count", "axis", "mute", "warn",
		"unit", "none", "bone", "mute");
	for (words += 2; *words; words++) {
		status |= !compare_file(*words, length, stride, lists_bones);
	}
	return status;
}
