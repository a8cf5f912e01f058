/* A skeleton is checked and prepared once, when it is added, so that later steps cannot fail. */
#include "space/skeleton_table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"
#include "jointcast_private/array.h"

static int make_message(struct jc_skeleton_asset *asset, struct jc_diagnostic *diagnostic)
{
	char *descriptor = NULL;
	char *message = NULL;
	int length;
	int status = jc_skeleton_write_descriptor(asset->skeleton, &descriptor);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL,
			"cannot make the descriptor of the skeleton: %s", jc_error_name(status));
	}
	asset->descriptor_length = strlen(descriptor);
	length = asprintf(&message, "{\"type\":\"skeleton\",\"hash\":\"%s\",\"descriptor\":%s}",
		asset->hash, descriptor);
	free(descriptor);
	if (asset->descriptor_length > JC_LIMIT_DESCRIPTOR_BYTES) {
		status = jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"the descriptor of the skeleton is larger than %u KiB",
			JC_LIMIT_DESCRIPTOR_BYTES >> 10);
	} else if (length >= 0) {
		asset->message = jc_shared_text_create(message, (size_t)length);
	}
	if (status == JC_OK && !asset->message) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (length >= 0) {
		free(message);
	}
	return status;
}

const char *jc_skeleton_asset_descriptor(const struct jc_skeleton_asset *asset)
{
	const struct jc_shared_text *message = asset->message;

	return jc_shared_text_chars(message) + message->length - 1 - asset->descriptor_length;
}

static int make_scratch(struct jc_skeleton_asset *asset)
{
	size_t nodes = jc_skeleton_node_count(asset->skeleton);
	size_t count = jc_skeleton_virtual_transform_count(asset->skeleton);

	if (count == 0) {
		return JC_OK;
	}
	asset->locals = calloc(nodes, sizeof(asset->locals[0]));
	asset->worlds = calloc(nodes, sizeof(asset->worlds[0]));
	asset->virtuals = calloc(count, sizeof(asset->virtuals[0]));
	return asset->locals && asset->worlds && asset->virtuals ? JC_OK : JC_ERROR_MEMORY;
}

/* Frees all but the skeleton. */
static void asset_finish(struct jc_skeleton_asset *asset)
{
	jc_shared_text_drop(asset->message);
	free(asset->locals);
	free(asset->worlds);
	free(asset->virtuals);
	jc_retargeter_destroy(asset->retargeter);
	free(asset);
}

int jc_skeleton_asset_create(struct jc_skeleton *skeleton, struct jc_skeleton_asset **out_asset,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_asset *asset = calloc(1, sizeof(*asset));

	if (!asset) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	asset->skeleton = skeleton;
	asset->hash = jc_skeleton_hash(skeleton);

	int status = jc_retargeter_create(skeleton, &asset->retargeter);

	if (status != JC_OK) {
		jc_diagnose(diagnostic, status, NULL, "cannot be retargeted to: %s",
			jc_error_name(status));
	} else {
		status = make_message(asset, diagnostic);
	}
	if (status == JC_OK && make_scratch(asset) != JC_OK) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status != JC_OK) {
		asset_finish(asset);
		return status;
	}
	*out_asset = asset;
	return JC_OK;
}

void jc_skeleton_asset_destroy(struct jc_skeleton_asset *asset)
{
	if (asset) {
		jc_skeleton_destroy(asset->skeleton);
		asset_finish(asset);
	}
}

