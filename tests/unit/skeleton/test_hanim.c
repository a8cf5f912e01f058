/* H-Anim figures as skeletons. Expected values: joint centers of the 1.0
 * specification and closed formulas of its I-pose; posed joints from a forward
 * kinematics in double precision that knows only bone lengths, the T-pose and
 * D_b = D_parent N_b. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "jointcast/hanim.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define VRML "#VRML V2.0 utf8\n"

static struct jc_skeleton *read_skeleton(const char *text, size_t index)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton = NULL;

	if (jc_skeleton_read(text, strlen(text), index, NULL, &skeleton, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return skeleton;
}

static const char *bone_node_name(const struct jc_skeleton *skeleton, enum jc_bone bone)
{
	int node = jc_skeleton_bone_node(skeleton, bone);

	return node < 0 ? "" : jc_skeleton_nodes(skeleton)[node].name;
}

static void assert_vec3(struct jc_vec3 v, double x, double y, double z, double within)
{
	assert_float_equal(v.x, x, within);
	assert_float_equal(v.y, y, within);
	assert_float_equal(v.z, z, within);
}

/* The arm of the 1.0 specification ("Modeling the Humanoid"), its mirror image,
 * and legs and spine of the standard figure. */
static const char arms[] =
	"DEF hanim_l_shoulder Joint { name \"l_shoulder\" center 0.167 1.36 -0.0518 children [\n"
	" DEF hanim_l_elbow Joint { name \"l_elbow\" center 0.196 1.07 -0.0518 children [\n"
	"  DEF hanim_l_wrist Joint { name \"l_wrist\" center 0.213 0.811 -0.0338 children [\n"
	"   DEF hanim_l_thumb1 Joint { name \"l_thumb1\" center 0.1924 0.8472 -0.0534 children\n"
	"    DEF hanim_l_thumb2 Joint { name \"l_thumb2\" center 0.1951 0.8226 0.0246 } }\n"
	"  ] } ] } ] }\n"
	"DEF hanim_r_shoulder Joint { name \"r_shoulder\" center -0.167 1.36 -0.0518 children [\n"
	" DEF hanim_r_elbow Joint { name \"r_elbow\" center -0.196 1.07 -0.0518 rotation 1 0 0 1\n"
	"  children [ DEF hanim_r_wrist Joint { name \"r_wrist\" center -0.213 0.811 -0.0338 } "
	"] } ] }\n";

static const char protos[] =
	"PROTO Joint [ exposedField SFString name \"\" exposedField SFVec3f center 0 0 0\n"
	" exposedField SFVec3f translation 0 0 0 exposedField SFRotation rotation 0 0 1 0\n"
	" exposedField MFNode children [ ] exposedField MFFloat ulimit [ 0 0 0 ]\n"
	" exposedField MFFloat llimit [ 0 0 0 ] ]\n"
	"{ Transform { center IS center translation IS translation rotation IS rotation\n"
	"  children IS children } }\n"
	"PROTO Segment [ exposedField SFString name \"\" exposedField SFFloat mass 0\n"
	" exposedField SFVec3f centerOfMass 0 0 0 exposedField MFNode children [ ] ]\n"
	"{ Group { children IS children } }\n"
	"PROTO Humanoid [ exposedField SFString version \"1.0\" exposedField SFString name \"\"\n"
	" exposedField MFString info [ ] exposedField MFNode joints [ ] ] { Group { } }\n";

/* A 1.0 file: the joints stand in the scene, Humanoid lists them. */
static char *make_figure(void)
{
	char *text = malloc(8192);

	assert_non_null(text);
	snprintf(text, 8192,
		VRML
		"%s"
		"DEF hanim_HumanoidRoot Joint { name \"HumanoidRoot\" center 0 0.824 0.0277\n"
		"translation 0 5 0 rotation 0 1 0 2 children [\n"
		" DEF hanim_sacroiliac Joint { name \"sacroiliac\" center 0 0.9149 0.0016\n"
		" children [\n"
		"  DEF hanim_l_hip Joint { name \"l_hip\" center 0.0961 0.9124 -0.0001 "
		"ulimit [ 1.5 0 0.5 ] llimit [ -0.5 0 -0.25 ] children\n"
		"   DEF hanim_l_knee Joint { name \"l_knee\" center 0.1040 0.4867 0.0308 "
		"children\n"
		"    DEF hanim_l_ankle Joint { name \"l_ankle\" center 0.1101 0.0656 -0.0736 } "
		"} }\n"
		"  DEF hanim_r_hip Joint { name \"r_hip\" center -0.0950 0.9171 0.0029 }\n"
		"  DEF hanim_pelvis Segment { name \"pelvis\" mass 11.5 centerOfMass 0 0.95 0 }\n"
		" ] }\n"
		" DEF hanim_vl5 Joint { name \"vl5\" center 0.0028 1.0568 -0.0776 children [\n"
		"  %s"
		"  DEF hanim_skullbase Joint { name \"skullbase\" center 0.0044 1.6209 0.0236 "
		"children\n"
		"   DEF hanim_CyclopeanView Viewpoint { position 0 1.65 0.1 } }\n"
		" ] }\n"
		" DEF hanim_tail1 Joint { name \"tail1\" center 0 0.8 -0.1 }\n"
		"] }\n"
		"DEF Humanoid Humanoid { name \"someone\" info [ \"authorName=no one\" ]\n"
		" joints [ USE hanim_HumanoidRoot USE hanim_l_hip ] }\n",
		protos, arms);
	return text;
}

