/* Skeleton assets come and go, and so may their addresses; their numbers never come again. */
#include "space/skeleton_asset_set.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_LEAST 8u

void jc_skeleton_asset_set_finish(struct jc_skeleton_asset_set *set)
{
	free(set->numbers);
	*set = (struct jc_skeleton_asset_set){ .count = 0 };
}

/* Where a number is, or would be. */
static uint32_t place_of(const struct jc_skeleton_asset_set *set, uint32_t number)
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

/* Makes room for one more. */
static bool grow(struct jc_skeleton_asset_set *set)
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
	/* The least numbers are those of the oldest skeleton assets. */
	set->count = set->capacity / 2;
	memmove(set->numbers, set->numbers + set->capacity - set->count,
		set->count * sizeof(set->numbers[0]));
	return set->capacity > 0;
}

bool jc_skeleton_asset_set_add(
	struct jc_skeleton_asset_set *set, const struct jc_skeleton_asset *asset)
{
	uint32_t place = place_of(set, asset->number);

	if (place < set->count && set->numbers[place] == asset->number) {
		return false;
	}
	if (set->count == set->capacity) {
		if (!grow(set)) {
			return true;
		}
		place = place_of(set, asset->number);
	}
	memmove(&set->numbers[place + 1], &set->numbers[place],
		(set->count - place) * sizeof(set->numbers[0]));
	set->numbers[place] = asset->number;
	set->count++;
	return true;
}
