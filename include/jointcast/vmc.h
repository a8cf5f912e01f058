/* The Virtual Motion Capture protocol, version 3.1 (https://protocol.vmc.info,
 * "Marionette" and "Performer"): motion capture data in OSC packets. A receiver makes poses from
 * packets, a sender makes packets from a posed skeleton. Both work on bytes; the caller owns
 * sockets and clocks.
 *
 * Space. Unity's axes are left-handed: +X right, +Y up, +Z forward, and an
 * avatar faces +Z with its left hand at -X. Canonical space has the left at +X and the same front
 * and up. The conversion in both directions mirrors one axis, M = diag(-1, 1, 1):
 *   point     M p          (x, y, z)    -> (-x, y, z)
 *   rotation  M R M^-1     (x, y, z, w) -> (x, -y, -z, w)
 * because the mirror image of a rotation about axis a is a rotation by the same angle about
 * det(M) M a = (a.x, -a.y, -a.z).
 *
 * Rotations. The protocol transmits the local rotation of each bone's Unity node. All nodes of a
 * VRM 0.x avatar have identity rotation in the T-pose, so the mirrored rotation is N of struct
 * jc_pose (a VRM 0.x file faces -Z; its importer turns it to +Z). For VRM 1.0 avatars the
 * protocol recommends the original nodes, whose rest rotations are arbitrary and not transmitted:
 * both ends need the avatar's file, or the sender normalises its bones.
 *
 * Names are those of UnityEngine.HumanBodyBones, as in VRM 0.x. They match the bones of tables.h
 * except the thumb: Unity's Proximal, Intermediate, Distal are VRM 1.0's Metacarpal,
 * Proximal, Distal. */
#ifndef JOINTCAST_VMC_H
#define JOINTCAST_VMC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "humanoid.h"
#include "limits.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "LeftThumbProximal" <-> JC_BONE_LEFT_THUMB_METACARPAL. The first letter may be
 * lower case, as in VRM 0.x files. JC_BONE_NONE for unknown names, including "LastBone". */
const char *jc_vmc_bone_name(enum jc_bone bone);
enum jc_bone jc_vmc_bone_find(const char *name);

/* Convert between Unity's axes and canonical axes, in both directions. */
struct jc_vec3 jc_vmc_mirror_point(struct jc_vec3 point);
struct jc_quat jc_vmc_mirror_rotation(struct jc_quat rotation);

/* A blend shape, named as in jc_motion_channels: "expression/happy" for Joy of VRM 0.x; a blend
 * shape that is no preset keeps the sender's bytes ("expression/tongueOut"). */
struct jc_vmc_channel {
	char name[JC_LIMIT_VMC_NAME_BYTES]; /* ends with a NUL */
	float value;                        /* 0..1 */
};

/* The kinds of tracked devices (/VMC/Ext/Hmd/Pos, Con/Pos, Tra/Pos). */
enum jc_vmc_device_kind {
	JC_VMC_HMD,
	JC_VMC_CONTROLLER,
	JC_VMC_TRACKER,
};

/* A tracked device, canonical axes. */
struct jc_vmc_device {
	enum jc_vmc_device_kind kind;         /* headset, controller or tracker */
	bool local;                           /* as tracked; false: scaled to the avatar */
	char serial[JC_LIMIT_VMC_NAME_BYTES]; /* names the device */
	struct jc_vec3 position;              /* metres */
	struct jc_quat rotation;              /* from the axes of the room to those of the device */
	int64_t time_ns;                      /* arrival time */
};

/* The body of a sender at one instant. */
struct jc_vmc_frame {
	/* All bones received so far: tracked, or estimated if the value is older than a second or
	 * the sender reports lost tracking. */
	struct jc_pose pose;
	/* Height of the hips of the sender's avatar in the T-pose, in metres. If the caller gave
	 * the avatar, its value. Otherwise the height of the hips over the lowest foot or toe
	 * joint, from the offsets of the leg bones. Without offsets 0.945, as in the built-in
	 * figure.
	 *
	 * If the caller gave no avatar, its T-pose has the hips at x = z = 0 and at 1.0159 times
	 * hips_height above the floor (1.0909 times without toes), as in the built-in figure. A
	 * hips position of all zeros, which face trackers send, leaves the hips at rest. */
	float hips_height;
	uint64_t fresh;  /* bones (bit = enum jc_bone) whose value is at most a second old */
	int64_t time_ns; /* arrival time of its last message */
	uint64_t number; /* counts frames from 1 */
};

/* Counts of a receiver. */
struct jc_vmc_counts {
	uint64_t packets;  /* all */
	uint64_t refused;  /* invalid OSC packets */
	uint64_t messages; /* in valid packets */
	/* Messages with unknown addresses, bones or types, or too long names. Messages of the
	 * protocol that have no body, such as those of cameras and keys, do not count. */
	uint64_t ignored;
	uint64_t invalid; /* messages with an impossible number */
	uint64_t frames;  /* complete frames */
};

