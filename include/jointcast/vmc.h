/* The Virtual Motion Capture protocol, version 3.1 (https://protocol.vmc.info,
 * "Marionette" and "Performer"): what motion capture programs say to each other
 * in OSC packets. A receiver makes poses of what comes in, a sender writes a
 * figure out. Bytes in, bytes out; sockets and clocks are the caller's.
 *
 * Space. Unity's axes are left-handed: +X right, +Y up, +Z forward, and an
 * avatar faces +Z with its left hand at -X. Here the left is at +X, front and
 * up are the same. So one axis is mirrored, M = diag(-1, 1, 1), either way:
 *   a point   M p          (x, y, z)    -> (-x, y, z)
 *   a turn    M R M^-1     (x, y, z, w) -> (x, -y, -z, w)
 * the latter because a turn by an angle about an axis a, seen in a mirror, is
 * one by the same angle about det(M) M a = (a.x, -a.y, -a.z).
 *
 * Rotations. A bone's is the local rotation of its Unity node. The nodes of a
 * VRM 0.x avatar all rest unturned in the T-pose, so that its mirror image is
 * the normalised rotation of struct jc_pose as it stands (a VRM 0.x file faces
 * -Z, its importer turns it: in Unity it faces +Z as any other). Of a VRM 1.0
 * avatar the protocol recommends the original nodes, whose rest may be anything
 * and is not in the protocol: that takes the avatar's own file at either end,
 * or bones that the sender normalises.
 *
 * Names are those of UnityEngine.HumanBodyBones, which VRM 0.x shares. They are
 * the bones of tables.h but for the thumb, one joint of which has the name of
 * another: Unity's Proximal, Intermediate, Distal are VRM 1.0's Metacarpal,
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

/* "LeftThumbProximal" <-> JC_BONE_LEFT_THUMB_METACARPAL. A name is found with a
 * small first letter too, as VRM 0.x files spell it; JC_BONE_NONE if unknown
 * ("LastBone" is). */
const char *jc_vmc_bone_name(enum jc_bone bone);
enum jc_bone jc_vmc_bone_find(const char *name);

/* Between Unity's axes and canonical ones, either way. */
struct jc_vec3 jc_vmc_mirror_point(struct jc_vec3 point);
struct jc_quat jc_vmc_mirror_rotation(struct jc_quat rotation);

/* A blend shape by the name that jc_motion_channels would have for it:
 * "expression/happy" for VRM 0.x's Joy; one that is no preset keeps its own
 * ("expression/tongueOut"), bytes as the sender wrote them. */
struct jc_vmc_channel {
	char name[JC_LIMIT_VMC_NAME_BYTES];
	float value; /* 0..1 */
};

enum jc_vmc_device_kind {
	JC_VMC_HMD,
	JC_VMC_CONTROLLER,
	JC_VMC_TRACKER,
};

/* A tracked device, canonical axes. */
struct jc_vmc_device {
	enum jc_vmc_device_kind kind;
	bool local; /* as tracked; else scaled to the avatar */
	char serial[JC_LIMIT_VMC_NAME_BYTES];
	struct jc_vec3 position; /* metres */
	struct jc_quat rotation;
	int64_t time_ns; /* when it arrived */
};

struct jc_vmc_frame {
	/* Bones that have ever come: tracked, or estimated when theirs is older
	 * than a second or the sender says that it has lost tracking. */
	struct jc_pose pose;
	/* Of the sender's avatar, metres: the given one's, else from the offsets
	 * of its leg bones, hips over the lowest foot or toe joint; 0.945, the
	 * built-in figure's, where it sends none. Of an avatar not given, in the T-pose the hips
	 * are taken to stand at x = z = 0 and as high over the floor as in the built-in
	 * proportions, 1.0159 of that (1.0909 without toes). Hips that are sent as all zero, as
	 * face trackers do, stay at rest. */
	float hips_height;
	int64_t time_ns; /* when the last of it arrived */
	uint64_t number; /* from 1 */
};