static void a_1_0_figure_has_its_bones_where_its_centers_are(void **state)
{
	char *text = make_figure();
	struct jc_skeleton *skeleton = read_skeleton(text, 0);
	const struct jc_mat4 *worlds = jc_skeleton_rest_worlds(skeleton);

	(void)state;
	assert_int_equal(jc_skeleton_format(skeleton), JC_SKELETON_HANIM);
	assert_string_equal(jc_skeleton_format_name(JC_SKELETON_HANIM), "h-anim");
	assert_string_equal(jc_skeleton_name(skeleton), "someone");
	assert_int_equal(__builtin_popcountll(jc_skeleton_bone_mask(skeleton)), 15);
	assert_string_equal(bone_node_name(skeleton, JC_BONE_HIPS), "HumanoidRoot");
	assert_string_equal(bone_node_name(skeleton, JC_BONE_LEFT_LOWER_ARM), "l_elbow");
	assert_string_equal(bone_node_name(skeleton, JC_BONE_SPINE), "vl5");
	/* Poses stored in the file (translation, rotation) are no rest. */
	assert_vec3(
		jc_mat4_translation(worlds[jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_HAND)]),
		-0.213, 0.811, -0.0338, 1e-6);
	/* sacroiliac folds: the hips are above the legs. */
	assert_int_equal(jc_skeleton_mapped_parent(skeleton, JC_BONE_LEFT_UPPER_LEG), JC_BONE_HIPS);
	/* (0.9124 + 0.9171) / 2 over the ankle at 0.0656. */
	assert_float_equal(jc_skeleton_hips_height(skeleton), 0.84915, 1e-6);
	jc_skeleton_destroy(skeleton);
	free(text);
}

/* The specification's upper arm points along (0.029, -0.29, 0): atan 0.1 off the
 * vertical, so it turns by that much less than a right angle. */
static void the_i_pose_turns_into_the_t_pose_by_measured_directions(void **state)
{
	char *text = make_figure();
	struct jc_skeleton *skeleton = read_skeleton(text, 0);
	const double half = (1.5707963267948966 - atan(0.1)) / 2.0;
	struct jc_quat left = { 0.0f, 0.0f, (float)sin(half), (float)cos(half) };
	struct jc_quat right = { 0.0f, 0.0f, (float)-sin(half), (float)cos(half) };
	struct jc_quat hand = { 0.0f, 0.0f, (float)sqrt(0.5), (float)sqrt(0.5) };
	struct jc_vec3 forearm = { 0.213f - 0.196f, 0.811f - 1.07f, -0.0338f + 0.0518f };
	struct jc_vec3 thumb = { 0.0027f, -0.0246f, 0.078f };
	struct jc_vec3 turned;

	(void)state;
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_UPPER_ARM), left), 0.0,
		1e-6);
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_RIGHT_UPPER_ARM), right), 0.0,
		1e-6);
	turned = jc_quat_rotate(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_LOWER_ARM), forearm);
	assert_vec3(turned, jc_vec3_length(forearm), 0.0, 0.0, 1e-6);
	/* Nothing measures a hand without fingers: a plain right angle. */
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_HAND), hand), 0.0, 1e-6);
	turned = jc_quat_rotate(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_THUMB_METACARPAL), thumb);
	assert_vec3(turned, jc_vec3_length(thumb) * sqrt(0.5), 0.0,
		jc_vec3_length(thumb) * sqrt(0.5), 1e-6);
	/* The shin leans by design and stays as it is; so does the trunk. */
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_LOWER_LEG).w, 1.0, 1e-7);
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_SPINE).w, 1.0, 1e-7);
	jc_skeleton_destroy(skeleton);
	free(text);
}

struct double3 {
	double x, y, z;
};

struct double4 {
	double x, y, z, w;
};

