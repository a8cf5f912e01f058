/* The first token is the answer; without one, the refusal that may pass is. Failures of an address
 * count here: origins do not learn it. */
#include "cluster/guest/redemptions.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "base/clock.h"
#include "cluster/nats_link.h"
#include "invitation/redemption_limits.h"
#include "invitation/secret.h"
#include "jointcast_private/json.h"
#include "maxima.h"

#define TIMEOUT_MS 5000 /* an origin answers when its disk has the use */

struct redemption {
	struct redemption *next, **at; /* of the list */
	struct jc_redemptions *owner;
	size_t awaited; /* answers */
	int status;     /* of the refusals so far */
	enum jc_redemption_kind kind;
	char address[JC_ADDRESS_TEXT];
	jc_on_redeemed *on_redeemed;
	void *context;
};

struct jc_redemptions {
	struct jc_nats_link *link;
	struct jc_redemption_limits limits;
	size_t count;
	struct redemption *list; /* owned */
};

struct jc_redemptions *jc_redemptions_create(struct jc_nats_link *link, int64_t now_ns)
{
	struct jc_redemptions *redemptions = calloc(1, sizeof(*redemptions));

	if (!redemptions || jc_redemption_limits_init(&redemptions->limits, now_ns) != JC_OK) {
		free(redemptions);
		return NULL;
	}
	redemptions->link = link;
	return redemptions;
}

static void drop(struct redemption *redemption)
{
	*redemption->at = redemption->next;
	if (redemption->next) {
		redemption->next->at = redemption->at;
	}
	redemption->owner->count--;
	jc_nats_link_forget(redemption->owner->link, redemption);
	free(redemption);
}

/* Answers and ends it. text is stolen. */
static void end(struct redemption *redemption, int status, char *text)
{
	jc_on_redeemed *on_redeemed = redemption->on_redeemed;
	void *context = redemption->context;

	drop(redemption);
	on_redeemed(context, status, text);
}

void jc_redemptions_destroy(struct jc_redemptions *redemptions)
{
	while (redemptions && redemptions->list) {
		end(redemptions->list, 503, NULL);
	}
	free(redemptions);
}

/* The status of an answer without a token. */
static int read_status(const json_t *answer)
{
	long long status = 0;

	jc_json_is_integer(json_object_get(answer, "status"), &status);
	return status == 410 || status == 429 ? (int)status : 503;
}

/* Whether the answer has what a guest needs. */
static bool is_welcome(const json_t *answer)
{
	return json_is_string(json_object_get(answer, "token")) &&
	       json_is_string(json_object_get(answer, "space")) &&
	       json_is_string(json_object_get(answer, "role"));
}

static void on_answer(void *context, const struct jc_nats_message *message)
{
	struct redemption *redemption = context;
	struct jc_redemption_limits *limits = &redemption->owner->limits;
	json_t *answer = message ? json_loadb((const char *)message->bytes, message->length,
					   JSON_REJECT_DUPLICATES, NULL)
				 : NULL;
	bool is_over = is_welcome(answer);
	char *text = is_over ? json_dumps(answer, JSON_COMPACT) : NULL;
	int status = read_status(answer);

	json_decref(answer);
	redemption->awaited--;
	if (is_over) {
		end(redemption, text ? 200 : 503, text);
		return;
	}
	redemption->status = status > redemption->status ? status : redemption->status;
	if (redemption->awaited == 0) {
		if (redemption->status == 410) {
			const struct jc_redemption_source source = { .address =
									     redemption->address };

			jc_redemption_limits_fail(
				limits, redemption->kind, &source, jc_clock_now_ns());
		}
		end(redemption, redemption->status, NULL);
	}
}

static struct redemption *begin(struct jc_redemptions *redemptions,
	const struct jc_redemption *wanted, jc_on_redeemed *on_redeemed, void *context)
{
	struct redemption *redemption = calloc(1, sizeof(*redemption));

	if (!redemption) {
		return NULL;
	}
	*redemption = (struct redemption){ .owner = redemptions,
		.kind = wanted->is_code ? JC_REDEEM_CODE : JC_REDEEM_SECRET,
		.status = 410,
		.on_redeemed = on_redeemed,
		.context = context,
		.next = redemptions->list,
		.at = &redemptions->list };
	snprintf(redemption->address, sizeof(redemption->address), "%s", wanted->address);
	if (redemption->next) {
		redemption->next->at = &redemption->next;
	}
	redemptions->list = redemption;
	redemptions->count++;
	return redemption;
}

static char *pack(const struct jc_redemption *wanted)
{
	json_t *object = json_pack(
		"{ss ss}", "type", "redeem", wanted->is_code ? "code" : "invitation", wanted->text);
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	return text;
}

int jc_redemptions_begin(struct jc_redemptions *redemptions, const struct jc_redemption *wanted,
	const char *const subjects[], size_t count, jc_on_redeemed *on_redeemed, void *context)
{
	const struct jc_redemption_source source = { .address = wanted->address };
	struct redemption *redemption;
	char *text;

	if (redemptions->count == JC_MAX_REDEMPTIONS ||
		!jc_redemption_limits_allow(&redemptions->limits,
			wanted->is_code ? JC_REDEEM_CODE : JC_REDEEM_SECRET, &source,
			jc_clock_now_ns())) {
		return JC_ERROR_LIMIT;
	}
	text = pack(wanted);
	redemption = text ? begin(redemptions, wanted, on_redeemed, context) : NULL;
	for (size_t i = 0; redemption && i < count; i++) {
		redemption->awaited +=
			jc_nats_link_request(redemptions->link, subjects[i], text, strlen(text),
				TIMEOUT_MS, on_answer, redemption) == JC_OK;
	}
	if (text) {
		jc_secret_wipe(text, strlen(text));
		free(text);
	}
	if (!redemption) {
		return JC_ERROR_MEMORY;
	}
	if (redemption->awaited == 0) {
		drop(redemption);
		return JC_ERROR_ABSENT;
	}
	if (redemption->awaited < count) {
		redemption->status = 503;
	}
	return JC_OK;
}
