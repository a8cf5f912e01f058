/* Written H-Anim files, read as scenes and as motions. Expected values: rules of the 1.0
 * specification, positions in the table of bones, rotations about one axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/write.h"
#include "jointcast_private/scene.h"
#include "unit_test.h"

#define FRAMES  5
#define SECONDS 0.0625
#define RIGHT   1.57079632679489662

static const struct jc_vec3 x_axis = { 1.0f, 0.0f, 0.0f };
static const struct jc_vec3 z_axis = { 0.0f, 0.0f, 1.0f };

/* Poses of a clip, and the objects to write and read them. */
struct fixture {
	struct jc_skeleton *skeleton;
	struct jc_motion *motion; /* gives the clip its name and bones */
	bool loses_bones, loses_tags;
	struct jc_pose poses[FRAMES];
	struct jc_written file;
	struct jc_scene *scene; /* the file, read */
};

static void pose(void *context, size_t index, struct jc_pose *out_pose)
{
	*out_pose = ((struct fixture *)context)->poses[index];
}

static void set_up(struct fixture *fixture, const char *figure)
{
	struct jc_diagnostic diagnostic = { .what = "" };

	*fixture = (struct fixture){ .loses_bones = figure != NULL };
	if (!figure) {
		assert_int_equal(jc_skeleton_create_builtin(&fixture->skeleton), JC_OK);
	} else if (jc_skeleton_read(figure, strlen(figure), 0, NULL, &fixture->skeleton, NULL,
			   &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	assert_int_equal(jc_motion_create_demo("wave", &fixture->motion, NULL), JC_OK);
	for (int i = 0; i < FRAMES; i++) {
		jc_pose_init(&fixture->poses[i]);
		for (int b = 0; b < JC_BONE_COUNT; b++) {
			fixture->poses[i].states[b] = JC_TRACKED;
		}
	}
}

static void write_scene(struct fixture *fixture, enum jc_scene_syntax syntax)
{
	struct jc_clip clip = {
		.motion = fixture->motion,
		.skeleton = fixture->skeleton,
		.frame_count = FRAMES,
		.frame_seconds = SECONDS,
		.pose = pose,
		.context = fixture,
	};
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_lint lint = { 0 };

	assert_int_equal(jc_write_hanim(&clip, syntax, &fixture->file, &lint, &diagnostic), JC_OK);
	if (jc_scene_read(fixture->file.bytes, fixture->file.length, &fixture->scene, &lint,
		    &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	assert_int_equal(fixture->scene->syntax, syntax);
	assert_int_equal(lint.count, (size_t)fixture->loses_bones + fixture->loses_tags);
	assert_true(!fixture->loses_bones || strcmp(lint.entries[0].code, "bones-lost") == 0);
	assert_true(!fixture->loses_tags ||
		    strcmp(lint.entries[0].text,
			    "tags of virtual transforms not kept: 'my grip'") == 0);
}

static void tear_down(struct fixture *fixture)
{
	jc_scene_destroy(fixture->scene);
	free(fixture->file.bytes);
	jc_motion_destroy(fixture->motion);
	jc_skeleton_destroy(fixture->skeleton);
}

/* By index: every node of the scene that was visited. */
struct nodes {
	size_t count;
	const struct jc_scene_node *items[2048];
	bool seen[4096];
};

static void collect(struct nodes *nodes, const struct jc_scene_node *node)
{
	assert_true(node->index < sizeof(nodes->seen));
	if (nodes->seen[node->index]) {
		return;
	}
	nodes->seen[node->index] = true;
	assert_true(nodes->count < sizeof(nodes->items) / sizeof(*nodes->items));
	nodes->items[nodes->count++] = node;
	for (size_t i = 0; i < node->field_count; i++) {
		for (size_t j = 0; j < node->fields[i].node_count; j++) {
			collect(nodes, node->fields[i].nodes[j]);
		}
	}
}

static struct nodes collect_all(const struct jc_scene *scene)
{
	struct nodes nodes = { 0 };

	for (size_t i = 0; i < scene->root_count; i++) {
		collect(&nodes, scene->roots[i]);
	}
	return nodes;
}

static const struct jc_scene_node *find(const struct jc_scene *scene, const char *def)
{
	struct nodes nodes = collect_all(scene);

	for (size_t i = 0; i < nodes.count; i++) {
		if (strcmp(nodes.items[i]->def, def) == 0) {
			return nodes.items[i];
		}
	}
	return NULL;
}

static struct jc_vec3 vector(const struct jc_scene_node *node, const char *field)
{
	double v[3];

	assert_non_null(node);
	assert_true(jc_scene_numbers(node, field, 3, v));
	return (struct jc_vec3){ (float)v[0], (float)v[1], (float)v[2] };
}

static void assert_vector(struct jc_vec3 v, double x, double y, double z)
{
	assert_float_equal(v.x, x, 1e-6);
	assert_float_equal(v.y, y, 1e-6);
	assert_float_equal(v.z, z, 1e-6);
}

static float next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (float)(*state >> 8) / 8388608.0f - 1.0f;
}

static void poses_read_back_from_every_syntax(void **)
{
	uint32_t random = 12;

	for (int syntax = JC_SCENE_VRML97; syntax <= JC_SCENE_X3D_XML; syntax++) {
		struct jc_motion *motion;
		struct fixture fixture;

		set_up(&fixture, NULL);
		for (int i = 0; i < FRAMES; i++) {
			for (int b = 0; b < JC_BONE_COUNT; b++) {
				fixture.poses[i].rotations[b] = jc_quat_normalize((struct jc_quat){
					next_random(&random), next_random(&random),
					next_random(&random), next_random(&random) });
			}
			fixture.poses[i].hips_translation = (struct jc_vec3){ next_random(&random),
				next_random(&random), next_random(&random) };
		}
		write_scene(&fixture, (enum jc_scene_syntax)syntax);
		assert_int_equal(jc_motion_read(fixture.file.bytes, fixture.file.length, 0, NULL,
					 &motion, NULL, NULL),
			JC_OK);
		assert_string_equal(jc_motion_info(motion)->name, "wave");
		assert_int_equal(jc_motion_info(motion)->frame_count, FRAMES);
		assert_float_equal(jc_motion_info(motion)->duration, (FRAMES - 1) * SECONDS, 1e-9);
		for (int i = 0; i < FRAMES; i++) {
			struct jc_pose read;

			jc_motion_pose(motion, i * SECONDS, &read);
			for (int b = 0; b < JC_BONE_COUNT; b++) {
				assert_true(jc_quat_angle(read.rotations[b],
						    fixture.poses[i].rotations[b]) < 5e-6f);
			}
			assert_true(jc_vec3_length(jc_vec3_subtract(read.hips_translation,
					    fixture.poses[i].hips_translation)) < 2e-6f);
		}
		jc_motion_destroy(motion);
		tear_down(&fixture);
	}
}

/* "Modeling the Humanoid": all rotations, translations and scales have their defaults,
 * arms are straight and parallel to the sides. */
static void rest_is_that_of_the_standard_with_default_fields(void **)
{
	struct fixture fixture;
	struct nodes nodes;
	size_t joints = 0;

	set_up(&fixture, NULL);
	write_scene(&fixture, JC_SCENE_VRML97);
	nodes = collect_all(fixture.scene);
	for (size_t i = 0; i < nodes.count; i++) {
		const struct jc_scene_node *node = nodes.items[i];

		for (size_t f = 0; strcmp(node->type, "Joint") == 0 && f < node->field_count; f++) {
			assert_string_not_equal(node->fields[f].name, "rotation");
			assert_string_not_equal(node->fields[f].name, "translation");
			assert_string_not_equal(node->fields[f].name, "scale");
		}
		joints += strcmp(node->type, "Joint") == 0;
	}
	assert_int_equal(joints, JC_BONE_COUNT + 1); /* and the sacroiliac */
	/* Lengths from the table: 0.28 from elbow to shoulder, 0.25 to the wrist. */
	assert_vector(
		vector(find(fixture.scene, "hanim_l_shoulder"), "center"), 0.175, 1.42, -0.005);
	assert_vector(vector(find(fixture.scene, "hanim_l_elbow"), "center"), 0.175, 1.14, -0.005);
	assert_vector(vector(find(fixture.scene, "hanim_r_wrist"), "center"), -0.175, 0.89, -0.005);
	/* Fingers are as far from the wrist as in the table: 0.098, and (0.095, 0.022). */
	assert_vector(
		vector(find(fixture.scene, "hanim_l_middle1"), "center"), 0.175, 0.792, -0.005);
	assert_vector(vector(find(fixture.scene, "hanim_l_index1"), "center"), 0.175, 0.795, 0.017);
	assert_vector(vector(find(fixture.scene, "hanim_l_ankle"), "center"), 0.09, 0.08, -0.03);
	tear_down(&fixture);
}

static void positions_read_back_as_the_same_floats(void **)
{
	struct fixture fixture;
	struct jc_vec3 head;

	set_up(&fixture, NULL);
	write_scene(&fixture, JC_SCENE_X3D_XML);
	head = vector(find(fixture.scene, "hanim_humanoid_root"), "center");
	assert_true(head.y == jc_bone_rest_position(JC_BONE_HIPS).y);
	tear_down(&fixture);
}

static void assert_lists(
	const struct jc_scene_node *humanoid, const char *field, size_t expected, const char *type)
{
	struct jc_scene_node *const *nodes;
	size_t count = jc_scene_nodes(humanoid, field, &nodes);

	assert_int_equal(count, expected);
	for (size_t i = 0; i < count; i++) {
		char def[300];

		assert_string_equal(nodes[i]->type, type);
		snprintf(def, sizeof(def), "hanim_%s", jc_scene_string(nodes[i], "name", ""));
		assert_string_equal(nodes[i]->def, def);
	}
}

static void assert_views(const struct jc_scene *scene)
{
	static const char *const views[] = { "FrontView", "SideView", "TopView", "InclinedView",
		"hanim_LeftEyeView", "hanim_RightEyeView", "hanim_CyclopeanView", "hanim_FaceView",
		"hanim_FaceLeft", "hanim_FaceRight" };

	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		const struct jc_scene_node *view = find(scene, views[i]);

		assert_non_null(view);
		assert_string_equal(view->type, "Viewpoint");
		assert_string_equal(jc_scene_string(view, "description", ""), views[i]);
	}
	assert_string_equal(find(scene, "Viewpoints")->type, "Group");
}

/* The boxes of the humanoid and of its segments contain their shapes. */
static void assert_boxes(const struct jc_scene *scene)
{
	struct jc_vec3 center = vector(find(scene, "Humanoid"), "bboxCenter");
	struct jc_vec3 size = vector(find(scene, "Humanoid"), "bboxSize");
	struct nodes nodes = collect_all(scene);

	for (size_t i = 0; i < nodes.count; i++) {
		const struct jc_scene_field *points = jc_scene_field(nodes.items[i], "point");

		for (size_t p = 0; points && p + 2 < points->number_count; p += 3) {
			assert_true(fabs(points->numbers[p] - center.x) <= 0.5 * size.x + 1e-5);
			assert_true(fabs(points->numbers[p + 1] - center.y) <= 0.5 * size.y + 1e-5);
			assert_true(fabs(points->numbers[p + 2] - center.z) <= 0.5 * size.z + 1e-5);
		}
	}
	/* From below the toe joints to the top of the head. */
	assert_true(size.y > 1.6 && size.y < 1.9);
}

static void vrml97_file_has_the_layout_of_1_0(void **)
{
	const struct jc_scene_node *humanoid, *navigation = NULL;
	struct fixture fixture;

	set_up(&fixture, NULL);
	write_scene(&fixture, JC_SCENE_VRML97);
	humanoid = fixture.scene->roots[fixture.scene->root_count - 1];
	assert_string_equal(humanoid->type, "Humanoid");
	assert_string_equal(humanoid->def, "Humanoid");
	assert_string_equal(jc_scene_string(humanoid, "version", ""), "1.0");
	assert_string_equal(jc_scene_string(humanoid, "name", ""), "humanoid");
	assert_lists(humanoid, "joints", JC_BONE_COUNT + 1, "Joint");
	assert_lists(humanoid, "segments", JC_BONE_COUNT + 1, "Segment");
	assert_views(fixture.scene);
	assert_boxes(fixture.scene);
	for (size_t i = 0; i < fixture.scene->root_count; i++) {
		if (strcmp(fixture.scene->roots[i]->type, "NavigationInfo") == 0) {
			navigation = fixture.scene->roots[i];
		}
	}
	assert_non_null(navigation);
	assert_string_equal(jc_scene_string(navigation, "type", ""), "EXAMINE");
	assert_non_null(find(fixture.scene, "hanim_HumanoidRoot"));
	assert_non_null(find(fixture.scene, "hanim_l_thumb_metacarpal"));
	tear_down(&fixture);
}

static void x3d_files_declare_hanim_and_use_joint_names_of_2_0(void **)
{
	for (int syntax = JC_SCENE_X3D_CLASSIC; syntax <= JC_SCENE_X3D_XML; syntax++) {
		const char *component = syntax == JC_SCENE_X3D_CLASSIC
						? "COMPONENT HAnim:1\n"
						: "<component name='HAnim' level='1'/>";
		const struct jc_scene_node *humanoid;
		struct fixture fixture;
		struct jc_scene_node *const *nodes;

		set_up(&fixture, NULL);
		write_scene(&fixture, (enum jc_scene_syntax)syntax);
		assert_non_null(memmem(
			fixture.file.bytes, fixture.file.length, component, strlen(component)));
		humanoid = fixture.scene->roots[fixture.scene->root_count - 1];
		assert_string_equal(humanoid->type, "HAnimHumanoid");
		assert_string_equal(jc_scene_string(humanoid, "version", ""), "2.0");
		assert_int_equal(jc_scene_nodes(humanoid, "skeleton", &nodes), 1);
		assert_string_equal(nodes[0]->def, "hanim_humanoid_root");
		assert_lists(humanoid, "joints", JC_BONE_COUNT + 1, "HAnimJoint");
		assert_lists(humanoid, "segments", JC_BONE_COUNT + 1, "HAnimSegment");
		assert_int_equal(jc_scene_nodes(humanoid, "viewpoints", &nodes), 6);
		assert_string_equal(nodes[0]->type, "HAnimSite");
		assert_views(fixture.scene);
		assert_boxes(fixture.scene);
		assert_non_null(find(fixture.scene, "hanim_l_talocrural"));
		assert_non_null(find(fixture.scene, "hanim_r_carpal_distal_interphalangeal_5"));
		assert_non_null(find(fixture.scene, "hanim_l_talus"));
		tear_down(&fixture);
	}
}

/* In the T-pose upper arms turn by a right angle from their hanging position, and nothing
 * below them turns. */
static void joints_that_never_turn_have_no_interpolator(void **)
{
	const struct jc_scene_field *values;
	struct fixture fixture;
	struct nodes nodes;
	size_t count = 0;

	set_up(&fixture, NULL);
	fixture.poses[2].rotations[JC_BONE_HEAD] = jc_quat_from_axis_angle(x_axis, 0.3f);
	write_scene(&fixture, JC_SCENE_X3D_CLASSIC);
	nodes = collect_all(fixture.scene);
	for (size_t i = 0; i < nodes.count; i++) {
		count += strcmp(nodes.items[i]->type, "OrientationInterpolator") == 0;
	}
	assert_int_equal(count, 3);
	values = jc_scene_field(find(fixture.scene, "hanim_skullbase_rotation"), "keyValue");
	assert_int_equal(values->number_count, 4 * FRAMES);
	assert_float_equal(values->numbers[4 * 1 + 3], 0.0, 1e-6);
	assert_float_equal(values->numbers[4 * 2], 1.0, 1e-6);
	assert_float_equal(values->numbers[4 * 2 + 3], 0.3, 1e-6);
	values = jc_scene_field(find(fixture.scene, "hanim_r_shoulder_rotation"), "keyValue");
	assert_true(fabs(values->numbers[2] * values->numbers[3] + RIGHT) < 1e-6);
	tear_down(&fixture);
}

/* The translation is in units of 0.96 minus 0.015, from the toe joints to the hips. */
static void root_translation_is_in_metres(void **)
{
	const struct jc_scene_field *values;
	struct fixture fixture;

	set_up(&fixture, NULL);
	fixture.poses[4].hips_translation = (struct jc_vec3){ 1.0f, -0.5f, 2.0f };
	write_scene(&fixture, JC_SCENE_VRML97);
	values = jc_scene_field(find(fixture.scene, "hanim_HumanoidRoot_translation"), "keyValue");
	assert_int_equal(values->number_count, 3 * FRAMES);
	assert_float_equal(values->numbers[0], 0.0, 1e-9);
	assert_float_equal(values->numbers[12], 0.945, 1e-6);
	assert_float_equal(values->numbers[13], -0.4725, 1e-6);
	assert_float_equal(values->numbers[14], 1.89, 1e-6);
	tear_down(&fixture);
}

/* Two segments of equal length between spine and chest, and two tails. */
#define FIGURE                                                                                     \
	"#X3D V4.0 utf8\nPROFILE Immersive\n"                                                      \
	"HAnimHumanoid { name \"a\\\"b\\\\ <&'>\" skeleton [\n"                                    \
	" HAnimJoint { name \"humanoid_root\" center 0 0.85 0 children [\n"                        \
	"  HAnimJoint { name \"vl5\" center 0 1 0 children [\n"                                    \
	"   HAnimJoint { name \"vl4\" center 0 1.1 0 children [\n"                                 \
	"    HAnimJoint { name \"vl1\" center 0 1.2 0 children [\n"                                \
	"     HAnimJoint { name \"skullbase\" center 0 1.6 0 } ] } ] } ] }\n"                      \
	"  HAnimJoint { name \"my tail\" center 0 0.8 -0.1 }\n"                                    \
	"  HAnimJoint { name \"my tail\" center 0 0.8 -0.2 }\n"                                    \
	"  HAnimJoint { name \"vl4\" center 0 0.8 -0.3 }\n"                                        \
	" ] } ] }\n"

static double key_angle(const struct jc_scene *scene, const char *def)
{
	const struct jc_scene_node *node = find(scene, def);

	assert_non_null(node);
	return jc_scene_field(node, "keyValue")->numbers[3];
}

static void distributes_a_bend_over_the_vertebrae(void **)
{
	struct fixture fixture;

	set_up(&fixture, FIGURE);
	for (int i = 0; i < FRAMES; i++) {
		fixture.poses[i].rotations[JC_BONE_SPINE] = jc_quat_from_axis_angle(x_axis, 0.4f);
		fixture.poses[i].rotations[JC_BONE_HEAD] = jc_quat_from_axis_angle(z_axis, 0.1f);
	}
	write_scene(&fixture, JC_SCENE_VRML97);
	assert_float_equal(key_angle(fixture.scene, "hanim_vl5_rotation"), 0.2, 1e-6);
	assert_float_equal(key_angle(fixture.scene, "hanim_vl4_rotation"), 0.2, 1e-6);
	assert_null(find(fixture.scene, "hanim_vl1_rotation"));
	assert_float_equal(key_angle(fixture.scene, "hanim_skullbase_rotation"), 0.1, 1e-6);
	tear_down(&fixture);
}

static void names_survive_every_syntax_and_defs_are_unique(void **)
{
	for (int syntax = JC_SCENE_VRML97; syntax <= JC_SCENE_X3D_XML; syntax++) {
		struct jc_scene_node *const *joints;
		struct fixture fixture;
		size_t count;

		set_up(&fixture, FIGURE);
		write_scene(&fixture, (enum jc_scene_syntax)syntax);
		assert_string_equal(jc_scene_string(find(fixture.scene, "Humanoid"), "name", ""),
			"a\"b\\ <&'>");
		count = jc_scene_nodes(find(fixture.scene, "Humanoid"), "joints", &joints);
		assert_int_equal(count, 8);
		for (size_t i = 0; i < count; i++) {
			for (size_t j = 0; j < i; j++) {
				assert_string_not_equal(joints[i]->def, joints[j]->def);
			}
		}
		tear_down(&fixture);
	}
}

/* Hips at the origin, as in some files: the feet move to y = 0. */
static void moves_a_figure_below_the_ground_onto_it(void **)
{
	struct fixture fixture;
	struct jc_vec3 center;

	set_up(&fixture,
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" center 5 0 0 "
		"children [ HAnimJoint { name \"l_hip\" center 5.1 -0.05 0 children HAnimJoint { "
		"name \"l_knee\" center 5.1 -0.5 0 children HAnimJoint { name \"l_talocrural\" "
		"center 5.1 -0.9 0 } } } ] } }");
	write_scene(&fixture, JC_SCENE_X3D_CLASSIC);
	center = vector(find(fixture.scene, "hanim_humanoid_root"), "center");
	assert_vector(center, 0.0, 0.9, 0.0);
	center = vector(find(fixture.scene, "hanim_l_talocrural"), "center");
	assert_vector(center, 0.1, 0.0, 0.0);
	tear_down(&fixture);
}

/* A site 0.1 in front of the wrist, as in published files, and the limits of the elbow. */
static void sites_and_limits_keep_their_joints(void **)
{
	for (int syntax = JC_SCENE_VRML97; syntax <= JC_SCENE_X3D_XML; syntax++) {
		const struct jc_scene_node *elbow;
		struct jc_scene_node *const *sites;
		struct fixture fixture;
		double axes[4];

		set_up(&fixture,
			"#X3D V4.0 utf8\nPROFILE Immersive\n"
			"HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" center 0 1 0 "
			"children HAnimJoint { name \"l_shoulder\" center 0.2 1.4 0 children "
			"HAnimJoint { name \"l_elbow\" center 0.2 1.1 0 ulimit [ 0.5 0 1 ] llimit "
			"[ -2.5 0 -1 ] children HAnimSegment { children HAnimSite { name "
			"\"l_middle_tip\" translation 0.2 0.8 0.1 rotation 0 1 0 0.5 } } } } } }");
		write_scene(&fixture, (enum jc_scene_syntax)syntax);
		elbow = find(fixture.scene, "hanim_l_elbow");
		assert_vector(vector(elbow, "ulimit"), 0.5, 0.0, 1.0);
		assert_vector(vector(elbow, "llimit"), -2.5, 0.0, -1.0);
		/* The axes of the humanoid: the default. */
		assert_true(
			!jc_scene_numbers(elbow, "limitOrientation", 4, axes) || axes[3] == 0.0);
		assert_int_equal(
			jc_scene_nodes(find(fixture.scene, "Humanoid"), "sites", &sites), 1);
		assert_string_equal(sites[0]->def, "hanim_l_middle_tip");
		assert_vector(vector(sites[0], "translation"), 0.2, 0.8, 0.1);
		assert_vector(vector(sites[0], "rotation"), 0.0, 1.0, 0.0);
		tear_down(&fixture);
	}
}

/* 0.1 beyond the wrist of the stretched arm is 0.1 below that of the hanging arm; the
 * wrist hangs 0.53 below the shoulder. */
static void virtual_transforms_follow_their_hanging_arm(void **)
{
	const char *const tags[] = { "grip" };
	struct jc_virtual_transform grip = { .name = "my grip",
		.parent = JC_BONE_LEFT_HAND,
		.offset = JC_TRANSFORM_IDENTITY,
		.respect_position = true,
		.respect_rotation = true,
		.respect_scale = true,
		.tag_count = 1,
		.tags = tags };
	struct jc_skeleton_description description;
	const struct jc_scene_node *site;
	struct fixture fixture;
	struct jc_skeleton *builtin;
	double rotation[4];

	set_up(&fixture, NULL);
	builtin = fixture.skeleton;
	jc_skeleton_description_init(&description);
	description.node_count = jc_skeleton_node_count(builtin);
	description.nodes = jc_skeleton_nodes(builtin);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		description.bones[b] = b;
	}
	grip.offset.translation.x = 0.1f;
	description.virtual_transform_count = 1;
	description.virtual_transforms = &grip;
	assert_int_equal(jc_skeleton_create(&description, &fixture.skeleton, NULL), JC_OK);
	jc_skeleton_destroy(builtin);
	fixture.loses_tags = true;
	write_scene(&fixture, JC_SCENE_X3D_XML);
	site = find(fixture.scene, "hanim_my_grip_pt");
	assert_vector(vector(site, "translation"), 0.175, 0.79, -0.005);
	assert_true(jc_scene_numbers(site, "rotation", 4, rotation));
	assert_true(fabs(rotation[2] * rotation[3] + RIGHT) < 1e-6);
	tear_down(&fixture);
}

static void rejects_a_figure_without_hips(void **)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct fixture fixture;
	struct jc_clip clip;

	set_up(&fixture,
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton HAnimJoint { name \"skullbase\" center 0 1 0 } }");
	clip = (struct jc_clip){ .motion = fixture.motion,
		.skeleton = fixture.skeleton,
		.frame_count = FRAMES,
		.frame_seconds = SECONDS,
		.pose = pose,
		.context = &fixture };
	assert_int_equal(jc_write_hanim(&clip, JC_SCENE_VRML97, &fixture.file, NULL, &diagnostic),
		JC_ERROR_NO_HUMANOID);
	assert_string_equal(diagnostic.what, "the skeleton has no hips");
	tear_down(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_read_back_from_every_syntax),
		cmocka_unit_test(rest_is_that_of_the_standard_with_default_fields),
		cmocka_unit_test(positions_read_back_as_the_same_floats),
		cmocka_unit_test(vrml97_file_has_the_layout_of_1_0),
		cmocka_unit_test(x3d_files_declare_hanim_and_use_joint_names_of_2_0),
		cmocka_unit_test(joints_that_never_turn_have_no_interpolator),
		cmocka_unit_test(root_translation_is_in_metres),
		cmocka_unit_test(distributes_a_bend_over_the_vertebrae),
		cmocka_unit_test(names_survive_every_syntax_and_defs_are_unique),
		cmocka_unit_test(moves_a_figure_below_the_ground_onto_it),
		cmocka_unit_test(sites_and_limits_keep_their_joints),
		cmocka_unit_test(virtual_transforms_follow_their_hanging_arm),
		cmocka_unit_test(rejects_a_figure_without_hips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
