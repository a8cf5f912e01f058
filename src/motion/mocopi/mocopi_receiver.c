/* A frame is the local transforms of the sender's skeleton; jc_skeleton_normalize makes the pose,
 * as for motion files. */
#include "jointcast_private/apps/mocopi_receiver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/skeleton.h"
#include "jointcast/transform.h"
#include "jointcast/vmc.h"

/* A frame number that is lower by so much means that the sender began again: two seconds at 60 Hz.
 * A higher one by so much is not counted as loss. */
#define RESTART_FRAMES 120

#define LEAST_LENGTH 0.01f /* metres, of what shows the axes of a figure */

/* Joints that show the axes of a figure. */
enum {
	ROOT = 0,
	HEAD = 10,
	LEFT_HAND = 14,
	RIGHT_HAND = 18,
	LEFT_FOOT = 21,
	LEFT_TOES = 22,
};

static const struct {
	const char *name; /* by Sony's technical page */
	enum jc_bone bone;
} joints[JC_MOCOPI_JOINTS] = {
	{ "root", JC_BONE_HIPS },
	{ "torso_1", JC_BONE_SPINE },
	{ "torso_2", JC_BONE_NONE },
	{ "torso_3", JC_BONE_NONE },
	{ "torso_4", JC_BONE_CHEST },
	{ "torso_5", JC_BONE_NONE },
	{ "torso_6", JC_BONE_NONE },
	{ "torso_7", JC_BONE_UPPER_CHEST },
	{ "neck_1", JC_BONE_NECK },
	{ "neck_2", JC_BONE_NONE },
	{ "head", JC_BONE_HEAD },
	{ "l_shoulder", JC_BONE_LEFT_SHOULDER },
	{ "l_up_arm", JC_BONE_LEFT_UPPER_ARM },
	{ "l_low_arm", JC_BONE_LEFT_LOWER_ARM },
	{ "l_hand", JC_BONE_LEFT_HAND },
	{ "r_shoulder", JC_BONE_RIGHT_SHOULDER },
	{ "r_up_arm", JC_BONE_RIGHT_UPPER_ARM },
	{ "r_low_arm", JC_BONE_RIGHT_LOWER_ARM },
	{ "r_hand", JC_BONE_RIGHT_HAND },
	{ "l_up_leg", JC_BONE_LEFT_UPPER_LEG },
	{ "l_low_leg", JC_BONE_LEFT_LOWER_LEG },
	{ "l_foot", JC_BONE_LEFT_FOOT },
	{ "l_toes", JC_BONE_LEFT_TOES },
	{ "r_up_leg", JC_BONE_RIGHT_UPPER_LEG },
	{ "r_low_leg", JC_BONE_RIGHT_LOWER_LEG },
	{ "r_foot", JC_BONE_RIGHT_FOOT },
	{ "r_toes", JC_BONE_RIGHT_TOES },
};

struct jc_mocopi_receiver {
	struct jc_mocopi_counts counts;
	struct jc_skeleton *skeleton;   /* owned; NULL: no definition yet */
	struct jc_mocopi_packet figure; /* of the skeleton */
	bool is_mirrored;
	bool has_number;
	uint32_t number; /* of the newest frame */
	bool cut;        /* the next pose */
};

enum jc_bone jc_mocopi_bone(int joint)
{
	return joints[joint].bone;
}

int jc_mocopi_receiver_create(struct jc_mocopi_receiver **out_receiver)
{
	struct jc_mocopi_receiver *receiver = calloc(1, sizeof(*receiver));

	if (!receiver) {
		return JC_ERROR_MEMORY;
	}
	*out_receiver = receiver;
	return JC_OK;
}

void jc_mocopi_receiver_destroy(struct jc_mocopi_receiver *receiver)
{
	if (receiver) {
		jc_skeleton_destroy(receiver->skeleton);
		free(receiver);
	}
}

void jc_mocopi_receiver_reset(struct jc_mocopi_receiver *receiver)
{
	struct jc_mocopi_counts counts = receiver->counts;

	jc_skeleton_destroy(receiver->skeleton);
	*receiver = (struct jc_mocopi_receiver){ .counts = counts, .cut = true };
}

/* Positions of the joints at rest; parents come first. */
static void find_positions(
	const struct jc_mocopi_packet *figure, struct jc_vec3 out_positions[JC_MOCOPI_JOINTS])
{
	struct jc_quat rotations[JC_MOCOPI_JOINTS];

	for (int i = 0; i < JC_MOCOPI_JOINTS; i++) {
		const struct jc_mocopi_joint *joint = &figure->joints[i];

		if (joint->parent < 0) {
			rotations[i] = joint->rotation;
			out_positions[i] = joint->position;
			continue;
		}
		rotations[i] = jc_quat_multiply(rotations[joint->parent], joint->rotation);
		out_positions[i] = jc_vec3_add(out_positions[joint->parent],
			jc_quat_rotate(rotations[joint->parent], joint->position));
	}
}

/* Finds which axes a figure has; refuses one that is neither canonical nor mirrored. */
static int find_axes(const struct jc_mocopi_packet *figure, bool *out_is_mirrored,
	struct jc_diagnostic *diagnostic)
{
	struct jc_vec3 at[JC_MOCOPI_JOINTS];

	find_positions(figure, at);

	struct jc_vec3 up = jc_vec3_subtract(at[HEAD], at[ROOT]);
	struct jc_vec3 left = jc_vec3_subtract(at[LEFT_HAND], at[RIGHT_HAND]);
	float front = at[LEFT_TOES].z - at[LEFT_FOOT].z;