/* The index of the asset with that hash, or the index at which it would be inserted. */
static size_t place_of(const struct jc_skeleton_table *skeleton_table, const char *hash)
{
	size_t from = 0;
	size_t to = skeleton_table->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (strcmp(skeleton_table->assets[middle]->hash, hash) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

static bool is_at(const struct jc_skeleton_table *skeleton_table, size_t place, const char *hash)
{
	return place < skeleton_table->count &&
	       strcmp(skeleton_table->assets[place]->hash, hash) == 0;
}

struct jc_skeleton_asset *jc_skeleton_table_find(
	const struct jc_skeleton_table *skeleton_table, const char *hash)
{
	size_t place = place_of(skeleton_table, hash);

	return is_at(skeleton_table, place, hash) ? skeleton_table->assets[place] : NULL;
}

static int grow(struct jc_skeleton_table *skeleton_table)
{
	if (skeleton_table->count == JC_MAX_SKELETON_ASSETS) {
		return JC_ERROR_LIMIT;
	}
	return jc_array_grow(&skeleton_table->assets, &skeleton_table->capacity,
		       skeleton_table->count + 1, JC_MAX_SKELETON_ASSETS,
		       sizeof(skeleton_table->assets[0]))
		       ? JC_OK
		       : JC_ERROR_MEMORY;
}

int jc_skeleton_table_retain(struct jc_skeleton_table *skeleton_table,
	struct jc_skeleton_asset *asset, struct jc_skeleton_asset **out_asset)
{
	size_t place = place_of(skeleton_table, asset->hash);

	if (is_at(skeleton_table, place, asset->hash)) {
		jc_skeleton_asset_destroy(asset);
		asset = skeleton_table->assets[place];
	} else {
		int status = grow(skeleton_table);

		if (status != JC_OK) {
			return status;
		}
		memmove(&skeleton_table->assets[place + 1], &skeleton_table->assets[place],
			(skeleton_table->count - place) * sizeof(skeleton_table->assets[0]));
		skeleton_table->assets[place] = asset;
		skeleton_table->count++;
		asset->skeleton_table = skeleton_table;
		asset->number = ++skeleton_table->last_number;
	}
	asset->keepers++;
	asset->last_used_ns = jc_clock_wall_ns();
	*out_asset = asset;
	return JC_OK;
}

int jc_skeleton_table_add(struct jc_skeleton_table *skeleton_table, struct jc_skeleton *skeleton,
	struct jc_skeleton_asset **out_asset, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton_asset *asset;
	int status = jc_skeleton_asset_create(skeleton, &asset, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_skeleton_table_retain(skeleton_table, asset, out_asset);
	if (status != JC_OK) {
		asset_finish(asset);
		return jc_diagnose(diagnostic, status, NULL, "too many skeletons");
	}
	(*out_asset)->is_common = true;
	return JC_OK;
}

static void let_go(struct jc_skeleton_asset *asset)
{
	struct jc_skeleton_table *skeleton_table = asset->skeleton_table;

	if (asset->keepers > 0 || asset->user_count > 0) {
		return;
	}
	size_t place = place_of(skeleton_table, asset->hash);

	skeleton_table->count--;
	memmove(&skeleton_table->assets[place], &skeleton_table->assets[place + 1],
		(skeleton_table->count - place) * sizeof(skeleton_table->assets[0]));
	jc_skeleton_asset_destroy(asset);
}

void jc_skeleton_asset_release(struct jc_skeleton_asset *asset)
{
	assert(asset->keepers > 0);
	asset->keepers--;
	let_go(asset);
}

struct jc_skeleton_asset *jc_skeleton_asset_use(struct jc_skeleton_asset *asset)
{
	asset->user_count++;
	return asset;
}

void jc_skeleton_asset_unuse(struct jc_skeleton_asset *asset)
{
	assert(asset->user_count > 0);
	if (--asset->user_count == 0) {
		asset->last_used_ns = jc_clock_wall_ns();
	}
	let_go(asset);
}

int jc_skeleton_table_init(
	struct jc_skeleton_table *skeleton_table, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;

	*skeleton_table = (struct jc_skeleton_table){ .count = 0 };
	int status = jc_skeleton_create_builtin(&skeleton);
	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "the built-in skeleton: %s",
			jc_error_name(status));
	}
	status = jc_skeleton_table_add(
		skeleton_table, skeleton, &skeleton_table->humanoid, diagnostic);
	if (status != JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

void jc_skeleton_table_finish(struct jc_skeleton_table *skeleton_table)
{
	for (size_t i = 0; i < skeleton_table->count; i++) {
		assert(skeleton_table->assets[i]->user_count == 0);
		jc_skeleton_asset_destroy(skeleton_table->assets[i]);
	}
	free(skeleton_table->assets);
	*skeleton_table = (struct jc_skeleton_table){ .count = 0 };
}

/* Sets of skeleton assets hold their numbers: addresses may be reused, numbers are not. */
#define CAPACITY_LEAST 8u

void jc_skeleton_asset_set_finish(struct jc_skeleton_asset_set *set)
{
	free(set->numbers);
	*set = (struct jc_skeleton_asset_set){ .count = 0 };
}

/* The index of a number, or the index at which it would be inserted. */
static uint32_t set_place_of(const struct jc_skeleton_asset_set *set, uint32_t number)
{
	uint32_t from = 0;
	uint32_t to = set->count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (set->numbers[middle] < number) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

/* Makes room for one more number. */
static bool set_grow(struct jc_skeleton_asset_set *set)
{
	uint32_t capacity = set->capacity ? 2 * set->capacity : CAPACITY_LEAST;
	uint32_t *numbers = NULL;

	if (capacity <= JC_MAX_KNOWN_SKELETONS) {
		numbers = realloc(set->numbers, capacity * sizeof(numbers[0]));
	}
	if (numbers) {
		set->numbers = numbers;
		set->capacity = capacity;
		return true;
	}
	/* The lowest numbers belong to the oldest assets. */
	set->count = set->capacity / 2;
	memmove(set->numbers, set->numbers + set->capacity - set->count,
		set->count * sizeof(set->numbers[0]));
	return set->capacity > 0;
}

bool jc_skeleton_asset_set_add(
	struct jc_skeleton_asset_set *set, const struct jc_skeleton_asset *asset)
{
	uint32_t place = set_place_of(set, asset->number);

	if (place < set->count && set->numbers[place] == asset->number) {
		return false;
	}
	if (set->count == set->capacity) {
		if (!set_grow(set)) {
			return true;
		}
		place = set_place_of(set, asset->number);
	}
	memmove(&set->numbers[place + 1], &set->numbers[place],
		(set->count - place) * sizeof(set->numbers[0]));
	set->numbers[place] = asset->number;
	set->count++;
	return true;
}
