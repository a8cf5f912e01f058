/* Virtual transforms in written glTF and H-Anim files. The expected places are those on the source
 * skeleton in the same pose, and numbers worked out by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/virtual_placement.h"
#include "unit_test.h"

#define NODES    (JC_BONE_COUNT + 3)
#define FLAGS    8
#define PARENTS  5
#define VIRTUALS (FLAGS * PARENTS)

/* Nodes beside the bones: above all bones, below the left hand, and beside the hips. */
enum { ARMATURE = JC_BONE_COUNT, TOOL, STAND };

static const int parents[PARENTS] = { JC_BONE_LEFT_HAND, TOOL, STAND, ARMATURE, -1 };

/* The built-in figure turned to face -Z, below a node of half the size, with every combination of
 * flags on a bone, on a node of uneven scale below it, on nodes that no bone moves, and on none. */
struct figure {
	struct jc_skeleton_node nodes[NODES];
	struct jc_virtual_transform virtuals[VIRTUALS];
	char names[VIRTUALS][16];
	struct jc_skeleton *skeleton;
	struct jc_motion *motion;
	struct jc_pose pose;
};

static void add_virtuals(struct figure *figure)
{
	static const char *const tags[] = { "weapon_socket", "left" };

	for (int i = 0; i < VIRTUALS; i++) {
		struct jc_virtual_transform *virtual = &figure->virtuals[i];

		snprintf(figure->names[i], sizeof(figure->names[i]), "v%d", i);
		*virtual = (struct jc_virtual_transform){
			.name = figure->names[i],
			.parent = parents[i / FLAGS],
			.offset = { .translation = { 0.1f, -0.2f, 0.3f },
				.rotation = { 0.5f, -0.5f, 0.5f, 0.5f },
				.scale = { 2.0f, 3.0f, 0.5f } },
			.respect_position = i & 1,
			.respect_rotation = i & 2,
			.respect_scale = i & 4,
			.tag_count = i == 0 ? 2 : 0,
			.tags = tags,
		};
	}
}

static void make_figure(struct figure *figure)
{
	struct jc_skeleton_description description;
	struct jc_skeleton *builtin;

	*figure = (struct figure){ 0 };
	assert_int_equal(jc_skeleton_create_builtin(&builtin), JC_OK);
	jc_skeleton_description_init(&description);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		figure->nodes[b] = jc_skeleton_nodes(builtin)[b];
		figure->nodes[b].rest.translation =
			jc_vec3_scale(figure->nodes[b].rest.translation, 2.0f);
		description.bones[b] = b;
	}
	figure->nodes[JC_BONE_HIPS].parent = ARMATURE;
	figure->nodes[ARMATURE] = (struct jc_skeleton_node){ "armature", -1,
		{ .rotation = { 0.0f, 1.0f, 0.0f, 0.0f }, .scale = { 0.5f, 0.5f, 0.5f } } };
	figure->nodes[TOOL] = (struct jc_skeleton_node){ "tool \"1\"", JC_BONE_LEFT_HAND,
		{ .translation = { 0.2f, 0.1f, 0.0f },
			.rotation = { 0.6f, 0.0f, 0.0f, 0.8f },
			.scale = { 1.0f, 2.0f, 4.0f } } };
	figure->nodes[STAND] = (struct jc_skeleton_node){ "stand", ARMATURE,
		{ .translation = { 1.0f, 0.0f, 1.0f },
			.rotation = { 0.0f, 0.6f, 0.0f, 0.8f },
			.scale = { 1.0f, 1.0f, 1.0f } } };
	add_virtuals(figure);
	description.facing = (struct jc_quat){ 0.0f, 1.0f, 0.0f, 0.0f };
	description.node_count = NODES;
	description.nodes = figure->nodes;
	description.virtual_transform_count = VIRTUALS;
	description.virtual_transforms = figure->virtuals;
	assert_int_equal(jc_skeleton_create(&description, &figure->skeleton, NULL), JC_OK);
	assert_int_equal(jc_motion_create_demo("wave", &figure->motion, NULL), JC_OK);
	jc_pose_init(&figure->pose);
	jc_skeleton_destroy(builtin);
}

