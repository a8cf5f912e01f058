/* Loss of a link's connection: the next connection begins as the first did. */
#include <libwebsockets.h>
#include <string.h>

#include "error_report.h"
#include "net/link_private.h"

/* Connects again, or asks again for a space that was unknown. */
static void on_retry(lws_sorted_usec_list_t *list)
{
	struct jc_link *link = lws_container_of(list, struct jc_link, retry);

	if (link->is_ending) {
		return;
	}
	if (link->is_ready) {
		jc_reconnection_opened(&link->reconnection, jc_link_now_ns());
		link->ops->ready(link->command, link);
	} else {
		jc_link_connect(link);
	}
}

/* Tries again later; false when the time is over. */
static bool retry_later(struct jc_link *link, int64_t now_ns)
{
	uint32_t random = 0;
	int64_t delay_ns;

	lws_get_random(link->context, &random, sizeof(random));
	delay_ns = jc_reconnection_delay(
		&link->reconnection, now_ns, (double)random / (double)UINT32_MAX);
	if (delay_ns >= 0) {
		jc_link_schedule(link, &link->retry, on_retry, delay_ns);
	}
	return delay_ns >= 0;
}

/* Nothing of the connection holds for the next one. */
static void forget_connection(struct jc_link *link)
{
	lws_sul_cancel(&link->wake);
	link->is_ready = link->is_pinging = false;
	link->clock = (struct jc_server_clock){ 0 };
	link->received_length = 0;
	link->farewell = NULL;
	jc_link_queue_clear(&link->queue);
}

void jc_link_lose(struct jc_link *link, const char *what)
{
	int64_t now_ns = jc_link_now_ns();
	const char *why = link->farewell ? link->farewell : what;

	if (link->is_ending || link->is_over) {
		link->is_over = true;
		return;
	}
	if (!link->has_served || link->reconnection.most_ns == 0) {
		jc_link_fail(link, JC_EXIT_IO, why);
		return;
	}
	if (link->is_ready) {
		link->ops->lost(link->command, link);
	}
	if (link->is_ending) {
		link->is_over = true;
	} else if (!retry_later(link, now_ns)) {
		jc_link_fail(link, JC_EXIT_IO, why);
	} else if (link->reconnection.lost_ns == now_ns) {
		jc_report(JC_EXIT_IO, link->url, "%s; connecting again", why);
	}
	forget_connection(link);
	link->is_waiting = true;
}

void jc_link_give_up(struct jc_link *link)
{
	if (!link->has_served || link->reconnection.most_ns == 0) {
		jc_link_fail(link, JC_EXIT_IO, "no answer");
	} else if (link->wsi) {
		link->farewell = "no answer";
		lws_set_timeout(link->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
	}
}

void jc_link_refused(struct jc_link *link, const json_t *error)
{
	const char *code = json_string_value(json_object_get(error, "code"));
	const char *ref = json_string_value(json_object_get(error, "ref"));
	const char *message = json_string_value(json_object_get(error, "message"));

	/* Later requests of the same batch are refused for the same reason. */
	if (link->is_ending) {
		return;
	}
	if (link->has_returned && code && strcmp(code, "unknown-space") == 0 &&
		(!ref || strcmp(ref, "join") != 0 || retry_later(link, jc_link_now_ns()))) {
		return;
	}
	jc_link_end(link, jc_report(JC_EXIT_IO, link->url, "refused: %s",
				  message ? message : "without a reason"));
}
