/* Tests failures of memory allocation: refuses each allocation of the library in turn until a
 * call succeeds. The call must return an error and free all memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "jointcast/avatar.h"
#include "jointcast/emulation.h"
#include "jointcast/gltf.h"
#include "jointcast/mcap_reader.h"
#include "jointcast/mcap_recovery.h"
#include "jointcast/measure.h"
#include "jointcast/recording.h"
#include "jointcast/recording_reader.h"
#include "jointcast/rerest.h"
#include "jointcast/retarget.h"
#include "jointcast/vmc.h"
#include "jointcast/write.h"
#include "jointcast_private/bvh.h"
#include "jointcast_private/csv.h"
#include "jointcast_private/hanim.h"
#include "jointcast_private/posture.h"
#include "unit_test.h"

#define FRAMES 3

enum file {
	AVATAR,
	BODY_FRAMES,
	BVH,
	CSV,
	GLTF,
	RECORDING,
	VRM0,
	VRM1,
	VRM_PERSON,
	VRMA,
	VRML,
	X3D,
	FILE_COUNT
};

/* Made once, without a failure. */
struct scene {
	struct jc_skeleton *skeleton;
	struct jc_motion *motion;
	struct jc_written files[FILE_COUNT];
};

/* One use of the library with all its clean-up. Returns 0 or the error. */
typedef int operation(const struct scene *scene);

static void pose(void *context, size_t index, struct jc_pose *out_pose)
{
	jc_motion_pose(context, 0.1 * (double)index, out_pose);
}

static struct jc_clip clip_of(const struct scene *scene)
{
	return (struct jc_clip){ .motion = scene->motion,
		.skeleton = scene->skeleton,
		.frame_count = FRAMES,
		.frame_seconds = 0.1,
		.pose = pose,
		.context = scene->motion };
}

static struct jc_written slurp(const char *name)
{
	struct jc_written file = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), JC_FIGURES_FOLDER "/%s", name);
	FILE *stream = fopen(path, "rb");

	assert_non_null(stream);
	file.bytes = malloc(1 << 20);
	assert_non_null(file.bytes);
	file.length = fread(file.bytes, 1, 1 << 20, stream);
	fclose(stream);
	return file;
}

static int set_up(void **state)
{
	static struct scene scene;
	struct jc_written *files = scene.files;
	static const bool dropped[JC_JOINT_COUNT];

	assert_int_equal(jc_skeleton_create_builtin(&scene.skeleton), JC_OK);
	assert_int_equal(jc_motion_create_demo("wave", &scene.motion, NULL), JC_OK);
	const struct jc_clip clip = clip_of(&scene);

	assert_int_equal(jc_write_body_frames(
				 &clip, JC_PROFILE_META, dropped, &files[BODY_FRAMES], NULL, NULL),
		JC_OK);
	assert_int_equal(jc_write_bvh(&clip, &files[BVH], NULL, NULL), JC_OK);
	assert_int_equal(jc_write_csv(&clip, &files[CSV], NULL, NULL), JC_OK);
	assert_int_equal(jc_write_gltf(&clip, JC_GLTF_HUMANOID, JC_BONE_AXES_ANATOMIC, true,
				 &files[GLTF], NULL, NULL),
		JC_OK);
	assert_int_equal(jc_write_gltf(&clip, JC_GLTF_VRMA, JC_BONE_AXES_ANATOMIC, false,
				 &files[VRMA], NULL, NULL),
		JC_OK);
	assert_int_equal(jc_write_recording(&clip, &files[RECORDING], NULL, NULL), JC_OK);
	assert_int_equal(jc_write_hanim(&clip, JC_SCENE_VRML97, &files[VRML], NULL, NULL), JC_OK);
	assert_int_equal(jc_write_hanim(&clip, JC_SCENE_X3D_XML, &files[X3D], NULL, NULL), JC_OK);
	files[AVATAR] = slurp("../../fuzz/fuzz_avatar.corpus/data_uris");
	files[VRM0] = slurp("vrm0_facing.vrm");
	files[VRM1] = slurp("tilted.vrm");
	/* With expressions, springs and constraints. */
	files[VRM_PERSON] = slurp("../../fuzz/fuzz_rerest.corpus/vrm1.gltf");
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	for (int i = 0; i < FILE_COUNT; i++) {
		free(scene->files[i].bytes);
	}
	jc_motion_destroy(scene->motion);
	jc_skeleton_destroy(scene->skeleton);
	return 0;
}

