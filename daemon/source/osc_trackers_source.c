/* Makes body frames of OSC trackers. A tracker that is silent for a moment, because packets were
 * lost, keeps its place as an estimate. */
#include "source/osc_trackers_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "jointcast/transform.h"
#include "jointcast_private/apps/tracker_check.h"
#include "jointcast_private/continuity.h"
#include "jointcast_private/osc_trackers.h"
#include "source/capture_intake.h"
#include "source/tracked_body.h"
#include "source/udp_owner.h"
#include "source/udp_port.h"

#define TRACKED_NS   INT64_C(100000000) /* a tracker is tracked for that long after a message, */
#define ESTIMATED_NS INT64_C(500000000) /* and estimated until then */
#define USUAL_HEIGHT 1.7f               /* metres, of an unknown person */
#define HEAD_HEIGHT  0.89f              /* of the head's joint, as a share of the height */

struct osc_trackers_source {
	struct jc_source base;
	const struct jc_log *log;
	struct jc_udp_port port;
	struct jc_udp_owner owner;
	struct jc_tracker_roles configured;
	int64_t latest_ns; /* arrival time of the last packet of its sender */
	struct jc_osc_tracker_receiver receiver;
	struct jc_osc_tracker_counts gone; /* of earlier owners, and packets of others */
	uint64_t number;                   /* of the frame that was taken last */
	struct jc_osc_tracker_prediction prediction;
	uint64_t frames; /* received */
	struct jc_tracker_check check;
	enum jc_stream_fault fault;
	unsigned calibrations;                /* that the check knows */
	unsigned tracker_count, placed_count; /* in that frame, without the head */
	bool has_head;
	bool live;
	struct jc_diagnostic diagnostic;
};

/* Forgets the trackers of the sender before. */
static void reset(struct osc_trackers_source *source)
{
	const struct jc_osc_tracker_counts *counts = &source->receiver.counts;
	const struct jc_osc_names unused = source->receiver.unused;

	source->gone.packets += counts->packets;
	source->gone.refused += counts->refused;
	source->gone.messages += counts->messages;
	source->gone.ignored += counts->ignored;
	source->gone.invalid += counts->invalid;
	source->receiver = (struct jc_osc_tracker_receiver){ .unused = unused };
	source->number = 0;
	source->prediction = (struct jc_osc_tracker_prediction){ .last = { .number = 0 } };
	jc_capture_intake_restart(source->base.intake);
}

/* The state of a tracker by the age of its older value. */
static enum jc_state state_of(
	const struct jc_osc_tracker *tracker, bool needs_rotation, int64_t now_ns)
{
	int64_t oldest_ns = tracker->position_ns;

	if (!tracker->has_position || (needs_rotation && !tracker->has_rotation)) {
		return JC_ABSENT;
	}
	if (needs_rotation && tracker->rotation_ns < oldest_ns) {
		oldest_ns = tracker->rotation_ns;
	}
	return now_ns - oldest_ns <= TRACKED_NS     ? JC_TRACKED
	       : now_ns - oldest_ns <= ESTIMATED_NS ? JC_ESTIMATED
						    : JC_ABSENT;
}

static enum jc_joint find_joint(const struct osc_trackers_source *source, const char *name)
{
	const struct jc_calibration_record *record =
		jc_tracked_body_calibration(source->base.tracked);
	int role = jc_tracker_roles_find(&source->configured, name);

	if (role < 0) {
		role = jc_tracker_roles_find(&record->trackers, name);
	}
	return role < 0 ? JC_JOINT_NONE : jc_tracker_role_joint(role);
}

static void put_joint(struct jc_body_frame *frame, enum jc_joint joint,
	const struct jc_osc_tracker *tracker, enum jc_state state)
{
	struct jc_quat turned = tracker->has_rotation ? tracker->rotation : JC_QUAT_IDENTITY;

	frame->joints[joint] = (struct jc_body_joint){ .position = tracker->position,
		.orientation =
			jc_quat_multiply(turned, jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, joint)),
		.state = (uint8_t)state };
}

