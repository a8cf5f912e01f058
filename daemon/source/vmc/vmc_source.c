/* Merges the senders on its port when it is sampled. */
#include "source/vmc/vmc_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "jointcast/transform.h"
#include "jointcast_private/apps/pose_check.h"
#include "jointcast_private/arm_completion.h"
#include "jointcast_private/continuity.h"
#include "jointcast_private/text.h"
#include "source/capture_intake.h"
#include "source/udp_port.h"
#include "source/vmc/vmc_hands.h"
#include "source/vmc/vmc_senders.h"

#define TURN_LEAST                                                                                 \
	0.0873f /* 5 degrees: turned hips and legs of a body whose hips must move too              \
		 */

/* Bones that show that a body is tracked from the hips down. */
static const enum jc_bone lower_bones[] = { JC_BONE_HIPS, JC_BONE_LEFT_UPPER_LEG,
	JC_BONE_LEFT_LOWER_LEG, JC_BONE_RIGHT_UPPER_LEG, JC_BONE_RIGHT_LOWER_LEG };

#define LOWER_BONES (sizeof(lower_bones) / sizeof(lower_bones[0]))

struct vmc_source {
	struct jc_source base;
	const struct jc_log *log;
	struct jc_udp_port port;
	struct jc_vmc_senders *senders; /* owned */
	struct jc_skeleton *avatar;     /* owned; or NULL */

	struct jc_vmc_hands hands;
	struct jc_arm_completion arms;
	bool has_completed; /* an arm, in the last pose */
	bool lacks_arms;    /* a controller has no arm bones, and no head shows its place */

	bool hips_moved;                   /* the translation was not 0 */
	bool legs_turned;                  /* hips or legs, by TURN_LEAST */
	uint64_t first_known;              /* bit = index of lower_bones */
	struct jc_quat first[LOWER_BONES]; /* their first rotations */

	float values[JC_LIMIT_CAPTURE_VALUES]; /* newest channel values */
	bool moved;                            /* no capture has these values yet */
	bool has_delivered;                    /* a pose, at any time */
	struct jc_pose_check check;
	enum jc_stream_fault fault;
	bool live;

	struct jc_diagnostic diagnostic;
};

static void take_packet(void *context, const struct sockaddr_storage *from, const void *bytes,
	size_t length, int64_t now_ns)
{
	struct vmc_source *source = context;

	jc_vmc_senders_take(source->senders, from, bytes, length, now_ns, &source->diagnostic);
}

/* Adds new channels of the senders up to the limits. */
static void take_channels(struct vmc_source *source, int64_t now_ns)
{
	struct jc_capture_intake *intake = source->base.intake;
	size_t own, count;
	const struct jc_vmc_channel *channels =
		jc_vmc_senders_channels(source->senders, now_ns, &count);

	for (own = jc_capture_intake_own_channels(intake);
		own < count &&
		jc_capture_intake_add_channel(intake, &source->base, channels[own].name) == JC_OK;
		own++) {
	}
	for (size_t i = 0; i < own; i++) {
		source->moved = source->moved || source->values[i] != channels[i].value;
		source->values[i] = channels[i].value;
	}
}

/* Notices a body that turns hips or legs without any movement of the hips. */
static void watch_hips(struct vmc_source *source, const struct jc_pose *pose)
{
	struct jc_vec3 hips = pose->hips_translation;

	source->hips_moved =
		source->hips_moved || hips.x != 0.0f || hips.y != 0.0f || hips.z != 0.0f;
	for (size_t i = 0; i < LOWER_BONES && !source->legs_turned; i++) {
		enum jc_bone bone = lower_bones[i];
		uint64_t bit = UINT64_C(1) << i;

		if (pose->states[bone] == JC_ABSENT) {
			continue;
		}
		if (!(source->first_known & bit)) {
			source->first_known |= bit;
			source->first[i] = pose->rotations[bone];
		}
		source->legs_turned =
			jc_quat_angle(source->first[i], pose->rotations[bone]) > TURN_LEAST;
	}
}

