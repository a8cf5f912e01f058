/* A list of claims, one for each process and space. */
#include "cluster/rivals.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast_private/array.h"

void jc_rivals_finish(struct jc_rivals *rivals)
{
	free(rivals->list);
	*rivals = (struct jc_rivals){ 0 };
}

static struct jc_rival *find(struct jc_rivals *rivals, const char *incarnation, const char *space)
{
	for (size_t i = 0; i < rivals->count; i++) {
		if (strcmp(rivals->list[i].claim.space, space) == 0 &&
			strcmp(rivals->list[i].incarnation, incarnation) == 0) {
			return &rivals->list[i];
		}
	}
	return NULL;
}

static void put(struct jc_rivals *rivals, const struct jc_origin_message *message,
	const struct jc_origin_claim *claim, int64_t expires_ns)
{
	struct jc_rival *rival = find(rivals, message->incarnation, claim->space);

	if (!rival && jc_array_grow(&rivals->list, &rivals->capacity, rivals->count + 1,
			      JC_MAX_RIVALS, sizeof(rivals->list[0]))) {
		rival = &rivals->list[rivals->count++];
	}
	if (rival) {
		*rival = (struct jc_rival){ .claim = *claim, .expires_ns = expires_ns };
		strcpy(rival->origin, message->origin);
		strcpy(rival->incarnation, message->incarnation);
	}
}

void jc_rivals_take(
	struct jc_rivals *rivals, const struct jc_origin_message *message, int64_t expires_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < rivals->count; i++) {
		if (!message->is_leaving ||
			strcmp(rivals->list[i].incarnation, message->incarnation) != 0) {
			rivals->list[kept++] = rivals->list[i];
		}
	}
	rivals->count = kept;
	for (size_t i = 0; i < message->count; i++) {
		put(rivals, message, &message->claims[i], expires_ns);
	}
}

void jc_rivals_expire(struct jc_rivals *rivals, int64_t now_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < rivals->count; i++) {
		if (rivals->list[i].expires_ns > now_ns) {
			rivals->list[kept++] = rivals->list[i];
		}
	}
	rivals->count = kept;
}

const struct jc_rival *jc_rivals_winner(
	const struct jc_rivals *rivals, const char *space, uint64_t epoch, const char *origin)
{
	const struct jc_rival *winner = NULL;

	for (size_t i = 0; i < rivals->count; i++) {
		const struct jc_rival *rival = &rivals->list[i];

		if (strcmp(rival->claim.space, space) == 0 &&
			(epoch == 0 ||
				jc_origin_wins(rival->claim.epoch, rival->origin, epoch, origin))) {
			winner = rival;
			epoch = rival->claim.epoch;
			origin = rival->origin;
		}
	}
	return winner;
}
