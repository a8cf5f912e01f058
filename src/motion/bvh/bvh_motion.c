/* Reads BVH files as motions. The joints become a skeleton in metres and canonical axes,
 * a frame becomes local transforms of that skeleton, and jc_skeleton_normalize makes the
 * pose. Frames are computed on request only. */
#include "jointcast_private/bvh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bvh_frame.h"
#include "bvh_signature.h"
#include "bvh_tree.h"
#include "bvh_world.h"
#include "jointcast/limits.h"
#include "jointcast/transform.h"
#include "motion_private.h"

struct bvh_motion {
	struct jc_motion motion;
	struct jc_bvh *bvh; /* owned */
	struct jc_bvh_world world;
	struct jc_skeleton *skeleton;        /* owned; nodes are the file's joints */
	bool is_needed[JC_LIMIT_BVH_JOINTS]; /* the joint is a bone or above one */
};

static void destroy(struct jc_motion *motion)
{
	struct bvh_motion *self = (struct bvh_motion *)motion;

	jc_skeleton_destroy(self->skeleton);
	jc_bvh_destroy(self->bvh);
	free(self);
}

/* Local transform of a joint on the skeleton: metres; for roots canonical axes and the
 * measured floor. */
static struct jc_transform local_of(const struct bvh_motion *self, size_t frame, size_t joint)
{
	struct jc_transform local = jc_bvh_frame_local(self->bvh, frame, joint);

	local.translation = jc_vec3_scale(local.translation, self->world.metres_per_unit);
	if (self->bvh->joints[joint].parent < 0) {
		local.translation = jc_quat_rotate(self->world.axes, local.translation);
		local.translation.y -= self->world.floor;
		local.rotation = jc_quat_multiply(self->world.axes, local.rotation);
	}
	return local;
}

static void pose(const struct jc_motion *motion, double t, struct jc_pose *out_pose)
{
	const struct bvh_motion *self = (const struct bvh_motion *)motion;
	size_t last = self->bvh->frame_count - 1;
	double position = t / self->bvh->frame_seconds;
	size_t frame = position < (double)last ? (size_t)position : last;
	float between = (float)(position - (double)frame);
	struct jc_transform locals[JC_LIMIT_BVH_JOINTS];
	size_t i;

	for (i = 0; i < self->bvh->joint_count; i++) {
		if (!self->is_needed[i]) {
			locals[i] = JC_TRANSFORM_IDENTITY;
			continue;
		}
		locals[i] = local_of(self, frame, i);
		if (frame < last && between > 0.0f) {
			struct jc_transform next = local_of(self, frame + 1, i);

			locals[i].translation =
				jc_vec3_lerp(locals[i].translation, next.translation, between);
			locals[i].rotation =
				jc_quat_slerp(locals[i].rotation, next.rotation, between);
		}
	}
	jc_skeleton_normalize(self->skeleton, locals, out_pose);
}

static const struct jc_motion_ops bvh_ops = { .destroy = destroy, .pose = pose };

/* Frames that are looked at, from the first to the last, and those that must show an animal. */
#define STANCES       3
#define LEAST_STANCES 2

/* Whether the figure stands like an animal in most frames: a zero pose in which all bones lie along
 * one axis does not show how it stands. Leaves the tree in its zero pose. */
static int moves_like_animal(
	const struct jc_bvh *bvh, struct jc_bvh_tree *tree, const int *bones, bool *out_is_animal)
{
	int count = 0;
	int status = JC_OK;

	for (size_t i = 0; i < STANCES && !jc_bvh_tree_stands(tree, bones); i++) {
		struct jc_recognition posed;

		status = jc_bvh_tree_pose(tree, bvh, (bvh->frame_count - 1) * i / (STANCES - 1));
		if (status != JC_OK) {
			break;
		}
		count += jc_recognize_names(&tree->tree, &posed, NULL) == JC_ERROR_NO_HUMANOID &&
			 *posed.family;
		jc_bvh_tree_rest(tree, bvh);
	}
	*out_is_animal = count >= LEAST_STANCES;
	return status;
}

/* If the zero pose does not look like a body (in some files all bones lie along one
 * axis), tries the first frame. */
static int recognize(const struct jc_bvh *bvh, struct jc_bvh_tree *tree,
	struct jc_recognition *out_recognition, struct jc_diagnostic *diagnostic)
{
	struct jc_recognition posed;
	bool is_animal = false;
	int status = jc_recognize(&tree->tree, out_recognition, diagnostic);

	if (status == JC_OK) {
		status = moves_like_animal(bvh, tree, out_recognition->bones, &is_animal);
	} else if (status == JC_ERROR_NO_HUMANOID && !*out_recognition->family) {
		status = jc_bvh_tree_pose(tree, bvh, 0);
		if (status == JC_OK && jc_recognize(&tree->tree, &posed, NULL) == JC_OK) {
			*out_recognition = posed;
		} else if (status == JC_OK) {
			status = JC_ERROR_NO_HUMANOID;
		}
		jc_bvh_tree_rest(tree, bvh);
	}
	if (is_animal) {
		return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, NULL,
			"no humanoid: arms, legs and trunk are those of an animal");
	}
	return status == JC_ERROR_MEMORY ? jc_diagnose(diagnostic, status, NULL, "out of memory")
					 : status;
}

