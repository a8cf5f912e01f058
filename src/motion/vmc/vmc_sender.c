/* Sends VMC as its Performer: writes a figure into packets. Messages have numbers, and a
 * packet takes as many as fit, so no frame is stored. */
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"
#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"
#include "vmc_model.h"

#define CALIBRATED 3 /* /VMC/Ext/OK, calibration state */

/* N O = before * R * after, the inverse of jc_retargeter_apply: the orientation of the
 * bone including corrections of the figure. */
struct sent_bone {
	enum jc_bone bone;
	struct jc_vec3 offset; /* in the T-pose, from the parent bone, canonical axes */
	struct jc_quat before; /* P L */
	struct jc_quat after;  /* W^-1 */
};

struct jc_vmc_sender {
	const struct jc_skeleton *skeleton; /* borrowed */
	struct jc_transform
		*locals; /* owned: posed nodes; NULL unless the original offsets are sent */
	size_t bone_count;
	struct sent_bone bones[JC_BONE_COUNT];
};

static void add_bone(
	struct jc_vmc_sender *sender, enum jc_bone bone, const struct jc_vec3 positions[])
{
	const struct jc_skeleton *skeleton = sender->skeleton;
	struct sent_bone *sent = &sender->bones[sender->bone_count++];
	enum jc_bone above = jc_skeleton_mapped_parent(skeleton, bone);
	int node = jc_skeleton_bone_node(skeleton, bone);

	sent->bone = bone;
	sent->offset = above == JC_BONE_NONE ? positions[bone]
					     : jc_vec3_subtract(positions[bone], positions[above]);
	sent->before = jc_quat_normalize(jc_quat_multiply(jc_skeleton_parent_t_pose(skeleton, bone),
		jc_skeleton_nodes(skeleton)[node].rest.rotation));
	sent->after = jc_quat_conjugate(jc_skeleton_t_pose(skeleton, bone));
}

int jc_vmc_sender_create(const struct jc_skeleton *skeleton, enum jc_vmc_bones bones,
	struct jc_vmc_sender **out_sender)
{
	struct jc_vec3 positions[JC_BONE_COUNT];
	struct jc_vmc_sender *sender = calloc(1, sizeof(*sender));

	if (!sender || jc_vmc_model_rest_positions(skeleton, positions) != JC_OK) {
		goto fail;
	}
	sender->skeleton = skeleton;
	if (bones == JC_VMC_ORIGINAL) {
		sender->locals = calloc(jc_skeleton_node_count(skeleton), sizeof(*sender->locals));
		if (!sender->locals) {
			goto fail;
		}
	}
	for (int i = 0; i < JC_BONE_COUNT; i++) {
		if (jc_skeleton_bone_node(skeleton, (enum jc_bone)i) >= 0) {
			add_bone(sender, (enum jc_bone)i, positions);
		}
	}
	*out_sender = sender;
	return JC_OK;
fail:
	free(sender);
	return JC_ERROR_MEMORY;
}

void jc_vmc_sender_destroy(struct jc_vmc_sender *sender)
{
	if (sender) {
		free(sender->locals);
		free(sender);
	}
}

static void put_int(struct jc_osc_message *message, int32_t value)
{
	message->arguments[message->argument_count++] =
		(struct jc_osc_argument){ .type = 'i', .i = value };
}

static void put_float(struct jc_osc_message *message, float value)
{
	message->arguments[message->argument_count++] =
		(struct jc_osc_argument){ .type = 'f', .f = value };
}

static void put_string(struct jc_osc_message *message, const char *value)
{
	message->arguments[message->argument_count++] =
		(struct jc_osc_argument){ .type = 's', .s = value };
}

static void put_place(struct jc_osc_message *message, const char *name, struct jc_vec3 position,
	struct jc_quat rotation)
{
	struct jc_vec3 p = jc_vmc_mirror_point(position);
	struct jc_quat q = jc_vmc_mirror_rotation(rotation);

	put_string(message, name);
	put_float(message, p.x);
	put_float(message, p.y);
	put_float(message, p.z);
	put_float(message, q.x);
	put_float(message, q.y);
	put_float(message, q.z);
	put_float(message, q.w);
}

