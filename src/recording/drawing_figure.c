/* Learns from captures how a body is drawn. */
#include "drawing_figure.h"

#include <string.h>

#include "jointcast/transform.h"

#define NOISE 0.02f /* metres that a joint may wander in the frame of its parent */

static const struct jc_vec3 head_centre = { 0.0f, 0.09f, 0.02f }; /* above the joint, T-pose */
static const struct jc_vec3 toes_tip = { 0.0f, 0.0f, 0.06f };

static const float fingertip = 0.02f; /* metres beyond the last joint */
static const float hand_length = 0.1f;

static void begin(struct jc_drawing_figure *figure, bool is_frame)
{
	if (figure->is_frame != is_frame) {
		memset(figure, 0, sizeof(*figure));
		figure->is_frame = is_frame;
	}
}

int jc_drawing_figure_count(const struct jc_drawing_figure *figure)
{
	return figure->is_frame ? (int)JC_JOINT_COUNT : (int)JC_BONE_COUNT;
}

const char *jc_drawing_figure_name(const struct jc_drawing_figure *figure, int part)
{
	return figure->is_frame ? jc_joint_name((enum jc_joint)part)
				: jc_bone_name((enum jc_bone)part);
}

int jc_drawing_figure_parent(const struct jc_drawing_figure *figure, int part)
{
	if (figure->is_frame) {
		enum jc_joint parent = jc_joint_parent((enum jc_joint)part);

		return parent == JC_JOINT_NONE ? -1 : (int)parent;
	}
	enum jc_bone parent = jc_bone_parent((enum jc_bone)part);

	return parent == JC_BONE_NONE ? -1 : (int)parent;
}

bool jc_drawing_figure_take_pose(struct jc_drawing_figure *figure, const struct jc_pose *pose)
{
	bool is_changed = false;

	begin(figure, false);
	/* A bone above one that is there is needed as its frame. */
	for (int b = JC_BONE_COUNT - 1; b >= 0; b--) {
		enum jc_bone bone = pose->states[b] != JC_ABSENT ? (enum jc_bone)b : JC_BONE_NONE;

		while (bone != JC_BONE_NONE && !figure->has[bone]) {
			enum jc_bone parent = jc_bone_parent(bone);

			figure->has[bone] = is_changed = true;
			if (parent != JC_BONE_NONE) {
				figure->offsets[bone] = jc_vec3_subtract(
					jc_bone_rest_position(bone), jc_bone_rest_position(parent));
			}
			bone = parent;
		}
	}
	return is_changed;
}

bool jc_drawing_figure_take_frame(struct jc_drawing_figure *figure, enum jc_profile profile,
	const struct jc_body_frame *frame)
{
	bool is_changed = false;

	begin(figure, true);
	figure->profile = profile;
	for (int j = 0; j < JC_JOINT_COUNT; j++) {
		const struct jc_body_joint *joint = &frame->joints[j];
		enum jc_joint above = jc_joint_parent((enum jc_joint)j);
		struct jc_vec3 offset;

		if (joint->state == JC_ABSENT) {
			continue;
		}
		is_changed = is_changed || !figure->has[j];
		figure->has[j] = true;
		if (above == JC_JOINT_NONE || frame->joints[above].state == JC_ABSENT) {
			continue;
		}
		offset = jc_quat_rotate(jc_quat_conjugate(frame->joints[above].orientation),
			jc_vec3_subtract(joint->position, frame->joints[above].position));
		if (jc_vec3_length(jc_vec3_subtract(offset, figure->offsets[j])) > NOISE) {
			figure->offsets[j] = offset;
			is_changed = true;
		}
	}
	return is_changed;
}

/* The bone that a part drives, or the nearest one above it. */
static enum jc_bone bone_of(const struct jc_drawing_figure *figure, int part)
{
	enum jc_joint joint = (enum jc_joint)part;