/* The transform of a joint in its parent, or in the world, that gives the tree's pose. */
static struct jc_transform local_in_tree(const struct jc_bvh_tree *tree, size_t joint)
{
	struct jc_transform local = { .rotation = tree->rotations[joint],
		.translation = tree->positions[joint],
		.scale = { 1.0f, 1.0f, 1.0f } };
	int parent = tree->parents[joint];

	if (parent >= 0) {
		struct jc_quat back = jc_quat_conjugate(tree->rotations[parent]);

		local.rotation = jc_quat_multiply(back, local.rotation);
		local.translation = jc_quat_rotate(
			back, jc_vec3_subtract(local.translation, tree->positions[parent]));
	}
	return local;
}

/* The reference pose in metres and canonical axes: the hips above the origin at their T-pose
 * height, the floor at y = 0. */
static void place_nodes(const struct bvh_motion *self, const struct jc_bvh_clip *clip,
	const struct jc_rest_pose *rest, struct jc_skeleton_node *out_nodes)
{
	const struct jc_bvh *bvh = self->bvh;
	struct jc_vec3 hips = clip->tree->positions[clip->bones[JC_BONE_HIPS]];
	float scale = self->world.metres_per_unit;

	for (size_t i = 0; i < bvh->joint_count; i++) {
		const struct jc_bvh_joint *joint = &bvh->joints[i];
		struct jc_transform t = local_in_tree(clip->tree, i);

		if (joint->parent < 0) {
			t.rotation = jc_quat_multiply(rest->orientation, t.rotation);
			t.translation = jc_quat_rotate(
				rest->orientation, jc_vec3_subtract(t.translation, hips));
		}
		t.translation = jc_vec3_scale(t.translation, scale);
		if (joint->parent < 0) {
			t.translation.y += self->world.hips_height;
		}
		out_nodes[i] = (struct jc_skeleton_node){ joint->name, joint->parent, t };
	}
}

static int make_skeleton(struct bvh_motion *self, const struct jc_bvh_clip *clip,
	const struct jc_rest_pose *rest, struct jc_diagnostic *diagnostic)
{
	size_t count = self->bvh->joint_count;
	struct jc_skeleton_node *nodes = malloc(count * sizeof(*nodes));
	struct jc_skeleton_description description;

	if (!nodes) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	place_nodes(self, clip, rest, nodes);
	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_BVH;
	description.name = "";
	description.node_count = count;
	description.nodes = nodes;
	description.has_floor = self->world.has_floor; /* at 0: end sites are no nodes */
	memcpy(description.bones, clip->bones, sizeof(description.bones));
	memcpy(description.corrections, rest->corrections, sizeof(description.corrections));
	int status = jc_skeleton_create(&description, &self->skeleton, diagnostic);

	free(nodes);
	return status;
}

/* Rejects positions outside the limits of the world. */
static int check_positions(const struct bvh_motion *self, struct jc_diagnostic *diagnostic)
{
	const struct jc_bvh *bvh = self->bvh;
	float limit = JC_LIMIT_COORDINATE / self->world.metres_per_unit;
	size_t frame, i;
	int c;

	for (frame = 0; frame < bvh->frame_count; frame++) {
		for (i = 0; i < bvh->joint_count; i++) {
			const struct jc_bvh_joint *joint = &bvh->joints[i];
			const float *values =
				bvh->values + frame * bvh->value_count + joint->first_value;

			for (c = 0; c < joint->channel_count; c++) {
				if (joint->channels[c] <= JC_BVH_Z_POSITION &&
					fabsf(values[c]) > limit) {
					return jc_diagnose(diagnostic, JC_ERROR_LIMIT, "MOTION",
						"'%s' is too far away in frame %zu", joint->name,
						frame);
				}
			}
		}
	}
	return JC_OK;
}

static void note_rest(const struct jc_rest_pose *rest, struct jc_lint *lint)
{
	if (!rest->is_measurable) {
		jc_lint_add(lint, JC_WARNING, "rest",
			"the zero pose shows no left and up; taken as +X and +Y");
	} else if (!rest->is_square) {
		jc_lint_add(lint, JC_NOTE, "rest", "the zero pose is not aligned with the axes");
	}
	if (rest->has_uncertain_turns) {
		jc_lint_add(lint, JC_WARNING, "rest",
			"neither the zero pose nor the motion shows clearly how bones are turned");
	}
}

/* Takes the zero pose as the reference pose. If the figure does not stand in it, and begins its
 * motion in a T-pose, the first frame shows more: the zero pose of folded bones does not show how
 * they roll. */
static int choose_reference(struct jc_bvh_tree *tree, const struct jc_bvh *bvh, const int *bones)
{
	if (jc_bvh_tree_stands(tree, bones)) {
		return JC_OK;
	}
	int status = jc_bvh_tree_pose(tree, bvh, 0);

	if (status == JC_OK && !jc_bvh_tree_is_t_pose(tree, bones)) {
		jc_bvh_tree_rest(tree, bvh);
	}
	return status;
}

