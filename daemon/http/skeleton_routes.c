/* An upload has the same checks as a control message: token, name and registry. */
#include "http/skeleton_routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/bearer.h"
#include "http/target.h"
#include "jointcast_private/text.h"
#include "registry/skeleton_json.h"
#include "services.h"

#define LIST "/skeletons"

static struct jc_registry *registry_of(const struct jc_exchange *exchange)
{
	return exchange->services->registry;
}

/* The owner from the bearer token. Returns 200, or the status that refuses the request.
 * Where the server has keys, a request needs a token: its connection is too short to own
 * skeletons. */
static int find_owner(
	const struct jc_exchange *exchange, struct jc_owner *out_owner, const char **out_reason)
{
	struct jc_grant grant;
	int status = jc_bearer_read(exchange, &grant, out_reason);

	*out_owner = (struct jc_owner){ .connection = 0 };
	if (status != 200) {
		return status;
	}
	if (!(grant.roles & (JC_ROLE_WATCH | JC_ROLE_PUBLISH))) {
		*out_reason = "your token does not have the role for this";
		return 403;
	}
	strcpy(out_owner->subject, grant.subject);
	return 200;
}

/* The decoded part of the path after "/skeletons/". */
static bool read_name(struct jc_text target, char out_name[JC_MAX_SKELETON_NAME])
{
	struct jc_text path = jc_target_path(target);
	struct jc_text name = { path.bytes + strlen(LIST "/"), path.length - strlen(LIST "/") };

	return jc_target_unescape(name, out_name, JC_MAX_SKELETON_NAME) && !strchr(out_name, '/') &&
	       jc_registry_is_name(out_name) && jc_utf8_is_valid(out_name, strlen(out_name));
}

/* ?index=N, of the humanoid in the file; nothing else may stand there. */
static bool read_index(struct jc_text target, size_t *out_index)
{
	struct jc_text options = jc_target_options(target);
	struct jc_text key, value;

	*out_index = 0;
	return !options.bytes ||
	       (jc_target_next(&options, &key, &value) && jc_text_is(key, "index") &&
		       jc_target_number(value, out_index) && options.length == 0);
}

int jc_skeleton_admit(struct jc_exchange *exchange, const char **out_reason)
{
	struct jc_text target = exchange->request.target;
	struct jc_owner owner;
	char name[JC_MAX_SKELETON_NAME];
	size_t index;
	int status = find_owner(exchange, &owner, out_reason);

	if (status != 200) {
		return status;
	}
	if (exchange->route->methods & JC_METHOD_PUT && !read_name(target, name)) {
		*out_reason = "the name is 1 to 63 bytes without control characters or '/'";
		return 400;
	}
	if (!read_index(target, &index)) {
		*out_reason = "nothing but ?index=NUMBER may follow the path";
		return 400;
	}
	if (!jc_registry_has_room(registry_of(exchange), (size_t)exchange->request.length)) {
		*out_reason = "too many skeletons wait to be read";
		return 429;
	}
	return 200;
}

/* Steals the object. */
static void answer(struct jc_exchange *exchange, int status, json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	jc_exchange_answer(exchange, status, "application/json", text);
}

void jc_skeleton_serve_list(struct jc_exchange *exchange)
{
	struct jc_owner owner;
	const char *reason;
	int status = find_owner(exchange, &owner, &reason);

	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	} else {
		answer(exchange, 200, jc_skeleton_json_list(registry_of(exchange), &owner));
	}
}

static void on_reported(void *context, const struct jc_registry_answer *result)
{
	struct jc_exchange *exchange = context;
	char reason[512];

	switch (result->outcome) {
	case JC_REGISTRY_NEW:
		answer(exchange, 201, jc_skeleton_json_registered(result));
		break;
	case JC_REGISTRY_CHANGED:
	case JC_REGISTRY_SAME:
		answer(exchange, 200, jc_skeleton_json_registered(result));
		break;
	case JC_REGISTRY_ENDED:
		answer(exchange, 200,
			json_pack("{ss ss}", "type", "unregistered", "name", result->name));
		break;
	case JC_REGISTRY_UNKNOWN:
		jc_exchange_status(exchange, 404, "no skeleton of that name");
		break;
	case JC_REGISTRY_UNUSABLE:
	case JC_REGISTRY_FULL:
	case JC_REGISTRY_FAILED:
		jc_skeleton_json_reason(result->diagnostic, reason);
		jc_exchange_status(exchange,
			result->outcome == JC_REGISTRY_UNUSABLE ? 400
			: result->outcome == JC_REGISTRY_FULL   ? 507
								: 503,
			reason);
		break;
	}
}

/* A PUT has a body, which may be empty; a DELETE has none. */
static void ask(struct jc_exchange *exchange, const struct jc_owner *owner, const char *name)
{
	bool is_put = jc_request_method(&exchange->request) == JC_METHOD_PUT;
	struct jc_registry_request spec = { .owner = owner, .name = name };
	int status = JC_OK;

	if (is_put) {
		read_index(exchange->request.target, &spec.index);
		spec.bytes = jc_exchange_take_body(exchange, &spec.length);
		spec.bytes = spec.bytes ? spec.bytes : calloc(1, 1);
		status = spec.bytes ? JC_OK : JC_ERROR_MEMORY;
	}
	if (status == JC_OK) {
		status = jc_registry_ask(registry_of(exchange), &spec, on_reported, exchange);
	}
	if (status != JC_OK) {
		free(spec.bytes);
		jc_exchange_status(exchange, status == JC_ERROR_LIMIT ? 429 : 503,
			status == JC_ERROR_LIMIT ? "too many skeletons wait to be read"
						 : "out of memory");
	}
}

static void serve_descriptor(
	struct jc_exchange *exchange, const struct jc_owner *owner, const char *name)
{
	const struct jc_registration *entry = jc_registrations_find(
		jc_registry_registrations(registry_of(exchange)), owner, name);

	if (entry) {
		jc_exchange_answer(exchange, 200, "application/json",
			strndup(jc_skeleton_asset_descriptor(entry->asset),
				entry->asset->descriptor_length));
	} else {
		jc_exchange_status(exchange, 404, "no skeleton of that name");
	}
}

void jc_skeleton_serve_one(struct jc_exchange *exchange)
{
	struct jc_owner owner;
	char name[JC_MAX_SKELETON_NAME];
	const char *reason;
	int status = find_owner(exchange, &owner, &reason);

	/* The token may have expired while the body was received. */
	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	} else if (!read_name(exchange->request.target, name)) {
		jc_exchange_status(exchange, 404, "no skeleton of that name");
	} else if (jc_request_method(&exchange->request) == JC_METHOD_GET) {
		serve_descriptor(exchange, &owner, name);
	} else {
		ask(exchange, &owner, name);
	}
}
