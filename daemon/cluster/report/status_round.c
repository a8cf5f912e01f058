/* Rounds of questions. Answers have a subject of their own, because edges may not publish on
 * subjects of answers to requests. */
#include "cluster/report/status_round.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/token_bucket.h"
#include "cluster/nats_link.h"
#include "cluster/subjects.h"
#include "jointcast/error.h"

#define NUMBER_DIGITS 17 /* bytes of the text of a number, with its NUL */

struct waiter {
	jc_on_text *on_answer;
	void *context;
};

struct jc_status_round {
	struct jc_status_round_options options;
	uv_timer_t end, sampler;
	unsigned open_timers;
	struct jc_nats_subscription *requests, *answers; /* owned; answers: during a round */
	struct jc_token_bucket budget;                   /* of own answers */
	struct jc_process_report own;                    /* of this process, as asked last */
	struct jc_process_report other;                  /* scratch: an answer */
	uint64_t number;                                 /* of the newest round */
	size_t waiter_count;                             /* 0: no round */
	struct waiter waiters[JC_MAX_STATUS_WAITERS];
	json_t *processes; /* owned: of the round: reports by incarnation */
};

static void write_number(uint64_t number, char out_text[NUMBER_DIGITS])
{
	snprintf(out_text, NUMBER_DIGITS, "%016" PRIx64, number);
}

static json_t *read_message(const struct jc_nats_message *message, size_t most)
{
	return message && message->length <= most
		       ? json_loadb((const char *)message->bytes, message->length,
				 JSON_REJECT_DUPLICATES, NULL)
		       : NULL;
}

/* On the subject of this host. Steals the object. */
static void publish(struct jc_status_round *round, const char *prefix, json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	char subject[JC_MAX_NATS_SUBJECT];

	snprintf(subject, sizeof(subject), "%s%s", prefix, round->own.name);
	if (text) {
		jc_nats_link_publish(round->options.link, subject, NULL, text, strlen(text));
	}
	free(text);
	json_decref(object);
}

/* Of another process. */
static void on_request(void *context, const struct jc_nats_message *message)
{
	struct jc_status_round *round = context;
	json_t *request = read_message(message, JC_MAX_STATUS_REQUEST);
	const char *number = json_string_value(json_object_get(request, "request"));
	const char *from = json_string_value(json_object_get(request, "from"));
	const char *leaving = json_string_value(json_object_get(request, "leaving"));
	const char *host = message ? jc_subject_host(message->subject) : NULL;

	if (leaving) {
		if (host && strcmp(leaving, host) == 0) {
			jc_peers_leave(round->options.peers, leaving, jc_clock_now_ns());
		}
		json_decref(request);
		return;
	}
	if (number && strlen(number) < NUMBER_DIGITS && from &&
		strcmp(from, round->own.incarnation) != 0 &&
		jc_token_bucket_spend(
			&round->budget, 1, JC_MAX_REPORTS_PER_SECOND, jc_clock_now_ns())) {
		round->options.report(round->options.context, &round->own);
		publish(round, JC_SUBJECT_REPORTS,
			json_pack("{ss so}", "request", number, "report",
				jc_process_report_pack(&round->own)));
	}
	json_decref(request);
}

/* Adds a report to the round, once for each process. */
static void take(struct jc_status_round *round, const struct jc_process_report *report)
{
	int64_t now_ns = jc_clock_now_ns();
	json_t *packed;

	if (json_object_get(round->processes, report->incarnation) ||
		json_object_size(round->processes) >= JC_MAX_PROCESSES) {
		return;
	}
	packed = jc_process_report_pack(report);
	json_object_set_new(
		packed, "state", json_string(report->is_draining ? "draining" : "live"));
	json_object_del(packed, "edges");
	json_object_set_new(round->processes, report->incarnation, packed);
	if (strcmp(report->incarnation, round->own.incarnation) != 0) {
		jc_peers_hear(round->options.peers, report->name, report->role, now_ns);
	}
	for (size_t i = 0; i < report->edge_count && report->role != JC_ROLE_EDGE; i++) {
		jc_peers_hear(round->options.peers, report->edges[i].name, JC_ROLE_EDGE,
			now_ns - (int64_t)(report->edges[i].heard_s * 1e9));
	}
}

static void on_report(void *context, const struct jc_nats_message *message)
{
	struct jc_status_round *round = context;
	json_t *answer = read_message(message, JC_MAX_REPORT_BYTES);
	const char *request = json_string_value(json_object_get(answer, "request"));
	const char *host = message ? jc_subject_host(message->subject) : NULL;
	char number[NUMBER_DIGITS];

	write_number(round->number, number);
	/* A host reports on its own subject alone. */
	if (host && request && strcmp(request, number) == 0 &&
		!jc_process_report_read(json_object_get(answer, "report"), &round->other) &&
		strcmp(round->other.name, host) == 0) {
		take(round, &round->other);
	}
	json_decref(answer);
}

static bool has_answered(const struct jc_status_round *round, const char *name)
{
	const char *incarnation;
	json_t *process;

	json_object_foreach(round->processes, incarnation, process)
	{
		if (strcmp(json_string_value(json_object_get(process, "name")), name) == 0) {
			return true;
		}
	}
	return false;
}

/* Origins, standbys, edges; each by name. */
static int compare(const void *a, const void *b)
{
	static const char *const order[] = { "origin", "standby", "edge" };
	const json_t *const *one = a, *const *other = b;
	const char *roles[] = { json_string_value(json_object_get(*one, "role")),
		json_string_value(json_object_get(*other, "role")) };
	size_t at[] = { 0, 0 };

	for (size_t i = 0; i < 2; i++) {
		while (at[i] < 2 && strcmp(order[at[i]], roles[i]) != 0) {
			at[i]++;
		}
	}
	return at[0] != at[1] ? (at[0] > at[1]) - (at[0] < at[1])
			      : strcmp(json_string_value(json_object_get(*one, "name")),
					json_string_value(json_object_get(*other, "name")));
}