static void free_figure(struct figure *figure)
{
	jc_skeleton_destroy(figure->skeleton);
	jc_motion_destroy(figure->motion);
}

static void give_pose(void *context, size_t index, struct jc_pose *out_pose)
{
	(void)index;
	*out_pose = ((struct figure *)context)->pose;
}

static struct jc_clip make_clip(struct figure *figure)
{
	return (struct jc_clip){ .motion = figure->motion,
		.skeleton = figure->skeleton,
		.frame_count = 1,
		.frame_seconds = 1.0,
		.pose = give_pose,
		.context = figure };
}

static const char *find_text(const struct jc_lint *lint, const char *code)
{
	for (size_t i = 0; i < lint->count; i++) {
		if (strcmp(lint->entries[i].code, code) == 0) {
			return lint->entries[i].text;
		}
	}
	return "";
}

/* Places of the virtual transforms of a skeleton in canonical space. Every bone is turned by a
 * rotation of its own. */
static void place_virtuals(const struct jc_skeleton *skeleton, struct jc_transform *out_places)
{
	const struct jc_virtual_transform *virtuals = jc_skeleton_virtual_transforms(skeleton);
	struct jc_quat back = jc_quat_conjugate(jc_skeleton_facing(skeleton));
	struct jc_quat normalized[JC_BONE_COUNT];
	struct jc_skeleton_pose pose = { .hips_translation = { 0.4f, -0.1f, 0.7f } };
	struct jc_transform locals[2 * NODES];
	struct jc_mat4 worlds[2 * NODES];

	assert_true(jc_skeleton_node_count(skeleton) <= (size_t)2 * NODES);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		struct jc_vec3 axis = { (float)(b % 3) - 1.0f, (float)(b % 5) - 1.5f, 0.5f };

		normalized[b] =
			jc_quat_from_axis_angle(jc_vec3_normalize(axis), 0.1f + 0.02f * (float)b);
	}
	jc_skeleton_relative(skeleton, normalized, pose.rotations);
	jc_skeleton_locals(skeleton, &pose, locals);
	jc_skeleton_worlds(skeleton, locals, worlds);
	for (size_t i = 0; i < jc_skeleton_virtual_transform_count(skeleton); i++) {
		struct jc_transform place = jc_virtual_transform_place(
			&virtuals[i], virtuals[i].parent < 0 ? NULL : &worlds[virtuals[i].parent]);

		out_places[i] = place;
		out_places[i].translation = jc_quat_rotate(back, place.translation);
		out_places[i].rotation = jc_quat_multiply(back, place.rotation);
	}
}

static void assert_near(struct jc_vec3 actual, struct jc_vec3 expected, int index)
{
	if (jc_vec3_length(jc_vec3_subtract(actual, expected)) > 1e-5f) {
		fail_msg("%d: %g %g %g instead of %g %g %g", index, (double)actual.x,
			(double)actual.y, (double)actual.z, (double)expected.x, (double)expected.y,
			(double)expected.z);
	}
}

