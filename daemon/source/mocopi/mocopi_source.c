/* Passes the packets of the sender that owns the body to its receiver. */
#include "source/mocopi/mocopi_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "jointcast_private/apps/mocopi_receiver.h"
#include "jointcast_private/apps/pose_check.h"
#include "source/capture_intake.h"
#include "source/udp_owner.h"
#include "source/udp_port.h"

struct mocopi_source {
	struct jc_source base;
	const struct jc_log *log;
	struct jc_udp_port port;
	struct jc_udp_owner owner;
	struct jc_mocopi_receiver *receiver; /* owned */
	bool has_delivered;                  /* a pose, at any time */
	struct jc_sender_clock clock;
	struct jc_pose_check check;
	enum jc_stream_fault fault;
	bool live;
	struct jc_diagnostic diagnostic;
};

static void take_packet(void *context, const struct sockaddr_storage *from, const void *bytes,
	size_t length, int64_t now_ns)
{
	struct mocopi_source *source = context;
	struct jc_mocopi_result result;
	struct jc_mocopi_packet packet;
	bool is_new;

	if (!jc_udp_owner_admits(&source->owner, from, now_ns, &is_new)) {
		return;
	}
	/* Noise on the port takes no body from its owner. */
	if (is_new && jc_mocopi_read(bytes, length, &packet, NULL) == JC_OK) {
		jc_mocopi_receiver_reset(source->receiver);
		source->clock = (struct jc_sender_clock){ .is_begun = false };
		source->check = (struct jc_pose_check){ .is_begun = false };
	}
	if (jc_mocopi_receiver_take(
		    source->receiver, bytes, length, &result, &source->diagnostic) != JC_OK) {
		return;
	}
	jc_udp_owner_note(&source->owner, from, now_ns);
	if (result.has_pose) {
		source->has_delivered = true;
		if (result.sent_ns != INT64_MIN) {
			jc_sender_clock_note(&source->clock, result.sent_ns, now_ns);
		}
		source->fault = jc_pose_check_put(&source->check, &result.pose, now_ns,
			result.sent_ns != INT64_MIN ? &source->clock : NULL);
		jc_capture_intake_put_pose(
			source->base.intake, &result.pose, now_ns, result.cut, NULL);
	}
}

static void sample(struct jc_source *base, int64_t now_ns, struct jc_source_sample *out_sample)
{
	struct mocopi_source *source = (struct mocopi_source *)base;

	jc_udp_port_read(&source->port, take_packet, source);
	jc_udp_port_warn(&source->port, source->log, "mocopi",
		jc_mocopi_receiver_counts(source->receiver)->refused, &source->diagnostic, now_ns);
	jc_capture_intake_sample(base->intake, now_ns, out_sample);
	if (out_sample->live != source->live) {
		jc_udp_port_log_live(&source->port, source->log, "mocopi", out_sample->live);
	}
	source->live = out_sample->live;
	source->base.reason = source->live ? NULL : "no motion arrives";
}

/* State of the sender, and the remedy. */
static const char *find_advice(const struct mocopi_source *source, bool arrives)
{
	const struct jc_mocopi_counts *counts = jc_mocopi_receiver_counts(source->receiver);

	if (source->live) {
		return jc_mocopi_receiver_is_mirrored(source->receiver) ? ", left-handed axes" : "";
	}
	if (arrives && !jc_mocopi_receiver_has_skeleton(source->receiver) && counts->unknown > 0) {
		return ": waiting for the skeleton definition, which the app repeats every few "
		       "seconds; else stop and start sending";
	}
	if (arrives && counts->refused > 0 && counts->frames == 0) {
		return ": no packet of a mocopi app can be read";
	}
	if (source->port.latest_ns == 0) {
		return ": nothing arrives: start sending to this port in the app";
	}
	return ": nothing arrives: start sending again";
}

