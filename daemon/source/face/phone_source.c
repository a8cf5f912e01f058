/* A phone sends no numbers of frames: the newest arrival counts. */
#include "source/face/phone_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "jointcast/transform.h"
#include "jointcast_private/continuity.h"
#include "source/capture_intake.h"
#include "source/capture_values.h"
#include "source/face/face_channels.h"
#include "source/face/phone_face.h"
#include "source/udp_owner.h"
#include "source/udp_port.h"

#define ASK_NS INT64_C(2000000000) /* between two requests to a silent phone */
/* How long a silent face is lent: until all values are at rest. */
#define LENT_NS (JC_CONTINUITY_HOLD_NS + JC_CONTINUITY_DECAY_NS + JC_CONTINUITY_SILENCE_NS)

#define HEIGHT     1.7f  /* metres, of a person whose height is unknown */
#define HEAD_SHARE 0.93f /* height of the head joint */

static const struct {
	const char *name, *request;
} apps[] = {
	[JC_PHONE_IFACIALMOCAP] = { "ifacialmocap",
		"iFacialMocap_sahuasouryya9218sauhuiayeta91555dy3719|sendDataVersion=v2" },
	[JC_PHONE_FACEMOTION3D] = { "facemotion3d", "FACEMOTION3D_OtherStreaming" },
};

/* Result of the last loan. */
enum loan_state {
	LOAN_NO_BODY,
	LOAN_NO_FACE, /* the body takes none */
	LOAN_TAKEN,   /* by another source */
	LOAN_GIVEN,
};

struct phone_source {
	struct jc_source base;
	struct jc_phone_source_options options; /* body and space point to the next two */
	char body[JC_MAX_BODY_NAME], space[JC_MAX_SPACE_NAME];
	struct jc_udp_port port;
	struct jc_udp_owner owner;
	struct jc_face_channels channels;
	const float *values;   /* of the channels; NULL: no face yet */
	int64_t face_ns;       /* time of the newest face; 0: none */
	int64_t now_ns;        /* of the last sample */
	struct jc_quat R_head; /* against the phone, when it was straight; */
	bool is_straightened;  /* this is known */
	enum loan_state loan;
	int64_t asked_ns; /* time of the last request */
	uint64_t frames, refused, unknown;
	bool live;
	struct jc_diagnostic diagnostic;
};

const char *jc_phone_app_name(enum jc_phone_app app)
{
	return apps[app].name;
}

static bool is_lent(const struct phone_source *source)
{
	return source->body[0] != '\0';
}

/* A body of which only the head is known. */
static void put_body(struct phone_source *source, const struct jc_phone_face *face, int64_t time_ns)
{
	struct jc_body_frame frame = { .time_ns = time_ns, .confidence = 1.0f };
	float height = source->options.height > 0.0f ? source->options.height : HEIGHT;

	if (face->has_head) {
		if (!source->is_straightened ||
			time_ns - source->face_ns >= JC_CONTINUITY_SILENCE_NS) {
			source->R_head = face->head;
			source->is_straightened = true;
		}
		struct jc_quat turned =
			jc_quat_multiply(jc_quat_conjugate(source->R_head), face->head);

		frame.joints[JC_JOINT_HEAD] = (struct jc_body_joint){
			.position = { 0.0f, HEAD_SHARE * height, 0.0f },
			.orientation = jc_quat_multiply(
				turned, jc_joint_t_pose(JC_PROFILE_WEBXR_SPEC, JC_JOINT_HEAD)),
			.state = JC_TRACKED,
		};
	}
	jc_capture_intake_put_frame(source->base.intake, &frame, source->values);
}

static void take_packet(void *context, const struct sockaddr_storage *from, const void *bytes,
	size_t length, int64_t now_ns)
{
	struct phone_source *source = context;
	struct jc_phone_face face;
	bool is_new;

	if (!jc_udp_owner_admits(&source->owner, from, now_ns, &is_new)) {
		return;
	}
	if (jc_phone_face_read(bytes, length, &face, &source->diagnostic) != JC_OK) {
		source->refused++;
		return;
	}
	jc_udp_owner_note(&source->owner, from, now_ns);
	source->frames++;
	source->unknown += face.unknown;
	if (is_lent(source)) {
		source->values = jc_face_channels_note(&source->channels, &face.face, now_ns);
	} else {
		source->values =
			jc_face_channels_take(&source->channels, &source->base, &face.face, now_ns);
		put_body(source, &face, now_ns);
	}
	source->face_ns = now_ns;
}

