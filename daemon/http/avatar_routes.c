/* A client gets the avatars of the bodies that it may watch, and its own ones; for all other
 * clients a hash is unknown. */
#include "http/avatar_routes.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "avatars/avatar_store.h"
#include "base/sha256.h"
#include "config/config.h"
#include "http/bearer.h"
#include "http/response.h"
#include "http/target.h"
#include "jointcast_private/text.h"
#include "moderation/moderation.h"
#include "registry/registry.h"
#include "registry/skeleton_json.h"
#include "services.h"
#include "space/relay/space_relay.h"

#define PREFIX  "/avatars/"
#define UNKNOWN "no such avatar, or no body that you may watch wears it now"

/* The client of a request. */
struct visitor {
	bool has_grant; /* else it has shown no token */
	struct jc_grant grant;
};

/* Returns 200, or the status that refuses the request. A token is not needed where anyone may
 * watch. */
static int find_visitor(
	const struct jc_exchange *exchange, struct visitor *out_visitor, const char **out_reason)
{
	int status = jc_bearer_read(exchange, &out_visitor->grant, out_reason);

	out_visitor->has_grant = status == 200;
	return exchange->request.authorization.bytes ? status : 200;
}

static const struct jc_sanctions *sanctions_of(const struct jc_exchange *exchange)
{
	return jc_moderation_sanctions(exchange->services->moderation);
}

static bool may(const struct jc_exchange *exchange, const struct visitor *visitor,
	struct jc_fanout *fanout, enum jc_role role)
{
	return jc_bearer_may(exchange, visitor->has_grant ? &visitor->grant : NULL, role,
		jc_space_options(fanout->space)->name);
}

static struct jc_avatar *find_own(
	const struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	return jc_avatars_find_own(exchange->services->avatars, hash, visitor->grant.subject);
}

/* A space that the visitor may watch, where a body wears the avatar; NULL: none. */
static struct jc_fanout *find_space(
	const struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	const struct jc_spaces *spaces = exchange->services->spaces;

	for (size_t i = 0; i < spaces->count; i++) {
		if (jc_space_avatar_bytes(spaces->fanouts[i]->space, hash) > 0 &&
			may(exchange, visitor, spaces->fanouts[i], JC_ROLE_WATCH)) {
			return spaces->fanouts[i];
		}
	}
	return NULL;
}

static bool may_fetch(
	const struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	return find_space(exchange, visitor, hash) ||
	       (visitor->has_grant && find_own(exchange, visitor, hash) &&
		       !jc_sanctions_is_blocked(sanctions_of(exchange), NULL, hash));
}

/* An administrator of all spaces, or of one where a body wears it. */
static bool may_remove(
	const struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	const struct jc_spaces *spaces = exchange->services->spaces;

	for (size_t i = 0; visitor->has_grant && i < spaces->count; i++) {
		if ((visitor->grant.spaces.all ||
			    jc_space_avatar_bytes(spaces->fanouts[i]->space, hash) > 0) &&
			may(exchange, visitor, spaces->fanouts[i], JC_ROLE_ADMINISTER)) {
			return true;
		}
	}
	return false;
}

/* The part of the path after "/avatars/"; only the form that the roster has is valid. */
static bool read_hash(struct jc_text target, char out_hash[JC_HASH_TEXT])
{
	const char *hash = target.bytes + strlen(PREFIX);
	size_t length = target.length - strlen(PREFIX);

	if (!jc_sha256_is_hex(hash, length)) {
		return false;
	}
	memcpy(out_hash, hash, length);
	out_hash[length] = '\0';
	return true;
}

int jc_avatar_admit_one(struct jc_exchange *exchange, const char **out_reason)
{
	struct visitor visitor;

	return find_visitor(exchange, &visitor, out_reason);
}

static void send_open_file(
	struct jc_exchange *exchange, const struct jc_fetched_file *file, const char *hash)
{
	char tag[JC_HASH_TEXT + 2];

