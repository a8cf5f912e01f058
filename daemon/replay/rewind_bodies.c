/* Body ids only grow, so appending keeps the list sorted. */
#include "replay/rewind_bodies.h"

#include <assert.h>
#include <string.h>

/* The index of the id, or the index at which it would be inserted. */
static size_t place_of(const struct jc_rewind_bodies *rewind_bodies, uint32_t id)
{
	size_t first = 0, end = rewind_bodies->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (rewind_bodies->list[middle].id < id) {
			first = middle + 1;
		} else {
			end = middle;
		}
	}
	return first;
}

static const struct jc_rewind_body *find(const struct jc_rewind_bodies *rewind_bodies, uint32_t id)
{
	size_t place = place_of(rewind_bodies, id);

	return place < rewind_bodies->count && rewind_bodies->list[place].id == id
		       ? &rewind_bodies->list[place]
		       : NULL;
}

void jc_rewind_bodies_note(
	struct jc_rewind_bodies *rewind_bodies, const struct jc_body *body, int64_t time_us)
{
	size_t place = place_of(rewind_bodies, body->id);
	struct jc_rewind_body *at = &rewind_bodies->list[place];

	if (place == rewind_bodies->count || at->id != body->id) {
		assert(rewind_bodies->count < JC_MAX_REWIND_BODIES);
		memmove(at + 1, at, (rewind_bodies->count - place) * sizeof(*at));
		rewind_bodies->count++;
		*at = (struct jc_rewind_body){
			.id = body->id, .first_id = body->first_id, .from_us = time_us
		};
	}
	/* A connection that presents a token belongs to another party from then on. */
	at->party = body->source->party;
	at->asset = body->asset->number;
	at->last_us = time_us;
}

bool jc_rewind_bodies_withdraw(struct jc_rewind_bodies *rewind_bodies, const struct jc_space *space,
	const struct jc_body *body)
{
	uint64_t party = body->source->party;
	bool has = false;

	for (size_t i = 0; i < rewind_bodies->count; i++) {
		struct jc_rewind_body *at = &rewind_bodies->list[i];

		if (at->first_id == body->first_id ||
			(party != 0 && at->party == party && !jc_space_find(space, at->id))) {
			at->is_withdrawn = has = true;
		}
	}
	rewind_bodies->has_withdrawn |= has;
	return has;
}

void jc_rewind_bodies_make_room(
	struct jc_rewind_bodies *rewind_bodies, const struct jc_space *space, size_t count)
{
	size_t room = JC_MAX_REWIND_BODIES - rewind_bodies->count;

	for (size_t i = 0; i < rewind_bodies->count && room < count; i++) {
		struct jc_rewind_body *at = &rewind_bodies->list[i];

		if (!at->is_withdrawn && !jc_space_find(space, at->id)) {
			at->is_withdrawn = rewind_bodies->has_withdrawn = true;
			room++;
		}
	}
}

bool jc_rewind_bodies_is_withdrawn(const struct jc_rewind_bodies *rewind_bodies, uint32_t id)
{
	const struct jc_rewind_body *body =
		rewind_bodies->has_withdrawn ? find(rewind_bodies, id) : NULL;

	return body && body->is_withdrawn;
}

bool jc_rewind_bodies_use(const struct jc_rewind_bodies *rewind_bodies, uint32_t asset)
{
	for (size_t i = 0; i < rewind_bodies->count; i++) {
		if (rewind_bodies->list[i].asset == asset) {
			return true;
		}
	}
	return false;
}

int64_t jc_rewind_bodies_withdrawn_from(const struct jc_rewind_bodies *rewind_bodies)
{
	int64_t from_us = INT64_MAX;

	for (size_t i = 0; i < rewind_bodies->count; i++) {
		const struct jc_rewind_body *at = &rewind_bodies->list[i];

		if (at->is_withdrawn && at->from_us < from_us) {
			from_us = at->from_us;
		}
	}
	return from_us;
}

void jc_rewind_bodies_drop(struct jc_rewind_bodies *rewind_bodies, int64_t from_us)
{
	size_t kept = 0;

	for (size_t i = 0; i < rewind_bodies->count; i++) {
		if (!rewind_bodies->list[i].is_withdrawn &&
			rewind_bodies->list[i].last_us >= from_us) {
			rewind_bodies->list[kept++] = rewind_bodies->list[i];
		}
	}
	rewind_bodies->count = kept;
	rewind_bodies->has_withdrawn = false;
}
