/* What hosts of a cluster read as JSON. The first byte selects the reader: 'q' requests of an edge,
 * one a line, to a space with a body and ticks between them; 'a' an announcement; 'v' a view spec;
 * 'p' a policy; 'r' a report; 's' sanctions. What is accepted reads back the same. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/frame_message.h"
#include "cluster/origin/exported_space.h"
#include "cluster/origin_message.h"
#include "cluster/policy_message.h"
#include "cluster/report/process_report.h"
#include "cluster/view_spec.h"
#include "lobby.h"
#include "moderation/sanction_history.h"
#include "target.h"

static void publish(struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	struct jc_frame_message message;

	(void)outlet;
	assert(strncmp(subject, "jc.lobby.f.", 11) == 0);
	assert(jc_frame_message_read(bytes, length, &message) == JC_OK);
}

static bool publish_spare(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	publish(outlet, subject, bytes, length);
	return length % 2 == 0;
}

static void publish_parts(
	struct jc_outlet *outlet, const char *subject, const void *bytes, size_t length)
{
	json_t *message = json_loadb(bytes, length, 0, NULL);

	(void)outlet;
	assert(strcmp(subject, "jc.lobby.s") == 0 || strcmp(subject, "_INBOX.a.1") == 0);
	assert(json_is_object(message));
	json_decref(message);
}

static void answer_requests(const uint8_t *bytes, size_t length)
{
	static const struct jc_outlet_ops ops = {
		.publish = publish, .publish_spare = publish_spare, .publish_parts = publish_parts
	};
	struct lobby *lobby = malloc(sizeof(*lobby));
	struct jc_outlet outlet = { .ops = &ops };
	struct jc_sanction_history sanctions = { 0 };
	struct jc_exported_space *exported;
	struct jc_clock clock;
	struct jc_export source = { .clock = &clock,
		.sanctions = &sanctions,
		.outlet = &outlet,
		.origin = "o",
		.incarnation = "1" };
	const uint8_t *end = bytes + length;

	jc_clock_init(&clock);
	lobby_open(lobby, 0);
	lobby_add(lobby, 0)->restless = true;
	assert(jc_exported_space_create(&source, &lobby->fanout, 1, &exported) == JC_OK);
	for (int64_t now_ns = 0; bytes < end; now_ns += 500000000) {
		const uint8_t *line = memchr(bytes, '\n', (size_t)(end - bytes));
		const uint8_t *stop = line ? line : end;

		jc_exported_space_answer(
			exported, "a", "_INBOX.a.1", bytes, (size_t)(stop - bytes), now_ns);
		lobby_run(lobby, 2);
		jc_exported_space_sweep(exported, now_ns);
		assert(exported->view_count <= JC_MAX_EXPORTED_VIEWS);
		bytes = stop + (line != NULL);
	}
	jc_exported_space_destroy(exported);
	assert(lobby->fanout.view_count == 0 && lobby->fanout.remote_count == 0);
	lobby_close(lobby);
	free(lobby);
}

static void read_announcement(const uint8_t *bytes, size_t length)
{
	struct jc_origin_message *message = calloc(2, sizeof(*message)), *again = message + 1;

	if (!jc_origin_message_read((const char *)bytes, length, message)) {
		json_t *object = jc_origin_message_pack(message);
		char *text = object ? json_dumps(object, 0) : NULL;

		if (text) {
			assert(!jc_origin_message_read(text, strlen(text), again));
			assert(again->count == message->count);
		}
		free(text);
		json_decref(object);
	}
	free(message);
}

/* Times are written with all their digits, so the same report comes back. */
static void read_report(const json_t *value)
{
	struct jc_process_report *report = malloc(sizeof(*report));
	struct jc_process_report *again = malloc(sizeof(*again));

	if (!jc_process_report_read(value, report)) {
		json_t *object = jc_process_report_pack(report);

		if (report->role == JC_ROLE_EDGE) {
			report->edge_count = 0;
		}
		assert(!jc_process_report_read(object, again));
		assert(strcmp(report->name, again->name) == 0);
		assert(report->role == again->role && report->edge_count == again->edge_count);
		assert(report->dropped == again->dropped && report->uptime_s == again->uptime_s);
		json_decref(object);
	}
	free(report);
	free(again);
}

static void read_object(char reader, const json_t *value)
{
	struct jc_stream_spec spec, other;
	struct jc_space_policy policy;
	struct jc_sanctions sanctions = { 0 };
	char token[JC_VIEW_TOKEN];
	bool is_closed;

	if (reader == 'v' && !jc_view_spec_read(value, &spec, token)) {
		json_t *object = jc_view_spec_pack(&spec);

		assert(!jc_view_spec_read(object, &other, token));
		assert(jc_stream_spec_equal(&spec, &other));
		json_decref(object);
	} else if (reader == 'p' && !jc_policy_message_read(value, &policy, &is_closed)) {
		json_t *object = jc_policy_message_pack(&policy, is_closed);

		assert(!jc_policy_message_read(object, &policy, &is_closed));
		json_decref(object);
	} else if (reader == 'r') {
		read_report(value);
	} else if (reader == 's') {
		jc_policy_message_read_sanctions(value, "lobby", &sanctions);
		assert(sanctions.count <= JC_MAX_SANCTIONS_OF_SPACE);
	}
	jc_sanctions_finish(&sanctions);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (length == 0) {
		return 0;
	}
	if (bytes[0] == 'q') {
		answer_requests(bytes + 1, length - 1);
	} else if (bytes[0] == 'a') {
		read_announcement(bytes + 1, length - 1);
	} else {
		json_t *value =
			json_loadb((const char *)bytes + 1, length - 1, JSON_DECODE_ANY, NULL);

		read_object((char)bytes[0], value);
		json_decref(value);
	}
	return 0;
}
