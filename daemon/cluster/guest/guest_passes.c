/* An edge has few spaces: a list is searched. */
#include "cluster/guest/guest_passes.h"

#include <string.h>

void jc_guest_passes_finish(struct jc_guest_passes *passes)
{
	for (size_t i = 0; i < passes->count; i++) {
		jc_guest_pass_finish(&passes->list[i].pass);
	}
	passes->count = 0;
}

static size_t index_of(const struct jc_guest_passes *passes, const char *space)
{
	size_t i = 0;

	while (i < passes->count && strcmp(passes->list[i].space, space) != 0) {
		i++;
	}
	return i;
}

const char *jc_guest_passes_take(
	struct jc_guest_passes *passes, const char *space, const json_t *message)
{
	struct jc_guest_pass pass = { .count = 0 };
	size_t at = index_of(passes, space);
	const char *wrong = jc_guest_message_read(message, &pass);

	if (wrong) {
		return wrong;
	}
	if (at == JC_MAX_SPACES) {
		jc_guest_pass_finish(&pass);
		return "too many spaces";
	}
	if (at < passes->count) {
		jc_guest_pass_finish(&passes->list[at].pass);
	} else {
		strcpy(passes->list[passes->count++].space, space);
	}
	passes->list[at].pass = pass;
	return NULL;
}

void jc_guest_passes_drop(struct jc_guest_passes *passes, const char *space)
{
	size_t at = index_of(passes, space);

	if (at < passes->count) {
		jc_guest_pass_finish(&passes->list[at].pass);
		passes->list[at] = passes->list[--passes->count];
	}
}

static bool has(const struct jc_guest_pass *pass, const char *id)
{
	for (size_t i = 0; i < pass->count; i++) {
		if (strcmp(pass->ids[i], id) == 0) {
			return true;
		}
	}
	return false;
}

const struct jc_keyring *jc_guest_passes_keyring(
	const struct jc_guest_passes *passes, const char *id)
{
	for (size_t i = 0; i < passes->count; i++) {
		if (has(&passes->list[i].pass, id)) {
			return &passes->list[i].pass.keyring;
		}
	}
	return NULL;
}

bool jc_guest_passes_accept(const struct jc_guest_passes *passes, const struct jc_grant *grant)
{
	size_t at = grant->spaces.count == 1 && !grant->spaces.all
			    ? index_of(passes, grant->spaces.names[0])
			    : passes->count;

	return at < passes->count && has(&passes->list[at].pass, grant->invitation);
}
