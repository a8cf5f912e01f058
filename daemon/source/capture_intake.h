/* The path from captures to poses, for all sources: captures go in as they arrive, a pose
 * comes out each tick, and recorders read the captures in between. Other input is encoded as a
 * capture and decoded again first. The same captures between the same ticks therefore give the
 * same poses to the last bit, live or replayed. Used on the loop only. */
#ifndef JC_CAPTURE_INTAKE_H
#define JC_CAPTURE_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/capture.h"
#include "jointcast/one_euro.h"
#include "source/source.h"

/* The form of captures, which a recording states. */
struct jc_capture_form {
	enum jc_capture_kind kind;
	bool is_direct;                    /* of poses: shown as they are, no gap is bridged */
	enum jc_profile profile;           /* of body frames: how their axes lie */
	float height;                      /* of body frames: of the person, metres; 0: found out */
	struct jc_one_euro_options smooth; /* all 0: nothing is smoothed */
	size_t channel_count;              /* whose values captures have, */
	const char *const *channels;       /* by their names */
};

struct jc_capture_intake;

/* Channels are added by name. epoch_ns: CLOCK_MONOTONIC at time 0 of captures. Returns
 * 0 or JC_ERROR_MEMORY. */
int jc_capture_intake_create(const struct jc_capture_form *form, int64_t epoch_ns,
	struct jc_capture_intake **out_intake);
void jc_capture_intake_destroy(struct jc_capture_intake *intake); /* NULL is fine */

/* Captures to come have its values after those of the channels before; it is one of
 * the source's as long as a stream can carry it and all before it. Returns 0,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_capture_intake_add_channel(
	struct jc_capture_intake *intake, struct jc_source *source, const char *name);

/* Takes a capture as it came; a time that is not within the two, server time in
 * microseconds, is moved there. One that is not later than the one before it is
 * ignored, though its cut is not; so is what is beyond JC_MAX_INTAKE_CAPTURES between
 * two samples. A rest is the T-pose of the source's figure, which holds from then on;
 * one without a joint means that there is none, and an unchanged one is ignored. A pose without
 * a bone brings values alone. Returns 0 or the error of its decoder (another kind is
 * JC_ERROR_UNSUPPORTED), JC_ERROR_INVALID too where it has other than all or no
 * values; then it changed nothing. */
int jc_capture_intake_put(struct jc_capture_intake *intake, const uint8_t *bytes, size_t length,
	int64_t earliest_us, int64_t latest_us);

/* Takes what is no capture yet, of CLOCK_MONOTONIC frame->time_ns or time_ns. Joints
 * that a capture cannot carry, such as those that are no numbers, go in as far away
 * as one can be and so are implausible. values: of all channels, or NULL. */
int jc_capture_intake_put_frame(
	struct jc_capture_intake *intake, const struct jc_body_frame *frame);
int jc_capture_intake_put_pose(struct jc_capture_intake *intake, const struct jc_pose *pose,
	int64_t time_ns, bool cut, const float *values);

/* Body frames to come have these axes and this rest, or none: NULL. Never after captures
 * that were not sampled yet: recordings store axes per tick. */
void jc_capture_intake_set_profile(struct jc_capture_intake *intake, enum jc_profile profile,
	const struct jc_body_frame *rest);

/* The next capture begins anew, as a cut. */
void jc_capture_intake_restart(struct jc_capture_intake *intake);

/* As if nothing had ever come, calibration and rest kept; the next capture is a cut. */
void jc_capture_intake_reset(struct jc_capture_intake *intake);

/* The pose at now_ns, times, and the values of the source's channels. */
void jc_capture_intake_sample(
	struct jc_capture_intake *intake, int64_t now_ns, struct jc_source_sample *out_sample);

/* The captures that went into the last sample, in the order of arrival, with adjusted times
 * and cuts. The bytes are valid until the next capture. */
size_t jc_capture_intake_count(const struct jc_capture_intake *intake);
void jc_capture_intake_capture(const struct jc_capture_intake *intake, size_t index,
	const uint8_t **out_bytes, size_t *out_length);

/* How these are to be taken. The revision is another one when the form is, the
 * calibration or the rest; the first two never change between captures that go into
 * one sample. */
const struct jc_capture_form *jc_capture_form(const struct jc_capture_intake *intake);
unsigned jc_capture_intake_revision(const struct jc_capture_intake *intake);

/* The rest that holds, as a capture; its length, 0 for none. */
size_t jc_capture_intake_rest(const struct jc_capture_intake *intake, const uint8_t **out_bytes);

/* For body frames; NULL for poses. */
struct jc_tracked_body *jc_capture_intake_tracked(const struct jc_capture_intake *intake);

/* Whether anything came that was an instant. */
bool jc_capture_intake_has_begun(const struct jc_capture_intake *intake);

/* Fills frames, held, dropped and refused; the rest is the source's. */
void jc_capture_intake_report(
	const struct jc_capture_intake *intake, struct jc_source_status *out_status);

#endif