	snprintf(tag, sizeof(tag), "\"%s\"", hash);
	jc_exchange_open_file(exchange,
		&(struct jc_response_file){ .fd = file->fd,
			.length = file->length,
			.type = file->is_binary ? "model/gltf-binary" : "model/gltf+json",
			.tag = tag,
			.headers = "Content-Disposition: attachment\r\n"
				   "Content-Security-Policy: sandbox; default-src 'none'\r\n" });
}

static void send_file(struct jc_exchange *exchange, const struct jc_avatar *avatar)
{
	int fd = jc_avatar_file_open(&avatar->file);

	if (fd < 0) {
		jc_log_write(exchange->services->log, JC_LOG_WARNING,
			"avatar '%s' has changed since it was read: it is not served",
			avatar->file.path);
		jc_exchange_status(exchange, 404, UNKNOWN);
		return;
	}
	send_open_file(exchange,
		&(struct jc_fetched_file){ .fd = fd,
			.length = avatar->file.worn.bytes,
			.is_binary = avatar->file.is_binary },
		avatar->file.worn.hash);
}

/* An origin has answered. Meanwhile the rights of the client and the body may have changed. */
static void on_fetched(void *context, int status, const struct jc_fetched_file *file)
{
	struct jc_exchange *exchange = context;
	struct visitor visitor;
	char hash[JC_HASH_TEXT];
	const char *reason;
	bool may_have = status == 200 && exchange->connection &&
			find_visitor(exchange, &visitor, &reason) == 200 &&
			read_hash(exchange->request.target, hash) &&
			find_space(exchange, &visitor, hash);

	if (may_have) {
		send_open_file(exchange, file, hash);
		return;
	}
	if (file && file->fd >= 0) {
		close(file->fd);
	}
	jc_exchange_status(exchange, status == 200 ? 404 : status,
		status == 503 ? "the origin of the space does not answer" : UNKNOWN);
}

/* At an edge: the avatar of a relayed body. False: the space is not relayed. */
static bool serve_from_origin(
	struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	const struct jc_services *services = exchange->services;
	const struct jc_fanout *fanout = find_space(exchange, visitor, hash);
	int status;

	if (!services->cluster || !fanout || !jc_space_is_relayed(fanout->space)) {
		return false;
	}
	status = services->cluster_ops->avatar(services->cluster,
		jc_space_options(fanout->space)->name, hash,
		jc_space_avatar_bytes(fanout->space, hash), on_fetched, exchange);
	if (status != JC_OK) {
		on_fetched(exchange, 503, NULL);
	}
	return true;
}

static void serve_file(
	struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	const struct jc_avatar *avatar =
		may_fetch(exchange, visitor, hash)
			? jc_avatars_find(exchange->services->avatars, hash)
			: NULL;

	if (avatar) {
		send_file(exchange, avatar);
	} else if (!serve_from_origin(exchange, visitor, hash)) {
		jc_exchange_status(exchange, 404, UNKNOWN);
	}
}

/* Steals the object. */
static void answer(struct jc_exchange *exchange, int status, json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

	json_decref(object);
	jc_exchange_answer(exchange, status, "application/json", text);
}

static json_t *pack_avatar(const struct jc_exchange *exchange, const struct jc_avatar *avatar)
{
	return json_pack("{ss sI ss sI}", "hash", avatar->file.worn.hash, "bytes",
		(json_int_t)avatar->file.worn.bytes, "skeleton", avatar->asset->hash, "expires",
		(json_int_t)jc_avatar_store_expiry(exchange->services->avatar_store, avatar));
}

/* A request for the store has its answer. */
static void on_reported(void *context, const struct jc_avatar_answer *result)
{
	static const int statuses[] = {
		[JC_AVATAR_NEW] = 201,
		[JC_AVATAR_SAME] = 200,
		[JC_AVATAR_REMOVED] = 200,
		[JC_AVATAR_UNUSABLE] = 422,
		[JC_AVATAR_BLOCKED] = 403,
		[JC_AVATAR_FULL] = 507,
		[JC_AVATAR_FAILED] = 503,
	};
	struct jc_exchange *exchange = context;
	int status = statuses[result->outcome];
	char reason[512];

	if (result->avatar) {
		answer(exchange, status, pack_avatar(exchange, result->avatar));
	} else if (result->outcome == JC_AVATAR_REMOVED) {
		answer(exchange, status, json_pack("{sb}", "removed", true));
	} else {
		jc_skeleton_json_reason(result->diagnostic, reason);
		jc_exchange_status(exchange, status, reason);
	}
}