static void gltf_keeps_every_virtual_transform_in_place(void **)
{
	struct jc_transform expected[VIRTUALS], actual[VIRTUALS];
	const struct jc_virtual_transform *virtuals;
	struct jc_skeleton *skeleton = NULL;
	struct jc_lint lint = { 0 };
	struct jc_written file;
	struct figure figure;
	struct jc_clip clip;

	make_figure(&figure);
	clip = make_clip(&figure);
	assert_int_equal(jc_write_gltf(&clip, JC_GLTF_HUMANOID, JC_BONE_AXES_ANATOMIC, false, &file,
				 &lint, NULL),
		JC_OK);
	assert_string_equal(find_text(&lint, "virtual-lost"), "");
	assert_int_equal(
		jc_skeleton_read(file.bytes, file.length, 0, NULL, &skeleton, NULL, NULL), JC_OK);
	assert_int_equal(jc_skeleton_virtual_transform_count(skeleton), VIRTUALS);
	virtuals = jc_skeleton_virtual_transforms(skeleton);
	assert_string_equal(virtuals[0].tags[1], "left");
	/* Three nodes that are no bones: each is in the file once. */
	assert_int_equal(jc_skeleton_node_count(skeleton), JC_BONE_COUNT + 3);
	assert_string_equal(jc_skeleton_nodes(skeleton)[virtuals[FLAGS].parent].name, "tool \"1\"");
	place_virtuals(figure.skeleton, expected);
	place_virtuals(skeleton, actual);
	for (int i = 0; i < VIRTUALS; i++) {
		assert_string_equal(virtuals[i].name, figure.names[i]);
		assert_int_equal(virtuals[i].respect_position, i & 1 ? 1 : 0);
		assert_int_equal(virtuals[i].respect_rotation, i & 2 ? 1 : 0);
		assert_int_equal(virtuals[i].respect_scale, i & 4 ? 1 : 0);
		assert_near(actual[i].translation, expected[i].translation, i);
		assert_near(actual[i].scale, expected[i].scale, i);
		assert_true(jc_quat_angle(actual[i].rotation, expected[i].rotation) < 1e-4f);
	}
	/* Without a node: (0.1, -0.2, 0.3) of a figure that faces -Z, turned by half a turn. */
	assert_near(actual[VIRTUALS - 1].translation, (struct jc_vec3){ -0.1f, -0.2f, -0.3f }, -1);
	jc_skeleton_destroy(skeleton);
	free(file.bytes);
	free_figure(&figure);
}

static void vrma_reports_the_lost_virtual_transforms(void **)
{
	struct jc_lint lint = { 0 };
	struct jc_written file;
	struct figure figure;
	struct jc_clip clip;

	make_figure(&figure);
	clip = make_clip(&figure);
	assert_int_equal(
		jc_write_gltf(&clip, JC_GLTF_VRMA, JC_BONE_AXES_ANATOMIC, true, &file, &lint, NULL),
		JC_OK);
	assert_non_null(strstr(find_text(&lint, "virtual-lost"),
		"virtual transforms not kept: 'v0', 'v1', 'v2', "));
	assert_non_null(strstr(find_text(&lint, "virtual-lost"), " more"));
	free(file.bytes);
	free_figure(&figure);
}

/* A site is on its joint, or on the humanoid where nothing moves its position. */
static void hanim_puts_sites_where_they_belong(void **)
{
	struct jc_transform expected[VIRTUALS];
	struct jc_mat4 places[VIRTUALS];

	for (int syntax = JC_SCENE_VRML97; syntax <= JC_SCENE_X3D_XML; syntax++) {
		const struct jc_virtual_transform *virtuals;
		struct jc_skeleton *skeleton = NULL;
		struct jc_lint lint = { 0 };
		struct jc_written file;
		struct figure figure;
		struct jc_clip clip;
		size_t found = 0;

		make_figure(&figure);
		clip = make_clip(&figure);
		assert_int_equal(
			jc_write_hanim(&clip, (enum jc_scene_syntax)syntax, &file, &lint, NULL),
			JC_OK);
		assert_non_null(strstr(find_text(&lint, "virtual-flags-lost"), ": 'v1', 'v2', "));
		assert_string_equal(find_text(&lint, "virtual-tags-lost"),
			"tags of virtual transforms not kept: 'v0'");
		assert_int_equal(
			jc_skeleton_read(file.bytes, file.length, 0, NULL, &skeleton, NULL, NULL),
			JC_OK);
		place_virtuals(figure.skeleton, expected);
		virtuals = jc_skeleton_virtual_transforms(skeleton);
		for (size_t i = 0; i < jc_skeleton_virtual_transform_count(skeleton); i++) {
			int node = virtuals[i].parent;
			int index;

			if (sscanf(virtuals[i].name, "v%d_pt", &index) != 1) {
				continue; /* a viewpoint */
			}
			found++;
			places[index] = jc_mat4_multiply(jc_skeleton_rest_worlds(skeleton)[node],
				jc_mat4_compose(virtuals[i].offset));
			if (index >= 2 * FLAGS || !(index & 1)) {
				/* The node of the humanoid, which no pose moves. */
				assert_int_equal(jc_skeleton_nodes(skeleton)[node].parent, -1);
			} else {
				assert_int_equal(
					node, jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_HAND));
			}
			if (index >= 2 * FLAGS || !(index & 3)) {
				assert_near(jc_mat4_translation(places[index]),
					expected[index].translation, index);
			}
		}
		assert_int_equal(found, VIRTUALS);
		jc_skeleton_destroy(skeleton);
		free(file.bytes);
		free_figure(&figure);
	}
}

