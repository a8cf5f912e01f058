/* One question, one answer. */
#include "record_request.h"

#include <stdio.h>
#include <string.h>

#include "link.h"
#include "plain.h"
#include "status.h"

struct asker {
	const char *space;
	const struct jc_record_request *request;
};

static void on_ready(void *context, struct jc_link *link)
{
	const struct asker *asker = context;
	const struct jc_record_request *request = asker->request;
	bool starts = strcmp(request->action, "start") == 0;

	jc_link_say(
		link, json_pack("{ss ss ss ss* ss* ss*}", "type", "record", "space", asker->space,
			      "action", request->action, "name", request->name, "label",
			      request->label, "kind", starts && request->raw ? "raw" : NULL));
}

static long long number(const json_t *message, const char *key)
{
	return (long long)json_integer_value(json_object_get(message, key));
}

static void tell(const json_t *recording)
{
	const char *state = json_string_value(json_object_get(recording, "state"));
	const char *file = json_string_value(json_object_get(recording, "file"));

	jc_plain_write(stdout, state ? state : "");
	if (file) {
		fputs(" ", stdout);
		jc_plain_write(stdout, file);
	}
	if (state && strcmp(state, "stopped") != 0) {
		printf(": %lld captures, %lld bytes, %lld dropped", number(recording, "captures"),
			number(recording, "bytes"), number(recording, "dropped"));
	}
	putchar('\n');
}

static void on_message(void *context, struct jc_link *link, const json_t *message)
{
	const char *type = json_string_value(json_object_get(message, "type"));

	(void)context;
	if (strcmp(type, "error") == 0) {
		jc_link_refused(link, message);
	} else if (strcmp(type, "recording") == 0) {
		tell(message);
		jc_link_end(link, JC_EXIT_DONE);
	}
}

int jc_record_request(const char *url, const struct jc_access *access, const char *space,
	const struct jc_record_request *request)
{
	static const struct jc_link_ops ops = { .ready = on_ready, .message = on_message };
	struct asker asker = { space, request };

	return jc_link_run(url, access, &ops, &asker);
}
