/* Keeps sanctions in a sorted list, since each session looks up several each second. */
#include "moderation/sanctions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "jointcast_private/array.h"

static const char *const kind_names[] = {
	[JC_SANCTION_HIDE] = "hide",
	[JC_SANCTION_MUTE] = "mute",
	[JC_SANCTION_BAN] = "ban",
	[JC_SANCTION_BLOCK] = "block",
};

const char *jc_sanction_kind_name(enum jc_sanction_kind kind)
{
	return kind_names[kind];
}

int jc_sanction_kind_find(const char *name)
{
	for (int i = 0; i < JC_SANCTION_KINDS; i++) {
		if (strcmp(kind_names[i], name) == 0) {
			return i;
		}
	}
	return -1;
}

void jc_sanctions_finish(struct jc_sanctions *sanctions)
{
	free(sanctions->list);
	*sanctions = (struct jc_sanctions){ .list = NULL };
}

static int compare(const struct jc_sanction *sanction, const char *space,
	enum jc_sanction_kind kind, const char *who)
{
	int order = strcmp(sanction->space, space);

	if (order != 0) {
		return order;
	}
	return sanction->kind != kind ? (sanction->kind < kind ? -1 : 1)
				      : strcmp(sanction->who, who);
}

/* The position of a sanction in the list, or where it would be inserted. */
static size_t place_of(const struct jc_sanctions *sanctions, const char *space,
	enum jc_sanction_kind kind, const char *who)
{
	size_t from = 0, to = sanctions->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare(&sanctions->list[middle], space, kind, who) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

static bool is_at(const struct jc_sanctions *sanctions, size_t place, const char *space,
	enum jc_sanction_kind kind, const char *who)
{
	return place < sanctions->count && compare(&sanctions->list[place], space, kind, who) == 0;
}

static int reserve(struct jc_sanctions *sanctions, const char *space)
{
	const struct jc_sanction *first;

	if (sanctions->count == JC_MAX_SANCTIONS ||
		jc_sanctions_of(sanctions, space, &first) >= JC_MAX_SANCTIONS_OF_SPACE) {
		return JC_ERROR_LIMIT;
	}
	return jc_array_grow(&sanctions->list, &sanctions->capacity, sanctions->count + 1,
		       JC_MAX_SANCTIONS, sizeof(sanctions->list[0]))
		       ? JC_OK
		       : JC_ERROR_MEMORY;
}

int jc_sanctions_put(struct jc_sanctions *sanctions, const struct jc_sanction *sanction)
{
	size_t place = place_of(sanctions, sanction->space, sanction->kind, sanction->who);

	if (!is_at(sanctions, place, sanction->space, sanction->kind, sanction->who)) {
		int status = reserve(sanctions, sanction->space);

		if (status != JC_OK) {
			return status;
		}
		memmove(&sanctions->list[place + 1], &sanctions->list[place],
			(sanctions->count - place) * sizeof(sanctions->list[0]));
		sanctions->count++;
	}
	sanctions->list[place] = *sanction;
	sanctions->revision++;
	return JC_OK;
}

bool jc_sanctions_lift(struct jc_sanctions *sanctions, const char *space,
	enum jc_sanction_kind kind, const char *who)
{
	size_t place = place_of(sanctions, space, kind, who);

	if (!is_at(sanctions, place, space, kind, who)) {
		return false;
	}
	sanctions->count--;
	sanctions->revision++;
	memmove(&sanctions->list[place], &sanctions->list[place + 1],
		(sanctions->count - place) * sizeof(sanctions->list[0]));
	return true;
}

bool jc_sanctions_expire(struct jc_sanctions *sanctions, int64_t now_s)
{
	size_t kept = 0;

	for (size_t i = 0; i < sanctions->count; i++) {
		if (sanctions->list[i].until_s > now_s) {
			size_t from = i, to = kept++;

			sanctions->list[to] = sanctions->list[from];
		}
	}
	bool any = kept < sanctions->count;

	sanctions->count = kept;
	sanctions->revision += any;
	return any;
}

const struct jc_sanction *jc_sanctions_find(const struct jc_sanctions *sanctions, const char *space,
	enum jc_sanction_kind kind, const char *who)
{
	size_t place = place_of(sanctions, space, kind, who);

	return is_at(sanctions, place, space, kind, who) ? &sanctions->list[place] : NULL;
}

const struct jc_sanction *jc_sanctions_find_person(const struct jc_sanctions *sanctions,
	const char *space, enum jc_sanction_kind kind, const char *subject, const char *address)
{
	const struct jc_sanction *found = NULL;
	char who[JC_MAX_WHO];

	if (sanctions->count == 0) {
		return NULL;
	}
	if (subject) {
		snprintf(who, sizeof(who), "subject %s", subject);
		found = jc_sanctions_find(sanctions, space, kind, who);
	}
	if (!found) {
		snprintf(who, sizeof(who), "address %.63s", address);
		found = jc_sanctions_find(sanctions, space, kind, who);
	}
	return found;
}

bool jc_sanctions_is_blocked(
	const struct jc_sanctions *sanctions, const char *space, const char *hash)
{
	char who[JC_MAX_WHO];

	snprintf(who, sizeof(who), "avatar %.64s", hash);
	if (space) {
		return jc_sanctions_find(sanctions, space, JC_SANCTION_BLOCK, who) != NULL;
	}
	for (size_t i = 0; i < sanctions->count; i++) {
		if (sanctions->list[i].kind == JC_SANCTION_BLOCK &&
			strcmp(sanctions->list[i].who, who) == 0) {
			return true;
		}
	}
	return false;
}

size_t jc_sanctions_of(const struct jc_sanctions *sanctions, const char *space,
	const struct jc_sanction **out_first)
{
	size_t first = place_of(sanctions, space, (enum jc_sanction_kind)0, "");
	size_t end = first;

	while (end < sanctions->count && strcmp(sanctions->list[end].space, space) == 0) {
		end++;
	}
	*out_first = sanctions->list ? &sanctions->list[first] : NULL;
	return end - first;
}
