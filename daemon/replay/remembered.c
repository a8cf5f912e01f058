/* Ids grow, so the list is in their order by itself. */
#include "replay/remembered.h"

#include <assert.h>
#include <string.h>

/* Where the id is, or where it belongs. */
static size_t place_of(const struct jc_remembered *remembered, uint32_t id)
{
	size_t first = 0, end = remembered->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (remembered->list[middle].id < id) {
			first = middle + 1;
		} else {
			end = middle;
		}
	}
	return first;
}

static const struct jc_remembered_body *find(const struct jc_remembered *remembered, uint32_t id)
{
	size_t place = place_of(remembered, id);

	return place < remembered->count && remembered->list[place].id == id
		       ? &remembered->list[place]
		       : NULL;
}

void jc_remembered_note(
	struct jc_remembered *remembered, const struct jc_body *body, int64_t time_us)
{
	size_t place = place_of(remembered, body->id);
	struct jc_remembered_body *at = &remembered->list[place];

	if (place == remembered->count || at->id != body->id) {
		assert(remembered->count < JC_MAX_REWIND_BODIES);
		memmove(at + 1, at, (remembered->count - place) * sizeof(*at));
		remembered->count++;
		*at = (struct jc_remembered_body){ .id = body->id, .from_us = time_us };
	}
	/* A connection that shows a token has another party from then on. */
	at->party = body->source->party;
	at->outfit = body->outfit->number;
	at->last_us = time_us;
}

bool jc_remembered_withdraw(
	struct jc_remembered *remembered, const struct jc_space *space, const struct jc_body *body)
{
	uint64_t party = body->source->party;
	bool has = false;

	for (size_t i = 0; i < remembered->count; i++) {
		struct jc_remembered_body *at = &remembered->list[i];

		if (at->id == body->id ||
			(party != 0 && at->party == party && !jc_space_find(space, at->id))) {
			at->is_withdrawn = has = true;
		}
	}
	remembered->has_withdrawn |= has;
	return has;
}

void jc_remembered_make_room(
	struct jc_remembered *remembered, const struct jc_space *space, size_t count)
{
	size_t room = JC_MAX_REWIND_BODIES - remembered->count;

	for (size_t i = 0; i < remembered->count && room < count; i++) {
		struct jc_remembered_body *at = &remembered->list[i];

		if (!at->is_withdrawn && !jc_space_find(space, at->id)) {
			at->is_withdrawn = remembered->has_withdrawn = true;
			room++;
		}
	}
}

bool jc_remembered_is_withdrawn(const struct jc_remembered *remembered, uint32_t id)
{
	const struct jc_remembered_body *body =
		remembered->has_withdrawn ? find(remembered, id) : NULL;

	return body && body->is_withdrawn;
}

bool jc_remembered_is_worn(const struct jc_remembered *remembered, uint32_t outfit)
{
	for (size_t i = 0; i < remembered->count; i++) {
		if (remembered->list[i].outfit == outfit) {
			return true;
		}
	}
	return false;
}

int64_t jc_remembered_withdrawn_from(const struct jc_remembered *remembered)
{
	int64_t from_us = INT64_MAX;

	for (size_t i = 0; i < remembered->count; i++) {
		const struct jc_remembered_body *at = &remembered->list[i];

		if (at->is_withdrawn && at->from_us < from_us) {
			from_us = at->from_us;
		}
	}
	return from_us;
}

void jc_remembered_drop(struct jc_remembered *remembered, int64_t from_us)
{
	size_t kept = 0;

	for (size_t i = 0; i < remembered->count; i++) {
		if (!remembered->list[i].is_withdrawn && remembered->list[i].last_us >= from_us) {
			remembered->list[kept++] = remembered->list[i];
		}
	}
	remembered->count = kept;
	remembered->has_withdrawn = false;
}
