/* A plain array: there are few invitations, and a search by hash compares all of them anyway. */
#include "invitation/invitation_list.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "jointcast_private/array.h"

void jc_invitation_list_finish(struct jc_invitation_list *invitations)
{
	free(invitations->list);
	*invitations = (struct jc_invitation_list){ 0 };
}

int jc_invitation_list_copy(
	const struct jc_invitation_list *invitations, struct jc_invitation_list *out_copy)
{
	size_t bytes = invitations->count * sizeof(*invitations->list);
	struct jc_invitation *list = malloc(bytes ? bytes : 1);

	if (!list) {
		return JC_ERROR_MEMORY;
	}
	if (bytes > 0) {
		memcpy(list, invitations->list, bytes);
	}
	*out_copy = (struct jc_invitation_list){
		.count = invitations->count, .capacity = invitations->count, .list = list
	};
	return JC_OK;
}

static size_t count_of(const struct jc_invitation_list *invitations, const char *by)
{
	size_t count = 0;

	for (size_t i = 0; i < invitations->count; i++) {
		count += strcmp(invitations->list[i].by, by) == 0;
	}
	return count;
}

int jc_invitation_list_add(
	struct jc_invitation_list *invitations, const struct jc_invitation *invitation)
{
	if (jc_invitation_list_find(invitations, invitation->id)) {
		return JC_ERROR_INVALID;
	}
	if (invitations->count >= JC_MAX_INVITATIONS ||
		count_of(invitations, invitation->by) >= JC_MAX_INVITATIONS_OF_ONE) {
		return JC_ERROR_LIMIT;
	}
	if (!jc_array_grow(&invitations->list, &invitations->capacity, invitations->count + 1,
		    JC_MAX_INVITATIONS, sizeof(*invitations->list))) {
		return JC_ERROR_MEMORY;
	}
	invitations->list[invitations->count++] = *invitation;
	return JC_OK;
}

static void remove_at(struct jc_invitation_list *invitations, size_t at)
{
	struct jc_invitation *list = invitations->list;

	invitations->count--;
	memmove(&list[at], &list[at + 1], (invitations->count - at) * sizeof(*list));
}

bool jc_invitation_list_remove(struct jc_invitation_list *invitations, const char *id)
{
	struct jc_invitation *found = jc_invitation_list_find(invitations, id);

	if (found) {
		remove_at(invitations, (size_t)(found - invitations->list));
	}
	return found != NULL;
}

void jc_invitation_list_expire(struct jc_invitation_list *invitations, int64_t now_s)
{
	for (size_t i = invitations->count; i > 0; i--) {
		if (invitations->list[i - 1].expires_s + JC_TOKEN_SKEW < now_s) {
			remove_at(invitations, i - 1);
		}
	}
}

struct jc_invitation *jc_invitation_list_find(
	const struct jc_invitation_list *invitations, const char *id)
{
	for (size_t i = 0; i < invitations->count; i++) {
		if (strcmp(invitations->list[i].id, id) == 0) {
			return &invitations->list[i];
		}
	}
	return NULL;
}

struct jc_invitation *jc_invitation_list_find_hash(
	const struct jc_invitation_list *invitations, const struct jc_digest *hash)
{
	struct jc_invitation *found = NULL;

	for (size_t i = 0; i < invitations->count; i++) {
		struct jc_invitation *at = &invitations->list[i];
		bool is_equal = jc_digest_equals(&at->hash, hash);

		found = is_equal && at->has_secret ? at : found;
	}
	return found;
}
