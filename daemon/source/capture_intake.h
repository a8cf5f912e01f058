/* Turns captures into poses, for all sources: captures arrive at any time, each tick samples a
 * pose, and recorders read the captures in between. Other input is first encoded as a capture and
 * decoded again, so that equal captures between equal ticks give bit-identical poses, live or
 * replayed. Used on the loop only. */
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
	bool is_direct;                    /* poses only: shown unchanged, gaps are not bridged */
	enum jc_profile profile;           /* axis convention of body frames */
	float height;                      /* of the person in body frames, metres; 0: estimated */
	struct jc_one_euro_options smooth; /* all 0: no smoothing */
	size_t channel_count;              /* number of values in each capture */
	const char *const *channels;       /* their names */
};

struct jc_capture_intake;
struct jc_capture_loan; /* capture_values.h */

/* epoch_ns: CLOCK_MONOTONIC at time 0 of captures. Returns 0 or JC_ERROR_MEMORY. */
int jc_capture_intake_create(const struct jc_capture_form *form, int64_t epoch_ns,
	struct jc_capture_intake **out_intake);
void jc_capture_intake_destroy(struct jc_capture_intake *intake); /* NULL is fine */

/* Appends a channel to the values of later captures, and to the source's channels while a stream
 * can carry all of them. Returns 0, JC_ERROR_LIMIT or JC_ERROR_MEMORY. */
int jc_capture_intake_add_channel(
	struct jc_capture_intake *intake, struct jc_source *source, const char *name);

/* Takes an encoded capture; its time (server time, microseconds) is clamped to the given range.
 * Ignores a capture that is not later than the previous one, except for its cut flag, and captures
 * beyond JC_MAX_INTAKE_CAPTURES between two samples. A capture to which the tracking space jumped
 * (space_jump.h) is a cut, except of a direct form. A T-pose capture replaces the T-pose of the
 * source's figure; one without joints removes it. A pose without bones and a frame without joints
 * update only the channel values. Returns 0, or the decoder's error (JC_ERROR_UNSUPPORTED: another
 * kind; JC_ERROR_INVALID: also a wrong number of values) without a change. */
int jc_capture_intake_put(struct jc_capture_intake *intake, const uint8_t *bytes, size_t length,
	int64_t earliest_us, int64_t latest_us);

/* Adds the channels of a loan and gives them these values in all captures that this source puts
 * as frames or poses, from now until JC_CONTINUITY_SILENCE_NS pass without a call. A channel that
 * the source has itself gets the lent value. Returns JC_OK, JC_ERROR_LIMIT or JC_ERROR_MEMORY if
 * not all channels have room, or JC_ERROR_INVALID while another lender lends. */
int jc_capture_intake_lend(struct jc_capture_intake *intake, struct jc_source *source,
	const struct jc_capture_loan *loan, int64_t now_ns);

/* Number of channels that the source has added itself. */
size_t jc_capture_intake_own_channels(const struct jc_capture_intake *intake);

/* Encodes and takes a frame or a pose, with CLOCK_MONOTONIC times. Joints that a capture cannot
 * carry, such as NaN, get the maximum distance and so are implausible. values: of all channels, or
 * NULL. A frame without joints, too, updates only the channel values. */
int jc_capture_intake_put_frame(
	struct jc_capture_intake *intake, const struct jc_body_frame *frame, const float *values);
int jc_capture_intake_put_pose(struct jc_capture_intake *intake, const struct jc_pose *pose,
	int64_t time_ns, bool cut, const float *values);

/* Sets the axis convention and T-pose (NULL: none) of later body frames. Call only when all
 * captures were sampled: recordings store axes per tick. */
void jc_capture_intake_set_profile(struct jc_capture_intake *intake, enum jc_profile profile,
	const struct jc_body_frame *rest);

/* Makes the next capture a cut without history. */
void jc_capture_intake_restart(struct jc_capture_intake *intake);

/* Discards all history, except calibration and T-pose; the next capture is a cut. */
void jc_capture_intake_reset(struct jc_capture_intake *intake);

/* Returns the pose, its times and the values of the source's channels at now_ns. */
void jc_capture_intake_sample(
	struct jc_capture_intake *intake, int64_t now_ns, struct jc_source_sample *out_sample);

/* The captures of the last sample in order of arrival, with adjusted times and cuts. The bytes
 * are valid until the next capture. */
size_t jc_capture_intake_count(const struct jc_capture_intake *intake);
void jc_capture_intake_capture(const struct jc_capture_intake *intake, size_t index,
	const uint8_t **out_bytes, size_t *out_length);

/* The form of the captures. The revision changes with the form, the calibration or the T-pose;
 * the first two never change within one sample. */
const struct jc_capture_form *jc_capture_form(const struct jc_capture_intake *intake);
unsigned jc_capture_intake_revision(const struct jc_capture_intake *intake);

/* The current T-pose as a capture. Returns its length; 0: none. */
size_t jc_capture_intake_rest(const struct jc_capture_intake *intake, const uint8_t **out_bytes);

/* NULL for poses. */
struct jc_tracked_body *jc_capture_intake_tracked(const struct jc_capture_intake *intake);

/* Whether a capture other than a T-pose has arrived. */
bool jc_capture_intake_has_begun(const struct jc_capture_intake *intake);

/* Fills frames, held, dropped and refused; the source fills the others. */
void jc_capture_intake_report(
	const struct jc_capture_intake *intake, struct jc_source_status *out_status);

#endif