static struct double4 product(struct double4 a, struct double4 b)
{
	return (struct double4){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static struct double3 turn(struct double4 q, struct double3 v)
{
	struct double4 p = product(product(q, (struct double4){ v.x, v.y, v.z, 0 }),
		(struct double4){ -q.x, -q.y, -q.z, q.w });

	return (struct double3){ p.x, p.y, p.z };
}

static struct double3 plus(struct double3 a, struct double3 b)
{
	return (struct double3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static double length(double x, double y, double z)
{
	return sqrt(x * x + y * y + z * z);
}

/* Fixed seed; uniform enough to cover the sphere. */
static double next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (double)(*state >> 8) / (double)(1u << 23) - 1.0;
}

static struct double4 random_rotation(uint32_t *state)
{
	struct double4 q = { next_random(state), next_random(state), next_random(state),
		next_random(state) };
	double size = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) + 1e-9;

	return (struct double4){ q.x / size, q.y / size, q.z / size, q.w / size };
}

static void set_bone(const struct jc_skeleton *skeleton, struct jc_skeleton_pose *pose,
	enum jc_bone bone, struct double4 n)
{
	struct jc_quat w = jc_skeleton_t_pose(skeleton, bone);
	struct jc_quat p = jc_skeleton_parent_t_pose(skeleton, bone);
	struct jc_quat turned = { (float)n.x, (float)n.y, (float)n.z, (float)n.w };

	/* local = L R = P^-1 N W, and L is identity in H-Anim. */
	pose->rotations[bone] = jc_quat_multiply(jc_quat_conjugate(p), jc_quat_multiply(turned, w));
}

/* The T-posed arm lies along +X from the shoulder; each bone turns by the D of
 * its own. The hips turn about HumanoidRoot, the spine about vl5. */
static struct double3 expected_wrist(
	struct double4 hips, struct double4 spine, struct double4 upper, struct double4 lower)
{
	const struct double3 root = { 0.0, 0.824, 0.0277 };
	const struct double3 to_spine = { 0.0028, 1.0568 - 0.824, -0.0776 - 0.0277 };
	const struct double3 to_shoulder = { 0.167 - 0.0028, 1.36 - 1.0568, -0.0518 + 0.0776 };
	const struct double3 to_elbow = { length(0.029, 0.29, 0.0), 0.0, 0.0 };
	const struct double3 to_wrist = { length(0.017, 0.259, 0.018), 0.0, 0.0 };
	struct double4 d = hips;
	struct double3 at = plus(root, turn(d, to_spine));

	d = product(d, spine);
	at = plus(at, turn(d, to_shoulder));
	d = product(d, upper);
	at = plus(at, turn(d, to_elbow));
	d = product(d, lower);
	return plus(at, turn(d, to_wrist));
}

static void posing_puts_the_wrist_where_turning_the_t_posed_arm_does(void **state)
{
	char *text = make_figure();
	struct jc_skeleton *skeleton = read_skeleton(text, 0);
	size_t count = jc_skeleton_node_count(skeleton);
	struct jc_transform *locals = calloc(count, sizeof(*locals));
	struct jc_mat4 *worlds = calloc(count, sizeof(*worlds));
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct double4 hips = random_rotation(&seed);
		struct double4 spine = random_rotation(&seed);
		struct double4 upper = random_rotation(&seed);
		struct double4 lower = random_rotation(&seed);
		struct double3 wrist = expected_wrist(hips, spine, upper, lower);
		struct jc_skeleton_pose pose = { .hips_translation = { 0, 0, 0 } };

		for (int b = 0; b < JC_BONE_COUNT; b++) {
			set_bone(skeleton, &pose, (enum jc_bone)b, (struct double4){ 0, 0, 0, 1 });
		}
		set_bone(skeleton, &pose, JC_BONE_HIPS, hips);
		set_bone(skeleton, &pose, JC_BONE_SPINE, spine);
		set_bone(skeleton, &pose, JC_BONE_LEFT_UPPER_ARM, upper);
		set_bone(skeleton, &pose, JC_BONE_LEFT_LOWER_ARM, lower);
		jc_skeleton_locals(skeleton, &pose, locals);
		jc_skeleton_worlds(skeleton, locals, worlds);
		assert_vec3(jc_mat4_translation(
				    worlds[jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_HAND)]),
			wrist.x, wrist.y, wrist.z, 2e-6);
	}
	free(locals);
	free(worlds);
	jc_skeleton_destroy(skeleton);
	free(text);
}

/* What subscribers get must stand and measure as the file does. */
static void a_descriptor_of_a_figure_is_the_same_figure(void **state)
{
	char *text = make_figure();
	struct jc_skeleton *skeleton = read_skeleton(text, 0);
	struct jc_skeleton *again;
	char *json;

	(void)state;
	assert_int_equal(jc_skeleton_write_descriptor(skeleton, &json), JC_OK);
	again = read_skeleton(json, 0);
	assert_true(jc_skeleton_hips_height(again) == jc_skeleton_hips_height(skeleton));
	assert_true(jc_skeleton_bone_mask(again) == jc_skeleton_bone_mask(skeleton));
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		assert_float_equal(jc_quat_angle(jc_skeleton_t_pose(again, (enum jc_bone)b),
					   jc_skeleton_t_pose(skeleton, (enum jc_bone)b)),
			0.0f, 1e-6f);
	}
	assert_string_equal(jc_skeleton_hash(again), jc_skeleton_hash(skeleton));
	free(json);
	jc_skeleton_destroy(again);
	jc_skeleton_destroy(skeleton);
	free(text);
}

static void joints_keep_what_bones_do_not_say(void **state)
{
	char *text = make_figure();
	struct jc_diagnostic diagnostic;
	struct jc_lint lint = { 0 };
	struct jc_scene *scene;
	struct jc_hanim *hanim;
	const struct jc_hanim_joint *hip = NULL;

	(void)state;
	assert_int_equal(jc_scene_read(text, strlen(text), &scene, NULL, &diagnostic), JC_OK);
	assert_int_equal(jc_hanim_read(scene, 0, &hanim, &lint, &diagnostic), JC_OK);
	assert_string_equal(hanim->version, "1.0"); /* the default of the PROTO */
	assert_int_equal(hanim->info_count, 1);
	assert_string_equal(hanim->info[0], "authorName=no one");
	assert_int_equal(hanim->joint_count, 17);
	for (size_t i = 0; i < hanim->joint_count; i++) {
		const struct jc_hanim_joint *joint = &hanim->joints[i];

		assert_true(joint->parent < (int)i);
		if (strcmp(joint->name, "l_hip") == 0) {
			hip = joint;
		}
		if (strcmp(joint->name, "tail1") == 0) {
			assert_false(joint->is_standard);
			assert_int_equal(joint->bone, JC_BONE_NONE);
		}
		if (strcmp(joint->name, "vl5") == 0) {
			assert_int_equal(joint->vertebra, 0);
		}
	}
	assert_non_null(hip);
	assert_string_equal(hip->node->def, "hanim_l_hip");
	assert_true(hip->has_limits);
	assert_vec3(hip->lower_limit, -0.5, 0.0, -0.25, 0.0);
	assert_vec3(hip->upper_limit, 1.5, 0.0, 0.5, 0.0);
	assert_false(hanim->joints[0].has_limits); /* all six zero: unspecified */
	assert_int_equal(hanim->segment_count, 1);
	assert_float_equal(hanim->segments[0].mass, 11.5, 0.0);
	assert_string_equal(hanim->joints[hanim->segments[0].joint].name, "sacroiliac");
	assert_int_equal(hanim->virtual_transform_count, 1);
	assert_string_equal(hanim->virtual_transforms[0].name, "hanim_CyclopeanView");
	assert_string_equal(hanim->virtual_transforms[0].tags[0], "viewpoint");
	/* 1.65 - 1.6209 over the joint it hangs on, 0.1 - 0.0236 before it. */
	assert_vec3(hanim->virtual_transforms[0].offset.translation, -0.0044, 0.0291, 0.0764, 1e-6);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "hanim-extra");
	jc_hanim_destroy(hanim);
	jc_scene_destroy(scene);
	free(text);
}