struct jc_vmc_counts {
	uint64_t packets;
	uint64_t refused;  /* packets that were not OSC */
	uint64_t messages; /* of the packets that were */
	uint64_t ignored;  /* messages of other addresses, bones, types and lengths of name */
	uint64_t invalid;  /* messages with a number that cannot be */
	uint64_t frames;
};

/* One per port. Poses are put together from packets, whichever way a sender
 * cuts them: a frame is whole when all that used to come has come, when
 * something comes for the second time, or when nothing has come for 4 ms.
 * The sender's own clock (/VMC/Ext/T) is not used: a float of seconds is
 * coarser than the arrival times after some hours. Several senders to one
 * receiver mix, the latest value of each bone counts. */
struct jc_vmc_receiver;

/* avatar is the one that the sender plays, of which it sends the original nodes.
 * It is only looked at for the call. NULL: a VRM 0.x avatar, or bones that the
 * sender normalises. */
int jc_vmc_receiver_create(const struct jc_skeleton *avatar, struct jc_vmc_receiver **out_receiver);
void jc_vmc_receiver_destroy(struct jc_vmc_receiver *receiver);

/* Takes one packet, which arrived at now_ns (never less than the time before).
 * Returns 0 or the error of jc_osc_read; what a packet holds that cannot be
 * used is counted and otherwise left out. */
int jc_vmc_receiver_take(struct jc_vmc_receiver *receiver, const void *bytes, size_t length,
	int64_t now_ns, struct jc_diagnostic *diagnostic);

/* The newest whole frame, NULL before the first; good until the next call. */
const struct jc_vmc_frame *jc_vmc_receiver_frame(struct jc_vmc_receiver *receiver, int64_t now_ns);

const struct jc_vmc_counts *jc_vmc_receiver_counts(const struct jc_vmc_receiver *receiver);

/* Blend shapes as of the last /VMC/Ext/Blend/Apply, and devices, in the order
 * in which they came up. */
size_t jc_vmc_receiver_channel_count(const struct jc_vmc_receiver *receiver);
const struct jc_vmc_channel *jc_vmc_receiver_channels(const struct jc_vmc_receiver *receiver);
size_t jc_vmc_receiver_device_count(const struct jc_vmc_receiver *receiver);
const struct jc_vmc_device *jc_vmc_receiver_devices(const struct jc_vmc_receiver *receiver);

/* What a sender says of one moment. Everything is borrowed. */
struct jc_vmc_moment {
	float time;   /* seconds of the sender's clock */
	bool tracked; /* false: the pose is the last known */
	/* Where the figure's own origin stands, canonical axes: metres, and
	 * radians about +Y. */
	struct jc_vec3 root_position;
	float root_yaw;
	const struct jc_skeleton_pose *pose;
	size_t channel_count;
	const struct jc_vmc_channel *channels;
};

enum jc_vmc_bones {
	/* As of a VRM 0.x avatar of the skeleton's proportions: for receivers
	 * that have such an avatar or normalise the one they have. */
	JC_VMC_NORMALIZED,
	/* The skeleton's own nodes: for receivers that have the same VRM 1.0
	 * avatar and take its bones as they come. */
	JC_VMC_ORIGINAL,
};

/* One per skeleton, which is borrowed and must outlive it. Sends the bones that
 * the skeleton has, 55 of the built-in one, standing as they do; offsets are
 * part of that. */
struct jc_vmc_sender;

int jc_vmc_sender_create(const struct jc_skeleton *skeleton, enum jc_vmc_bones bones,
	struct jc_vmc_sender **out_sender);
void jc_vmc_sender_destroy(struct jc_vmc_sender *sender);

/* Writes packet after packet of one moment: *cursor is 0 at first and advanced.
 * Each is a bundle of at most capacity bytes, JC_VMC_PACKET_BYTES being what
 * crosses any network in one piece. Returns its length, 0 when all has been
 * said, or JC_ERROR_SPACE when capacity is too small for one message. */
#define JC_VMC_PACKET_BYTES 1400
int jc_vmc_sender_write(struct jc_vmc_sender *sender, const struct jc_vmc_moment *moment,
	size_t *cursor, void *out_bytes, size_t capacity);

#endif
