/* Names the counts of the link. */
#include "cluster/link_report.h"

#include <jansson.h>
#include <stdio.h>

#include "cluster/nats_link.h"

static const char *const states[] = { [JC_NATS_CONNECTING] = "connecting",
	[JC_NATS_CONNECTED] = "connected",
	[JC_NATS_LOST] = "lost" };

static uint64_t reconnects(const struct jc_nats_report *report)
{
	return report->connections > 0 ? report->connections - 1 : 0;
}

json_t *jc_link_report_json(struct jc_nats_link *link)
{
	struct jc_nats_report report;

	jc_nats_link_report(link, &report);
	return json_pack("{ss ss ss sI s{sI sI sI sI} s{sI sI sI sI} s{sI sI sI} sI sI}", "state",
		states[report.state], "server", report.server, "problem", report.problem,
		"reconnects", (json_int_t)reconnects(&report), "received", "messages",
		(json_int_t)report.messages_in, "bytes", (json_int_t)report.bytes_in,
		"droppedFrames", (json_int_t)report.dropped_frames, "dropped",
		(json_int_t)report.dropped_others, "sent", "messages",
		(json_int_t)report.messages_out, "bytes", (json_int_t)report.bytes_out, "refused",
		(json_int_t)report.refused, "waiting", (json_int_t)report.leaving, "queue", "bytes",
		(json_int_t)report.queued, "most", (json_int_t)report.queued_most, "highest",
		(json_int_t)report.queued_highest, "slow", (json_int_t)report.slow, "notPermitted",
		(json_int_t)report.not_permitted);
}

void jc_link_report_measure(struct jc_nats_link *link, jc_on_figure *on_figure, void *context)
{
	struct jc_nats_report report;

	jc_nats_link_report(link, &report);

	const struct {
		const char *name, *type, *help;
		double value;
	} figures[] = {
		{ "nats_connected", "gauge", "1 while NATS is connected.",
			report.state == JC_NATS_CONNECTED },
		{ "nats_reconnects_total", "counter", "Connections to NATS after the first one.",
			(double)reconnects(&report) },
		{ "nats_received_messages_total", "counter", "Messages received from NATS.",
			(double)report.messages_in },
		{ "nats_received_bytes_total", "counter", "Bytes of messages received from NATS.",
			(double)report.bytes_in },
		{ "nats_sent_messages_total", "counter", "Messages published on NATS.",
			(double)report.messages_out },
		{ "nats_sent_bytes_total", "counter", "Bytes of messages published on NATS.",
			(double)report.bytes_out },
		{ "nats_unsent_messages_total", "counter",
			"Messages not published: not connected, too long, or too many waited.",
			(double)report.refused },
		{ "nats_dropped_frames_total", "counter",
			"Received frames dropped because the queue to the loop was full.",
			(double)report.dropped_frames },
		{ "nats_dropped_messages_total", "counter",
			"Other received messages dropped because that queue was full.",
			(double)report.dropped_others },
		{ "nats_slow_total", "counter",
			"Times that libnats began to drop received messages.",
			(double)report.slow },
		{ "nats_not_permitted_total", "counter",
			"Subjects that the NATS server refused to this user.",
			(double)report.not_permitted },
		{ "nats_queued_bytes", "gauge", "Bytes received from NATS that wait for the loop.",
			(double)report.queued },
		{ "nats_queued_bytes_max", "gauge", "The most of these bytes since the start.",
			(double)report.queued_highest },
		{ "nats_unsent_bytes", "gauge", "Published bytes that wait for the NATS server.",
			(double)report.leaving },
	};

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		on_figure(context, figures[i].name, figures[i].type, figures[i].help,
			figures[i].value);
	}
}

bool jc_link_report_problem(struct jc_nats_link *link, char *out_line, size_t size)
{
	struct jc_nats_report report;

	jc_nats_link_report(link, &report);
	if (report.state == JC_NATS_CONNECTED) {
		return false;
	}
	snprintf(out_line, size, "NATS: %s%s%s",
		report.state == JC_NATS_LOST ? "the connection is lost" : "not connected yet",
		report.problem[0] ? ": " : "", report.problem);
	return true;
}