static const char *spine_of(const char *const *vertebrae, enum jc_bone bone, char *out_name)
{
	char text[1024] =
		VRML "HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" children [ ";
	struct jc_skeleton *skeleton;
	size_t count = 0;

	for (; vertebrae[count]; count++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			"HAnimJoint { name \"%s\" center 0 1 0 children [ ", vertebrae[count]);
	}
	for (size_t i = 0; i <= count; i++) {
		strcat(text, "] } ");
	}
	strcat(text, "}");
	skeleton = read_skeleton(text, 0);
	snprintf(out_name, 16, "%s", bone_node_name(skeleton, bone));
	jc_skeleton_destroy(skeleton);
	return out_name;
}

static void spine_anchors_fall_back_to_the_nearest_vertebra(void **state)
{
	static const struct {
		const char *vertebrae[9];
		const char *spine, *chest, *upper_chest, *neck;
	} cases[] = {
		{ { "vl5", "vl1", "vt6", "vc7" }, "vl5", "vl1", "vt6", "vc7" },
		{ { "vl5", "vl3", "vl1", "vt10", "vt6", "vt1", "vc4", "vc2" }, "vl5", "vl1", "vt6",
			"vc4" },
		{ { "vl3", "vt10", "vt1", "vc2" }, "vl3", "vt10", "vt1", "vc2" },
		{ { "vl1", "vt9" }, "", "vl1", "vt9", "" },
		{ { "vl5" }, "vl5", "", "", "" },
		{ { "vl4", "vt12", "vt7", "vc1" }, "vl4", "vt12", "vt7", "vc1" },
	};
	char name[16];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *const *v = cases[i].vertebrae;

		assert_string_equal(spine_of(v, JC_BONE_SPINE, name), cases[i].spine);
		assert_string_equal(spine_of(v, JC_BONE_CHEST, name), cases[i].chest);
		assert_string_equal(spine_of(v, JC_BONE_UPPER_CHEST, name), cases[i].upper_chest);
		assert_string_equal(spine_of(v, JC_BONE_NECK, name), cases[i].neck);
	}
}

/* Names of 1.0, 1.1 and 2.0 that stand for one bone each, and several that
 * stand for none. */
static void names_of_every_version_are_known(void **state)
{
	static const struct {
		const char *name;
		enum jc_bone bone;
	} names[] = {
		{ "humanoid_root", JC_BONE_HIPS },
		{ "HumanoidRoot", JC_BONE_HIPS },
		{ "r_ankle", JC_BONE_RIGHT_FOOT },
		{ "r_talocrural", JC_BONE_RIGHT_FOOT },
		{ "l_midtarsal", JC_BONE_LEFT_TOES },
		{ "l_metatarsal", JC_BONE_LEFT_TOES },
		{ "l_metatarsophalangeal_2", JC_BONE_LEFT_TOES },
		{ "r_wrist", JC_BONE_RIGHT_HAND },
		{ "r_radiocarpal", JC_BONE_RIGHT_HAND },
		{ "l_thumb1", JC_BONE_LEFT_THUMB_METACARPAL },
		{ "l_carpometacarpal_1", JC_BONE_LEFT_THUMB_METACARPAL },
		{ "r_pinky3", JC_BONE_RIGHT_LITTLE_DISTAL },
		{ "r_carpal_distal_interphalangeal_5", JC_BONE_RIGHT_LITTLE_DISTAL },
		{ "l_eyeball_joint", JC_BONE_LEFT_EYE },
		{ "temporomandibular", JC_BONE_JAW },
		{ "l_sternoclavicular", JC_BONE_LEFT_SHOULDER },
	};
	static const char *const unmapped[] = { "l_acromioclavicular", "r_subtalar", "l_index0",
		"l_midcarpal_4_5", "sacroiliac", "r_tarsometatarsal_5" };
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct jc_skeleton *skeleton;

		snprintf(text, sizeof(text),
			VRML "HAnimHumanoid { skeleton [ HAnimJoint { name \"%s\" } "
			     "HAnimJoint { name \"tail\" } ] }",
			names[i].name);
		skeleton = read_skeleton(text, 0);
		assert_true(jc_skeleton_bone_mask(skeleton) == UINT64_C(1) << names[i].bone);
		jc_skeleton_destroy(skeleton);
	}
	for (size_t i = 0; i < sizeof(unmapped) / sizeof(*unmapped); i++) {
		struct jc_skeleton *skeleton;

		snprintf(text, sizeof(text),
			VRML "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\" children "
			     "HAnimJoint { name \"%s\" } } }",
			unmapped[i]);
		skeleton = read_skeleton(text, 0);
		assert_true(jc_skeleton_bone_mask(skeleton) == UINT64_C(1) << JC_BONE_HIPS);
		jc_skeleton_destroy(skeleton);
	}
}