/* The channels in the order in which face_channels has declared them. */
static size_t list_names(
	const struct jc_face_channels *channels, const char *out_names[JC_FACE_CHANNELS + 1])
{
	size_t count = 0;

	if (channels->has_gaze && (!channels->has_shapes || channels->gaze_at == 0)) {
		out_names[count++] = "lookAt";
	}
	for (int i = 0; channels->has_shapes && i < JC_FACE_CHANNELS; i++) {
		out_names[count++] = jc_face_channel_names[i];
	}
	if (channels->has_gaze && channels->has_shapes && channels->gaze_at > 0) {
		out_names[count++] = "lookAt";
	}
	return count;
}

static void lend(struct phone_source *source, int64_t now_ns)
{
	const char *names[JC_FACE_CHANNELS + 1];
	const struct jc_phone_source_options *options = &source->options;
	struct jc_source *body = options->find(options->context, source->space, source->body);

	source->loan = !body || body == &source->base ? LOAN_NO_BODY
		       : !body->takes_face            ? LOAN_NO_FACE
						      : LOAN_GIVEN;
	if (source->loan != LOAN_GIVEN || !source->values || now_ns - source->face_ns >= LENT_NS) {
		return;
	}
	const struct jc_capture_loan loan = { .lender = source,
		.count = list_names(&source->channels, names),
		.names = names,
		.values = source->values };

	if (jc_capture_intake_lend(body->intake, body, &loan, now_ns) == JC_ERROR_INVALID) {
		source->loan = LOAN_TAKEN;
	}
}

/* Asks a phone that is silent to send; a request may be lost. */
static void ask(struct phone_source *source, int64_t now_ns)
{
	const struct sockaddr_storage *phone = &source->options.phone;
	const char *request = apps[source->options.app].request;

	if (phone->ss_family == AF_UNSPEC ||
		(source->face_ns && now_ns - source->face_ns < JC_CONTINUITY_SILENCE_NS) ||
		(source->asked_ns && now_ns - source->asked_ns < ASK_NS)) {
		return;
	}
	source->asked_ns = now_ns;
	/* Without a network the request is repeated later. */
	sendto(source->port.fd, request, strlen(request), MSG_DONTWAIT,
		(const struct sockaddr *)phone, jc_address_length(phone));
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct phone_source *source = (struct phone_source *)base;

	jc_udp_port_read(&source->port, take_packet, source);
	source->now_ns = now_ns;
	ask(source, now_ns);
	jc_udp_port_warn(&source->port, source->options.log, apps[source->options.app].name,
		source->refused, &source->diagnostic, now_ns);

	const float *settling = jc_face_channels_settle(&source->channels, now_ns);

	source->values = settling ? settling : source->values;
	if (is_lent(source)) {
		lend(source, now_ns);
	} else if (settling) {
		put_body(source, &(struct jc_phone_face){ .has_head = false }, now_ns);
	}
	jc_capture_intake_sample(base->intake, now_ns, out_sample);
	source->live = source->face_ns && now_ns - source->face_ns < JC_CONTINUITY_SILENCE_NS;
	base->reason = source->live || is_lent(source) ? NULL : "no motion arrives";
}