/* Receiver of one sender. Wherever the protocol has a number, int32, float32 and float64 are
 * accepted. It assembles frames from packets, however the sender splits them: a frame
 * is complete when all usual messages have arrived, when a message arrives again, or after 4 ms
 * without a message. Frames have arrival times: the seconds of
 * the sender's clock (/VMC/Ext/T) are coarser after some hours, and have an unknown zero. */
struct jc_vmc_receiver;

/* avatar is the skeleton of the sender's avatar if it sends original nodes, borrowed for the call.
 * NULL: a VRM 0.x avatar, or normalised bones. JC_OK or JC_ERROR_MEMORY. */
int jc_vmc_receiver_create(const struct jc_skeleton *avatar, struct jc_vmc_receiver **out_receiver);
/* A receiver for another sender of such an avatar; it has received nothing yet. JC_OK or
 * JC_ERROR_MEMORY. */
int jc_vmc_receiver_create_like(
	const struct jc_vmc_receiver *other, struct jc_vmc_receiver **out_receiver);
void jc_vmc_receiver_destroy(struct jc_vmc_receiver *receiver);

/* Processes one packet that arrived at now_ns, which never decreases. Returns JC_OK,
 * JC_ERROR_TRUNCATED, JC_ERROR_SYNTAX or JC_ERROR_LIMIT; nothing of an invalid packet is used.
 * Unusable messages of a valid packet are counted and skipped. */
int jc_vmc_receiver_take(struct jc_vmc_receiver *receiver, const void *bytes, size_t length,
	int64_t now_ns, struct jc_diagnostic *diagnostic);

/* The newest complete frame, NULL before the first; valid until the next call. */
const struct jc_vmc_frame *jc_vmc_receiver_frame(struct jc_vmc_receiver *receiver, int64_t now_ns);

/* Counts since the receiver was created; owned by it. */
const struct jc_vmc_counts *jc_vmc_receiver_counts(const struct jc_vmc_receiver *receiver);

/* Why the first ignored or invalid message was not used, and its address in `where`; NULL: no
 * message was ignored or invalid. Owned by the receiver. */
const struct jc_diagnostic *jc_vmc_receiver_reason(const struct jc_vmc_receiver *receiver);

/* Blend shapes at the last /VMC/Ext/Blend/Apply, and devices, both in order of first arrival. */
size_t jc_vmc_receiver_channel_count(const struct jc_vmc_receiver *receiver);
const struct jc_vmc_channel *jc_vmc_receiver_channels(const struct jc_vmc_receiver *receiver);
size_t jc_vmc_receiver_device_count(const struct jc_vmc_receiver *receiver);
const struct jc_vmc_device *jc_vmc_receiver_devices(const struct jc_vmc_receiver *receiver);

/* The data of one instant to send. All pointers are borrowed. */
struct jc_vmc_sample {
	float time;   /* seconds of the sender's clock */
	bool tracked; /* false: the pose is the last known */
	/* Place of the skeleton's origin, canonical axes: metres, and radians about +Y. */
	struct jc_vec3 root_position;
	float root_yaw;
	const struct jc_skeleton_pose *pose;
	size_t channel_count;
	const struct jc_vmc_channel *channels;
};

/* Which rotations a sender transmits. */
enum jc_vmc_bones {
	/* Like a VRM 0.x avatar of the skeleton's proportions: for receivers that have such an
	 * avatar or normalise their own. */
	JC_VMC_NORMALIZED,
	/* The skeleton's own nodes: for receivers that have the same VRM 1.0 avatar and use its
	 * nodes unchanged. */
	JC_VMC_ORIGINAL,
};

/* Sender of one skeleton, which is borrowed and must outlive it. Sends all bones of the skeleton
 * (55 of the built-in one) as posed, offsets included. */
struct jc_vmc_sender;

/* JC_OK or JC_ERROR_MEMORY. */
int jc_vmc_sender_create(const struct jc_skeleton *skeleton, enum jc_vmc_bones bones,
	struct jc_vmc_sender **out_sender);
void jc_vmc_sender_destroy(struct jc_vmc_sender *sender);

/* Writes the next packet of one instant. *cursor is 0 at first; the function advances it. Each
 * packet is a bundle of at most capacity bytes; JC_VMC_PACKET_BYTES avoids fragmentation on common
 * networks. Returns its length, 0 after the last packet, or JC_ERROR_SPACE if capacity is too
 * small for one message. */
#define JC_VMC_PACKET_BYTES 1400
int jc_vmc_sender_write(struct jc_vmc_sender *sender, const struct jc_vmc_sample *sample,
	size_t *cursor, void *out_bytes, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