/* Removes the own avatar; an administrator removes those of all owners, and waits for one. */
static void remove_avatar(
	struct jc_exchange *exchange, const struct visitor *visitor, const char *hash)
{
	struct jc_avatar_store *store = exchange->services->avatar_store;
	const struct jc_avatars *avatars = exchange->services->avatars;
	struct jc_avatar *avatar = visitor->has_grant ? find_own(exchange, visitor, hash) : NULL;
	bool is_admin = may_remove(exchange, visitor, hash);

	for (size_t i = avatars->count; is_admin && i-- > 0;) {
		struct jc_avatar *other = avatars->list[i];

		if (other->is_uploaded && strcmp(other->file.worn.hash, hash) == 0) {
			if (avatar && avatar != other) {
				jc_avatar_store_remove(store, avatar, NULL, NULL);
			}
			avatar = other;
		}
	}
	if (!avatar) {
		jc_exchange_status(exchange, 404, UNKNOWN);
	} else if (jc_avatar_store_remove(store, avatar, on_reported, exchange) != JC_OK) {
		jc_exchange_status(exchange, 503, "out of memory");
	}
}

void jc_avatar_serve_one(struct jc_exchange *exchange)
{
	char hash[JC_HASH_TEXT];
	struct visitor visitor;
	const char *reason;
	int status = find_visitor(exchange, &visitor, &reason);

	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	} else if (!read_hash(exchange->request.target, hash)) {
		jc_exchange_status(exchange, 404, UNKNOWN);
	} else if (jc_request_method(&exchange->request) == JC_METHOD_GET) {
		serve_file(exchange, &visitor, hash);
	} else {
		remove_avatar(exchange, &visitor, hash);
	}
}

/* The options of an upload. */
struct options {
	bool has_rights, has_licence;
	enum jc_avatar_rights rights;
	char licence[JC_AVATAR_LICENCE];
	size_t index;
};

static bool is_licence(const char *licence)
{
	return jc_registry_is_name(licence) && jc_utf8_is_valid(licence, strlen(licence));
}

static bool read_option(struct jc_text key, struct jc_text value, struct options *options)
{
	char text[JC_AVATAR_LICENCE];

	if (jc_text_is(key, "index")) {
		return jc_target_number(value, &options->index);
	}
	if (!jc_target_value(value, text, sizeof(text))) {
		return false;
	}
	if (jc_text_is(key, "rights") && !options->has_rights) {
		options->has_rights = jc_avatar_rights_find(text, &options->rights);
		return options->has_rights;
	}
	if (jc_text_is(key, "licence") && !options->has_licence && is_licence(text)) {
		options->has_licence = true;
		strcpy(options->licence, text);
		return true;
	}
	return false;
}

/* NULL, or what is wrong. */
static const char *read_options(struct jc_text target, struct options *out_options)
{
	struct options options = { .index = 0 };
	struct jc_text rest = jc_target_options(target);
	struct jc_text key, value;

	while (jc_target_next(&rest, &key, &value)) {
		if (!read_option(key, value, &options)) {
			return "the options are rights=author, licensed or public, licence=TEXT of "
			       "1 to "
			       "63 bytes, and index=NUMBER";
		}
	}
	*out_options = options;
	return options.has_rights && options.has_licence
		       ? NULL
		       : "rights and licence are missing: by what right do others see the file?";
}

static int admit_upload(
	struct jc_exchange *exchange, const struct visitor *visitor, const char **out_reason)
{
	const struct jc_avatar_store *store = exchange->services->avatar_store;
	uint64_t length = exchange->request.length;
	struct options options;