static void status(const struct jc_source *base, struct jc_source_status *out_status)
{
	const struct mocopi_source *source = (const struct mocopi_source *)base;
	const struct jc_mocopi_counts *counts = jc_mocopi_receiver_counts(source->receiver);
	bool arrives = source->port.latest_ns != 0 &&
		       jc_clock_now_ns() - source->port.latest_ns < INT64_C(5000000000);
	const char *reason = jc_udp_owner_reason(&source->owner);
	uint64_t all = counts->frames + counts->late + counts->missing;
	int length;

	*out_status = (struct jc_source_status){
		.kind = "mocopi",
		.condition = source->live            ? JC_SOURCE_LIVE
			     : source->has_delivered ? JC_SOURCE_STALE
						     : JC_SOURCE_WAITING,
		.frames = counts->frames,
		.refused = counts->refused,
		.ignored = counts->late + counts->unknown + source->owner.foreign +
			   source->owner.barred,
	};
	length = snprintf(out_status->detail, sizeof(out_status->detail), "port %s",
		jc_udp_port_number(&source->port));
	if (source->live && all > 0 && counts->missing * 100 > all) {
		length += snprintf(out_status->detail + length,
			sizeof(out_status->detail) - (size_t)length, ", %.0f %% of frames lost",
			100.0 * (double)counts->missing / (double)all);
	}
	snprintf(out_status->detail + length, sizeof(out_status->detail) - (size_t)length, "%s",
		find_advice(source, arrives));
	snprintf(out_status->ignored_reason, sizeof(out_status->ignored_reason), "%s",
		reason                ? reason
		: counts->late > 0    ? "frames arrived after newer ones"
		: counts->unknown > 0 ? "frames arrived before the skeleton definition"
				      : "");
	out_status->fault =
		source->live ? jc_stream_fault_text(JC_STREAM_BONES, source->fault) : NULL;
	jc_udp_port_report(&source->port, jc_clock_now_ns(), out_status);
}

static void destroy(struct jc_source *base)
{
	struct mocopi_source *source = (struct mocopi_source *)base;
	const struct jc_mocopi_counts *counts = jc_mocopi_receiver_counts(source->receiver);
	uint64_t others = source->owner.foreign + source->owner.barred;

	jc_log_write(source->log, JC_LOG_INFO,
		"mocopi %s: %llu frames, %llu late, %llu missing; %llu packets refused, %llu of "
		"other senders",
		source->port.label, (unsigned long long)counts->frames,
		(unsigned long long)counts->late, (unsigned long long)counts->missing,
		(unsigned long long)counts->refused, (unsigned long long)others);
	jc_capture_intake_destroy(base->intake);
	jc_mocopi_receiver_destroy(source->receiver);
	jc_udp_port_close(&source->port);
	free(source);
}

static const struct jc_source_ops mocopi_source_ops = {
	.sample = sample,
	.status = status,
	.destroy = destroy,
};

int jc_mocopi_source_create(const struct jc_mocopi_source_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	const struct jc_capture_form form = { .kind = JC_CAPTURE_POSE, .smooth = options->smooth };
	struct mocopi_source *source = calloc(1, sizeof(*source));
	int error = JC_ERROR_MEMORY;

	if (!source ||
		jc_capture_intake_create(&form, options->epoch_ns, &source->base.intake) != JC_OK ||
		jc_mocopi_receiver_create(&source->receiver) != JC_OK) {
		jc_diagnose(diagnostic, error, NULL, "out of memory");
		goto fail;
	}
	error = jc_udp_port_open(&source->port, &options->address, diagnostic);
	if (error != JC_OK) {
		goto fail;
	}
	source->owner.peers = options->peers;
	source->base.ops = &mocopi_source_ops;
	source->base.is_awaited = source->base.comes_and_goes = true;
	source->base.takes_face = true;
	source->log = options->log;
	*out_source = &source->base;
	return JC_OK;

fail:
	if (source) {
		jc_mocopi_receiver_destroy(source->receiver);
		jc_capture_intake_destroy(source->base.intake);
	}
	free(source);
	return error;
}

void jc_mocopi_source_take(struct jc_source *source, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns)
{
	take_packet(source, from, bytes, length, now_ns);
}

void jc_mocopi_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT])
{
	memcpy(out_text, ((const struct mocopi_source *)source)->port.label, JC_ADDRESS_TEXT);
}
