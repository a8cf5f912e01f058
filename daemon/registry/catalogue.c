/* Sorted by owner, then name: the entries of one owner stand together. */
#include "registry/catalogue.h"
#include "jointcast_private/array.h"

#include <stdlib.h>
#include <string.h>

void jc_catalogue_init(struct jc_catalogue *catalogue, const struct jc_quotas *quotas)
{
	*catalogue = (struct jc_catalogue){ .quotas = *quotas };
}

void jc_catalogue_finish(struct jc_catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue->count; i++) {
		jc_skeleton_asset_release(catalogue->entries[i]->asset);
		free(catalogue->entries[i]);
	}
	free(catalogue->entries);
	catalogue->entries = NULL;
	catalogue->count = catalogue->capacity = 0;
}

static int compare_owners(const struct jc_owner *a, const struct jc_owner *b)
{
	int order = strcmp(a->subject, b->subject);

	return order ? order : (a->connection > b->connection) - (a->connection < b->connection);
}

bool jc_owner_is(const struct jc_owner *owner, const struct jc_owner *other)
{
	return compare_owners(owner, other) == 0;
}

static int compare(
	const struct jc_catalogue_entry *entry, const struct jc_owner *owner, const char *name)
{
	int order = compare_owners(&entry->owner, owner);

	return order ? order : strcmp(entry->name, name);
}

/* Where an entry is, or would be. */
static size_t place_of(
	const struct jc_catalogue *catalogue, const struct jc_owner *owner, const char *name)
{
	size_t from = 0;
	size_t to = catalogue->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare(catalogue->entries[middle], owner, name) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

static bool is_at(const struct jc_catalogue *catalogue, size_t place, const struct jc_owner *owner,
	const char *name)
{
	return place < catalogue->count && compare(catalogue->entries[place], owner, name) == 0;
}

struct jc_catalogue_entry *jc_catalogue_find(
	const struct jc_catalogue *catalogue, const struct jc_owner *owner, const char *name)
{
	size_t place = place_of(catalogue, owner, name);

	return is_at(catalogue, place, owner, name) ? catalogue->entries[place] : NULL;
}

size_t jc_catalogue_of(const struct jc_catalogue *catalogue, const struct jc_owner *owner,
	struct jc_catalogue_entry *const **out_entries)
{
	size_t first = place_of(catalogue, owner, ""); /* names are not empty */
	size_t end = first;

	while (end < catalogue->count && jc_owner_is(&catalogue->entries[end]->owner, owner)) {
		end++;
	}
	*out_entries = end > first ? &catalogue->entries[first] : NULL;
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

/* The skeletons that the quotas of one owner are about. */
struct sums {
	struct jc_quota own, address, connections, all;
};

static void count(struct sums *sums, const struct jc_owner *owner, const struct jc_owner *of,
	const struct jc_skeleton_asset *asset)
{
	add(&sums->all, asset);
	if (jc_owner_is(of, owner)) {
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

/* Whether a skeleton may be given up so that the owner has room. */
static bool can_go(const struct jc_catalogue_entry *entry, const struct jc_owner *owner)
{
	return entry->asset->wearers == 0 &&
	       (owner->connection == 0 || jc_owner_is(&entry->owner, owner));
}

bool jc_catalogue_has_room(const struct jc_catalogue *catalogue, const struct jc_owner *owner,
	const char *name, const struct jc_skeleton_asset *asset)
{
	struct sums sums = { .own = { 0 } };

	count(&sums, owner, owner, asset);
	for (size_t i = 0; i < catalogue->count; i++) {
		const struct jc_catalogue_entry *entry = catalogue->entries[i];

		if (!can_go(entry, owner) && compare(entry, owner, name) != 0) {
			count(&sums, owner, &entry->owner, entry->asset);
		}
	}
	return are_within(&catalogue->quotas, owner, &sums);
}

static int grow(struct jc_catalogue *catalogue)
{
	struct jc_catalogue_entry **entries = jc_array_grow(catalogue->entries,
		&catalogue->capacity, catalogue->count + 1, SIZE_MAX, sizeof(entries[0]));

	if (!entries) {
		return JC_ERROR_MEMORY;
	}
	catalogue->entries = entries;
	return JC_OK;
}

static struct jc_catalogue_entry *insert(struct jc_catalogue *catalogue, size_t place,
	const struct jc_owner *owner, const char *name)
{
	struct jc_catalogue_entry *entry =
		grow(catalogue) == JC_OK ? calloc(1, sizeof(*entry)) : NULL;

	if (entry) {
		entry->owner = *owner;
		strncpy(entry->name, name, sizeof(entry->name) - 1);
		memmove(&catalogue->entries[place + 1], &catalogue->entries[place],
			(catalogue->count - place) * sizeof(entry));
		catalogue->entries[place] = entry;
		catalogue->count++;
	}
	return entry;
}

int jc_catalogue_put(struct jc_catalogue *catalogue, const struct jc_owner *owner, const char *name,
	struct jc_skeleton_asset *asset, struct jc_catalogue_entry **out_entry)
{
	size_t place = place_of(catalogue, owner, name);
	bool is_there = is_at(catalogue, place, owner, name);
	struct jc_catalogue_entry *entry =
		is_there ? catalogue->entries[place] : insert(catalogue, place, owner, name);

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

/* Of the skeletons that can go, the one that was worn longest ago. */
static struct jc_catalogue_entry *find_idle(const struct jc_catalogue *catalogue,
	const struct jc_owner *owner, bool only_own, const struct jc_catalogue_entry *spared)
{
	struct jc_catalogue_entry *found = NULL;

	for (size_t i = 0; i < catalogue->count; i++) {
		struct jc_catalogue_entry *entry = catalogue->entries[i];

		if (entry != spared && can_go(entry, owner) &&
			(!only_own || jc_owner_is(&entry->owner, owner)) &&
			(!found || entry->asset->worn_ns < found->asset->worn_ns)) {
			found = entry;
		}
	}
	return found;
}

struct jc_catalogue_entry *jc_catalogue_excess(const struct jc_catalogue *catalogue,
	const struct jc_owner *owner, const struct jc_catalogue_entry *spared)
{
	struct sums sums = { .own = { 0 } };

	for (size_t i = 0; i < catalogue->count; i++) {
		count(&sums, owner, &catalogue->entries[i]->owner, catalogue->entries[i]->asset);
	}
	if (are_within(&catalogue->quotas, owner, &sums)) {
		return NULL;
	}
	return find_idle(
		catalogue, owner, !is_own_within(&catalogue->quotas, owner, &sums), spared);
}

void jc_catalogue_remove(struct jc_catalogue *catalogue, struct jc_catalogue_entry *entry)
{
	size_t place = place_of(catalogue, &entry->owner, entry->name);

	catalogue->count--;
	memmove(&catalogue->entries[place], &catalogue->entries[place + 1],
		(catalogue->count - place) * sizeof(entry));
	jc_skeleton_asset_release(entry->asset);
	free(entry);
}