static void a_joint_is_known_by_name_before_def(void **state)
{
	struct jc_skeleton *skeleton = read_skeleton(VRML
		"DEF Jane HAnimHumanoid { skeleton DEF Jane_humanoid_root HAnimJoint { children [\n"
		"DEF Jane_l_hip HAnimJoint { name \"r_hip\" }\n"
		"DEF Jane_l_knee HAnimJoint { } DEF Fred_r_knee HAnimJoint { }\n"
		"DEF Jane_r_ankle HAnimJoint { name \"my ankle\" } ] } }",
		0);

	(void)state;
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_HIPS), 1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_UPPER_LEG), 2);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_LEG), -1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_LOWER_LEG), 3);
	/* Not a prefix of Jane's. */
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_LOWER_LEG), -1);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_RIGHT_FOOT), 5);
	jc_skeleton_destroy(skeleton);
}

/* A quarter turn about Y takes canonical +X to -Z in the scene; scale 0.5 and
 * inches halve and shrink; what is placed elsewhere is no taller for it. */
static void humanoids_stand_where_the_scene_puts_them(void **state)
{
	struct jc_skeleton *skeleton = read_skeleton(
		"#X3D V3.3 utf8\nUNIT length inch 0.0254\n"
		"Transform { translation 10 0 0 children HAnimHumanoid { scale 0.5 0.5 0.5\n"
		"rotation 0 1 0 1.5707963 skeleton HAnimJoint { name \"humanoid_root\" center 0 40 "
		"0\n"
		"children [ HAnimJoint { name \"l_hip\" center 4 44 0 }\n"
		"HAnimJoint { name \"r_hip\" center -4 44 0 } ] } } }",
		0);
	const struct jc_mat4 *worlds = jc_skeleton_rest_worlds(skeleton);
	struct jc_vec3 left = { 1.0f, 0.0f, 0.0f };

	(void)state;
	/* inches of (10, 0, 0) + 0.5 * (0, 44, -4) */
	assert_vec3(jc_mat4_translation(
			    worlds[jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_LEG)]),
		10 * 0.0254, 22 * 0.0254, -2 * 0.0254, 1e-6);
	assert_vec3(jc_quat_rotate(jc_skeleton_facing(skeleton), left), 0.0, 0.0, -1.0, 1e-6);
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_HIPS).w, 1.0, 1e-6);
	assert_float_equal(jc_skeleton_hips_height(skeleton), 22 * 0.0254f, 1e-6f);
	jc_skeleton_destroy(skeleton);
}

static void several_humanoids_are_addressed_by_index(void **state)
{
	static const char text[] = VRML
		"DEF Fred HAnimHumanoid { name \"Fred\" skeleton HAnimJoint { name "
		"\"HumanoidRoot\" } }\n"
		"DEF Jane HAnimHumanoid { name \"Jane\" skeleton HAnimJoint { name "
		"\"HumanoidRoot\" } }\n"
		"DEF Sally HAnimHumanoid { name \"Sally\" skeleton HAnimJoint { name \"vl5\" } }\n"
		"DEF HumanoidGroup Group { children [ USE Sally, USE Fred ] }\n"
		"HAnimJoint { name \"HumanoidRoot\" }\n";
	static const char *const names[] = { "Sally", "Fred", "Jane", "" };
	struct jc_diagnostic diagnostic;
	struct jc_skeleton *skeleton;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		skeleton = read_skeleton(text, i);
		assert_string_equal(jc_skeleton_name(skeleton), names[i]);
		jc_skeleton_destroy(skeleton);
	}
	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 4, NULL, &skeleton, NULL, &diagnostic),
		JC_ERROR_ABSENT);
	assert_string_equal(diagnostic.what, "there is no humanoid 4: the file holds 4");
}

static void assert_no_humanoid(const char *text, int error, const char *what)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_skeleton *skeleton;

	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, NULL, &diagnostic), error);
	if (!strstr(diagnostic.what, what)) {
		fail_msg("'%s' is not in '%s'", what, diagnostic.what);
	}
}

static void scenes_without_a_humanoid_are_refused_in_one_line(void **state)
{
	(void)state;
	assert_no_humanoid(VRML "Transform { }", JC_ERROR_NO_HUMANOID, "no Humanoid");
	assert_no_humanoid(VRML "HAnimHumanoid { }", JC_ERROR_NO_HUMANOID, "no joints");
	assert_no_humanoid(VRML "HAnimHumanoid { skeleton HAnimJoint { name \"WAIST\" } }",
		JC_ERROR_NO_HUMANOID, "the first is 'WAIST'");
	assert_no_humanoid(VRML "HAnimHumanoid { scale 0 1 1 skeleton HAnimJoint { "
				"name \"HumanoidRoot\" } }",
		JC_ERROR_INVALID, "its scale is zero");
	assert_no_humanoid(VRML "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\" "
				"center 0 1e30 0 } }",
		JC_ERROR_INVALID, "too far");
}

