/* Captures: what a source delivered at one instant, a body frame or a pose, as the
 * bytes that publishers send up and recordings store. Quantised once, here, so that
 * live and replay see the same numbers; each stands by itself, without those before.
 * Layout, bit by bit: proto/PROTOCOL.md, "Upward: body frames and poses". */
#ifndef JOINTCAST_CAPTURE_H
#define JOINTCAST_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "humanoid.h"
#include "limits.h"

/* The first byte, which says what follows and in which version. */
enum jc_capture_kind {
	JC_CAPTURE_BODY_FRAME = 0x31,
	JC_CAPTURE_POSE = 0x41,
};

/* How far what is decoded may be from what was encoded. */
#define JC_CAPTURE_ROTATION_ERROR 8.0e-5f /* radians: 0.0046 degrees */
#define JC_CAPTURE_POSITION_ERROR 1.0e-4f /* metres (hips heights), within 100 of the origin */
#define JC_CAPTURE_VALUE_ERROR    3.1e-5f

#define JC_CAPTURE_TIME_MAX ((INT64_C(1) << 48) - 1)
#define JC_CAPTURE_BYTES    4096u /* no capture is longer */

/* What a capture says beside its joints or bones. */
struct jc_capture {
	int64_t time_us; /* 0 to JC_CAPTURE_TIME_MAX, on the clock that its owner agreed on */
	bool cut;        /* the motion jumps here: another place, person or tracking space */
	/* Of body frames: no instant, but the T-pose of the source's own figure. */
	bool is_rest;
	/* Named channels in the order in which they were announced, one after another.
	 * A value beyond -2 to 2 is written as the nearest within; none is a NaN. */
	size_t value_count;
	float values[JC_LIMIT_CAPTURE_VALUES];
};

/* Each writes one capture and returns its length or a negative error: JC_ERROR_INVALID
 * when a rotation is not unit within 1e-3, a position not finite or farther than
 * JC_LIMIT_JOINT_DISTANCE from the origin (of a pose: as many hips heights), the
 * confidence not from 0 to 1, a value not finite or the time out of range, JC_ERROR_LIMIT
 * when there are too many values, or JC_ERROR_SPACE. What is absent is not looked at.
 * frame->time_ns is not read: the time is the capture's. */
int jc_body_frame_encode(const struct jc_capture *capture, const struct jc_body_frame *frame,
	uint8_t *out_bytes, size_t capacity);
int jc_pose_encode(const struct jc_capture *capture, const struct jc_pose *pose, uint8_t *out_bytes,
	size_t capacity);

/* Each reads one capture that is all of the bytes, and returns their number or a
 * negative error: JC_ERROR_UNSUPPORTED (another kind or version), JC_ERROR_LIMIT,
 * JC_ERROR_TRUNCATED or JC_ERROR_INVALID. Absent joints come out at the origin,
 * unturned; frame->time_ns is the capture's time. */
int jc_body_frame_decode(const uint8_t *bytes, size_t length, struct jc_capture *out_capture,
	struct jc_body_frame *out_frame);
int jc_pose_decode(const uint8_t *bytes, size_t length, struct jc_capture *out_capture,
	struct jc_pose *out_pose);

/* Gives a capture that was decoded another time, 0 to JC_CAPTURE_TIME_MAX, and cut. */
void jc_capture_stamp(uint8_t *bytes, int64_t time_us, bool cut);

#endif
