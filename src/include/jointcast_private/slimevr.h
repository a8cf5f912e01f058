/* Recognises the bones of a SlimeVR server in the joints of a body frame, and arranges them as the
 * joints of a body. Monado's driver solarxr, which WiVRn uses, delivers each of the server's 20
 * bones as one of Meta's joints, unchanged:
 * - a bone extends from its head along its own -Y. The joint has the position of that head, and
 *   spine bones hang from the headset: HEAD is at the eyes, NECK at the top of the neck;
 * - the orientation contains the rest direction of the bone: that of the head is turned by 90
 *   degrees, shoulders slope, shins and hands are bent;
 * - the foot is at FOOT_TRANSVERSE; no other joint of the foot is there;
 * - if a controller drives an arm, hand and forearm begin at the controller: they point from the
 *   hand to the elbow, and the shoulder and the upper arm stay where they were before. */
#ifndef JC_PRIVATE_SLIMEVR_H
#define JC_PRIVATE_SLIMEVR_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* Consecutive frames that contradict a choice before the choice changes. */
#define JC_SLIMEVR_CONTRARY_MOST 5u

struct jc_slimevr_choice {
	bool is_made, is_yes;
	uint8_t against; /* frames */
};

/* The choices that the frames of one source have led to; zero at first. Equal sequences of frames
 * give equal results, so a recording that is replayed from a restart shows the same body. */
struct jc_slimevr {
	struct jc_slimevr_choice bones;       /* the joints are SlimeVR's bones */
	struct jc_slimevr_choice reversed[2]; /* a controller drives the left, right arm */
	struct jc_slimevr_choice driven[2];   /* the upper arm of such an arm follows it */
	struct jc_slimevr_choice bent[2];     /* the hand's rest direction is SlimeVR's usual one */
};

/* Whether the joints that are present can be SlimeVR's: a quick check before the following one. */
bool jc_slimevr_is_possible(const struct jc_body_frame *frame);

/* Changes the joints of a frame with SlimeVR's bones to those of a body with the axes of
 * `profile`; returns false and leaves any other frame unchanged. Lengths of bones are
 * configuration of the server and are not in the frame: if the shoulders have the server's usual
 * length, so have shins and hands; otherwise shoulders that keep their angle to the chest are at
 * rest, shins are straight, and hands have the rest direction that bends the wrist less. */
bool jc_slimevr_arrange(
	struct jc_slimevr *slimevr, enum jc_profile profile, struct jc_body_frame *frame);

#endif
