/* A body without names, built joint by joint, so that the bone of each joint is known; see
 * bare_figure.h. */
#include "bare_figure.h"

#include <string.h>

#include "jointcast/transform.h"

const struct bare_figure_changes bare_figure_plain = { .turn = { 0.0f, 0.0f, 0.0f, 1.0f },
	.scale = 1.0f };

int bare_figure_put(struct bare_figure *figure, int parent, int bone, struct jc_vec3 position)
{
	figure->positions[figure->count] = position;
	figure->parents[figure->count] = parent;
	figure->names[figure->count] = "";
	figure->are_tips[figure->count] = false;
	if (bone >= 0) {
		figure->bones[bone] = (int)figure->count;
	}
	return (int)figure->count++;
}

void bare_figure_put_tip(struct bare_figure *figure, int parent, struct jc_vec3 position)
{
	figure->are_tips[bare_figure_put(figure, parent, -1, position)] = true;
}

struct jc_vec3 bare_figure_at(float x, float y, float z)
{
	return (struct jc_vec3){ x, y, z };
}

/* A joint of an arm: turned down about the shoulder, mirrored on the right. */
static int put_arm(
	struct bare_figure *figure, int parent, int bone, bool is_right, float x, float y, float z)
{
	const struct jc_vec3 shoulder = { 0.18f, 1.45f, 0.0f };
	const struct jc_vec3 axis = { 0.0f, 0.0f, -1.0f };
	struct jc_quat turn = jc_quat_from_axis_angle(axis, figure->changes.arms_down);
	struct jc_vec3 p = bare_figure_at(x, y, z);

	if (x > shoulder.x) {
		p = jc_vec3_add(shoulder, jc_quat_rotate(turn, jc_vec3_subtract(p, shoulder)));
	}
	if (is_right) {
		p.x = -p.x;
	}
	return bare_figure_put(
		figure, parent, bone < 0 || !is_right ? bone : jc_bone_mirror(bone), p);
}

static void put_finger(struct bare_figure *figure, int hand, int first, bool is_right, float z)
{
	int joint = hand;
	int tip;

	if (figure->changes.metacarpals) {
		joint = put_arm(figure, joint, -1, is_right, 0.72f, 1.45f, 0.3f * z);
	}
	joint = put_arm(figure, joint, first, is_right, 0.79f, 1.45f, z);
	joint = put_arm(figure, joint, first + 1, is_right, 0.83f, 1.45f, z);
	joint = put_arm(figure, joint, first + 2, is_right, 0.855f, 1.45f, z);
	tip = put_arm(figure, joint, -1, is_right, 0.875f, 1.45f, z);
	figure->are_tips[tip] = true;
}

void bare_figure_put_hand(struct bare_figure *figure, int hand, bool is_right)
{
	int joint;

	put_finger(figure, hand, JC_BONE_LEFT_RING_PROXIMAL, is_right, -0.01f);
	put_finger(figure, hand, JC_BONE_LEFT_INDEX_PROXIMAL, is_right, 0.03f);
	joint = put_arm(figure, hand, JC_BONE_LEFT_THUMB_METACARPAL, is_right, 0.73f, 1.44f, 0.03f);
	joint = put_arm(figure, joint, JC_BONE_LEFT_THUMB_PROXIMAL, is_right, 0.76f, 1.43f, 0.06f);
	joint = put_arm(figure, joint, JC_BONE_LEFT_THUMB_DISTAL, is_right, 0.78f, 1.43f, 0.085f);
	joint = put_arm(figure, joint, -1, is_right, 0.80f, 1.43f, 0.10f);
	figure->are_tips[joint] = true;
	put_finger(figure, hand, JC_BONE_LEFT_LITTLE_PROXIMAL, is_right, -0.03f);
	put_finger(figure, hand, JC_BONE_LEFT_MIDDLE_PROXIMAL, is_right, 0.01f);
}

static void put_whole_arm(struct bare_figure *figure, int chest, bool is_right)
{
	float elbow = figure->changes.blunt ? 0.0f : -0.02f;
	int joint = put_arm(figure, chest, JC_BONE_LEFT_SHOULDER, is_right, 0.06f, 1.45f, 0.0f);

	joint = put_arm(figure, joint, JC_BONE_LEFT_UPPER_ARM, is_right, 0.18f, 1.45f, 0.0f);
	if (figure->changes.twists) {
		put_arm(figure, joint, -1, is_right, 0.30f, 1.45f, 0.0f);
	}
	joint = put_arm(figure, joint, JC_BONE_LEFT_LOWER_ARM, is_right, 0.45f, 1.45f, elbow);
	if (figure->changes.twists) {
		joint = put_arm(figure, joint, -1, is_right, 0.575f, 1.45f, 0.5f * elbow);
	}
	joint = put_arm(figure, joint, JC_BONE_LEFT_HAND, is_right, 0.70f, 1.45f, 0.0f);
	if (!figure->changes.no_fingers) {
		bare_figure_put_hand(figure, joint, is_right);
	} else {
		figure->are_tips[put_arm(figure, joint, -1, is_right, 0.85f, 1.45f, 0.0f)] = true;
	}
}

