/* Makes poses of the packets of one mocopi sender. Works on bytes; the caller owns the socket.
 *
 * Joints and bones. The figure of a sender is a skeleton of 27 joints in its T-pose. Of its seven
 * torso joints, torso_1 is the spine, torso_4 the chest and torso_7 the upper chest; of two neck
 * joints neck_1 is the neck. So are they in BVH files that the app records (recognition.h). The
 * rotations of joints between two bones are summed in the lower bone, so that every bone has the
 * orientation that the sender gives it. The person's left side is at +X, up is +Y, the front +Z:
 * canonical axes. A sender that uses Unity's left-handed axes shows it by the figure at rest, whose
 * left is at -X, and is mirrored. */
#ifndef JC_PRIVATE_MOCOPI_RECEIVER_H
#define JC_PRIVATE_MOCOPI_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"
#include "jointcast_private/apps/mocopi.h"

/* The bone of a joint, or JC_BONE_NONE. */
enum jc_bone jc_mocopi_bone(int joint);

struct jc_mocopi_counts {
	uint64_t refused; /* damaged packets */
	uint64_t frames;  /* that gave a pose */
	uint64_t late;    /* frames that arrived after a newer one, or twice */
	uint64_t missing; /* frames that did not arrive before a newer one */
	uint64_t unknown; /* frames without a skeleton */
};

/* Result of a packet. */
struct jc_mocopi_result {
	bool has_pose;
	bool cut;        /* no continuation: another figure, or the sender began again */
	int64_t sent_ns; /* by the sender's clock; INT64_MIN: unknown */
	struct jc_pose pose;
};

struct jc_mocopi_receiver;

/* JC_OK or JC_ERROR_MEMORY. */
int jc_mocopi_receiver_create(struct jc_mocopi_receiver **out_receiver);
void jc_mocopi_receiver_destroy(struct jc_mocopi_receiver *receiver); /* NULL is fine */

/* Forgets the sender, its skeleton too; counts go on. */
void jc_mocopi_receiver_reset(struct jc_mocopi_receiver *receiver);

/* Processes one packet. Returns JC_OK, an error of jc_mocopi_read, or JC_ERROR_INVALID for a figure
 * that does not stand upright with its front at +Z; nothing of a refused packet is used. */
int jc_mocopi_receiver_take(struct jc_mocopi_receiver *receiver, const void *bytes, size_t length,
	struct jc_mocopi_result *out_result, struct jc_diagnostic *diagnostic);

const struct jc_mocopi_counts *jc_mocopi_receiver_counts(const struct jc_mocopi_receiver *receiver);

bool jc_mocopi_receiver_has_skeleton(const struct jc_mocopi_receiver *receiver);
bool jc_mocopi_receiver_is_mirrored(const struct jc_mocopi_receiver *receiver);
/* Metres; 0 without a skeleton. */
float jc_mocopi_receiver_hips_height(const struct jc_mocopi_receiver *receiver);

#endif