/* Without a head, a calibration finds the parts of a person who faces +Z, over the middle of the
 * trackers. */
static void put_guessed_head(const struct osc_trackers_source *source,
	const struct jc_worn_trackers *worn, struct jc_body_frame *frame)
{
	float height = jc_capture_form(source->base.intake)->height;
	struct jc_osc_tracker head = { .has_position = true };

	if (worn->count < 2) {
		return;
	}
	for (size_t i = 0; i < worn->count; i++) {
		head.position = jc_vec3_add(head.position,
			jc_vec3_scale(worn->list[i].position, 1.0f / (float)worn->count));
	}
	head.position.y = HEAD_HEIGHT * (height > 0.0f ? height : USUAL_HEIGHT);
	put_joint(frame, JC_JOINT_HEAD, &head, JC_ESTIMATED);
}

/* From sending to arrival by the clocks of both machines; 0: unknown. */
static int64_t find_delay(int64_t sent_ns, int64_t arrived_ns)
{
	struct timespec wall;

	if (sent_ns == INT64_MIN) {
		return 0;
	}
	clock_gettime(CLOCK_REALTIME, &wall);
	return (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec - (jc_clock_now_ns() - arrived_ns) -
	       sent_ns;
}

static void check_stream(struct osc_trackers_source *source, const struct jc_body_frame *frame,
	const struct jc_worn_trackers *worn, int64_t sent_ns)
{
	const struct jc_calibration *calibration = jc_tracked_body_applied(source->base.tracked);
	unsigned calibrations = jc_tracked_body_calibrations(source->base.tracked);
	struct jc_body_frame calibrated = *frame;
	struct jc_vec3 loose[JC_WORN_TRACKERS];
	struct jc_tracker_frame checked = { .body = &calibrated,
		.profile = JC_PROFILE_WEBXR_SPEC,
		.is_calibrated = calibration != NULL,
		.height = calibration ? calibration->height
				      : jc_capture_form(source->base.intake)->height,
		.loose = loose,
		.delay_ns = find_delay(sent_ns, frame->time_ns),
		.is_named = source->configured.count > 0 };

	for (size_t i = 0; i < worn->count; i++) {
		if (worn->list[i].joint == JC_JOINT_NONE) {
			loose[checked.loose_count++] = worn->list[i].position;
		}
	}
	if (calibrations != source->calibrations) {
		jc_tracker_check_restart(&source->check);
		source->calibrations = calibrations;
	}
	if (calibration) {
		jc_calibration_apply(calibration, &calibrated);
	}
	source->fault = jc_tracker_check_put(&source->check, &checked);
}

/* Makes a frame of the trackers that have a part of the body, and lists those whose part a
 * calibration may change. */
static void take_frame(
	struct osc_trackers_source *source, const struct jc_osc_tracker_frame *trackers)
{
	struct jc_body_frame frame = { .time_ns = trackers->time_ns, .confidence = 1.0f };
	struct jc_worn_trackers worn = { .count = 0 };
	const struct jc_osc_tracker *head = &trackers->trackers[JC_OSC_TRACKER_HEAD];
	enum jc_state state = state_of(head, false, trackers->time_ns);

	source->has_head = state != JC_ABSENT;
	source->tracker_count = source->placed_count = 0;
	if (source->has_head) {
		put_joint(&frame, JC_JOINT_HEAD, head, state);
	}
	for (int i = JC_OSC_TRACKER_HEAD + 1; i < JC_OSC_TRACKER_COUNT; i++) {
		const struct jc_osc_tracker *tracker = &trackers->trackers[i];
		const char *name = jc_osc_tracker_name(i);
		enum jc_joint joint = find_joint(source, name);

		state = state_of(tracker, true, trackers->time_ns);
		if (state == JC_ABSENT) {
			continue;
		}
		source->tracker_count++;
		if (joint != JC_JOINT_NONE && frame.joints[joint].state == JC_ABSENT) {
			source->placed_count++;
			put_joint(&frame, joint, tracker, state);
		}
		if (jc_tracker_roles_find(&source->configured, name) < 0) {
			struct jc_worn_tracker *added = &worn.list[worn.count++];

			*added = (struct jc_worn_tracker){ .joint = joint,
				.position = tracker->position,
				.turn = tracker->rotation,
				.state = state };
			strcpy(added->name, name);
		}
	}
	if (!source->has_head && source->placed_count == 0) {
		put_guessed_head(source, &worn, &frame);
	}
	jc_tracked_body_set_worn(source->base.tracked, &worn);
	check_stream(source, &frame, &worn, trackers->sent_ns);
	jc_capture_intake_put_frame(source->base.intake, &frame, NULL);
}

static void take_new_frame(struct osc_trackers_source *source, int64_t now_ns)
{
	const struct jc_osc_tracker_frame *frame =
		jc_osc_tracker_receiver_frame(&source->receiver, now_ns);

	if (frame && frame->number != source->number) {
		source->number = frame->number;
		source->frames++;
		jc_osc_tracker_prediction_note(&source->prediction, frame);
		take_frame(source, frame);
	}
}

/* Fills the gap of a lost packet. */
static void predict(struct osc_trackers_source *source, int64_t now_ns)
{
	struct jc_osc_tracker_frame frame;

	if (jc_osc_tracker_prediction_frame(&source->prediction, now_ns, &frame)) {
		take_frame(source, &frame);
	}
}

static void take_packet(void *context, const struct sockaddr_storage *from, const void *bytes,
	size_t length, int64_t now_ns)
{
	struct osc_trackers_source *source = context;
	bool is_new;

	if (!jc_udp_owner_admits(&source->owner, from, now_ns, &is_new)) {
		return;
	}
	if (is_new) {
		reset(source);
	}
	source->latest_ns = now_ns;
	uint64_t used = source->receiver.next.number;
	uint32_t pending = source->receiver.pending;

	jc_osc_tracker_receiver_take(&source->receiver, bytes, length, now_ns, &source->diagnostic);
	/* A sender of other messages does not keep the body. */
	if (source->receiver.next.number != used || source->receiver.pending != pending) {
		jc_udp_owner_note(&source->owner, from, now_ns);
	}
	take_new_frame(source, now_ns);
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct osc_trackers_source *source = (struct osc_trackers_source *)base;

	jc_udp_port_read(&source->port, take_packet, source);
	take_new_frame(source, jc_clock_now_ns());
	predict(source, now_ns);
	jc_udp_port_warn(&source->port, source->log, "osc-trackers",
		source->gone.refused + source->receiver.counts.refused, &source->diagnostic,
		now_ns);
	jc_capture_intake_sample(base->intake, now_ns, out_sample);
	if (out_sample->live != source->live) {
		jc_udp_port_log_live(&source->port, source->log, "osc-trackers", out_sample->live);
	}
	source->live = out_sample->live;
	base->reason = source->live                ? NULL
		       : source->tracker_count > 0 ? "the trackers are not calibrated"
						   : "no motion arrives";
}

/* Next action of the person; "" if nothing is to be done. */
static const char *find_advice(const struct osc_trackers_source *source, bool arrives)
{
	if (!arrives) {
		return source->frames > 0 ? ": nothing arrives: start the sender again"
					  : ": nothing arrives: start a sender to this port";
	}
	if (!source->has_head && source->tracker_count == 0) {
		return ": no tracker in the packets (/tracking/trackers/1/position and rotation)";
	}
	if (source->placed_count < source->tracker_count) {
		return ": trackers are not calibrated: run jointcast calibrate";
	}
	return source->tracker_count == 0 ? ": no tracker but the head" : "";
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct osc_trackers_source *source = (const struct osc_trackers_source *)base;
	const struct jc_osc_tracker_counts *counts = &source->receiver.counts;
	int64_t now_ns = jc_clock_now_ns();
	bool arrives =
		source->latest_ns != 0 && now_ns - source->latest_ns < JC_CONTINUITY_SILENCE_NS;
	size_t size = sizeof(out_status->detail);
	int length;

	*out_status = (struct jc_source_status){
		.kind = "osc-trackers",
		.condition = source->live         ? JC_SOURCE_LIVE
			     : source->frames > 0 ? JC_SOURCE_STALE
						  : JC_SOURCE_WAITING,
		.unused = &source->receiver.unused,
	};
	jc_capture_intake_report(base->intake, out_status);
	out_status->frames = source->frames; /* without those that were predicted */
	out_status->refused = source->gone.refused + counts->refused;
	out_status->ignored = source->gone.ignored + source->gone.invalid + counts->ignored +
			      counts->invalid + source->owner.foreign + source->owner.barred;
	jc_udp_port_report(&source->port, now_ns, out_status);
	length = snprintf(out_status->detail, size, "port %s", jc_udp_port_number(&source->port));
	if (arrives) {
		length += snprintf(out_status->detail + length, size - (size_t)length,
			", %s%u trackers", source->has_head ? "head and " : "",
			source->tracker_count);
	}
	if (source->owner.foreign > 0 && out_status->sender_count > 1) {
		length += snprintf(out_status->detail + length, size - (size_t)length,
			", another sender is ignored");
	}
	if (source->owner.barred > 0) {
		length += snprintf(out_status->detail + length, size - (size_t)length,
			", a sender that is no peer is ignored");
	}
	snprintf(out_status->detail + length, size - (size_t)length, "%s",
		find_advice(source, arrives));
	out_status->fault = jc_stream_fault_text(JC_STREAM_TRACKERS, source->fault);
	if (source->owner.foreign > 0) {
		snprintf(out_status->ignored_reason, sizeof(out_status->ignored_reason),
			"one sender owns the body until it is silent");
	} else if (source->receiver.unused.count > 0) {
		snprintf(out_status->ignored_reason, sizeof(out_status->ignored_reason),
			"unknown addresses, wrong types or impossible numbers");
	}
}

static void destroy(struct jc_source *base)
{
	struct osc_trackers_source *source = (struct osc_trackers_source *)base;

	jc_log_write(source->log, JC_LOG_INFO,
		"osc-trackers %s: %llu frames, %llu packets of other senders", source->port.label,
		(unsigned long long)source->frames,
		(unsigned long long)source->owner.foreign + source->owner.barred);
	jc_capture_intake_destroy(base->intake);
	jc_udp_port_close(&source->port);
	free(source);
}

static const struct jc_source_ops osc_trackers_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

int jc_osc_trackers_source_create(const struct jc_osc_trackers_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	const struct jc_capture_form form = { .kind = JC_CAPTURE_BODY_FRAME,
		.profile = JC_PROFILE_WEBXR_SPEC,
		.height = options->height,
		.smooth = options->smooth };
	struct osc_trackers_source *source = calloc(1, sizeof(*source));
	int status = JC_ERROR_MEMORY;

	if (!source ||
		jc_capture_intake_create(&form, options->epoch_ns, &source->base.intake) != JC_OK) {
		free(source);
		return jc_diagnose(diagnostic, status, NULL, "out of memory");
	}
	status = jc_udp_port_open(&source->port, &options->address, diagnostic);
	if (status != JC_OK) {
		jc_capture_intake_destroy(source->base.intake);
		free(source);
		return status;
	}
	source->base.ops = &osc_trackers_source_ops;
	source->base.is_awaited = source->base.comes_and_goes = true;
	source->base.takes_face = true;
	source->base.tracked = jc_capture_intake_tracked(source->base.intake);
	source->log = options->log;
	source->owner.peers = options->peers;
	source->configured = options->roles;
	*out_source = &source->base;
	return JC_OK;
}

void jc_osc_trackers_source_take(struct jc_source *source, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns)
{
	take_packet(source, from, bytes, length, now_ns);
}

void jc_osc_trackers_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT])
{
	memcpy(out_text, ((const struct osc_trackers_source *)source)->port.label, JC_ADDRESS_TEXT);
}