	if (!jc_avatar_store_is_open(store)) {
		*out_reason = "the operator does not let clients upload avatars";
		return 403;
	}
	if (!(visitor->grant.roles & JC_ROLE_PUBLISH)) {
		*out_reason = "your token does not have the role for this";
		return 403;
	}
	*out_reason = read_options(exchange->request.target, &options);
	if (*out_reason) {
		return 400;
	}
	if (length > exchange->services->config->avatars.max_bytes) {
		*out_reason = "the file is larger than the operator lets it be";
		return 413;
	}
	if (!jc_avatar_store_has_room(store, (size_t)length)) {
		*out_reason = "too many avatars wait to be read";
		return 429;
	}
	return 200;
}

/* Avatars of one's own need a token where the server has keys. */
int jc_avatar_admit_all(struct jc_exchange *exchange, const char **out_reason)
{
	struct visitor visitor = { .has_grant = true };
	int status = jc_bearer_read(exchange, &visitor.grant, out_reason);

	if (status == 200 && jc_request_method(&exchange->request) == JC_METHOD_PUT) {
		status = admit_upload(exchange, &visitor, out_reason);
		if (status != 200) {
			jc_avatar_store_refuse(exchange->services->avatar_store);
		}
	} else if (status == 200 && jc_target_options(exchange->request.target).bytes) {
		*out_reason = "nothing may follow the path";
		status = 400;
	}
	return status;
}

static void upload(struct jc_exchange *exchange, const struct visitor *visitor)
{
	struct jc_avatar_store *store = exchange->services->avatar_store;
	struct options options;
	int status = JC_OK;

	/* The operator may have changed that while the body was received. */
	if (!jc_avatar_store_is_open(store)) {
		jc_exchange_status(
			exchange, 403, "the operator does not let clients upload avatars");
		return;
	}
	read_options(exchange->request.target, &options);
	struct jc_avatar_upload upload = { .subject = visitor->grant.subject,
		.rights = options.rights,
		.licence = options.licence,
		.index = options.index };

	upload.bytes = jc_exchange_take_body(exchange, &upload.length);
	upload.bytes = upload.bytes ? upload.bytes : calloc(1, 1);
	status = upload.bytes ? jc_avatar_store_put(store, &upload, on_reported, exchange)
			      : JC_ERROR_MEMORY;
	if (status != JC_OK) {
		free(upload.bytes);
		jc_avatar_store_refuse(store);
		jc_exchange_status(exchange, status == JC_ERROR_LIMIT ? 429 : 503,
			status == JC_ERROR_LIMIT ? "too many avatars wait to be read"
						 : "out of memory");
	}
}

static void serve_list(struct jc_exchange *exchange, const struct visitor *visitor)
{
	const struct jc_avatars *avatars = exchange->services->avatars;
	json_t *list = json_array();

	for (size_t i = 0; i < avatars->count; i++) {
		const struct jc_avatar *avatar = avatars->list[i];

		if (avatar->is_uploaded &&
			strcmp(avatar->claim.subject, visitor->grant.subject) == 0) {
			json_t *entry = pack_avatar(exchange, avatar);

			json_object_set_new(entry, "index", json_integer(avatar->file.worn.index));
			json_object_set_new(entry, "rights",
				json_string(jc_avatar_rights_name(avatar->claim.rights)));
			json_object_set_new(entry, "licence", json_string(avatar->claim.licence));
			json_array_append_new(list, entry);
		}
	}
	answer(exchange, 200, json_pack("{so}", "avatars", list));
}

void jc_avatar_serve_all(struct jc_exchange *exchange)
{
	struct visitor visitor = { .has_grant = true };
	const char *reason;
	/* The token may have expired while the body was received. */
	int status = jc_bearer_read(exchange, &visitor.grant, &reason);

	if (status != 200) {
		jc_exchange_status(exchange, status, reason);
	} else if (jc_request_method(&exchange->request) == JC_METHOD_PUT) {
		upload(exchange, &visitor);
	} else {
		serve_list(exchange, &visitor);
	}
}
