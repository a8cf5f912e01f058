/* Fits a motion file onto the skeleton of an avatar file and prints what to write into its nodes:
 * one line of CSV for each frame and moved node, with the rotation that the node gets.
 *
 * usage: retarget MOTION AVATAR [FRAMES_PER_SECOND]
 *        e.g. retarget walk.bvh avatar.glb 30 >walk.csv */
#include <stdio.h>
#include <stdlib.h>

#include <jointcast/jointcast.h>

struct file {
	char *bytes;
	size_t length;
};

/* Reads a whole file; the library itself opens none. */
static int read_file(const char *path, struct file *out_file)
{
	FILE *stream = fopen(path, "rb");
	long length = -1;

	out_file->bytes = NULL;
	if (stream && fseek(stream, 0, SEEK_END) == 0) {
		length = ftell(stream);
		rewind(stream);
	}
	if (length >= 0 && (size_t)length <= JC_LIMIT_FILE_BYTES) {
		out_file->bytes = malloc((size_t)length + 1);
	}
	if (out_file->bytes) {
		out_file->length = fread(out_file->bytes, 1, (size_t)length, stream);
	}
	if (stream) {
		fclose(stream);
	}
	if (!out_file->bytes) {
		fprintf(stderr, "retarget: %s: cannot be read\n", path);
	}
	return out_file->bytes ? 0 : -1;
}

static int load_motion(const char *path, struct jc_motion **out_motion)
{
	struct jc_diagnostic diagnostic;
	struct file file;

	if (read_file(path, &file) != 0) {
		return -1;
	}
	int error = jc_motion_read(file.bytes, file.length, 0, NULL, out_motion, NULL, &diagnostic);

	free(file.bytes);
	if (error) {
		fprintf(stderr, "retarget: %s: %s, %s\n", path, diagnostic.what, diagnostic.where);
	}
	return error;
}

static int load_skeleton(const char *path, struct jc_skeleton **out_skeleton)
{
	struct jc_diagnostic diagnostic;
	struct file file;

	if (read_file(path, &file) != 0) {
		return -1;
	}
	int error =
		jc_skeleton_read(file.bytes, file.length, 0, NULL, out_skeleton, NULL, &diagnostic);

	free(file.bytes);
	if (error) {
		fprintf(stderr, "retarget: %s: %s, %s\n", path, diagnostic.what, diagnostic.where);
	}
	return error;
}

/* Node indices and axes are those of the avatar's file. The node of the hips also moves: its
 * translation is printed for it alone. */
static void print_frame(
	const struct jc_fitting *fitting, const struct jc_skeleton *skeleton, double t)
{
	int hips = jc_skeleton_bone_node(skeleton, JC_BONE_HIPS);

	for (size_t i = 0; i < jc_skeleton_node_count(skeleton); i++) {
		struct jc_transform local = fitting->locals[i];

		if (!jc_fitting_node_moved(fitting, i) && (int)i != hips) {
			continue;
		}
		printf("%.4f,%zu,%.9g,%.9g,%.9g,%.9g", t, i, local.rotation.x, local.rotation.y,
			local.rotation.z, local.rotation.w);
		if ((int)i == hips) {
			printf(",%.9g,%.9g,%.9g", local.translation.x, local.translation.y,
				local.translation.z);
		} else {
			printf(",,,");
		}
		putchar('\n');
	}
}

static int print_motion(
	const struct jc_motion *motion, const struct jc_skeleton *skeleton, double rate)
{
	double duration = jc_motion_info(motion)->duration;
	struct jc_fitting fitting;

	if (jc_fitting_init(&fitting, motion, skeleton, &JC_FITTING_DEFAULTS) != JC_OK) {
		fputs("retarget: out of memory\n", stderr);
		return -1;
	}
	puts("time,node,qx,qy,qz,qw,x,y,z");
	for (size_t i = 0; (double)i / rate <= duration; i++) {
		jc_fitting_pose(&fitting, (double)i / rate);
		print_frame(&fitting, skeleton, (double)i / rate);
	}
	jc_fitting_finish(&fitting);
	return 0;
}

int main(int argc, char **argv)
{
	double rate = argc > 3 ? atof(argv[3]) : 30.0;
	struct jc_motion *motion = NULL;
	struct jc_skeleton *skeleton = NULL;
	int status = 1;

	if (argc < 3 || !(rate > 0.0)) {
		fputs("usage: retarget MOTION AVATAR [FRAMES_PER_SECOND]\n", stderr);
		return 2;
	}
	if (load_motion(argv[1], &motion) == 0 && load_skeleton(argv[2], &skeleton) == 0 &&
		print_motion(motion, skeleton, rate) == 0) {
		status = 0;
	}
	jc_motion_destroy(motion);
	jc_skeleton_destroy(skeleton);
	return status;
}