/* The toes of a figure 3 m above the origin are set on the ground, and its sites with them. */
static void hanim_moves_sites_of_the_humanoid_with_the_figure(void **)
{
	struct jc_skeleton_description description;
	const struct jc_virtual_transform seat = { .name = "seat",
		.parent = -1,
		.offset = { .translation = { 0.0f, 3.5f, -0.3f },
			.rotation = { 0.0f, 0.0f, 0.0f, 1.0f },
			.scale = { 1.0f, 1.0f, 1.0f } } };
	struct jc_skeleton *builtin, *read = NULL;
	struct jc_lint lint = { 0 };
	struct jc_written file;
	struct figure figure;
	struct jc_clip clip;
	float floor;

	make_figure(&figure);
	jc_skeleton_destroy(figure.skeleton);
	assert_int_equal(jc_skeleton_create_builtin(&builtin), JC_OK);
	jc_skeleton_description_init(&description);
	memcpy(figure.nodes, jc_skeleton_nodes(builtin), JC_BONE_COUNT * sizeof(*figure.nodes));
	figure.nodes[JC_BONE_HIPS].rest.translation.y += 3.0f;
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		description.bones[b] = b;
	}
	description.node_count = JC_BONE_COUNT;
	description.nodes = figure.nodes;
	description.virtual_transform_count = 1;
	description.virtual_transforms = &seat;
	assert_int_equal(jc_skeleton_create(&description, &figure.skeleton, NULL), JC_OK);
	floor = jc_skeleton_floor(figure.skeleton);
	clip = make_clip(&figure);
	assert_int_equal(jc_write_hanim(&clip, JC_SCENE_X3D_XML, &file, &lint, NULL), JC_OK);
	assert_int_equal(
		jc_skeleton_read(file.bytes, file.length, 0, NULL, &read, NULL, NULL), JC_OK);
	for (size_t i = 0; i < jc_skeleton_virtual_transform_count(read); i++) {
		const struct jc_virtual_transform *site = &jc_skeleton_virtual_transforms(read)[i];

		if (strcmp(site->name, "seat_pt") == 0) {
			assert_near(site->offset.translation,
				(struct jc_vec3){ 0.0f, 3.5f - floor, -0.3f }, 0);
			floor = 0.0f;
		}
	}
	assert_true(floor == 0.0f); /* found */
	jc_skeleton_destroy(read);
	jc_skeleton_destroy(builtin);
	free(file.bytes);
	free_figure(&figure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gltf_keeps_every_virtual_transform_in_place),
		cmocka_unit_test(vrma_reports_the_lost_virtual_transforms),
		cmocka_unit_test(hanim_puts_sites_where_they_belong),
		cmocka_unit_test(hanim_moves_sites_of_the_humanoid_with_the_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
