/* Captures: a body frame or pose of a source at one instant, encoded as publishers send it and
 * recordings store it. Values are quantised only here, so that live bodies and replays have equal
 * values. Captures are decoded independently of each other. Bit layout: proto/PUBLISHING.md,
 * "Captures". */
#ifndef JOINTCAST_CAPTURE_H
#define JOINTCAST_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "humanoid.h"
#include "limits.h"

#ifdef __cplusplus
extern "C" {
#endif

/* First byte of a capture: kind and version. */
enum jc_capture_kind {
	JC_CAPTURE_BODY_FRAME = 0x31,
	JC_CAPTURE_POSE = 0x41,
};

/* Second byte of a capture: flags. This one marks the T-pose of a source. */
#define JC_CAPTURE_FLAG_REST 0x02u

/* Maximum errors of decoded values. */
#define JC_CAPTURE_ROTATION_ERROR 8.0e-5f /* radians: 0.0046 degrees */
#define JC_CAPTURE_POSITION_ERROR 1.0e-4f /* metres (hips heights), within 100 of the origin */
#define JC_CAPTURE_VALUE_ERROR    3.1e-5f

#define JC_CAPTURE_TIME_MAX ((INT64_C(1) << 48) - 1) /* microseconds: nine years */
#define JC_CAPTURE_BYTES    4096u                    /* maximum length of a capture */

/* Contents of a capture beside its joints or bones. */
struct jc_capture {
	int64_t time_us; /* 0 to JC_CAPTURE_TIME_MAX, on a clock agreed with the receiver */
	bool cut;        /* discontinuity: another place, person or tracking space */
	/* Body frames: this is the T-pose of the source, not an instant of the motion. */
	bool is_rest;
	/* Values of the named channels in announced order, clamped to -2 to 2; never NaN. */
	size_t value_count;
	float values[JC_LIMIT_CAPTURE_VALUES];
};

/* Encode one capture and return its length or a negative error: JC_ERROR_INVALID
 * if a rotation is not unit within 1e-3, a position not finite or farther than
 * JC_LIMIT_JOINT_DISTANCE from the origin (of a pose: as many hips heights), the
 * confidence not from 0 to 1, a value not finite or the time out of range, JC_ERROR_LIMIT
 * if there are too many values, or JC_ERROR_SPACE. Absent joints and bones are not checked.
 * frame->time_ns is not read; the time is capture->time_us. */
int jc_body_frame_encode(const struct jc_capture *capture, const struct jc_body_frame *frame,
	uint8_t *out_bytes, size_t capacity);
int jc_pose_encode(const struct jc_capture *capture, const struct jc_pose *pose, uint8_t *out_bytes,
	size_t capacity);

/* Decode one capture of exactly `length` bytes, and return length or a negative error:
 * JC_ERROR_UNSUPPORTED (another kind or version), JC_ERROR_LIMIT, JC_ERROR_TRUNCATED or
 * JC_ERROR_INVALID. Absent joints are at the origin with identity rotation; frame->time_ns is the
 * capture's time. */
int jc_body_frame_decode(const uint8_t *bytes, size_t length, struct jc_capture *out_capture,
	struct jc_body_frame *out_frame);
int jc_pose_decode(const uint8_t *bytes, size_t length, struct jc_capture *out_capture,
	struct jc_pose *out_pose);

/* Overwrites time (0 to JC_CAPTURE_TIME_MAX) and cut in the bytes of a valid capture. */
void jc_capture_stamp(uint8_t *bytes, int64_t time_us, bool cut);

#ifdef __cplusplus
}
#endif

#endif
