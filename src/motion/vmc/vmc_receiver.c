/* Receives VMC as its Marionette: makes poses out of packets. Values are stored in
 * canonical axes as they arrive and become a pose when a frame is complete, so that a
 * pose never mixes two frames. */
#include "vmc_receiver.h"

#include <math.h>
#include <stdlib.h>

#include "jointcast/transform.h"
#include "jointcast_private/vmc_report.h"
#include "vmc_model.h"

#define GAP_NS      4000000    /* silence that ends a frame; frames are 8 to 33 ms apart */
#define FRESH_NS    1000000000 /* a bone is estimated after this time without a message */
#define SHORT_TIMES 8 /* after so many frames without an item, frames no longer wait for it */

#define LEAST_HIPS     0.05f /* metres; leg bones without offsets give no height */
#define UNKNOWN_HEIGHT 0.945f

/* Computes the conversion of received rotations from the rest of the avatar. The nodes
 * are turned with the model to face +Z, as importers of Unity do. */
static int learn_avatar(struct jc_vmc_rest *rest, const struct jc_skeleton *avatar)
{
	struct jc_transform facing = JC_TRANSFORM_IDENTITY;
	struct jc_vec3 positions[JC_BONE_COUNT];
	int status = jc_vmc_model_rest_positions(avatar, positions);

	if (status != JC_OK) {
		return status;
	}
	facing.rotation = jc_skeleton_facing(avatar);
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		enum jc_bone bone = (enum jc_bone)i;
		struct jc_quat own = jc_quat_multiply(
			jc_skeleton_offset(avatar, bone), jc_skeleton_t_pose(avatar, bone));

		rest->parents[bone] =
			jc_quat_multiply(jc_skeleton_parent_t_pose(avatar, bone), facing.rotation);
		rest->inverses[bone] = jc_quat_conjugate(jc_quat_multiply(own, facing.rotation));
	}
	int hips = jc_skeleton_bone_node(avatar, JC_BONE_HIPS);
	int parent = hips >= 0 ? jc_skeleton_nodes(avatar)[hips].parent : -1;

	if (parent >= 0) {
		struct jc_mat4 T_file_hips_parent = jc_mat4_multiply(
			jc_skeleton_rest_worlds(avatar)[parent], jc_mat4_compose(facing));

		facing.rotation = jc_quat_conjugate(facing.rotation);
		rest->T_model_hips_parent =
			jc_mat4_multiply(jc_mat4_compose(facing), T_file_hips_parent);
	}
	if (hips >= 0) {
		rest->hips_height = jc_skeleton_hips_height(avatar);
		rest->hips = positions[JC_BONE_HIPS];
		rest->hips_point = jc_skeleton_hips_point(avatar);
	}
	return JC_OK;
}

static void init_rest(struct jc_vmc_rest *rest)
{
	*rest = (struct jc_vmc_rest){ .T_model_hips_parent =
					      jc_mat4_compose(JC_TRANSFORM_IDENTITY) };
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		rest->parents[bone] = JC_QUAT_IDENTITY;
		rest->inverses[bone] = JC_QUAT_IDENTITY;
	}
}

static int create(const struct jc_vmc_rest *rest, struct jc_vmc_receiver **out_receiver)
{
	struct jc_vmc_receiver *receiver = calloc(1, sizeof(*receiver));

	if (!receiver) {
		return JC_ERROR_MEMORY;
	}
	receiver->values.available = true;
	receiver->values.sent_ns = INT64_MIN;
	receiver->values.items[JC_VMC_ITEM_ROOT].rotation = JC_QUAT_IDENTITY;
	receiver->rest = *rest;
	*out_receiver = receiver;
	return JC_OK;
}

int jc_vmc_receiver_create(const struct jc_skeleton *avatar, struct jc_vmc_receiver **out_receiver)
{
	struct jc_vmc_rest rest;
	int status = JC_OK;

	init_rest(&rest);
	if (avatar) {
		status = learn_avatar(&rest, avatar);
	}
	return status == JC_OK ? create(&rest, out_receiver) : status;
}

int jc_vmc_receiver_create_like(
	const struct jc_vmc_receiver *other, struct jc_vmc_receiver **out_receiver)
{
	return create(&other->rest, out_receiver);
}

void jc_vmc_receiver_destroy(struct jc_vmc_receiver *receiver)
{
	free(receiver);
}

