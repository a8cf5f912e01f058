/* Invitations. The first byte selects the input: 'f' the file of the state directory, 'm' the body
 * of a request that makes one, 'r' the body of a redemption, 'c' a pairing code as a person types
 * it. What is accepted is within its limits; a file is the same when it is written and read once
 * more. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "invitation/invitation_file.h"
#include "invitation/invitation_request.h"
#include "invitation/pairing.h"
#include "jointcast_private/text.h"
#include "target.h"

static void check_text(const char *text, size_t size)
{
	assert(memchr(text, '\0', size));
	assert(jc_utf8_is_valid(text, strlen(text)));
}

static void check_list(const struct jc_invitation_list *list)
{
	struct jc_invitation_list again = { 0 };
	struct jc_diagnostic diagnostic;
	char *text = jc_invitation_file_format(list, NULL, 0);

	assert(text && list->count <= JC_MAX_INVITATIONS);
	int status = jc_invitation_file_parse(text, strlen(text), &again, &diagnostic);

	assert(status == JC_OK && again.count == list->count);
	for (size_t i = 0; i < list->count; i++) {
		const struct jc_invitation *one = &list->list[i], *other = &again.list[i];

		check_text(one->id, sizeof(one->id));
		check_text(one->space, sizeof(one->space));
		check_text(one->note, sizeof(one->note));
		check_text(one->by, sizeof(one->by));
		check_text(one->key_id, sizeof(one->key_id));
		assert(one->role == JC_ROLE_WATCH || one->role == JC_ROLE_PUBLISH);
		assert(one->role == other->role && one->expires_s == other->expires_s);
		assert(one->uses == other->uses && one->used == other->used);
		assert(one->is_revoked == other->is_revoked);
		assert(one->has_secret == other->has_secret);
		assert(memcmp(&one->hash, &other->hash, sizeof(one->hash)) == 0);
		assert(strcmp(one->space, other->space) == 0 && strcmp(one->by, other->by) == 0);
		assert(strcmp(one->note, other->note) == 0);
		/* Each can be found, so a revocation holds. */
		assert(jc_invitation_list_find(list, one->id) == one);
	}
	jc_invitation_list_finish(&again);
	free(text);
}

static void read_file(const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_invitation_list list = { 0 };

	if (jc_invitation_file_parse(bytes, length, &list, &diagnostic) == JC_OK) {
		check_list(&list);
		jc_invitation_list_expire(&list, 1700000000);
		jc_invitation_list_finish(&list);
	} else {
		assert(diagnostic.what[0] && list.count == 0 && !list.list);
	}
}

static void read_making(const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_invitation_request request;

	if (jc_invitation_request_parse(bytes, length, &request, &diagnostic) != JC_OK) {
		assert(diagnostic.what[0]);
		return;
	}
	check_text(request.space, sizeof(request.space));
	check_text(request.note, sizeof(request.note));
	assert(request.space[0]);
	assert(request.role == JC_ROLE_WATCH || request.role == JC_ROLE_PUBLISH);
	assert(request.seconds >= 1 && request.seconds <= JC_MAX_INVITATION_SECONDS);
	assert(request.uses >= 1 && request.uses <= (request.pair ? 1 : JC_MAX_INVITATION_USES));
}

static void read_redemption(const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_redemption_request request;

	if (jc_redemption_request_parse(bytes, length, &request, &diagnostic) == JC_OK) {
		check_text(request.text, sizeof(request.text));
	} else {
		assert(diagnostic.what[0]);
	}
}

/* Nobody guesses 40 bits; failures count for one slot at most. */
static void read_code(const char *bytes, size_t length)
{
	struct jc_pairings pairings = { 0 };
	char code[JC_PAIRING_TEXT], id[JC_INVITATION_ID];
	char *text = strndup(bytes, length);
	unsigned failures = 0;

	assert(text);
	for (int i = 0; i < 8; i++) {
		int status = jc_pairings_add(&pairings, "one", "mia", 0, code);

		assert(status == JC_OK);
	}
	bool is_right = jc_pairings_take(&pairings, text, 1, id);

	assert(!is_right);
	for (size_t i = 0; i < JC_MAX_PAIRINGS; i++) {
		failures += pairings.list[i].failures;
	}
	assert(failures <= 1);
	is_right = jc_pairings_take(&pairings, code, 1, id);
	assert(is_right && strcmp(id, "one") == 0);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data + 1;

	if (size == 0) {
		return 0;
	}
	switch (data[0]) {
	case 'f':
		read_file(bytes, size - 1);
		break;
	case 'm':
		read_making(bytes, size - 1);
		break;
	case 'r':
		read_redemption(bytes, size - 1);
		break;
	case 'c':
		read_code(bytes, size - 1);
		break;
	default:
		break;
	}
	return 0;
}
