/* Cuts BVH files into consecutive windows, reads each in process, and compares up axis and unit
 * with those of the whole file.
 *
 * usage: bvh_windows FRAMES STRIDE FILE…     each STRIDE-th window of so many frames
 *
 * Prints a line for each file: windows, those with another axis, those of them without a warning,
 * windows with a warning about the axis, windows with another unit, refused windows. The exit
 * status is 1 if a window has another axis without a warning or another unit. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/motion.h"
#include "jointcast/transform.h"

#define TILTED 0.5f /* a tilt of the hips that only another axis explains, radians */

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
	size_t windows, tilted, silent, warned, scaled, refused;
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

static bool has_warning(const struct jc_lint *lint)
{
	for (size_t i = 0; i < lint->count; i++) {
		if (strcmp(lint->entries[i].code, "axes") == 0 &&
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
	count->silent += tilted && !has_warning(&lint);
	count->warned += has_warning(&lint);
	count->scaled += fabsf(scale - 1.0f) > 1e-3f;
	jc_motion_destroy(window);
}

/* Returns whether all windows have the axis and the unit of the file. */
static bool compare_file(const char *name, size_t length, size_t stride)
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
		printf("%-64s %6zu %4zu %4zu %4zu %4zu %4zu\n", name, count.windows, count.tilted,
			count.silent, count.warned, count.scaled, count.refused);
	}
	jc_motion_destroy(file.whole);
	free(file.lines);
	free(file.text);
	return count.silent + count.scaled == 0;
}

int main(int argc, char **argv)
{
	size_t length = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	size_t stride = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
	int status = 0;

	if (length == 0 || stride == 0) {
		fprintf(stderr, "usage: bvh_windows FRAMES STRIDE FILE…\n");
		return 2;
	}
	printf("%-64s %6s %4s %4s %4s %4s %4s\n", "file", "count", "axis", "mute", "warn", "unit",
		"none");
	for (int i = 3; i < argc; i++) {
		status |= !compare_file(argv[i], length, stride);
	}
	return status;
}