static bool has(const struct jc_vmc_receiver *receiver, int item)
{
	return receiver->whole.known >> item & 1;
}

/* Distance of the lowest joint of a leg below the hips in the T-pose, where all offsets
 * are in canonical axes; 0 for an incomplete leg. */
static float leg_drop(const struct jc_vmc_receiver *receiver, const enum jc_bone leg[4])
{
	float drop = 0.0f;

	for (int i = 0; i < 3; i++) {
		if (!has(receiver, leg[i])) {
			return 0.0f;
		}
		drop -= receiver->whole.items[leg[i]].position.y;
	}
	return has(receiver, leg[3]) ? fmaxf(drop, drop - receiver->whole.items[leg[3]].position.y)
				     : drop;
}

static float find_hips_height(const struct jc_vmc_receiver *receiver)
{
	static const enum jc_bone legs[2][4] = {
		{ JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG, JC_BONE_LEFT_FOOT,
			JC_BONE_LEFT_TOES },
		{ JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_LOWER_LEG, JC_BONE_RIGHT_FOOT,
			JC_BONE_RIGHT_TOES },
	};
	float height = fmaxf(leg_drop(receiver, legs[0]), leg_drop(receiver, legs[1]));

	if (receiver->rest.hips_height > 0.0f) {
		return receiver->rest.hips_height;
	}
	return height >= LEAST_HIPS ? height : UNKNOWN_HEIGHT;
}

/* Position of the avatar's hips in the T-pose: known, or from its hips height and the
 * proportions of the built-in figure. */
static struct jc_vec3 rest_hips(const struct jc_vmc_receiver *receiver, float height)
{
	bool toes = has(receiver, JC_BONE_LEFT_TOES) || has(receiver, JC_BONE_RIGHT_TOES);
	bool feet = has(receiver, JC_BONE_LEFT_FOOT) || has(receiver, JC_BONE_RIGHT_FOOT);
	float hips = jc_bone_rest_position(JC_BONE_HIPS).y;
	float floor =
		jc_bone_rest_position(feet && !toes ? JC_BONE_LEFT_FOOT : JC_BONE_LEFT_TOES).y;

	if (receiver->rest.hips_height > 0.0f) {
		return receiver->rest.hips;
	}
	return (struct jc_vec3){ 0.0f, height * hips / (hips - floor), 0.0f };
}

static struct jc_vec3 hips_translation(const struct jc_vmc_receiver *receiver, float height)
{
	struct jc_vec3 rest = rest_hips(receiver, height);
	struct jc_vec3 sent = receiver->whole.items[JC_BONE_HIPS].position;
	struct jc_vec3 hips = jc_mat4_transform_point(receiver->rest.T_model_hips_parent, sent);
	const struct jc_vmc_item *root = &receiver->whole.items[JC_VMC_ITEM_ROOT];

	if (sent.x == 0.0f && sent.y == 0.0f && sent.z == 0.0f) {
		hips = rest;
	}
	hips = jc_vec3_add(root->position, jc_quat_rotate(root->rotation, hips));
	hips = jc_vec3_add(jc_vec3_subtract(hips, rest),
		jc_quat_displace(
			receiver->frame.pose.rotations[JC_BONE_HIPS], receiver->rest.hips_point));
	return jc_vec3_scale(hips, 1.0f / height);
}

static void make_pose(struct jc_vmc_receiver *receiver)
{
	struct jc_vmc_frame *frame = &receiver->frame;
	struct jc_pose *pose = &frame->pose;

	jc_pose_init(pose);
	frame->fresh = 0;
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		const struct jc_vmc_item *item = &receiver->whole.items[bone];

		if (has(receiver, bone)) {
			bool fresh = receiver->whole.newest_ns - item->time_ns <= FRESH_NS;

			frame->fresh |= (uint64_t)fresh << bone;
			pose->rotations[bone] = jc_quat_normalize(jc_quat_multiply(
				receiver->rest.parents[bone],
				jc_quat_multiply(item->rotation, receiver->rest.inverses[bone])));
			pose->states[bone] =
				receiver->whole.available && fresh ? JC_TRACKED : JC_ESTIMATED;
		}
	}
	/* A rotation of the model turns its hips. */
	pose->rotations[JC_BONE_HIPS] = jc_quat_normalize(jc_quat_multiply(
		receiver->whole.items[JC_VMC_ITEM_ROOT].rotation, pose->rotations[JC_BONE_HIPS]));
	if (has(receiver, JC_VMC_ITEM_ROOT) && !has(receiver, JC_BONE_HIPS)) {
		pose->states[JC_BONE_HIPS] = JC_ESTIMATED;
	}
	frame->time_ns = receiver->whole.newest_ns;
	frame->number = receiver->counts.frames;
	frame->hips_height = find_hips_height(receiver);
	pose->hips_translation = hips_translation(receiver, frame->hips_height);
}