/* Completes arms of which only the controllers are known. */
static void complete_arms(struct vmc_source *source, struct jc_vmc_body *body)
{
	const uint64_t hands = UINT64_C(1) << JC_BONE_LEFT_HAND | UINT64_C(1) << JC_BONE_RIGHT_HAND;
	struct jc_reach reach;

	jc_vmc_hands_find(&source->hands, body->devices, body->device_count, &body->pose,
		body->time_ns, &reach);
	source->lacks_arms = source->hands.has_controllers && (~body->fresh & hands) != 0;
	source->has_completed = jc_arm_completion_apply(
		&source->arms, &reach, ~body->fresh, body->time_ns, &body->pose);
}

/* Takes the pose that the packets contain, with the values; without a body the values alone. */
static void take_pose(struct vmc_source *source, int64_t now_ns)
{
	struct jc_vmc_body body;

	take_channels(source, now_ns);
	if (jc_vmc_senders_body(source->senders, now_ns, &body)) {
		source->has_delivered = true;
		watch_hips(source, &body.pose);
		source->fault =
			jc_pose_check_put(&source->check, &body.pose, body.time_ns, body.clock);
		complete_arms(source, &body);
	} else if (source->moved && !jc_vmc_senders_has_body(source->senders, now_ns)) {
		jc_pose_init(&body.pose);
		body.time_ns = source->port.latest_ns;
	} else {
		return;
	}
	source->moved = false;
	jc_capture_intake_put_pose(
		source->base.intake, &body.pose, body.time_ns, false, source->values);
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct vmc_source *source = (struct vmc_source *)base;
	struct jc_vmc_counts counts;

	jc_udp_port_read(&source->port, take_packet, source);
	jc_vmc_senders_count(source->senders, &counts);
	jc_udp_port_warn(
		&source->port, source->log, "vmc", counts.refused, &source->diagnostic, now_ns);
	take_pose(source, jc_clock_now_ns());
	jc_capture_intake_sample(base->intake, now_ns, out_sample);
	if (out_sample->live != source->live) {
		jc_udp_port_log_live(&source->port, source->log, "vmc", out_sample->live);
	}
	source->live = out_sample->live;
	source->base.reason = source->live ? NULL : "no motion arrives";
}

/* Fault of the received body with its remedy; without a fault, the origin of completed arms. */
static const char *find_advice(const struct vmc_source *source)
{
	if (source->legs_turned && !source->hips_moved) {
		return source->hands.is_slimevr
			       ? ", the hips do not move: load a VRM avatar in SlimeVR (VMC "
				 "settings)"
			       : ", the hips do not move: their position in the messages is 0";
	}
	if (source->lacks_arms && !source->hands.has_head) {
		return ", the arms do not move: the sender sends controllers without a headset "
		       "(/VMC/Ext/Hmd/Pos)";
	}
	if (source->lacks_arms && source->hands.is_unclear) {
		return ", the arms do not move: left and right controller cannot be distinguished; "
		       "hold one at each side of the body";
	}
	return source->has_completed ? ", arms from the controllers" : "";
}

