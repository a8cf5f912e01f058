/* Verifies tokens. libjwt verifies signatures, but neither validates claims nor fixes the
 * algorithm; this file does both. A token is decoded twice: without a key to find its key id,
 * then with that key. */
#include "auth/token.h"

#include <jansson.h>
#include <jwt.h>
#include <stdlib.h>
#include <string.h>

const char *jc_refusal_name(enum jc_refusal refusal)
{
	static const char *const names[] = {
		[JC_REFUSAL_NONE] = "none",
		[JC_REFUSAL_MALFORMED] = "malformed",
		[JC_REFUSAL_KEY] = "unknown-key",
		[JC_REFUSAL_REVOKED] = "revoked",
		[JC_REFUSAL_ALGORITHM] = "wrong-algorithm",
		[JC_REFUSAL_SIGNATURE] = "bad-signature",
		[JC_REFUSAL_EXPIRED] = "expired",
		[JC_REFUSAL_TOO_EARLY] = "too-early",
		[JC_REFUSAL_AUDIENCE] = "wrong-audience",
	};

	return names[refusal];
}

const struct jc_grant jc_grant_all = { .roles = JC_ROLE_ALL,
	.spaces = { .all = true },
	.bodies = { .all = true },
	.expires_s = INT64_MAX };

bool jc_token_names_allow(const struct jc_token_names *names, const char *name)
{
	if (names->all) {
		return true;
	}
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* Copies a text without an inner NUL that fits; false for anything else. */
static bool copy_text(const json_t *value, char *out_text, size_t size)
{
	const char *text = json_string_value(value);

	if (!text || json_string_length(value) >= size ||
		strlen(text) != json_string_length(value)) {
		return false;
	}
	strcpy(out_text, text);
	return true;
}

/* Reads a list of names, or "*"; an absent list is empty. */
static bool read_names(const json_t *claim, struct jc_token_names *out_names)
{
	const json_t *name;
	size_t i;

	*out_names = (struct jc_token_names){ 0 };
	if (!claim) {
		return true;
	}
	if (json_is_string(claim)) {
		out_names->all = strcmp(json_string_value(claim), "*") == 0;
		return out_names->all;
	}
	if (!json_is_array(claim) || json_array_size(claim) > JC_TOKEN_NAMES) {
		return false;
	}
	json_array_foreach(claim, i, name)
	{
		if (!copy_text(name, out_names->names[i], sizeof(out_names->names[i]))) {
			return false;
		}
		out_names->count++;
	}
	return true;
}

unsigned jc_role_find(const char *name)
{
	static const struct {
		const char *name;
		enum jc_role role;
	} roles[] = {
		{ "watch", JC_ROLE_WATCH },
		{ "publish", JC_ROLE_PUBLISH },
		{ "record", JC_ROLE_RECORD },
		{ "moderate", JC_ROLE_MODERATE },
		{ "administer", JC_ROLE_ADMINISTER },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (strcmp(name, roles[i].name) == 0) {
			return (unsigned)roles[i].role;
		}
	}
	return 0;
}

/* Unknown roles allow nothing: a later version may define them. */
static bool read_roles(const json_t *claim, unsigned *out_roles)
{
	const json_t *name;
	size_t i;

	*out_roles = claim ? 0 : JC_ROLE_WATCH;
	if (claim && !json_is_array(claim)) {
		return false;
	}
	json_array_foreach(claim, i, name)
	{
		if (!json_is_string(name)) {
			return false;
		}
		*out_roles |= jc_role_find(json_string_value(name));
	}
	return true;
}

/* "aud" is a text or a list of texts (RFC 7519, 4.1.3). */
static bool is_for(const json_t *claim, const char *audience)
{
	const json_t *name;
	size_t i;

	if (json_is_string(claim)) {
		return strcmp(json_string_value(claim), audience) == 0;
	}
	json_array_foreach(claim, i, name)
	{
		if (json_is_string(name) && strcmp(json_string_value(name), audience) == 0) {
			return true;
		}
	}
	return false;
}

/* Times are NumericDates and may have a fraction (RFC 7519, 2). */
static enum jc_refusal check_times(const json_t *claims, int64_t now_s, int64_t *out_expires_s)
{
	const json_t *expires = json_object_get(claims, "exp");
	const json_t *begins = json_object_get(claims, "nbf");

	if (!json_is_number(expires) || (begins && !json_is_number(begins))) {
		return JC_REFUSAL_MALFORMED;
	}
	double end = json_number_value(expires);

	if (end <= (double)(now_s - JC_TOKEN_SKEW)) {
		return JC_REFUSAL_EXPIRED;
	}
	if (begins && json_number_value(begins) > (double)(now_s + JC_TOKEN_SKEW)) {
		return JC_REFUSAL_TOO_EARLY;
	}
	/* Larger doubles are not dates. */
	*out_expires_s = end < 1e15 ? (int64_t)end : INT64_C(1000000000000000);
	return JC_REFUSAL_NONE;
}

static enum jc_refusal read_claims(
	const json_t *claims, const char *audience, int64_t now_s, struct jc_grant *grant)
{
	enum jc_refusal refusal = check_times(claims, now_s, &grant->expires_s);

	if (refusal != JC_REFUSAL_NONE) {
		return refusal;
	}
	if (!is_for(json_object_get(claims, "aud"), audience)) {
		return JC_REFUSAL_AUDIENCE;
	}
	if (!copy_text(json_object_get(claims, "sub"), grant->subject, sizeof(grant->subject)) ||
		!grant->subject[0] ||
		!read_roles(json_object_get(claims, "roles"), &grant->roles) ||
		!read_names(json_object_get(claims, "spaces"), &grant->spaces) ||
		!read_names(json_object_get(claims, "bodies"), &grant->bodies)) {
		return JC_REFUSAL_MALFORMED;
	}
	return JC_REFUSAL_NONE;
}

/* Finds the key that a token names; the token must have the algorithm of that key. */
static enum jc_refusal choose_key(
	const struct jc_keyring *keyring, const char *token, const struct jc_key **out_key)
{
	enum jc_refusal refusal = JC_REFUSAL_NONE;
	jwt_t *unverified;

	if (jwt_decode(&unverified, token, NULL, 0) != 0) {
		return JC_REFUSAL_MALFORMED;
	}
	const char *id = jwt_get_header(unverified, "kid");
	const char *algorithm = jwt_get_header(unverified, "alg");
	const struct jc_key *key = id ? jc_keyring_find(keyring, id) : NULL;
	char *critical = jwt_get_headers_json(unverified, "crit");

	/* No critical header is supported (RFC 7515, 4.1.11). */
	if (critical) {
		refusal = JC_REFUSAL_MALFORMED;
	} else if (!key) {
		refusal = JC_REFUSAL_KEY;
	} else if (key->revoked) {
		refusal = JC_REFUSAL_REVOKED;
	} else if (!algorithm || strcmp(algorithm, jc_key_algorithm_name(key->algorithm)) != 0) {
		refusal = JC_REFUSAL_ALGORITHM;
	}
	free(critical);
	jwt_free(unverified);
	*out_key = key;
	return refusal;
}

static enum jc_refusal read_verified(jwt_t *jwt, const struct jc_key *key, const char *audience,
	int64_t now_s, struct jc_grant *out_grant)
{
	struct jc_grant grant = { 0 };
	char *text = jwt_get_grants_json(jwt, NULL);
	json_t *claims = text ? json_loads(text, 0, NULL) : NULL;
	enum jc_refusal refusal =
		claims ? read_claims(claims, audience, now_s, &grant) : JC_REFUSAL_MALFORMED;

	if (refusal == JC_REFUSAL_NONE && strcmp(key->id, JC_KEY_INVITE) == 0 &&
		(!copy_text(json_object_get(claims, "inv"), grant.invitation,
			 sizeof(grant.invitation)) ||
			!grant.invitation[0])) {
		refusal = JC_REFUSAL_MALFORMED;
	}
	if (refusal == JC_REFUSAL_NONE) {
		strcpy(grant.key_id, key->id);
		*out_grant = grant;
	}
	json_decref(claims);
	free(text);
	return refusal;
}

/* Whether the bytes can be a token; then they are copied with a NUL. */
static bool copy_token(const char *token, size_t length, char out_text[JC_TOKEN_BYTES + 1])
{
	if (length == 0 || length > JC_TOKEN_BYTES || memchr(token, '\0', length)) {
		return false;
	}
	memcpy(out_text, token, length);
	out_text[length] = '\0';
	return true;
}

bool jc_token_invitation(const char *token, size_t length, char out_id[JC_INVITATION_ID])
{
	char text[JC_TOKEN_BYTES + 1];
	jwt_t *unverified;

	if (!copy_token(token, length, text) || jwt_decode(&unverified, text, NULL, 0) != 0) {
		return false;
	}
	const char *key = jwt_get_header(unverified, "kid");
	const char *id = jwt_get_grant(unverified, "inv");
	bool is_guests = key && strcmp(key, JC_KEY_INVITE) == 0 && id && id[0] &&
			 strlen(id) < JC_INVITATION_ID;

	if (is_guests) {
		strcpy(out_id, id);
	}
	jwt_free(unverified);
	return is_guests;
}

enum jc_refusal jc_token_read(const struct jc_keyring *keyring, const char *audience,
	const char *token, size_t length, int64_t now_s, struct jc_grant *out_grant)
{
	char text[JC_TOKEN_BYTES + 1];
	const struct jc_key *key;
	jwt_t *jwt;

	if (!copy_token(token, length, text)) {
		return JC_REFUSAL_MALFORMED;
	}

	enum jc_refusal refusal = choose_key(keyring, text, &key);

	if (refusal != JC_REFUSAL_NONE) {
		return refusal;
	}
	if (jwt_decode(&jwt, text, key->bytes, (int)key->length) != 0) {
		return JC_REFUSAL_SIGNATURE;
	}
	/* The algorithm that the library used, not the one in the header. */
	refusal = jwt_get_alg(jwt) == jwt_str_alg(jc_key_algorithm_name(key->algorithm))
			  ? read_verified(jwt, key, audience, now_s, out_grant)
			  : JC_REFUSAL_ALGORITHM;
	jwt_free(jwt);
	return refusal;
}