/* Without the length of any bone, a motion shows neither up nor size. */
static int check_size(
	const struct jc_bvh_tree *tree, const int *bones, struct jc_diagnostic *diagnostic)
{
	struct jc_vec3 hips = tree->positions[bones[JC_BONE_HIPS]];

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (bones[b] >= 0 &&
			jc_vec3_length(jc_vec3_subtract(tree->positions[bones[b]], hips)) > 0.0f) {
			return JC_OK;
		}
	}
	return jc_diagnose(diagnostic, JC_ERROR_NO_HUMANOID, "HIERARCHY",
		"no humanoid: all joints lie at one point");
}

static int analyse(struct bvh_motion *self, struct jc_bvh_tree *tree, const int *bones,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_bvh_clip clip = { self->bvh, tree, bones };
	struct jc_rest_evidence evidence = jc_bvh_evidence(&clip);
	struct jc_rest_pose rest;
	float own_height;
	/* The zero pose of our own files is the T-pose, also without legs that show it. */
	bool is_own = jc_bvh_signature_find(&clip, &own_height);
	int status = is_own ? JC_OK : choose_reference(tree, self->bvh, bones);

	if (status == JC_OK) {
		status = jc_rest_pose_init(&rest, &tree->tree, bones, is_own ? NULL : &evidence);
	}

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "out of memory");
	}
	if (!is_own) {
		note_rest(&rest, lint);
	}
	status = jc_bvh_world_measure(&clip, &rest, &self->world, lint);
	if (status != JC_OK) {
		jc_diagnose(diagnostic, status, NULL, "out of memory");
		goto out;
	}
	status = check_positions(self, diagnostic);
	if (status == JC_OK) {
		status = make_skeleton(self, &clip, &rest, diagnostic);
	}
out:
	jc_rest_pose_finish(&rest);
	return status;
}

static int make_figure(struct bvh_motion *self, const struct jc_bone_map *map,
	struct jc_recognition *out_recognition, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct jc_bvh_tree tree;
	int status;

	if (jc_bvh_tree_init(&tree, self->bvh)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	tree.tree.map = map;
	status = recognize(self->bvh, &tree, out_recognition, diagnostic);
	if (status == JC_OK) {
		status = check_size(&tree, out_recognition->bones, diagnostic);
	}
	if (status == JC_OK) {
		status = analyse(self, &tree, out_recognition->bones, lint, diagnostic);
	}
	jc_bvh_tree_finish(&tree);
	return status;
}

/* Marks bones and their ancestors; other joints, such as finger tips, have no effect on a
 * pose. */
static void mark_needed_joints(struct bvh_motion *self, const int *bones)
{
	int bone;

	for (bone = 0; bone < JC_BONE_COUNT; bone++) {
		int joint;

		for (joint = bones[bone]; joint >= 0; joint = self->bvh->joints[joint].parent) {
			self->is_needed[joint] = true;
		}
	}
}

static void fill_info(struct bvh_motion *self, const struct jc_recognition *recognition)
{
	const struct jc_bvh *bvh = self->bvh;

	self->motion.ops = &bvh_ops;
	self->motion.info = (struct jc_motion_info){
		.kind = JC_MOTION_POSES,
		.format = "bvh",
		.name = "",
		.family = recognition->family,
		.confidence = recognition->confidence,
		.duration = (double)(bvh->frame_count - 1) * bvh->frame_seconds,
		.fps = bvh->frame_count > 1 ? 1.0 / bvh->frame_seconds : 0.0,
		.frame_count = bvh->frame_count,
		.hips_height = jc_skeleton_hips_height(self->skeleton),
		.metres_per_unit = self->world.metres_per_unit,
		.bone_mask = jc_skeleton_bone_mask(self->skeleton),
	};
	self->motion.skeleton = self->skeleton;
}

static int read_file(const struct jc_motion_file *file, struct jc_motion **out_motion,
	struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct bvh_motion *self = calloc(1, sizeof(*self));
	struct jc_recognition recognition;
	int status;

	if (!self) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	status = jc_bvh_read(file->bytes, file->length, &self->bvh, lint, diagnostic);
	if (status != JC_OK) {
		goto fail;
	}
	jc_bvh_frame_resolve_positions(self->bvh, lint);
	status = make_figure(self, file->map, &recognition, lint, diagnostic);
	if (status != JC_OK) {
		goto fail;
	}
	mark_needed_joints(self, recognition.bones);
	fill_info(self, &recognition);
	*out_motion = &self->motion;
	return JC_OK;
fail:
	destroy(&self->motion);
	return status;
}

static bool accepts(const struct jc_motion_file *file)
{
	return jc_motion_file_starts_with(file, "HIERARCHY");
}

const struct jc_motion_reader jc_bvh_motion_reader = {
	.holds_one_motion = true, .has_joints = true, .accepts = accepts, .read = read_file
};