static void write_bone(const struct jc_vmc_sender *sender, const struct sent_bone *sent,
	const struct jc_vmc_sample *sample, struct jc_osc_message *message)
{
	struct jc_quat turned = jc_quat_multiply(sample->pose->rotations[sent->bone], sent->after);
	struct jc_quat rotation = jc_quat_normalize(jc_quat_multiply(sent->before, turned));
	struct jc_vec3 position = sent->offset;

	if (sender->locals) {
		/* Turned with the model to face +Z, as importers do. */
		struct jc_quat facing = jc_skeleton_facing(sender->skeleton);
		struct jc_quat back = jc_quat_conjugate(facing);
		int node = jc_skeleton_bone_node(sender->skeleton, sent->bone);

		rotation = jc_quat_multiply(sender->locals[node].rotation, facing);
		rotation = jc_quat_normalize(jc_quat_multiply(back, rotation));
		position = jc_quat_rotate(back, sender->locals[node].translation);
	} else if (sent->bone == JC_BONE_HIPS) {
		position = jc_vec3_add(position, sample->pose->hips_translation);
	}
	message->address = "/VMC/Ext/Bone/Pos";
	put_place(message, jc_vmc_bone_name(sent->bone), position, rotation);
}

static void write_channel(const struct jc_vmc_channel *channel, struct jc_osc_message *message)
{
	const char *name = channel->name;

	if (strncmp(name, JC_VMC_EXPRESSION, strlen(JC_VMC_EXPRESSION)) == 0) {
		name += strlen(JC_VMC_EXPRESSION);
	}
	message->address = "/VMC/Ext/Blend/Val";
	put_string(message, jc_vmc_model_blend_shape(name));
	put_float(message, channel->value);
}

static void write_root(const struct jc_vmc_sample *sample, struct jc_osc_message *message)
{
	static const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };

	message->address = "/VMC/Ext/Root/Pos";
	put_place(message, "root", sample->root_position,
		jc_quat_from_axis_angle(up, sample->root_yaw));
}

static void write_ok(const struct jc_vmc_sample *sample, struct jc_osc_message *message)
{
	message->address = "/VMC/Ext/OK";
	put_int(message, 1);
	put_int(message, CALIBRATED);
	put_int(message, 0);
	put_int(message, sample->tracked);
}

/* Writes message number `at` of a frame; false if there are no more. Availability and
 * time come last, as from Virtual Motion Capture, because receivers take them for the end
 * of a frame. */
static bool write_message(const struct jc_vmc_sender *sender, const struct jc_vmc_sample *sample,
	size_t at, struct jc_osc_message *message)
{
	size_t channels = 1 + sender->bone_count;
	size_t apply = channels + sample->channel_count;
	size_t ok = apply + (sample->channel_count > 0);

	message->argument_count = 0;
	if (at == 0) {
		write_root(sample, message);
	} else if (at < channels) {
		write_bone(sender, &sender->bones[at - 1], sample, message);
	} else if (at < apply) {
		write_channel(&sample->channels[at - channels], message);
	} else if (at < ok) {
		message->address = "/VMC/Ext/Blend/Apply";
	} else if (at == ok) {
		write_ok(sample, message);
	} else if (at == ok + 1) {
		message->address = "/VMC/Ext/T";
		put_float(message, sample->time);
	} else {
		return false;
	}
	return true;
}

int jc_vmc_sender_write(struct jc_vmc_sender *sender, const struct jc_vmc_sample *sample,
	size_t *cursor, void *out_bytes, size_t capacity)
{
	struct jc_osc_message message;
	uint8_t *out = out_bytes;
	size_t at = *cursor;
	int length = jc_osc_bundle_begin(out, capacity);

	if (at == 0 && sender->locals) {
		jc_skeleton_locals(sender->skeleton, sample->pose, sender->locals);
	}
	while (length > 0 && write_message(sender, sample, at, &message)) {
		int size = jc_osc_bundle_append(&message, out + length, capacity - (size_t)length);

		if (size < 0) {
			break; /* the packet is full */
		}
		length += size;
		at++;
	}
	if (at == *cursor) {
		return length > 0 && !write_message(sender, sample, at, &message) ? 0
										  : JC_ERROR_SPACE;
	}
	*cursor = at;
	return length;
}