/* Arms already out in the file: measured, not turned by a right angle more. */
static void arms_that_do_not_hang_are_not_turned_twice(void **state)
{
	static const char text[] =
		VRML "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\" children [\n"
		     "HAnimJoint { name \"l_shoulder\" center 0.2 1.4 0 children\n"
		     "HAnimJoint { name \"l_elbow\" center 0.5 1.4 0 children\n"
		     "HAnimJoint { name \"l_wrist\" center 0.7 1.3 0 } } } ] } }";
	struct jc_skeleton *skeleton = read_skeleton(text, 0);
	const double half = atan(0.5) / 2.0; /* of the forearm, which falls 1 in 2 */
	struct jc_quat forearm = { 0.0f, 0.0f, (float)sin(half), (float)cos(half) };

	(void)state;
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_UPPER_ARM).w, 1.0, 1e-6);
	assert_float_equal(
		jc_quat_angle(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_LOWER_ARM), forearm), 0.0,
		1e-6);
	assert_float_equal(jc_skeleton_t_pose(skeleton, JC_BONE_LEFT_HAND).w, 1.0, 1e-6);
	jc_skeleton_destroy(skeleton);
}

/* A joint below a turned Transform and above a site: centers and sites are in
 * the coordinates of where they stand. */
static void transforms_between_joints_stay_in_the_rest(void **state)
{
	struct jc_skeleton *skeleton = read_skeleton(
		"<X3D><Scene><HAnimHumanoid><HAnimJoint name='humanoid_root' center='0 1 0' "
		"containerField='skeleton'><Transform translation='1 0 0' rotation='0 0 1 "
		"1.5707963'>"
		"<HAnimJoint name='l_hip' center='2 0 0'><HAnimSegment><HAnimSite name='l_knee_pt' "
		"translation='3 0 0'/></HAnimSegment></HAnimJoint></Transform></HAnimJoint>"
		"</HAnimHumanoid></Scene></X3D>",
		0);
	int node = jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_LEG);
	const struct jc_virtual_transform *site = jc_skeleton_virtual_transforms(skeleton);

	(void)state;
	/* (2, 0, 0) turned is (0, 2, 0), moved (1, 2, 0). */
	assert_vec3(
		jc_mat4_translation(jc_skeleton_rest_worlds(skeleton)[node]), 1.0, 2.0, 0.0, 1e-6);
	assert_int_equal(jc_skeleton_virtual_transform_count(skeleton), 1);
	assert_string_equal(site->name, "l_knee_pt");
	assert_int_equal(site->parent, node);
	assert_string_equal(site->tags[0], "site");
	assert_vec3(site->offset.translation, 1.0, 0.0, 0.0, 1e-6);
	jc_skeleton_destroy(skeleton);
}

/* The slip of a published figure: the inner joint has the outer one's name. */
static void a_joint_with_anothers_name_goes_by_its_def(void **state)
{
	struct jc_skeleton *skeleton = read_skeleton(
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton DEF J_humanoid_root HAnimJoint { name \"humanoid_root\" "
		"children DEF J_l_acromioclavicular HAnimJoint { children "
		"DEF J_l_sternoclavicular HAnimJoint { name \"l_acromioclavicular\" children [ "
		"DEF J_l_shoulder HAnimJoint { name \"l_shoulder\" } "
		"DEF J_another HAnimJoint { name \"l_shoulder\" } ] } } } }",
		0);

	(void)state;
	assert_string_equal(bone_node_name(skeleton, JC_BONE_LEFT_SHOULDER), "l_sternoclavicular");
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_SHOULDER), 3);
	assert_int_equal(jc_skeleton_bone_node(skeleton, JC_BONE_LEFT_UPPER_ARM), 4);
	jc_skeleton_destroy(skeleton);
}

/* From the hierarchy of the 1.0 specification and a figure of 2.0 with all joints. */
static void joints_and_segments_are_called_as_either_version_has_it(void **state)
{
	static const struct {
		const char *old, *old_segment, *name, *segment;
	} names[] = {
		{ "HumanoidRoot", "sacrum", "humanoid_root", "sacrum" },
		{ "sacroiliac", "pelvis", "sacroiliac", "pelvis" },
		{ "l_ankle", "l_hindfoot", "l_talocrural", "l_talus" },
		{ "r_midtarsal", "r_middistal", "r_metatarsophalangeal_2",
			"r_tarsal_proximal_phalanx_2" },
		{ "vl5", "l5", "vl5", "l5" },
		{ "vt12", "t12", "vt12", "t12" },
		{ "vc1", "c1", "vc1", "c1" },
		{ "skullbase", "skull", "skullbase", "skull" },
		{ "l_acromioclavicular", "l_scapula", "l_acromioclavicular", "l_scapula" },
		{ "l_wrist", "l_hand", "l_radiocarpal", "l_carpal" },
		{ "r_thumb1", "r_thumb_metacarpal", "r_carpometacarpal_1", "r_metacarpal_1" },
		{ "r_pinky2", "r_pinky_middle", "r_carpal_proximal_interphalangeal_5",
			"r_carpal_middle_phalanx_5" },
		{ "l_midcarpal_4_5", "l_hamate", "l_midcarpal_4_5", "l_hamate" },
	};
	struct jc_hanim_label label;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_true(jc_hanim_label_joint(names[i].name, JC_HANIM_SPELLING_1, &label));
		assert_string_equal(label.joint, names[i].old);
		assert_string_equal(label.segment, names[i].old_segment);
		assert_true(jc_hanim_label_joint(names[i].old, JC_HANIM_SPELLING_2, &label));
		assert_string_equal(label.joint, names[i].name);
		assert_string_equal(label.segment, names[i].segment);
	}
	assert_false(jc_hanim_label_joint("vt13", JC_HANIM_SPELLING_1, &label));
	assert_false(jc_hanim_label_joint("hip", JC_HANIM_SPELLING_1, &label));
	jc_hanim_label_bone(JC_BONE_UPPER_CHEST, JC_HANIM_SPELLING_1, &label);
	assert_string_equal(label.joint, "vt6");
	jc_hanim_label_bone(JC_BONE_RIGHT_EYE, JC_HANIM_SPELLING_2, &label);
	assert_string_equal(label.joint, "r_eyeball_joint");
	jc_hanim_label_bone(JC_BONE_LEFT_TOES, JC_HANIM_SPELLING_1, &label);
	assert_string_equal(label.joint, "l_midtarsal");
}