	if (!figure->is_frame) {
		return (enum jc_bone)part;
	}
	while (jc_joint_bone(joint) == JC_BONE_NONE) {
		joint = jc_joint_parent(joint);
	}
	return jc_joint_bone(joint);
}

static float radius_of(enum jc_bone bone)
{
	switch (jc_bone_left_of(bone)) {
	case JC_BONE_HIPS:
		return 0.09f;
	case JC_BONE_SPINE:
	case JC_BONE_CHEST:
	case JC_BONE_UPPER_CHEST:
		return 0.1f;
	case JC_BONE_NECK:
		return 0.045f;
	case JC_BONE_HEAD:
		return 0.05f;
	case JC_BONE_LEFT_SHOULDER:
		return 0.05f;
	case JC_BONE_LEFT_UPPER_ARM:
		return 0.045f;
	case JC_BONE_LEFT_LOWER_ARM:
		return 0.035f;
	case JC_BONE_LEFT_HAND:
		return 0.02f;
	case JC_BONE_LEFT_UPPER_LEG:
		return 0.07f;
	case JC_BONE_LEFT_LOWER_LEG:
		return 0.05f;
	case JC_BONE_LEFT_FOOT:
		return 0.035f;
	case JC_BONE_LEFT_TOES:
		return 0.025f;
	default:
		return 0.009f; /* fingers */
	}
}

float jc_drawing_figure_radius(const struct jc_drawing_figure *figure, int part)
{
	return radius_of(bone_of(figure, part));
}

static bool is_in_head(enum jc_bone bone)
{
	return bone == JC_BONE_LEFT_EYE || bone == JC_BONE_RIGHT_EYE || bone == JC_BONE_JAW;
}

bool jc_drawing_figure_has_capsule(const struct jc_drawing_figure *figure, int part)
{
	int parent = jc_drawing_figure_parent(figure, part);

	return figure->has[part] && parent >= 0 && figure->has[parent] &&
	       !is_in_head(bone_of(figure, part));
}

static bool has_child(const struct jc_drawing_figure *figure, int part)
{
	for (int child = 0; child < jc_drawing_figure_count(figure); child++) {
		if (figure->has[child] && jc_drawing_figure_parent(figure, child) == part) {
			return true;
		}
	}
	return false;
}

bool jc_drawing_figure_tip(
	const struct jc_drawing_figure *figure, int part, struct jc_vec3 *out_tip)
{
	enum jc_bone bone = jc_bone_left_of(bone_of(figure, part));
	struct jc_vec3 along = jc_vec3_normalize(figure->offsets[part]);

	if (figure->is_frame || !figure->has[part] || has_child(figure, part)) {
		return false;
	}
	switch (bone) {
	case JC_BONE_LEFT_TOES:
		*out_tip = toes_tip;
		return true;
	case JC_BONE_LEFT_HAND:
		*out_tip = jc_vec3_scale(along, hand_length);
		return true;
	case JC_BONE_LEFT_THUMB_DISTAL:
	case JC_BONE_LEFT_INDEX_DISTAL:
	case JC_BONE_LEFT_MIDDLE_DISTAL:
	case JC_BONE_LEFT_RING_DISTAL:
	case JC_BONE_LEFT_LITTLE_DISTAL:
		*out_tip = jc_vec3_scale(along, fingertip);
		return true;
	default:
		return false;
	}
}

int jc_drawing_figure_head(const struct jc_drawing_figure *figure, struct jc_vec3 *out_centre)
{
	int head = figure->is_frame ? (int)JC_JOINT_HEAD : (int)JC_BONE_HEAD;

	if (!figure->has[head]) {
		return -1;
	}
	*out_centre = head_centre;
	if (figure->is_frame) {
		*out_centre = jc_quat_rotate(
			jc_quat_conjugate(jc_joint_t_pose(figure->profile, JC_JOINT_HEAD)),
			head_centre);
	}
	return head;
}