/* State of the source, or the remedy. */
static int write_detail(const struct phone_source *source, char *text, size_t size)
{
	const char *port = jc_udp_port_number(&source->port);

	if (is_lent(source) && source->loan != LOAN_GIVEN) {
		return snprintf(text, size, "port %s, face of '%s': %s", port, source->body,
			source->loan == LOAN_NO_BODY   ? "no such body in this space"
			: source->loan == LOAN_NO_FACE ? "this body takes no face"
						       : "another source has lent its face");
	}
	char age[32] = "";

	if (source->face_ns && !source->live) {
		snprintf(age, sizeof(age), ", silent for %lld s",
			(long long)((source->now_ns - source->face_ns) / 1000000000));
	}
	return snprintf(text, size, "port %s%s%s%s%s%s", port, is_lent(source) ? ", face of '" : "",
		source->body, is_lent(source) ? "'" : "", age,
		source->live ? ""
		: source->options.phone.ss_family != AF_UNSPEC
			? ": the phone does not answer: open the app on it"
			: ": nothing arrives: enter this machine and port in the app");
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct phone_source *source = (const struct phone_source *)base;
	const char *reason = jc_udp_owner_reason(&source->owner);

	*out_status = (struct jc_source_status){
		.kind = apps[source->options.app].name,
		.condition = source->live         ? JC_SOURCE_LIVE
			     : source->frames > 0 ? JC_SOURCE_STALE
						  : JC_SOURCE_WAITING,
		.frames = source->frames,
		.refused = source->refused,
		.ignored = source->unknown + source->owner.foreign + source->owner.barred,
	};
	write_detail(source, out_status->detail, sizeof(out_status->detail));
	snprintf(out_status->ignored_reason, sizeof(out_status->ignored_reason), "%s",
		reason                ? reason
		: source->unknown > 0 ? "names that are no blend shapes of ARKit"
				      : "");
	jc_udp_port_report(&source->port, jc_clock_now_ns(), out_status);
}

static void destroy(struct jc_source *base)
{
	struct phone_source *source = (struct phone_source *)base;

	jc_log_write(source->options.log, JC_LOG_INFO, "%s %s: %llu frames, %llu packets refused",
		apps[source->options.app].name, source->port.label,
		(unsigned long long)source->frames, (unsigned long long)source->refused);
	jc_capture_intake_destroy(base->intake);
	jc_udp_port_close(&source->port);
	free(source);
}

static const struct jc_source_ops phone_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

/* Only the phone that is asked may send, unless a list names others. */
static void admit_phone(struct phone_source *source)
{
	const struct sockaddr_storage *phone = &source->options.phone;
	char network[JC_ADDRESS_TEXT];

	if (phone->ss_family == AF_UNSPEC || source->owner.peers.count > 0) {
		return;
	}
	jc_address_network((const struct sockaddr *)phone, network);
	snprintf(source->owner.peers.networks[0], sizeof(source->owner.peers.networks[0]), "%.*s",
		JC_MAX_WHO - 1, network);
	source->owner.peers.count = 1;
}

int jc_phone_source_create(const struct jc_phone_source_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	const struct jc_capture_form form = { .kind = JC_CAPTURE_BODY_FRAME,
		.profile = JC_PROFILE_WEBXR_SPEC,
		.smooth = options->smooth,
		.height = options->height > 0.0f ? options->height : HEIGHT };
	struct phone_source *source = calloc(1, sizeof(*source));
	int error = JC_ERROR_MEMORY;

	if (!source ||
		jc_capture_intake_create(&form, options->epoch_ns, &source->base.intake) != JC_OK) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto fail;
	}
	error = jc_udp_port_open(&source->port, &options->address, diagnostic);
	if (error != JC_OK) {
		goto fail;
	}
	source->options = *options;
	snprintf(source->body, sizeof(source->body), "%s", options->body);
	snprintf(source->space, sizeof(source->space), "%s", options->space);
	source->options.body = source->body;
	source->options.space = source->space;
	source->owner.peers = options->peers;
	admit_phone(source);
	source->base.ops = &phone_source_ops;
	source->base.tracked = jc_capture_intake_tracked(source->base.intake);
	source->base.is_awaited = source->base.comes_and_goes = true;
	*out_source = &source->base;
	return JC_OK;

fail:
	if (source) {
		jc_capture_intake_destroy(source->base.intake);
	}
	free(source);
	return error;
}

void jc_phone_source_take(struct jc_source *source, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns)
{
	take_packet(source, from, bytes, length, now_ns);
}

void jc_phone_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT])
{
	memcpy(out_text, ((const struct phone_source *)source)->port.label, JC_ADDRESS_TEXT);
}