static size_t count_findings(const char *text, const char *code)
{
	struct jc_skeleton *skeleton;
	struct jc_lint lint = { 0 };
	size_t count = 0;

	assert_int_equal(
		jc_skeleton_read(text, strlen(text), 0, NULL, &skeleton, &lint, NULL), JC_OK);
	for (size_t i = 0; i < lint.count; i++) {
		count += strcmp(lint.entries[i].code, code) == 0;
	}
	jc_skeleton_destroy(skeleton);
	return count;
}

static void arms_beside_the_spine_are_told(void **state)
{
	const char beside[] =
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" children [ "
		"HAnimJoint { name \"vl5\" } HAnimJoint { name \"l_shoulder\" } ] } }";
	const char above[] =
		"#X3D V4.0 utf8\nPROFILE Immersive\n"
		"HAnimHumanoid { skeleton HAnimJoint { name \"humanoid_root\" children "
		"HAnimJoint { name \"vl5\" children HAnimJoint { name \"l_shoulder\" } } } }";

	(void)state;
	assert_int_equal(count_findings(beside, "hanim-arm"), 1);
	assert_int_equal(count_findings(above, "hanim-arm"), 0);
}

/* The figure is in the file once, whatever instances make of it. */
static void a_figure_that_instances_set_fields_of_is_told(void **state)
{
	const char figure[] = "HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\"";
	char text[1024];
	char *plain = make_figure();

	(void)state;
	snprintf(text, sizeof(text),
		VRML "PROTO Body [ field SFVec3f c 0 0 0 ] { %s center IS c } } }\n"
		     "Body { c 0 3 0 } Body { }",
		figure);
	assert_int_equal(count_findings(text, "hanim-proto"), 1);
	/* Through a prototype in between, which connects nothing itself. */
	snprintf(text, sizeof(text),
		VRML "PROTO Inner [ ] { %s } } }\n"
		     "PROTO Outer [ field SFVec3f t 0 0 0 ] { Transform { translation IS t\n"
		     "children Inner { } } } Outer { t 1 0 0 }",
		figure);
	assert_int_equal(count_findings(text, "hanim-proto"), 1);
	snprintf(text, sizeof(text), VRML "PROTO Body [ ] { %s } } } Body { } Body { }", figure);
	assert_int_equal(count_findings(text, "hanim-proto"), 0);
	/* Joint and Humanoid of 1.0 are prototypes that instances are read of. */
	assert_int_equal(count_findings(plain, "hanim-proto"), 0);
	free(plain);
}

static const struct jc_skeleton_facts *read_facts(const char *text, struct jc_skeleton **out)
{
	*out = read_skeleton(text, 0);
	return jc_skeleton_facts(*out);
}

static void facts_of_a_figure_are_told_within_limits(void **state)
{
	const char joint[] =
		"skeleton HAnimJoint { name \"HumanoidRoot\" children [ HAnimSegment { "
		"mass 2.5 } HAnimSegment { mass 4 } HAnimSegment { mass -1 } ] } }";
	char *text = malloc(8192);
	struct jc_skeleton *skeleton;
	const struct jc_skeleton_facts *facts;
	size_t length;

	(void)state;
	assert_non_null(text);
	snprintf(text, 8192, VRML "HAnimHumanoid { info [ \"a=b\" \"humanoidVersion=2.0\" ] %s",
		joint);
	facts = read_facts(text, &skeleton);
	assert_string_equal(facts->version, "2.0");
	assert_float_equal(facts->mass, 6.5, 0.0);
	assert_int_equal(facts->info_count, 2);
	assert_string_equal(facts->info[0], "a=b");
	assert_int_equal(facts->info_dropped, 0);
	jc_skeleton_destroy(skeleton);

	/* The field says it before info does. 70 strings, the first of them cut
	 * where its last character, two bytes, would end past the maximum. */
	length = (size_t)snprintf(text, 8192,
		VRML "HAnimHumanoid { version \"1.1\" info [ \"%0*d\xc3\xa9\"",
		JC_LIMIT_FACT_BYTES - 2, 7);
	for (int i = 1; i < 70; i++) {
		length +=
			(size_t)snprintf(text + length, 8192 - length, " \"humanoidVersion=2.0\"");
	}
	snprintf(text + length, 8192 - length, " ] %s", joint);
	facts = read_facts(text, &skeleton);
	assert_string_equal(facts->version, "1.1");
	assert_int_equal(facts->info_count, JC_LIMIT_FACTS);
	assert_int_equal(facts->info_dropped, 70 - JC_LIMIT_FACTS);
	assert_int_equal(strlen(facts->info[0]), JC_LIMIT_FACT_BYTES - 2);
	jc_skeleton_destroy(skeleton);

	facts = read_facts(VRML
		"HAnimHumanoid { skeleton HAnimJoint { name \"HumanoidRoot\"\n"
		"children [ HAnimSegment { mass 1e308 } HAnimSegment { mass 1e308 } ] } }",
		&skeleton);
	assert_float_equal(facts->mass, 0.0, 0.0);
	jc_skeleton_destroy(skeleton);
	free(text);
}