	if (up.y < LEAST_LENGTH || up.y < fabsf(up.x) || up.y < fabsf(up.z)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "skdf",
			"the figure does not stand: its head is not above its root along +Y");
	}
	if (fabsf(left.x) < LEAST_LENGTH || fabsf(left.x) < fabsf(left.z)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "skdf",
			"the figure is not in its T-pose: its arms do not point along X");
	}
	if (front < -LEAST_LENGTH) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "skdf",
			"the figure looks along -Z: its feet point backwards");
	}
	*out_is_mirrored = left.x < 0.0f;
	return JC_OK;
}

static struct jc_transform local_of(const struct jc_mocopi_joint *joint, bool is_mirrored)
{
	struct jc_transform local = JC_TRANSFORM_IDENTITY;

	local.rotation = is_mirrored ? jc_vmc_mirror_rotation(joint->rotation) : joint->rotation;
	local.translation = is_mirrored ? jc_vmc_mirror_point(joint->position) : joint->position;
	return local;
}

static int make_skeleton(const struct jc_mocopi_packet *figure, bool is_mirrored,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_node nodes[JC_MOCOPI_JOINTS];
	struct jc_skeleton_description description;

	jc_skeleton_description_init(&description);
	description.format = JC_SKELETON_BVH;
	description.name = "mocopi";
	description.node_count = JC_MOCOPI_JOINTS;
	description.nodes = nodes;
	for (int i = 0; i < JC_MOCOPI_JOINTS; i++) {
		nodes[i] = (struct jc_skeleton_node){ joints[i].name, figure->joints[i].parent,
			local_of(&figure->joints[i], is_mirrored) };
		if (joints[i].bone != JC_BONE_NONE) {
			description.bones[joints[i].bone] = i;
		}
	}
	return jc_skeleton_create(&description, out_skeleton, diagnostic);
}

/* Takes a definition; the app repeats it while it sends. */
static int take_figure(struct jc_mocopi_receiver *receiver, const struct jc_mocopi_packet *figure,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;
	bool is_mirrored = false;

	if (receiver->skeleton && memcmp(&receiver->figure, figure, sizeof(*figure)) == 0) {
		return JC_OK;
	}
	int status = find_axes(figure, &is_mirrored, diagnostic);

	if (status == JC_OK) {
		status = make_skeleton(figure, is_mirrored, &skeleton, diagnostic);
	}
	if (status != JC_OK) {
		return status;
	}
	jc_skeleton_destroy(receiver->skeleton);
	receiver->skeleton = skeleton;
	receiver->figure = *figure;
	receiver->is_mirrored = is_mirrored;
	receiver->cut = true;
	return JC_OK;
}

/* Whether a frame is newer than all before. Counts those that are not, and those between. */
static bool is_newer(struct jc_mocopi_receiver *receiver, uint32_t number)
{
	int64_t step = (int32_t)(number - receiver->number);

	if (receiver->has_number && step <= 0 && step > -RESTART_FRAMES) {
		receiver->counts.late++;
		return false;
	}
	if (receiver->has_number && step < 0) {
		receiver->cut = true;
	} else if (receiver->has_number && step < RESTART_FRAMES) {
		receiver->counts.missing += (uint64_t)(step - 1);
	}
	receiver->has_number = true;
	receiver->number = number;
	return true;
}

static void take_frame(struct jc_mocopi_receiver *receiver, const struct jc_mocopi_packet *frame,
	struct jc_mocopi_result *out_result)
{
	struct jc_transform locals[JC_MOCOPI_JOINTS];

	if (!is_newer(receiver, frame->number)) {
		return;
	}
	if (!receiver->skeleton) {
		receiver->counts.unknown++;
		return;
	}
	for (int i = 0; i < JC_MOCOPI_JOINTS; i++) {
		locals[i] = local_of(&frame->joints[i], receiver->is_mirrored);
		/* Only the root moves against its parent. */
		if (i != ROOT) {
			locals[i].translation =
				local_of(&receiver->figure.joints[i], receiver->is_mirrored)
					.translation;
		}
	}
	jc_skeleton_normalize(receiver->skeleton, locals, &out_result->pose);
	out_result->has_pose = true;
	out_result->sent_ns = frame->sent_ns;
	out_result->cut = receiver->cut;
	receiver->cut = false;
	receiver->counts.frames++;
}

int jc_mocopi_receiver_take(struct jc_mocopi_receiver *receiver, const void *bytes, size_t length,
	struct jc_mocopi_result *out_result, struct jc_diagnostic *diagnostic)
{
	struct jc_mocopi_packet packet;
	int status = jc_mocopi_read(bytes, length, &packet, diagnostic);

	if (status == JC_OK && packet.kind == JC_MOCOPI_SKELETON) {
		status = take_figure(receiver, &packet, diagnostic);
	}
	if (status != JC_OK) {
		receiver->counts.refused++;
		return status;
	}
	out_result->has_pose = false;
	if (packet.kind == JC_MOCOPI_FRAME) {
		take_frame(receiver, &packet, out_result);
	}
	return JC_OK;
}

const struct jc_mocopi_counts *jc_mocopi_receiver_counts(const struct jc_mocopi_receiver *receiver)
{
	return &receiver->counts;
}

bool jc_mocopi_receiver_has_skeleton(const struct jc_mocopi_receiver *receiver)
{
	return receiver->skeleton != NULL;
}

bool jc_mocopi_receiver_is_mirrored(const struct jc_mocopi_receiver *receiver)
{
	return receiver->is_mirrored;
}

float jc_mocopi_receiver_hips_height(const struct jc_mocopi_receiver *receiver)
{
	return receiver->skeleton ? jc_skeleton_hips_height(receiver->skeleton) : 0.0f;
}