/* The reason for silence with its remedy; of a live body what find_advice() gives. */
static const char *find_remedy(
	const struct vmc_source *source, enum jc_source_condition condition, bool arrives)
{
	if (condition == JC_SOURCE_LIVE) {
		return find_advice(source);
	}
	if (arrives) {
		return ": no body in the packets: send the bones";
	}
	return condition == JC_SOURCE_STALE ? ": nothing arrives: start the sender again"
					    : ": nothing arrives: start a sender to this port";
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct vmc_source *source = (const struct vmc_source *)base;
	const struct jc_diagnostic *reason = jc_vmc_senders_reason(source->senders);
	size_t active = jc_vmc_senders_active(source->senders, jc_clock_now_ns());
	struct jc_vmc_counts counts;
	int length;

	jc_vmc_senders_count(source->senders, &counts);
	*out_status = (struct jc_source_status){
		.kind = "vmc",
		.condition = source->live            ? JC_SOURCE_LIVE
			     : source->has_delivered ? JC_SOURCE_STALE
						     : JC_SOURCE_WAITING,
		.frames = counts.frames,
		.refused = counts.refused,
		.ignored = counts.ignored + counts.invalid,
	};
	length = snprintf(out_status->detail, sizeof(out_status->detail), "port %s",
		jc_udp_port_number(&source->port));
	if (active > 1) {
		length += snprintf(out_status->detail + length,
			sizeof(out_status->detail) - (size_t)length, ", %zu senders", active);
	}
	snprintf(out_status->detail + length, sizeof(out_status->detail) - (size_t)length, "%s",
		find_remedy(source, out_status->condition,
			source->has_delivered ? active > 0 : counts.packets > 0));
	jc_udp_port_report(&source->port, jc_clock_now_ns(), out_status);
	out_status->unused = jc_vmc_senders_unused(source->senders);
	out_status->fault =
		source->live ? jc_stream_fault_text(JC_STREAM_BONES, source->fault) : NULL;
	if (reason) {
		snprintf(out_status->ignored_reason, sizeof(out_status->ignored_reason),
			"%.70s: %.80s", reason->where, reason->what);
		jc_utf8_repair(out_status->ignored_reason);
	}
}

static void destroy(struct jc_source *base)
{
	struct vmc_source *source = (struct vmc_source *)base;
	struct jc_vmc_counts counts;

	jc_vmc_senders_count(source->senders, &counts);
	jc_log_write(source->log, JC_LOG_INFO,
		"vmc %s: %llu packets, %llu refused; %llu messages, %llu ignored, %llu invalid; "
		"%llu frames",
		source->port.label, (unsigned long long)counts.packets,
		(unsigned long long)counts.refused, (unsigned long long)counts.messages,
		(unsigned long long)counts.ignored, (unsigned long long)counts.invalid,
		(unsigned long long)counts.frames);
	jc_capture_intake_destroy(base->intake);
	jc_vmc_senders_destroy(source->senders);
	jc_skeleton_destroy(source->avatar);
	jc_udp_port_close(&source->port);
	free(source);
}

static const struct jc_source_ops vmc_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

int jc_vmc_source_create(const struct jc_vmc_source_options *options, struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_capture_form form = { .kind = JC_CAPTURE_POSE, .smooth = options->smooth };
	struct vmc_source *source = calloc(1, sizeof(*source));
	int error = JC_ERROR_MEMORY;

	if (!source ||
		jc_capture_intake_create(&form, options->epoch_ns, &source->base.intake) != JC_OK ||
		jc_vmc_senders_create(options->avatar, &source->senders) != JC_OK) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto fail;
	}
	error = jc_udp_port_open(&source->port, &options->address, diagnostic);
	if (error != JC_OK) {
		goto fail;
	}
	jc_arm_completion_init(&source->arms);
	source->base.ops = &vmc_source_ops;
	source->base.is_awaited = source->base.comes_and_goes = true;
	source->base.takes_face = true;
	source->log = options->log;
	source->base.figure = source->avatar = options->avatar;
	*out_source = &source->base;
	return JC_OK;

fail:
	if (source) {
		jc_vmc_senders_destroy(source->senders);
		jc_capture_intake_destroy(source->base.intake);
	}
	free(source);
	return error;
}

void jc_vmc_source_take(struct jc_source *base, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns)
{
	struct vmc_source *source = (struct vmc_source *)base;

	take_packet(source, from, bytes, length, now_ns);
	take_pose(source, now_ns);
}

void jc_vmc_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT])
{
	memcpy(out_text, ((const struct vmc_source *)source)->port.label, JC_ADDRESS_TEXT);
}
