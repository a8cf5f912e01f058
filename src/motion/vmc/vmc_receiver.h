/* The state of a VMC receiver: vmc_messages.c writes values, vmc_receiver.c makes frames
 * of them. */
#ifndef JC_MOTION_VMC_RECEIVER_H
#define JC_MOTION_VMC_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"

#define JC_VMC_ITEM_ROOT  JC_BONE_COUNT /* items of a frame: the bones, and this */
#define JC_VMC_ITEM_COUNT (JC_BONE_COUNT + 1)

/* Values as received, canonical axes. */
struct jc_vmc_item {
	struct jc_vec3 position;
	struct jc_quat rotation;
	int64_t time_ns;
};

/* All items at one time. */
struct jc_vmc_values {
	bool available;    /* the sender has a model and tracks */
	uint64_t known;    /* items received at least once, bit = item */
	int64_t newest_ns; /* time of the last item */
	int64_t sent_ns;   /* time by the sender's clock; INT64_MIN: unknown */
	int64_t timed_ns;  /* arrival of this time */
	struct jc_vmc_item items[JC_VMC_ITEM_COUNT];
};

/* The rest of the sender's avatar. N = parents * received * inverses. */
struct jc_vmc_rest {
	struct jc_quat parents[JC_BONE_COUNT];  /* P F, F being the file's facing */
	struct jc_quat inverses[JC_BONE_COUNT]; /* (O W F)^-1 */
	struct jc_mat4 T_model_hips_parent;     /* canonical axes */
	float hips_height;                      /* 0: unknown, computed from the bones */
	struct jc_vec3 hips;                    /* if hips_height is known */
	struct jc_vec3 hips_point;              /* see jc_skeleton_hips_point */
};

struct jc_vmc_receiver {
	struct jc_vmc_counts counts;
	struct jc_diagnostic reason; /* against the first message that was not used */
	struct jc_osc_names unused;  /* addresses of messages that were not used */
	struct jc_vmc_frame frame;
	int64_t now_ns; /* of the current packet */

	struct jc_vmc_rest rest;

	struct jc_vmc_values values; /* as received */
	struct jc_vmc_values whole;  /* of the newest complete frame */

	/* The current frame; bit = item. */
	uint64_t pending;  /* received since the last frame */
	uint64_t expected; /* complete a frame */
	uint64_t recent;   /* received in frames that were incomplete */
	unsigned short_count;

	size_t channel_count;
	struct jc_vmc_channel channels[JC_LIMIT_VMC_CHANNELS];
	float next_values[JC_LIMIT_VMC_CHANNELS]; /* until the next Apply message */
	size_t device_count;
	struct jc_vmc_device devices[JC_LIMIT_VMC_DEVICES];
};

/* Stores one item of a frame. */
void jc_vmc_receiver_put(
	struct jc_vmc_receiver *receiver, int index, const struct jc_vmc_item *item);

/* Handles one message; context is the receiver. */
void jc_vmc_messages_take(void *context, const struct jc_osc_message *message);

#endif
