/* Opens links and keeps what they receive. */
#include "nats_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"

static void on_state(void *context, enum jc_nats_state state)
{
	struct end *end = context;

	assert_true(end->state_count < 32);
	end->states[end->state_count++] = state;
}

static void on_unheard(void *context, const char *subject)
{
	struct end *end = context;

	snprintf(end->unheard, sizeof(end->unheard), "%s", subject);
}

void end_take(void *context, const struct jc_nats_message *message)
{
	struct end *end = context;
	char *text;

	if (!message) {
		end->timeouts++;
		return;
	}
	assert_true(end->text_count < MOST_TEXTS);
	assert_true(asprintf(&text, "%s %.*s", message->subject, (int)message->length,
			    (const char *)message->bytes) > 0);
	end->texts[end->text_count++] = text;
}

void end_on_closed(void *context)
{
	((struct end *)context)->is_closed = true;
}

void end_open(struct end *end, struct jc_nats_options options)
{
	struct jc_diagnostic diagnostic = { 0 };

	*end = (struct end){ .loop = options.loop };
	options.name = "test";
	options.on_state = on_state;
	options.on_unheard = on_unheard;
	options.context = end;
	if (jc_nats_link_create(&options, &end->link, &diagnostic) != JC_OK) {
		fail_msg("%s, %s", diagnostic.what, diagnostic.where);
	}
	assert_int_equal(jc_nats_link_state(end->link), JC_NATS_CONNECTING);
}

void end_connect(struct end *end, struct jc_nats_options options)
{
	end_open(end, options);
	END_WAIT(end, jc_nats_link_state(end->link) == JC_NATS_CONNECTED);
}

struct jc_nats_subscription *end_subscribe(struct end *end, const char *subject)
{
	struct jc_nats_subscription *subscription = NULL;

	assert_int_equal(
		jc_nats_link_subscribe(end->link, subject, end_take, end, &subscription), JC_OK);
	return subscription;
}

void end_publish(struct end *end, const char *subject, const char *text)
{
	assert_int_equal(jc_nats_link_publish(end->link, subject, NULL, text, strlen(text)), JC_OK);
}

void end_settle(struct end *end, const char *subject)
{
	struct jc_nats_subscription *subscription = end_subscribe(end, subject);
	size_t before = end->text_count;

	end_publish(end, subject, "settle");
	END_WAIT(end, end->text_count > before);
	free(end->texts[--end->text_count]);
	jc_nats_subscription_end(subscription);
}

void end_close(struct end *end)
{
	jc_nats_link_close(end->link, end_on_closed, end);
	END_WAIT(end, end->is_closed);
	for (size_t i = 0; i < end->text_count; i++) {
		free(end->texts[i]);
	}
}
