/* Sorted by subject, then name: what belongs to one subject stands together. */
#include "registry/catalogue.h"

#include <stdlib.h>
#include <string.h>

void jc_catalogue_init(struct jc_catalogue *catalogue, struct jc_quota each, struct jc_quota all)
{
	*catalogue = (struct jc_catalogue){ .each = each, .all = all };
}

void jc_catalogue_finish(struct jc_catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue->count; i++) {
		jc_outfit_drop(catalogue->entries[i]->outfit);
		free(catalogue->entries[i]);
	}
	free(catalogue->entries);
	catalogue->entries = NULL;
	catalogue->count = catalogue->capacity = 0;
}

static int compare(const struct jc_catalogue_entry *entry, const char *subject, const char *name)
{
	int order = strcmp(entry->subject, subject);

	return order ? order : strcmp(entry->name, name);
}

/* Where an entry is, or would be. */
static size_t place_of(const struct jc_catalogue *catalogue, const char *subject, const char *name)
{
	size_t from = 0;
	size_t to = catalogue->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare(catalogue->entries[middle], subject, name) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

static bool is_at(
	const struct jc_catalogue *catalogue, size_t place, const char *subject, const char *name)
{
	return place < catalogue->count && compare(catalogue->entries[place], subject, name) == 0;
}

struct jc_catalogue_entry *jc_catalogue_find(
	const struct jc_catalogue *catalogue, const char *subject, const char *name)
{
	size_t place = place_of(catalogue, subject, name);

	return is_at(catalogue, place, subject, name) ? catalogue->entries[place] : NULL;
}

size_t jc_catalogue_of(const struct jc_catalogue *catalogue, const char *subject,
	struct jc_catalogue_entry *const **out_entries)
{
	size_t first = place_of(catalogue, subject, ""); /* names are not empty */
	size_t end = first;

	while (end < catalogue->count && strcmp(catalogue->entries[end]->subject, subject) == 0) {
		end++;
	}
	*out_entries = end > first ? &catalogue->entries[first] : NULL;
	return end - first;
}

static void add(struct jc_quota *sum, const struct jc_outfit *outfit)
{
	sum->count++;
	sum->bytes += outfit->descriptor_length;
}

static bool is_within(struct jc_quota sum, struct jc_quota most)
{
	return sum.count <= most.count && sum.bytes <= most.bytes;
}

bool jc_catalogue_has_room(const struct jc_catalogue *catalogue, const char *subject,
	const char *name, const struct jc_outfit *outfit)
{
	struct jc_quota each = { 0 };
	struct jc_quota all = { 0 };

	add(&each, outfit);
	add(&all, outfit);
	for (size_t i = 0; i < catalogue->count; i++) {
		const struct jc_catalogue_entry *entry = catalogue->entries[i];

		if (entry->outfit->wearers == 0 || compare(entry, subject, name) == 0) {
			continue;
		}
		add(&all, entry->outfit);
		if (strcmp(entry->subject, subject) == 0) {
			add(&each, entry->outfit);
		}
	}
	return is_within(each, catalogue->each) && is_within(all, catalogue->all);
}

static int grow(struct jc_catalogue *catalogue)
{
	size_t capacity = catalogue->capacity ? 2 * catalogue->capacity : 16;

	if (catalogue->count < catalogue->capacity) {
		return JC_OK;
	}
	struct jc_catalogue_entry **entries =
		realloc(catalogue->entries, capacity * sizeof(entries[0]));

	if (!entries) {
		return JC_ERROR_MEMORY;
	}
	catalogue->entries = entries;
	catalogue->capacity = capacity;
	return JC_OK;
}

static struct jc_catalogue_entry *insert(
	struct jc_catalogue *catalogue, size_t place, const char *subject, const char *name)
{
	struct jc_catalogue_entry *entry =
		grow(catalogue) == JC_OK ? calloc(1, sizeof(*entry)) : NULL;

	if (entry) {
		strncpy(entry->subject, subject, sizeof(entry->subject) - 1);
		strncpy(entry->name, name, sizeof(entry->name) - 1);
		memmove(&catalogue->entries[place + 1], &catalogue->entries[place],
			(catalogue->count - place) * sizeof(entry));
		catalogue->entries[place] = entry;
		catalogue->count++;
	}
	return entry;
}

int jc_catalogue_put(struct jc_catalogue *catalogue, const char *subject, const char *name,
	struct jc_outfit *outfit, struct jc_catalogue_entry **out_entry)
{
	size_t place = place_of(catalogue, subject, name);
	bool is_there = is_at(catalogue, place, subject, name);
	struct jc_catalogue_entry *entry =
		is_there ? catalogue->entries[place] : insert(catalogue, place, subject, name);

	if (!entry) {
		return JC_ERROR_MEMORY;
	}
	if (is_there) {
		jc_outfit_drop(entry->outfit);
	}
	entry->outfit = outfit;
	*out_entry = entry;
	return JC_OK;
}

/* The one that was worn longest ago, of one subject or (NULL) of all. */
static struct jc_catalogue_entry *find_idle(const struct jc_catalogue *catalogue,
	const char *subject, const struct jc_catalogue_entry *spared)
{
	struct jc_catalogue_entry *found = NULL;

	for (size_t i = 0; i < catalogue->count; i++) {
		struct jc_catalogue_entry *entry = catalogue->entries[i];

		if (entry != spared && entry->outfit->wearers == 0 &&
			(!subject || strcmp(entry->subject, subject) == 0) &&
			(!found || entry->outfit->worn_ns < found->outfit->worn_ns)) {
			found = entry;
		}
	}
	return found;
}

struct jc_catalogue_entry *jc_catalogue_excess(const struct jc_catalogue *catalogue,
	const char *subject, const struct jc_catalogue_entry *spared)
{
	struct jc_quota each = { 0 };
	struct jc_quota all = { 0 };

	for (size_t i = 0; i < catalogue->count; i++) {
		const struct jc_catalogue_entry *entry = catalogue->entries[i];

		add(&all, entry->outfit);
		if (strcmp(entry->subject, subject) == 0) {
			add(&each, entry->outfit);
		}
	}
	if (!is_within(each, catalogue->each)) {
		return find_idle(catalogue, subject, spared);
	}
	return is_within(all, catalogue->all) ? NULL : find_idle(catalogue, NULL, spared);
}

void jc_catalogue_remove(struct jc_catalogue *catalogue, struct jc_catalogue_entry *entry)
{
	size_t place = place_of(catalogue, entry->subject, entry->name);

	catalogue->count--;
	memmove(&catalogue->entries[place], &catalogue->entries[place + 1],
		(catalogue->count - place) * sizeof(entry));
	jc_outfit_drop(entry->outfit);
	free(entry);
}
