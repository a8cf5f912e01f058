/* Sorts registrations by owner, then by name, so that the entries of an owner are adjacent. */
#include "registry/registrations.h"
#include "jointcast_private/array.h"

#include <stdlib.h>
#include <string.h>

void jc_registrations_init(struct jc_registrations *registrations, const struct jc_quotas *quotas)
{
	*registrations = (struct jc_registrations){ .quotas = *quotas };
}

void jc_registrations_finish(struct jc_registrations *registrations)
{
	for (size_t i = 0; i < registrations->count; i++) {
		jc_skeleton_asset_release(registrations->entries[i]->asset);
		free(registrations->entries[i]);
	}
	free(registrations->entries);
	registrations->entries = NULL;
	registrations->count = registrations->capacity = 0;
}

static int compare_owners(const struct jc_owner *a, const struct jc_owner *b)
{
	int order = strcmp(a->subject, b->subject);

	return order ? order : (a->connection > b->connection) - (a->connection < b->connection);
}

/* Whether they are the same owner. */
static bool is_same_owner(const struct jc_owner *owner, const struct jc_owner *other)
{
	return compare_owners(owner, other) == 0;
}

static int compare(
	const struct jc_registration *entry, const struct jc_owner *owner, const char *name)
{
	int order = compare_owners(&entry->owner, owner);

	return order ? order : strcmp(entry->name, name);
}