static void end_frame(struct jc_vmc_receiver *receiver)
{
	if ((receiver->expected & ~receiver->pending) == 0) {
		receiver->recent = 0;
		receiver->short_count = 0;
	} else {
		receiver->recent |= receiver->pending;
		if (++receiver->short_count == SHORT_TIMES) {
			receiver->expected = receiver->recent;
			receiver->recent = 0;
			receiver->short_count = 0;
		}
	}
	receiver->expected |= receiver->pending;
	receiver->pending = 0;
	if ((receiver->values.known & ~(UINT64_C(1) << JC_VMC_ITEM_ROOT)) == 0) {
		return; /* a position without a body */
	}
	receiver->whole = receiver->values;
	receiver->counts.frames++;
}

static void end_frame_after_gap(struct jc_vmc_receiver *receiver, int64_t now_ns)
{
	if (receiver->pending && now_ns - receiver->values.newest_ns >= GAP_NS) {
		end_frame(receiver);
	}
}

void jc_vmc_receiver_put(
	struct jc_vmc_receiver *receiver, int index, const struct jc_vmc_item *item)
{
	uint64_t bit = UINT64_C(1) << index;

	if (receiver->pending & bit) {
		end_frame(receiver);
	}
	receiver->values.items[index] = *item;
	receiver->values.known |= bit;
	receiver->pending |= bit;
	receiver->values.newest_ns = item->time_ns;
	if (receiver->expected && (receiver->expected & ~receiver->pending) == 0) {
		end_frame(receiver);
	}
}

int jc_vmc_receiver_take(struct jc_vmc_receiver *receiver, const void *bytes, size_t length,
	int64_t now_ns, struct jc_diagnostic *diagnostic)
{
	receiver->counts.packets++;
	receiver->now_ns = now_ns;
	end_frame_after_gap(receiver, now_ns);
	int status = jc_osc_read(bytes, length, jc_vmc_messages_take, receiver, diagnostic);

	if (status != JC_OK) {
		receiver->counts.refused++;
	}
	return status;
}

const struct jc_vmc_frame *jc_vmc_receiver_frame(struct jc_vmc_receiver *receiver, int64_t now_ns)
{
	end_frame_after_gap(receiver, now_ns);
	if (receiver->frame.number != receiver->counts.frames) {
		make_pose(receiver);
	}
	return receiver->frame.number > 0 ? &receiver->frame : NULL;
}

const struct jc_vmc_counts *jc_vmc_receiver_counts(const struct jc_vmc_receiver *receiver)
{
	return &receiver->counts;
}

const struct jc_diagnostic *jc_vmc_receiver_reason(const struct jc_vmc_receiver *receiver)
{
	return receiver->reason.what[0] ? &receiver->reason : NULL;
}

bool jc_vmc_receiver_time(
	const struct jc_vmc_receiver *receiver, int64_t *out_sent_ns, int64_t *out_arrived_ns)
{
	if (receiver->values.sent_ns == INT64_MIN) {
		return false;
	}
	*out_sent_ns = receiver->values.sent_ns;
	*out_arrived_ns = receiver->values.timed_ns;
	return true;
}

const struct jc_osc_names *jc_vmc_receiver_unused(const struct jc_vmc_receiver *receiver)
{
	return &receiver->unused;
}

size_t jc_vmc_receiver_channel_count(const struct jc_vmc_receiver *receiver)
{
	return receiver->channel_count;
}

const struct jc_vmc_channel *jc_vmc_receiver_channels(const struct jc_vmc_receiver *receiver)
{
	return receiver->channels;
}

size_t jc_vmc_receiver_device_count(const struct jc_vmc_receiver *receiver)
{
	return receiver->device_count;
}

const struct jc_vmc_device *jc_vmc_receiver_devices(const struct jc_vmc_receiver *receiver)
{
	return receiver->devices;
}
