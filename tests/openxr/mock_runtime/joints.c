/* The joints of each API by the names of the WebXR draft, in the order of the
 * extensions' enumerations. */
#include "mock.h"

/* XrFullBodyJointMETA; XrBodyJointFB up to 69 */
static const char *const meta[] = {
	"root",
	"hips",
	"spine-lower",
	"spine-middle",
	"spine-upper",
	"chest",
	"neck",
	"head",
	"left-shoulder",
	"left-scapula",
	"left-arm-upper",
	"left-arm-lower",
	"left-hand-wrist-twist",
	"right-shoulder",
	"right-scapula",
	"right-arm-upper",
	"right-arm-lower",
	"right-hand-wrist-twist",
	"left-hand-palm",
	"left-hand-wrist",
	"left-hand-thumb-metacarpal",
	"left-hand-thumb-phalanx-proximal",
	"left-hand-thumb-phalanx-distal",
	"left-hand-thumb-tip",
	"left-hand-index-metacarpal",
	"left-hand-index-phalanx-proximal",
	"left-hand-index-phalanx-intermediate",
	"left-hand-index-phalanx-distal",
	"left-hand-index-tip",
	"left-hand-middle-phalanx-metacarpal",
	"left-hand-middle-phalanx-proximal",
	"left-hand-middle-phalanx-intermediate",
	"left-hand-middle-phalanx-distal",
	"left-hand-middle-tip",
	"left-hand-ring-metacarpal",
	"left-hand-ring-phalanx-proximal",
	"left-hand-ring-phalanx-intermediate",
	"left-hand-ring-phalanx-distal",
	"left-hand-ring-tip",
	"left-hand-little-metacarpal",
	"left-hand-little-phalanx-proximal",
	"left-hand-little-phalanx-intermediate",
	"left-hand-little-phalanx-distal",
	"left-hand-little-tip",
	"right-hand-palm",
	"right-hand-wrist",
	"right-hand-thumb-metacarpal",
	"right-hand-thumb-phalanx-proximal",
	"right-hand-thumb-phalanx-distal",
	"right-hand-thumb-tip",
	"right-hand-index-metacarpal",
	"right-hand-index-phalanx-proximal",
	"right-hand-index-phalanx-intermediate",
	"right-hand-index-phalanx-distal",
	"right-hand-index-tip",
	"right-hand-middle-metacarpal",
	"right-hand-middle-phalanx-proximal",
	"right-hand-middle-phalanx-intermediate",
	"right-hand-middle-phalanx-distal",
	"right-hand-middle-tip",
	"right-hand-ring-metacarpal",
	"right-hand-ring-phalanx-proximal",
	"right-hand-ring-phalanx-intermediate",
	"right-hand-ring-phalanx-distal",
	"right-hand-ring-tip",
	"right-hand-little-metacarpal",
	"right-hand-little-phalanx-proximal",
	"right-hand-little-phalanx-intermediate",
	"right-hand-little-phalanx-distal",
	"right-hand-little-tip",
	"left-upper-leg",
	"left-lower-leg",
	"left-foot-ankle-twist",
	"left-foot-ankle",
	"left-foot-subtalar",
	"left-foot-transverse",
	"left-foot-ball",
	"right-upper-leg",
	"right-lower-leg",
	"right-foot-ankle-twist",
	"right-foot-ankle",
	"right-foot-subtalar",
	"right-foot-transverse",
	"right-foot-ball",
};

/* XrBodyJointBD */
static const char *const bd[] = {
	"hips",
	"left-upper-leg",
	"right-upper-leg",
	"spine-lower",
	"left-lower-leg",
	"right-lower-leg",
	"spine-middle",
	"left-foot-ankle",
	"right-foot-ankle",
	"spine-upper",
	"left-foot-ball",
	"right-foot-ball",
	"neck",
	"left-shoulder",
	"right-shoulder",
	"head",
	"left-arm-upper",
	"right-arm-upper",
	"left-arm-lower",
	"right-arm-lower",
	"left-hand-wrist",
	"right-hand-wrist",
	"left-hand-palm",
	"right-hand-palm",
};

/* XrBodyJointHTC; no name of the draft is between pelvis and lower spine */
static const char *const htc[] = {
	"hips",
	"left-upper-leg",
	"left-lower-leg",
	"left-foot-ankle",
	"left-foot-ball",
	"right-upper-leg",
	"right-lower-leg",
	"right-foot-ankle",
	"right-foot-ball",
	"waist",
	"spine-lower",
	"spine-middle",
	"spine-upper",
	"chest",
	"neck",
	"head",
	"left-shoulder",
	"left-scapula",
	"left-arm-upper",
	"left-arm-lower",
	"left-hand-wrist",
	"right-shoulder",
	"right-scapula",
	"right-arm-upper",
	"right-arm-lower",
	"right-hand-wrist",
};

/* XrHandJointEXT has the order of the hands above. */
#define FIRST_HAND 18u

const char *mock_joint_name(enum mock_stream_name stream, size_t joint)
{
	if (joint >= mock_joint_count(stream)) {
		return NULL;
	}
	switch (stream) {
	case MOCK_STREAM_FB:
		return meta[joint];
	case MOCK_STREAM_BD:
		return bd[joint];
	case MOCK_STREAM_HTC:
		return htc[joint];
	case MOCK_STREAM_HANDS:
		return meta[FIRST_HAND + joint];
	default:
		return NULL;
	}
}

size_t mock_joint_count(enum mock_stream_name stream)
{
	static const size_t counts[MOCK_STREAMS] = {
		[MOCK_STREAM_FB] = MOCK_JOINT_COUNT_META,
		[MOCK_STREAM_BD] = MOCK_JOINT_COUNT_BD,
		[MOCK_STREAM_HTC] = MOCK_JOINT_COUNT_HTC,
		[MOCK_STREAM_HANDS] = (size_t)2 * XR_HAND_JOINT_COUNT_EXT,
	};

	return counts[stream];
}