static void try_all(void **state, operation *use)
{
	const struct scene *scene = *state;

	for (size_t n = 1;; n++) {
		allocator_begin(n);
		int status = use(scene);
		bool was_refused = allocator_end();

		if (allocator_left() > 0) {
			fail_msg("%zu blocks are left after allocation %zu was refused",
				allocator_left(), n);
		}
		if (!was_refused) {
			assert_int_equal(status, JC_OK);
			assert_true(n > 1);
			return;
		}
		if (status != JC_ERROR_MEMORY) {
			fail_msg("allocation %zu was refused and the status is '%s'", n,
				jc_error_name(status));
		}
	}
}

static int read_skeleton(const struct scene *scene, enum file file)
{
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton;
	int status = jc_skeleton_read(scene->files[file].bytes, scene->files[file].length, 0, NULL,
		&skeleton, &lint, &diagnostic);

	if (status == JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

static int read_motion(const struct scene *scene, enum file file)
{
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_motion *motion;
	int status = jc_recording_read_motion(scene->files[file].bytes, scene->files[file].length,
		0, NULL, &motion, &lint, &diagnostic);

	if (status == JC_OK) {
		jc_motion_destroy(motion);
	}
	return status;
}

#define READS(what, name, file)                                                                    \
	static int what##_of_##name(const struct scene *scene)                                     \
	{                                                                                          \
		return read_##what(scene, file);                                                   \
	}                                                                                          \
	static void reading_a_##what##_of_##name##_survives_failed_allocations(void **state)       \
	{                                                                                          \
		try_all(state, what##_of_##name);                                                  \
	}

READS(skeleton, gltf, GLTF)
READS(skeleton, vrm0, VRM0)
READS(skeleton, vrm1, VRM1)
READS(skeleton, vrml, VRML)
READS(skeleton, x3d, X3D)
READS(motion, body_frames, BODY_FRAMES)
READS(motion, bvh, BVH)
READS(motion, csv, CSV)
READS(motion, gltf, GLTF)
READS(motion, recording, RECORDING)
READS(motion, vrma, VRMA)
READS(motion, vrml, VRML)
READS(motion, x3d, X3D)

static int read_descriptor(const struct scene *scene)
{
	struct jc_skeleton *skeleton;
	char *text;
	int status = jc_skeleton_write_descriptor(scene->skeleton, &text);

	if (status != JC_OK) {
		return status;
	}
	status = jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, NULL, NULL);
	free(text);
	if (status == JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

static void writing_and_reading_a_descriptor_survives_failed_allocations(void **state)
{
	try_all(state, read_descriptor);
}

static int create_builtin(const struct scene *scene)
{
	struct jc_skeleton *skeleton;
	int status = jc_skeleton_create_builtin(&skeleton);

	(void)scene;
	if (status == JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

static void creating_the_built_in_skeleton_survives_failed_allocations(void **state)
{
	try_all(state, create_builtin);
}

static int create_demo(const struct scene *scene)
{
	struct jc_motion *motion, *mirror;
	int status = jc_motion_create_demo("walk", &motion, NULL);

	(void)scene;
	if (status != JC_OK) {
		return status;
	}
	/* Both take it, with any result. */
	status = jc_motion_create_excerpt(motion, 1.0, 2.0, &motion);
	status = status ? status : jc_motion_create_mirror(motion, &mirror);
	if (status == JC_OK) {
		status = jc_emulation_complete_motion(mirror, 0.0f) ? JC_ERROR_MEMORY : JC_OK;
		jc_motion_destroy(mirror);
	}
	return status;
}

static void creating_a_demo_its_excerpt_and_mirror_survives_failed_allocations(void **state)
{
	try_all(state, create_demo);
}

static int create_retargeter(const struct scene *scene)
{
	struct jc_retargeter *retargeter;
	int status = jc_retargeter_create(scene->skeleton, &retargeter);

	if (status == JC_OK) {
		jc_retargeter_destroy(retargeter);
	}
	return status;
}

static void creating_a_retargeter_survives_failed_allocations(void **state)
{
	try_all(state, create_retargeter);
}

static int create_vmc(const struct scene *scene)
{
	struct jc_vmc_receiver *receiver;
	struct jc_vmc_sender *sender;
	int status = jc_vmc_receiver_create(scene->skeleton, &receiver);

	if (status != JC_OK) {
		return status;
	}
	jc_vmc_receiver_destroy(receiver);
	status = jc_vmc_sender_create(scene->skeleton, JC_VMC_ORIGINAL, &sender);
	if (status == JC_OK) {
		jc_vmc_sender_destroy(sender);
	}
	return status;
}

static void creating_vmc_sender_and_receiver_survives_failed_allocations(void **state)
{
	try_all(state, create_vmc);
}

static int keep(int status, struct jc_written *file)
{
	if (status == JC_OK) {
		free(file->bytes);
	}
	return status;
}

#define WRITES(name, ...)                                                                          \
	static int write_##name(const struct scene *scene)                                         \
	{                                                                                          \
		const struct jc_clip clip = clip_of(scene);                                        \
		struct jc_diagnostic diagnostic = { 0 };                                           \
		struct jc_written file;                                                            \
                                                                                                   \
		return keep(jc_write_##__VA_ARGS__, &file);                                        \
	}

static const bool nothing_dropped[JC_JOINT_COUNT];

WRITES(frames, body_frames(&clip, JC_PROFILE_META, nothing_dropped, &file, NULL, &diagnostic))
WRITES(bvh, bvh(&clip, &file, NULL, &diagnostic))
WRITES(csv, csv(&clip, &file, NULL, &diagnostic))
WRITES(glb, gltf(&clip, JC_GLTF_HUMANOID, JC_BONE_AXES_ANATOMIC, true, &file, NULL, &diagnostic))
WRITES(vrma, gltf(&clip, JC_GLTF_VRMA, JC_BONE_AXES_ANATOMIC, false, &file, NULL, &diagnostic))
WRITES(x3d, hanim(&clip, JC_SCENE_X3D_XML, &file, NULL, &diagnostic))
WRITES(mcap, recording(&clip, &file, NULL, &diagnostic))

static void writing_every_format_survives_failed_allocations(void **state)
{
	static operation *const writers[] = { write_frames, write_bvh, write_csv, write_glb,
		write_vrma, write_x3d, write_mcap };

	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		try_all(state, writers[i]);
	}
}

static int mend(const struct scene *scene)
{
	const struct jc_written *vrm = &scene->files[VRM_PERSON];
	struct jc_skeleton *skeleton, *mended;
	struct jc_gltf *gltf;
	struct jc_written file;
	int status = jc_skeleton_read(vrm->bytes, vrm->length, 0, NULL, &skeleton, NULL, NULL);

	if (status != JC_OK) {
		return status;
	}
	status = jc_gltf_read(vrm->bytes, vrm->length, NULL, &gltf, NULL, NULL);
	if (status == JC_OK) {
		status = keep(jc_rerest_gltf_with_drafts(skeleton, JC_BONE_AXES_ANATOMIC, gltf, 0,
				      true, &file, NULL, NULL),
			&file);
		jc_gltf_destroy(gltf);
	}
	if (status == JC_OK) {
		status = jc_rerest_skeleton(skeleton, JC_BONE_AXES_ANATOMIC, &mended, NULL, NULL);
	}
	if (status == JC_OK) {
		jc_skeleton_destroy(mended);
	}
	jc_skeleton_destroy(skeleton);
	return status;
}

static const struct jc_transform *place(void *context, size_t index)
{
	(void)index;
	return context;
}

static int animate(const struct scene *scene)
{
	const struct jc_written *vrm = &scene->files[VRM1];
	struct jc_transform locals[128] = { 0 };
	struct jc_avatar_clip clip = { .motion = scene->motion,
		.frame_count = FRAMES,
		.frame_seconds = 0.1,
		.pose = place,
		.context = locals };
	struct jc_skeleton *skeleton;
	struct jc_gltf *gltf;
	struct jc_written file;
	int status = jc_gltf_read(vrm->bytes, vrm->length, NULL, &gltf, NULL, NULL);

	if (status != JC_OK) {
		return status;
	}
	status = jc_skeleton_read_gltf(gltf, 0, &skeleton, NULL);
	if (status == JC_OK) {
		assert_true(jc_skeleton_node_count(skeleton) <= 128);
		clip.skeleton = skeleton;
		status = keep(
			jc_write_avatar(&clip, gltf, true, NULL, false, &file, NULL, NULL), &file);
		jc_skeleton_destroy(skeleton);
	}
	jc_gltf_destroy(gltf);
	return status;
}

static void animating_an_avatar_survives_failed_allocations(void **state)
{
	try_all(state, animate);
}

static void correcting_a_rest_survives_failed_allocations(void **state)
{
	try_all(state, mend);
}

static int measure(const struct scene *scene)
{
	struct jc_fitting_options options = { 0 };
	struct jc_measures measures;
	struct jc_posture posture;
	int status = jc_posture_measure(scene->skeleton, &posture);

	return status == JC_OK
		       ? jc_measure_motion(scene->motion, scene->skeleton, &options, 2.0, &measures)
		       : status;
}

static void measuring_a_motion_survives_failed_allocations(void **state)
{
	try_all(state, measure);
}

static int take(void *context, const void *bytes, size_t length)
{
	(void)bytes;
	*(size_t *)context += length;
	return JC_OK;
}

static struct jc_mcap_input recording_of(const struct scene *scene)
{
	static struct jc_mcap_slice slice;

	slice = (struct jc_mcap_slice){ scene->files[RECORDING].bytes,
		scene->files[RECORDING].length };
	return jc_mcap_input_memory(&slice);
}

static int recover(const struct scene *scene)
{
	const struct jc_mcap_input input = recording_of(scene);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_recovery recovery;
	size_t length = 0;
	const struct jc_mcap_sink sink = { .write = take, .context = &length };

	return jc_mcap_recover(&input, "test", &sink, &recovery, &diagnostic);
}

static void recovering_a_recording_survives_failed_allocations(void **state)
{
	try_all(state, recover);
}

static int forget(const struct scene *scene)
{
	const struct jc_mcap_input input = recording_of(scene);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_forgotten forgotten;
	size_t length = 0;
	const struct jc_mcap_sink sink = { .write = take, .context = &length };

	return jc_recording_forget(&input, "wave", "test", &sink, &forgotten, &diagnostic);
}

static void removing_a_person_from_a_recording_survives_failed_allocations(void **state)
{
	try_all(state, forget);
}

static int walk_messages(const struct jc_mcap_input *input, const struct jc_mcap_index *index)
{
	const struct jc_mcap_range range = JC_MCAP_EVERYTHING;
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_message message;
	struct jc_mcap_cursor *cursor;
	int status = jc_mcap_cursor_create(input, index, &range, &cursor);

	if (status != JC_OK) {
		return status;
	}
	while (status == JC_OK) {
		status = jc_mcap_cursor_next(cursor, &message, &diagnostic);
	}
	jc_mcap_cursor_destroy(cursor);
	return status == JC_ERROR_ABSENT ? JC_OK : status;
}

static int search(const struct scene *scene)
{
	const struct jc_mcap_input input = recording_of(scene);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_mcap_index *index;
	int status = jc_mcap_index_read(&input, &index, &diagnostic);

	if (status == JC_OK) {
		status = walk_messages(&input, index);
		jc_mcap_index_destroy(index);
	}
	return status;
}

static void searching_a_recording_survives_failed_allocations(void **state)
{
	try_all(state, search);
}

static int page(const struct scene *scene)
{
	const struct jc_mcap_input input = recording_of(scene);
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_recording *recording;
	struct jc_recording_page *read;
	int status = jc_recording_open(&input, &recording, &diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_recording_read_page(recording, 0, &read);
	if (status == JC_OK) {
		jc_recording_page_destroy(read);
	}
	jc_recording_close(recording);
	return status;
}

static void reading_a_page_of_a_recording_survives_failed_allocations(void **state)
{
	try_all(state, page);
}

static int check_avatar(const struct scene *scene)
{
	const struct jc_written *avatar = &scene->files[AVATAR];
	struct jc_avatar_facts facts;

	return jc_avatar_check(avatar->bytes, avatar->length, NULL, &facts, NULL);
}

static void checking_an_avatar_survives_failed_allocations(void **state)
{
	try_all(state, check_avatar);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_a_skeleton_of_gltf_survives_failed_allocations),
		cmocka_unit_test(reading_a_skeleton_of_vrm0_survives_failed_allocations),
		cmocka_unit_test(reading_a_skeleton_of_vrm1_survives_failed_allocations),
		cmocka_unit_test(reading_a_skeleton_of_vrml_survives_failed_allocations),
		cmocka_unit_test(reading_a_skeleton_of_x3d_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_body_frames_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_bvh_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_csv_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_gltf_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_recording_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_vrma_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_vrml_survives_failed_allocations),
		cmocka_unit_test(reading_a_motion_of_x3d_survives_failed_allocations),
		cmocka_unit_test(writing_and_reading_a_descriptor_survives_failed_allocations),
		cmocka_unit_test(creating_the_built_in_skeleton_survives_failed_allocations),
		cmocka_unit_test(
			creating_a_demo_its_excerpt_and_mirror_survives_failed_allocations),
		cmocka_unit_test(creating_a_retargeter_survives_failed_allocations),
		cmocka_unit_test(creating_vmc_sender_and_receiver_survives_failed_allocations),
		cmocka_unit_test(writing_every_format_survives_failed_allocations),
		cmocka_unit_test(correcting_a_rest_survives_failed_allocations),
		cmocka_unit_test(animating_an_avatar_survives_failed_allocations),
		cmocka_unit_test(measuring_a_motion_survives_failed_allocations),
		cmocka_unit_test(recovering_a_recording_survives_failed_allocations),
		cmocka_unit_test(removing_a_person_from_a_recording_survives_failed_allocations),
		cmocka_unit_test(searching_a_recording_survives_failed_allocations),
		cmocka_unit_test(reading_a_page_of_a_recording_survives_failed_allocations),
		cmocka_unit_test(checking_an_avatar_survives_failed_allocations),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
