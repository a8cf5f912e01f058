/* Unknown members are ignored, as in control messages. */
#include "invitation/invitation_request.h"

#include <jansson.h>
#include <string.h>

#include "jointcast_private/json.h"
#include "jointcast_private/text.h"

/* Copies a text of 1 or more bytes that fits; an absent one is empty. */
static int read_text(const json_t *object, const char *key, char *out_text, size_t size,
	struct jc_diagnostic *diagnostic)
{
	const char *text = "";
	int status = jc_json_read_string(object, key, NULL, &text, diagnostic);

	if (status == JC_OK && strlen(text) >= size) {
		return jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, key, "more than %zu bytes", size - 1);
	}
	if (status == JC_OK) {
		strcpy(out_text, text);
	}
	return status;
}

static int read_role(const json_t *object, enum jc_role *out_role, struct jc_diagnostic *diagnostic)
{
	const char *name = "";
	int status = jc_json_read_string(object, "role", NULL, &name, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	unsigned role = jc_role_find(name);

	if (role != JC_ROLE_WATCH && role != JC_ROLE_PUBLISH) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "role", "not watch or publish");
	}
	*out_role = (enum jc_role)role;
	return JC_OK;
}

static bool is_printable(const char *text)
{
	while (*text) {
		bool is_printable;

		text += jc_text_next(text, &is_printable);
		if (!is_printable) {
			return false;
		}
	}
	return true;
}

static int check(const struct jc_invitation_request *request, struct jc_diagnostic *diagnostic)
{
	if (!request->space[0]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "space", "missing");
	}
	if (request->seconds == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "expires", "missing");
	}
	if (!is_printable(request->note)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, "note",
			"has characters that cannot be shown");
	}
	if (request->pair && request->uses != 1) {
		return jc_diagnose(
			diagnostic, JC_ERROR_INVALID, "uses", "a pairing code has one use");
	}
	return JC_OK;
}

static int read_request(const json_t *object, struct jc_invitation_request *request,
	struct jc_diagnostic *diagnostic)
{
	long long seconds = 0, uses = 1;
	int status = read_text(object, "space", request->space, sizeof(request->space), diagnostic);

	if (status == JC_OK) {
		status = read_role(object, &request->role, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_json_read_integer(object, "expires", NULL, 1, JC_MAX_INVITATION_SECONDS,
			&seconds, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_json_read_integer(
			object, "uses", NULL, 1, JC_MAX_INVITATION_USES, &uses, diagnostic);
	}
	if (status == JC_OK) {
		status =
			read_text(object, "note", request->note, sizeof(request->note), diagnostic);
	}
	if (status == JC_OK) {
		status = jc_json_read_bool(object, "pair", NULL, &request->pair, diagnostic);
	}
	request->seconds = seconds;
	request->uses = (unsigned)uses;
	return status == JC_OK ? check(request, diagnostic) : status;
}

/* Parses the text of an object. */
static int parse(
	const char *bytes, size_t length, json_t **out_object, struct jc_diagnostic *diagnostic)
{
	json_t *object = NULL;
	int status = jc_json_parse(bytes, length, &object, diagnostic);

	if (status == JC_OK && !json_is_object(object)) {
		json_decref(object);
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "not a JSON object");
	}
	if (status == JC_OK) {
		*out_object = object;
	}
	return status;
}

int jc_invitation_request_parse(const char *bytes, size_t length,
	struct jc_invitation_request *out_request, struct jc_diagnostic *diagnostic)
{
	struct jc_invitation_request request = { .role = JC_ROLE_WATCH };
	json_t *object = NULL;
	int status = parse(bytes, length, &object, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = read_request(object, &request, diagnostic);
	json_decref(object);
	if (status == JC_OK) {
		*out_request = request;
	}
	return status;
}

int jc_redemption_request_parse(const char *bytes, size_t length,
	struct jc_redemption_request *out_request, struct jc_diagnostic *diagnostic)
{
	struct jc_redemption_request request = { .is_code = false };
	json_t *object = NULL;
	int status = parse(bytes, length, &object, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	request.is_code = json_object_get(object, "code") != NULL;
	if (request.is_code == (json_object_get(object, "invitation") != NULL)) {
		status = jc_diagnose(
			diagnostic, JC_ERROR_INVALID, NULL, "needs either invitation or code");
	} else {
		status = read_text(object, request.is_code ? "code" : "invitation", request.text,
			sizeof(request.text), diagnostic);
	}
	json_decref(object);
	if (status == JC_OK) {
		*out_request = request;
	}
	return status;
}