static void put_leg(struct bare_figure *figure, int hips, bool is_right)
{
	bool blunt = figure->changes.blunt;
	float x = is_right ? -0.09f : 0.09f;
	int first = is_right ? JC_BONE_RIGHT_UPPER_LEG : JC_BONE_LEFT_UPPER_LEG;
	int joint = bare_figure_put(figure, hips, first, bare_figure_at(x, 0.95f, 0.0f));

	joint = bare_figure_put(
		figure, joint, first + 1, bare_figure_at(x, 0.52f, blunt ? 0.0f : 0.02f));
	joint = bare_figure_put(figure, joint, first + 2, bare_figure_at(x, 0.08f, 0.0f));
	if (blunt) {
		bare_figure_put_tip(figure, joint, bare_figure_at(x, 0.0f, 0.0f));
		return;
	}
	joint = bare_figure_put(figure, joint, first + 3, bare_figure_at(x, 0.02f, 0.12f));
	bare_figure_put_tip(figure, joint, bare_figure_at(x, 0.02f, 0.19f));
}

static void put_controls(struct bare_figure *figure, int root)
{
	bare_figure_put(figure, root, -1, bare_figure_at(0.1f, 0.1f, 0.6f));
	bare_figure_put(figure, root, -1, bare_figure_at(-0.1f, 0.1f, 0.6f));
	bare_figure_put(figure, bare_figure_put(figure, root, -1, bare_figure_at(0.1f, 0.0f, 0.2f)),
		-1, bare_figure_at(0.1f, 0.1f, 0.0f));
	bare_figure_put(figure,
		bare_figure_put(figure, root, -1, bare_figure_at(-0.1f, 0.0f, 0.2f)), -1,
		bare_figure_at(-0.1f, 0.1f, 0.0f));
}

void bare_figure_build(struct bare_figure *figure, struct bare_figure_changes changes)
{
	int root, hips, joint;

	*figure = (struct bare_figure){ .changes = changes };
	memset(figure->bones, -1, sizeof(figure->bones));
	root = bare_figure_put(figure, -1, -1, bare_figure_at(0.0f, 0.0f, 0.0f));
	hips = bare_figure_put(figure, root, JC_BONE_HIPS, bare_figure_at(0.0f, 1.0f, 0.0f));
	put_leg(figure, hips, changes.right_first);
	joint = bare_figure_put(figure, hips, JC_BONE_SPINE, bare_figure_at(0.0f, 1.12f, 0.0f));
	joint = bare_figure_put(figure, joint, JC_BONE_CHEST, bare_figure_at(0.0f, 1.30f, 0.0f));
	if (!changes.no_arms) {
		put_whole_arm(figure, joint, changes.right_first);
		put_whole_arm(figure, joint, !changes.right_first);
	}
	joint = bare_figure_put(figure, joint, JC_BONE_NECK, bare_figure_at(0.0f, 1.50f, 0.0f));
	joint = bare_figure_put(figure, joint, JC_BONE_HEAD, bare_figure_at(0.0f, 1.60f, 0.02f));
	bare_figure_put_tip(figure, joint, bare_figure_at(0.0f, 1.80f, 0.02f));
	put_leg(figure, hips, !changes.right_first);
	if (changes.controls) {
		put_controls(figure, root);
	}
}

/* Tips come after the joints; out_places receives the index of each joint. */
int bare_figure_recognize(const struct bare_figure *figure, struct jc_recognition *out_found)
{
	struct jc_vec3 positions[MAX_JOINTS];
	const char *names[MAX_JOINTS];
	int parents[MAX_JOINTS], places[MAX_JOINTS], joints[MAX_JOINTS];
	struct jc_joint_tree tree = { .names = names, .parents = parents, .positions = positions };
	int status;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < figure->count; i++) {
			size_t n = tree.count;

			if (figure->are_tips[i] != (pass == 1)) {
				continue;
			}
			places[i] = (int)n;
			joints[n] = (int)i;
			names[n] = figure->names[i];
			parents[n] = figure->parents[i] < 0 ? -1 : places[figure->parents[i]];
			positions[n] = jc_vec3_scale(
				jc_quat_rotate(figure->changes.turn, figure->positions[i]),
				figure->changes.scale);
			tree.count++;
		}
		if (pass == 0) {
			tree.joint_count = tree.count;
		}
	}
	status = jc_recognize(&tree, out_found, NULL);
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		out_found->bones[b] = out_found->bones[b] < 0 ? -1 : joints[out_found->bones[b]];
	}
	return status;
}

void bare_figure_name_bones(struct bare_figure *figure)
{
	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (figure->bones[b] >= 0) {
			figure->names[figure->bones[b]] = jc_bone_name((enum jc_bone)b);
		}
	}
}