/* The list of all processes, those that did not answer too. */
static json_t *list_processes(struct jc_status_round *round)
{
	static const size_t most = 2 * JC_MAX_PROCESSES;
	const struct jc_peers *peers = round->options.peers;
	int64_t now_ns = jc_clock_now_ns();
	const json_t **sorted = calloc(most, sizeof(*sorted));
	json_t *list = json_array(), *silent = json_array(), *process;
	const char *incarnation;
	size_t count = 0;

	if (!sorted) {
		json_decref(silent);
		return list;
	}
	json_object_foreach(round->processes, incarnation, process)
	{
		sorted[count++] = process;
	}
	jc_peers_expire(round->options.peers, now_ns);
	for (size_t i = 0; i < peers->count; i++) {
		const struct jc_cluster_peer *peer = &peers->list[i];

		if (!peer->has_left && !has_answered(round, peer->name)) {
			process = json_pack("{ss ss ss sf}", "name", peer->name, "role",
				jc_process_role_name(peer->role), "state", "silent", "heard",
				(double)(now_ns - peer->heard_ns) * 1e-9);
			json_array_append_new(silent, process);
			sorted[count++] = process;
		}
	}
	qsort(sorted, count, sizeof(*sorted), compare);
	for (size_t i = 0; i < count; i++) {
		json_array_append(list, (json_t *)sorted[i]);
	}
	json_decref(silent);
	free(sorted);
	return list;
}

/* Hands what is here to those that wait. */
static void finish(struct jc_status_round *round)
{
	if (round->waiter_count == 0) {
		return;
	}
	size_t count = round->waiter_count;
	json_t *status =
		json_pack("{ss so}", "asked", round->own.name, "processes", list_processes(round));

	uv_timer_stop(&round->end);
	jc_nats_subscription_end(round->answers);
	round->answers = NULL;
	json_decref(round->processes);
	round->processes = NULL;
	round->waiter_count = 0;
	for (size_t i = 0; i < count; i++) {
		round->waiters[i].on_answer(round->waiters[i].context,
			json_dumps(status, JSON_COMPACT | JSON_REAL_PRECISION(9)));
	}
	json_decref(status);
}

static void on_end(uv_timer_t *timer)
{
	finish(timer->data);
}

static void begin(struct jc_status_round *round)
{
	char number[NUMBER_DIGITS];

	round->number++;
	round->processes = json_object();
	round->options.report(round->options.context, &round->own);
	take(round, &round->own);
	/* Without a connection the answer has this process alone. */
	if (jc_nats_link_subscribe(round->options.link, JC_SUBJECT_REPORTS JC_SUBJECT_ANY_EDGE,
		    on_report, round, &round->answers) == JC_OK) {
		write_number(round->number, number);
		publish(round, JC_SUBJECT_STATUS,
			json_pack("{ss ss}", "request", number, "from", round->own.incarnation));
	}
	uv_update_time(round->options.loop);
	uv_timer_start(&round->end, on_end, JC_STATUS_WAITS_MS, 0);
}

int jc_status_round_ask(struct jc_status_round *round, jc_on_text *on_answer, void *context)
{
	if (round->waiter_count == JC_MAX_STATUS_WAITERS) {
		return JC_ERROR_LIMIT;
	}
	if (round->waiter_count == 0) {
		begin(round);
	}
	round->waiters[round->waiter_count++] = (struct waiter){ on_answer, context };
	return JC_OK;
}

static void on_sample(uv_timer_t *timer)
{
	const struct jc_status_round *round = timer->data;

	round->options.sample(round->options.context);
}

int jc_status_round_create(
	const struct jc_status_round_options *options, struct jc_status_round **out_round)
{
	struct jc_status_round *round = calloc(1, sizeof(*round));
	int status;

	if (!round) {
		return JC_ERROR_MEMORY;
	}
	round->options = *options;
	options->report(options->context, &round->own);
	jc_token_bucket_init(&round->budget, jc_clock_now_ns());
	status = uv_random(NULL, NULL, &round->number, sizeof(round->number), 0, NULL) == 0
			 ? jc_nats_link_subscribe(options->link,
				   JC_SUBJECT_STATUS JC_SUBJECT_ANY_EDGE, on_request, round,
				   &round->requests)
			 : JC_ERROR_UNSUPPORTED;
	if (status != JC_OK) {
		free(round);
		return status;
	}
	uv_timer_init(options->loop, &round->end);
	uv_timer_init(options->loop, &round->sampler);
	round->end.data = round->sampler.data = round;
	round->open_timers = 2;
	uv_timer_start(&round->sampler, on_sample, 0, 1000);
	*out_round = round;
	return JC_OK;
}

void jc_status_round_leave(struct jc_status_round *round)
{
	if (round && round->requests) {
		finish(round);
		jc_nats_subscription_end(round->requests);
		round->requests = NULL;
		round->options.report(round->options.context, &round->own);
		publish(round, JC_SUBJECT_STATUS, json_pack("{ss}", "leaving", round->own.name));
	}
}

static void on_timer_closed(uv_handle_t *handle)
{
	struct jc_status_round *round = handle->data;

	if (--round->open_timers == 0) {
		free(round);
	}
}

void jc_status_round_destroy(struct jc_status_round *round)
{
	if (!round) {
		return;
	}
	jc_status_round_leave(round);
	finish(round);
	uv_close((uv_handle_t *)&round->end, on_timer_closed);
	uv_close((uv_handle_t *)&round->sampler, on_timer_closed);
}
