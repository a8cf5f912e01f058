/* Fits a motion onto an avatar frame by frame and adds the result to the avatar's glTF file. */
#include "avatar_output.h"

#include <stdlib.h>

#include "error_report.h"
#include "files/input_file.h"
#include "files/loader.h"
#include "files/output_file.h"
#include "jointcast/write.h"
#include "progress.h"

struct sampling {
	struct jc_fitting fitting;
	double frame_seconds;
	struct jc_progress progress;
};

static const struct jc_transform *sample(void *context, size_t index)
{
	struct sampling *sampling = context;
	double duration = jc_motion_info(sampling->fitting.motion)->duration;
	double t = (double)index * sampling->frame_seconds;

	jc_fitting_pose(&sampling->fitting, t < duration ? t : duration);
	jc_progress_step(&sampling->progress, index);
	return sampling->fitting.locals;
}

static int make(const struct jc_avatar_output *output, struct jc_input_file *input,
	const struct jc_gltf *gltf, const struct jc_skeleton *skeleton, struct jc_written *out_file,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_gltf_resolver resolver = jc_input_file_resolver(input);
	struct sampling sampling = {
		.frame_seconds = output->frame_seconds,
		.progress = jc_progress_begin("converting", output->frame_count),
	};
	struct jc_avatar_clip clip = {
		.motion = output->motion,
		.skeleton = skeleton,
		.frame_count = output->frame_count,
		.frame_seconds = output->frame_seconds,
		.pose = sample,
		.context = &sampling,
	};
	bool by_name = jc_skeleton_format(skeleton) == JC_SKELETON_EXT && output->index == 0 &&
		       !output->bones;
	int error = jc_fitting_init(&sampling.fitting, output->motion, skeleton, output->fitting);

	if (error) {
		return jc_diagnose(diagnostic, error, NULL, "out of memory");
	}
	error = jc_write_avatar(
		&clip, gltf, by_name, &resolver, output->is_binary, out_file, lint, diagnostic);
	jc_progress_end(&sampling.progress);
	jc_fitting_finish(&sampling.fitting);
	return error;
}

static int convert(const struct jc_avatar_output *output, const struct jc_bone_map *map,
	struct jc_input_file *input)
{
	struct jc_gltf_resolver resolver = jc_input_file_resolver(input);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_lint lint = { 0 };
	struct jc_written file = { 0 };
	struct jc_skeleton *skeleton = NULL;
	struct jc_gltf *gltf = NULL;
	int status;
	int error = jc_gltf_read(input->bytes, input->length, &resolver, &gltf, NULL, &diagnostic);

	if (error == JC_ERROR_SYNTAX) {
		status = jc_report(JC_EXIT_INPUT, output->path,
			"an avatar must be a glTF or VRM file: %s, %s", diagnostic.what,
			diagnostic.where);
		goto out;
	}
	if (!error) {
		error = jc_skeleton_read_gltf_mapped(
			gltf, output->index, map, &skeleton, &diagnostic);
	}
	if (error) {
		status = jc_report_diagnostic(error, output->path, &diagnostic);
		goto out;
	}
	error = make(output, input, gltf, skeleton, &file, &lint, &diagnostic);
	if (error) {
		status = jc_report_diagnostic(error, output->path, &diagnostic);
		goto out;
	}
	status = jc_output_file_write_whole(output->out, file.bytes, file.length);
	free(file.bytes);
	for (size_t i = 0; i < lint.count && status == JC_EXIT_DONE; i++) {
		jc_report(JC_EXIT_DONE, output->out, "%s", lint.entries[i].text);
	}
out:
	jc_skeleton_destroy(skeleton);
	jc_gltf_destroy(gltf);
	return status;
}

int jc_avatar_output_write(const struct jc_avatar_output *output)
{
	struct jc_input_file input = { 0 };
	struct jc_bone_map *map;
	int status = jc_load_bone_map(output->bones, &map);

	if (status == JC_EXIT_DONE) {
		status = jc_input_file_read(output->path, &input);
	}
	if (status == JC_EXIT_DONE && input.format) {
		status = jc_report(JC_EXIT_INPUT, output->path,
			"--avatar keeps a mesh, and the mesh of an FBX file is not read");
	} else if (status == JC_EXIT_DONE) {
		status = convert(output, map, &input);
	}
	jc_input_file_finish(&input);
	jc_bone_map_destroy(map);
	return status;
}
