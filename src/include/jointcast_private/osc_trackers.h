/* OSC trackers, as VRChat receives them (docs.vrchat.com/docs/osc-trackers): positions in metres
 * and Euler angles in degrees of the head and of trackers 1 to 8, in OSC messages
 *   /tracking/trackers/{1..8|head}/{position|rotation}
 * of three numbers each. A number of a tracker is no part of the body.
 *
 * Space: Unity's left-handed axes, +X right, +Y up, +Z forward, converted as in vmc.h. The angles
 * turn about Z, then X, then Y (UnityEngine.Quaternion.eulerAngles): R = Ry Rx Rz. The place of the
 * head is that of its bone, and its rotation is zero when the person looks forward. */
#ifndef JC_PRIVATE_OSC_TRACKERS_H
#define JC_PRIVATE_OSC_TRACKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/error.h"
#include "jointcast/humanoid.h"
#include "jointcast/skeleton.h"
#include "jointcast_private/osc.h"

#define JC_OSC_TRACKER_HEAD  0 /* index of the head; others have their number */
#define JC_OSC_TRACKER_COUNT 9

/* "head" or "1" to "8". */
const char *jc_osc_tracker_name(int index);

/* Convert between angles in degrees as sent and rotations in canonical axes. The angles are from
 * -180 to 180, X from -90 to 90. */
struct jc_quat jc_osc_tracker_rotation(struct jc_vec3 degrees);
struct jc_vec3 jc_osc_tracker_degrees(struct jc_quat rotation);

/* A tracker in canonical axes. */
struct jc_osc_tracker {
	bool has_position, has_rotation; /* received at any time */
	int64_t position_ns, rotation_ns;
	struct jc_vec3 position; /* metres */
	struct jc_quat rotation;
};

/* All trackers of a sender at one instant. */
struct jc_osc_tracker_frame {
	uint64_t number; /* counts frames from 1 */
	int64_t time_ns; /* arrival time of the last message */
	int64_t sent_ns; /* of its packet (jc_osc_sent_ns); INT64_MIN: unknown */
	struct jc_osc_tracker trackers[JC_OSC_TRACKER_COUNT];
};

/* Counts of a receiver. */
struct jc_osc_tracker_counts {
	uint64_t packets;  /* all */
	uint64_t refused;  /* invalid OSC packets */
	uint64_t messages; /* in valid packets */
	uint64_t ignored;  /* messages with unknown addresses or types */
	uint64_t invalid;  /* messages with an impossible number */
};

/* Receiver of one sender; plain data, all zeros at first. It assembles frames from packets, however
 * the sender splits them: a frame is complete when all usual messages have arrived, when a message
 * arrives again, or after 4 ms without a message. */
struct jc_osc_tracker_receiver {
	struct jc_osc_tracker_counts counts;
	struct jc_osc_names unused;        /* addresses of messages that were not used */
	struct jc_osc_tracker_frame whole; /* the newest complete frame */
	struct jc_osc_tracker_frame next;  /* as received */
	int64_t now_ns, sent_ns;           /* of the current packet */
	/* Messages of the current frame, bit = 2 * index, + 1 for rotations; those that complete a
	 * frame; and how many frames in a row lacked some of these. */
	uint32_t pending, expected, recent;
	unsigned short_count;
};

/* Processes one packet that arrived at now_ns, which never decreases. Returns JC_OK,
 * JC_ERROR_TRUNCATED, JC_ERROR_SYNTAX or JC_ERROR_LIMIT; nothing of an invalid packet is used.
 * Unusable messages of a valid packet are counted and skipped. */
int jc_osc_tracker_receiver_take(struct jc_osc_tracker_receiver *receiver, const void *bytes,
	size_t length, int64_t now_ns, struct jc_diagnostic *diagnostic);

/* The newest complete frame, NULL before the first. */
const struct jc_osc_tracker_frame *jc_osc_tracker_receiver_frame(
	struct jc_osc_tracker_receiver *receiver, int64_t now_ns);

/* Writes the trackers that have a position or a rotation as one bundle. Returns its length, or
 * JC_ERROR_SPACE; JC_OSC_TRACKER_BYTES suffice for all. */
#define JC_OSC_TRACKER_BYTES 1400
int jc_osc_trackers_write(const struct jc_osc_tracker trackers[JC_OSC_TRACKER_COUNT],
	void *out_bytes, size_t capacity);

#define JC_OSC_PREDICTION_SAMPLES 5

/* Where trackers are while packets are lost: they go on as between their last two frames. Plain
 * data, all zeros at first. */
struct jc_osc_tracker_prediction {
	struct jc_osc_tracker_frame before, last;        /* number 0: none */
	int64_t intervals_ns[JC_OSC_PREDICTION_SAMPLES]; /* between frames, the newest first */
	int64_t usual_ns;                                /* their median; 0: not known yet */
};

/* Notes a new frame of the receiver. */
void jc_osc_tracker_prediction_note(
	struct jc_osc_tracker_prediction *prediction, const struct jc_osc_tracker_frame *frame);

/* The frame at now_ns if the next one is overdue, for at most JC_OSC_PREDICTED_NS since the last.
 * Its trackers keep their times. Returns false if none is to be predicted. */
#define JC_OSC_PREDICTED_NS INT64_C(100000000)
bool jc_osc_tracker_prediction_frame(const struct jc_osc_tracker_prediction *prediction,
	int64_t now_ns, struct jc_osc_tracker_frame *out_frame);

/* Places of bones of a posed skeleton. */
struct jc_osc_figure;

/* The skeleton is borrowed and must outlive the figure. JC_OK or JC_ERROR_MEMORY. */
int jc_osc_figure_create(const struct jc_skeleton *skeleton, struct jc_osc_figure **out_figure);
void jc_osc_figure_destroy(struct jc_osc_figure *figure); /* NULL is fine */

/* Poses the skeleton for the next calls of jc_osc_figure_place. */
void jc_osc_figure_pose(struct jc_osc_figure *figure, const struct jc_skeleton_pose *pose);

/* The place of the bone, and its rotation since the T-pose, in canonical axes. Returns false if the
 * skeleton lacks the bone. */
bool jc_osc_figure_place(const struct jc_osc_figure *figure, enum jc_bone bone,
	struct jc_vec3 *out_position, struct jc_quat *out_rotation);

#endif
