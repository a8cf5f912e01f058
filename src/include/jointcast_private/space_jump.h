/* Finds jumps of the tracking space that no event announces: a runtime that recentres or finds its
 * place again displaces and turns all joints together, farther than a person can move in the
 * time. */
#ifndef JC_PRIVATE_SPACE_JUMP_H
#define JC_PRIVATE_SPACE_JUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "jointcast/humanoid.h"

/* State of one body, owned by the caller. Initialise with `struct jc_space_jump state = { 0 };`. */
struct jc_space_jump {
	bool has_begun;
	bool is_still;    /* frames repeat for longer than JC_LIMIT_HOLD_NS */
	int64_t time_ns;  /* of the last frame with joints that did not repeat the one before */
	int64_t burst_ns; /* so long after it frames may follow that waited behind a late one */
	float yaw_speed;  /* of the body, radians per second */
	struct jc_space_joint {
		bool is_known;
		bool has_velocity;
		struct jc_vec3 position;
		struct jc_vec3 velocity; /* metres per second */
		struct jc_quat orientation;
	} joints[JC_JOINT_COUNT];
};

/* Whether the space jumped between the previous frame and this one. Compared are the joints of both
 * frames, of hands the wrists only. The space jumped if the joints moved by more than 0.23 m on
 * average, or turned about +Y by more than 22 degrees, both in total and against their previous
 * speed, and if one displacement with a rotation about +Y explains the change of all positions and
 * orientations. Without a previous speed no jump is found: in the first two frames, and in those
 * after a gap or a jump. Times may be those of the arrival: after a long distance of frames a short
 * one shows no speed, and a movement may have taken as much longer as the previous frame came
 * later. A single joint shows no turn, because heads turn fast. From a distance of 1/30 second on,
 * the limits grow with the square of the time, as the way of an accelerated person does. Frames
 * that repeat the previous one, as those of a stalled source, count as no frames for
 * JC_LIMIT_HOLD_NS. Frames that are farther apart than this are not compared. */
bool jc_space_jump_find(struct jc_space_jump *state, const struct jc_body_frame *frame);

/* The same for a pose, as that of the built-in figure. A pose without hips is not compared. */
bool jc_space_jump_find_pose(
	struct jc_space_jump *state, const struct jc_pose *pose, int64_t time_ns);

#endif