/* The index of an entry, or the index at which it would be inserted. */
static size_t place_of(const struct jc_registrations *registrations, const struct jc_owner *owner,
	const char *name)
{
	size_t from = 0;
	size_t to = registrations->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare(registrations->entries[middle], owner, name) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

static bool is_at(const struct jc_registrations *registrations, size_t place,
	const struct jc_owner *owner, const char *name)
{
	return place < registrations->count &&
	       compare(registrations->entries[place], owner, name) == 0;
}

struct jc_registration *jc_registrations_find(const struct jc_registrations *registrations,
	const struct jc_owner *owner, const char *name)
{
	size_t place = place_of(registrations, owner, name);

	return is_at(registrations, place, owner, name) ? registrations->entries[place] : NULL;
}

size_t jc_registrations_of(const struct jc_registrations *registrations,
	const struct jc_owner *owner, struct jc_registration *const **out_entries)
{
	size_t first = place_of(registrations, owner, ""); /* names are not empty */
	size_t end = first;

	while (end < registrations->count &&
		is_same_owner(&registrations->entries[end]->owner, owner)) {
		end++;
	}
	*out_entries = end > first ? &registrations->entries[first] : NULL;
	return end - first;
}

static void add(struct jc_quota *sum, const struct jc_skeleton_asset *asset)
{
	sum->count++;
	sum->bytes += asset->descriptor_length;
}

static bool is_within(struct jc_quota sum, struct jc_quota most)
{
	return sum.count <= most.count && sum.bytes <= most.bytes;
}

/* The skeletons that count against the quotas of one owner. */
struct sums {
	struct jc_quota own, address, connections, all;
};

static void count(struct sums *sums, const struct jc_owner *owner, const struct jc_owner *of,
	const struct jc_skeleton_asset *asset)
{
	add(&sums->all, asset);
	if (is_same_owner(of, owner)) {
		add(&sums->own, asset);
	}
	if (of->connection != 0) {
		add(&sums->connections, asset);
	}
	if (of->connection != 0 && strcmp(of->address, owner->address) == 0) {
		add(&sums->address, asset);
	}
}

static bool is_own_within(
	const struct jc_quotas *quotas, const struct jc_owner *owner, const struct sums *sums)
{
	return is_within(sums->own, owner->connection ? quotas->connection : quotas->subject);
}

static bool are_within(
	const struct jc_quotas *quotas, const struct jc_owner *owner, const struct sums *sums)
{
	return is_own_within(quotas, owner, sums) && is_within(sums->all, quotas->all) &&
	       (owner->connection == 0 ||
		       (is_within(sums->address, quotas->address) &&
			       is_within(sums->connections, quotas->connections)));
}

/* Whether a skeleton may be removed to make room for the owner. */
static bool can_go(const struct jc_registration *entry, const struct jc_owner *owner)
{
	return entry->asset->user_count == 0 &&
	       (owner->connection == 0 || is_same_owner(&entry->owner, owner));
}

bool jc_registrations_has_room(const struct jc_registrations *registrations,
	const struct jc_owner *owner, const char *name, const struct jc_skeleton_asset *asset)
{
	struct sums sums = { .own = { 0 } };

	count(&sums, owner, owner, asset);
	for (size_t i = 0; i < registrations->count; i++) {
		const struct jc_registration *entry = registrations->entries[i];

		if (!can_go(entry, owner) && compare(entry, owner, name) != 0) {
			count(&sums, owner, &entry->owner, entry->asset);
		}
	}
	return are_within(&registrations->quotas, owner, &sums);
}

static struct jc_registration *insert(struct jc_registrations *registrations, size_t place,
	const struct jc_owner *owner, const char *name)
{
	struct jc_registration *entry =
		jc_array_grow(&registrations->entries, &registrations->capacity,
			registrations->count + 1, SIZE_MAX, sizeof(entry))
			? calloc(1, sizeof(*entry))
			: NULL;

	if (entry) {
		entry->owner = *owner;
		strncpy(entry->name, name, sizeof(entry->name) - 1);
		memmove(&registrations->entries[place + 1], &registrations->entries[place],
			(registrations->count - place) * sizeof(entry));
		registrations->entries[place] = entry;
		registrations->count++;
	}
	return entry;
}

int jc_registrations_put(struct jc_registrations *registrations, const struct jc_owner *owner,
	const char *name, struct jc_skeleton_asset *asset, struct jc_registration **out_entry)
{
	size_t place = place_of(registrations, owner, name);
	bool is_there = is_at(registrations, place, owner, name);
	struct jc_registration *entry = is_there ? registrations->entries[place]
						 : insert(registrations, place, owner, name);

	if (!entry) {
		return JC_ERROR_MEMORY;
	}
	if (is_there) {
		jc_skeleton_asset_release(entry->asset);
	}
	entry->asset = asset;
	*out_entry = entry;
	return JC_OK;
}

/* The removable skeleton that has been unused for longest. */
static struct jc_registration *find_idle(const struct jc_registrations *registrations,
	const struct jc_owner *owner, bool only_own, const struct jc_registration *spared)
{
	struct jc_registration *found = NULL;

	for (size_t i = 0; i < registrations->count; i++) {
		struct jc_registration *entry = registrations->entries[i];

		if (entry != spared && can_go(entry, owner) &&
			(!only_own || is_same_owner(&entry->owner, owner)) &&
			(!found || entry->asset->last_used_ns < found->asset->last_used_ns)) {
			found = entry;
		}
	}
	return found;
}

struct jc_registration *jc_registrations_excess(const struct jc_registrations *registrations,
	const struct jc_owner *owner, const struct jc_registration *spared)
{
	struct sums sums = { .own = { 0 } };

	for (size_t i = 0; i < registrations->count; i++) {
		count(&sums, owner, &registrations->entries[i]->owner,
			registrations->entries[i]->asset);
	}
	if (are_within(&registrations->quotas, owner, &sums)) {
		return NULL;
	}
	return find_idle(
		registrations, owner, !is_own_within(&registrations->quotas, owner, &sums), spared);
}

void jc_registrations_remove(struct jc_registrations *registrations, struct jc_registration *entry)
{
	size_t place = place_of(registrations, &entry->owner, entry->name);

	registrations->count--;
	memmove(&registrations->entries[place], &registrations->entries[place + 1],
		(registrations->count - place) * sizeof(entry));
	jc_skeleton_asset_release(entry->asset);
	free(entry);
}
