/* The state of a VMC receiver, which vmc_receiver.c keeps and vmc_messages.c
 * fills. */
#ifndef JC_MOTION_VMC_RECEIVER_H
#define JC_MOTION_VMC_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/vmc.h"
#include "jointcast_private/osc.h"

#define JC_VMC_ITEM_ROOT  JC_BONE_COUNT /* items of a frame: the bones, and this */
#define JC_VMC_ITEM_COUNT (JC_BONE_COUNT + 1)

/* As it was sent, canonical axes. */
struct jc_vmc_item {
	struct jc_vec3 position;
	struct jc_quat rotation;
	int64_t time_ns;
};

/* All items at one moment. */
struct jc_vmc_values {
	bool available;    /* the sender has a model and tracks */
	uint64_t known;    /* items that ever came, bit = item */
	int64_t newest_ns; /* when the last of them did */
	struct jc_vmc_item items[JC_VMC_ITEM_COUNT];
};

struct jc_vmc_receiver {
	struct jc_vmc_counts counts;
	struct jc_vmc_frame frame;
	int64_t now_ns; /* of the packet being taken */

	/* The sender's avatar at rest. N = parents * what is sent * inverses. */
	struct jc_quat parents[JC_BONE_COUNT];  /* P F, F being the file's facing */
	struct jc_quat inverses[JC_BONE_COUNT]; /* (O W F)^-1 */
	struct jc_mat4 T_model_hips_parent;     /* canonical axes */
	float hips_height;                      /* 0: not known, the bones tell */
	struct jc_vec3 rest_hips;               /* where hips_height is known */

	struct jc_vmc_values values; /* as they come */
	struct jc_vmc_values whole;  /* of the newest frame */

	/* The frame in the making; bit = item. */
	uint64_t pending;  /* came since the last frame */
	uint64_t expected; /* make a frame whole */
	uint64_t recent;   /* came in the frames that fell short */
	unsigned short_count;

	size_t channel_count;
	struct jc_vmc_channel channels[JC_LIMIT_VMC_CHANNELS];
	float next_values[JC_LIMIT_VMC_CHANNELS]; /* until the next Apply */
	size_t device_count;
	struct jc_vmc_device devices[JC_LIMIT_VMC_DEVICES];
};

/* One item of a frame has come. */
void jc_vmc_receiver_put(
	struct jc_vmc_receiver *receiver, int index, const struct jc_vmc_item *item);

/* One message; context is the receiver. */
void jc_vmc_messages_take(void *context, const struct jc_osc_message *message);

#endif