static char *read_file(const char *name, size_t *out_length)
{
	const char *folder = getenv("JOINTCAST_DATA");
	char path[4096];
	char *bytes;
	FILE *file;
	long size;

	snprintf(path, sizeof(path), "%s/hanim/%s", folder ? folder : JC_DATA_FOLDER, name);
	file = fopen(path, "rb");
	if (!file) {
		return NULL;
	}
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_true(size > 0);
	rewind(file);
	bytes = malloc((size_t)size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, (size_t)size, file), (size_t)size);
	fclose(file);
	*out_length = (size_t)size;
	return bytes;
}

/* Joints as the files' list of notes counts them; bones by the names in them;
 * heights from their centers by hand: mean of the hips, or the root where that is
 * higher, less the lowest foot, times the humanoid's scale. */
static void public_files_read_as_their_notes_say(void **state)
{
	static const struct {
		const char *name;
		size_t joints, bones;
		double height;
		const char *spine, *chest, *neck, *left_toes;
	} files[] = {
		{ "BoxManC.x3d", 17, 17, 0.9723 - 0.0317, "vl5", "", "", "l_midtarsal" },
		{ "DiamondManLOA-0.wrl", 17, 16, (0.9124 + 0.9171) / 2 - 0.0656, "", "vl1", "vc4",
			"" },
		{ "JinLOA4_x3djsail.wrl", 146, 55, (36.74 - 0.6656) * 0.0225, "vl5", "vl1", "vc7",
			"l_metatarsophalangeal_2" },
		/* Both left clavicle joints are named l_acromioclavicular, one of them
		 * by its DEF l_sternoclavicular. */
		{ "JoeKick.x3d", 94, 55, 0.92 - 0.037, "vl5", "vl1", "vc7",
			"l_metatarsophalangeal_2" },
		{ "KoreanCharacter02Chul.x3d", 18, 17, (44.07 - 5.583) * 0.0225, "vl5", "", "",
			"l_metatarsophalangeal_2" },
		{ "KoreanCharacterMotionAnnexC01Jin.x3d", 18, 17, -1, "vl5", "", "",
			"l_metatarsophalangeal_2" },
		{ "KoreanCharacterMotionAnnexD01Jin.x3d", 18, 17, -1, "vl5", "", "",
			"l_metatarsophalangeal_2" },
		{ "MotionCaptureROM_3dsmax_biped.wrl", 0, 0, -1, "", "", "", "" },
		{ "openhrp3_sample1.wrl", 30, 0, -1, "", "", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct jc_diagnostic diagnostic = { .what = "" };
		struct jc_skeleton *skeleton = NULL;
		size_t size;
		char *bytes = read_file(files[i].name, &size);
		int error;

		if (!bytes) {
			print_message("%s is not at hand: skipped\n", files[i].name);
			continue;
		}
		error = jc_skeleton_read(bytes, size, 0, NULL, &skeleton, NULL, &diagnostic);
		free(bytes);
		if (files[i].bones == 0) {
			assert_int_equal(error, JC_ERROR_NO_HUMANOID);
			continue;
		}
		if (error) {
			fail_msg("%s: %s: %s", files[i].name, diagnostic.where, diagnostic.what);
		}
		assert_int_equal(jc_skeleton_node_count(skeleton), files[i].joints + 1);
		assert_int_equal(
			__builtin_popcountll(jc_skeleton_bone_mask(skeleton)), files[i].bones);
		assert_string_equal(bone_node_name(skeleton, JC_BONE_SPINE), files[i].spine);
		assert_string_equal(bone_node_name(skeleton, JC_BONE_CHEST), files[i].chest);
		assert_string_equal(bone_node_name(skeleton, JC_BONE_NECK), files[i].neck);
		assert_string_equal(
			bone_node_name(skeleton, JC_BONE_LEFT_TOES), files[i].left_toes);
		if (files[i].height > 0) {
			assert_float_equal(
				jc_skeleton_hips_height(skeleton), files[i].height, 1e-5);
		}
		jc_skeleton_destroy(skeleton);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_1_0_figure_has_its_bones_where_its_centers_are),
		cmocka_unit_test(the_i_pose_turns_into_the_t_pose_by_measured_directions),
		cmocka_unit_test(posing_puts_the_wrist_where_turning_the_t_posed_arm_does),
		cmocka_unit_test(a_descriptor_of_a_figure_is_the_same_figure),
		cmocka_unit_test(joints_keep_what_bones_do_not_say),
		cmocka_unit_test(spine_anchors_fall_back_to_the_nearest_vertebra),
		cmocka_unit_test(names_of_every_version_are_known),
		cmocka_unit_test(a_joint_is_known_by_name_before_def),
		cmocka_unit_test(humanoids_stand_where_the_scene_puts_them),
		cmocka_unit_test(several_humanoids_are_addressed_by_index),
		cmocka_unit_test(scenes_without_a_humanoid_are_refused_in_one_line),
		cmocka_unit_test(arms_that_do_not_hang_are_not_turned_twice),
		cmocka_unit_test(transforms_between_joints_stay_in_the_rest),
		cmocka_unit_test(a_joint_with_anothers_name_goes_by_its_def),
		cmocka_unit_test(joints_and_segments_are_called_as_either_version_has_it),
		cmocka_unit_test(arms_beside_the_spine_are_told),
		cmocka_unit_test(a_figure_that_instances_set_fields_of_is_told),
		cmocka_unit_test(facts_of_a_figure_are_told_within_limits),
		cmocka_unit_test(public_files_read_as_their_notes_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
