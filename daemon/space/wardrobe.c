/* A skeleton is judged and made ready once, when it comes in, so that no later step
 * can find it wanting. */
#include "space/wardrobe.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/shared_text.h"

static int make_message(struct jc_outfit *outfit, struct jc_diagnostic *diagnostic)
{
	char *descriptor = NULL;
	char *message = NULL;
	int length;
	int status = jc_skeleton_write_descriptor(outfit->skeleton, &descriptor);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "its descriptor cannot be written: %s",
			jc_error_name(status));
	}
	outfit->descriptor_length = strlen(descriptor);
	length = asprintf(&message, "{\"type\":\"skeleton\",\"hash\":\"%s\",\"descriptor\":%s}",
		outfit->hash, descriptor);
	free(descriptor);
	if (outfit->descriptor_length > JC_LIMIT_DESCRIPTOR_BYTES) {
		status = jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"its descriptor is larger than %u KiB", JC_LIMIT_DESCRIPTOR_BYTES >> 10);
	} else if (length >= 0) {
		outfit->message = jc_shared_text_create(message, (size_t)length);
	}
	if (status == JC_OK && !outfit->message) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (length >= 0) {
		free(message);
	}
	return status;
}

const char *jc_outfit_descriptor(const struct jc_outfit *outfit)
{
	const struct jc_shared_text *message = outfit->message;

	return jc_shared_text_chars(message) + message->length - 1 - outfit->descriptor_length;
}

static int make_scratch(struct jc_outfit *outfit)
{
	size_t nodes = jc_skeleton_node_count(outfit->skeleton);
	size_t count = jc_skeleton_virtual_transform_count(outfit->skeleton);

	if (count == 0) {
		return JC_OK;
	}
	outfit->locals = calloc(nodes, sizeof(outfit->locals[0]));
	outfit->worlds = calloc(nodes, sizeof(outfit->worlds[0]));
	outfit->virtuals = calloc(count, sizeof(outfit->virtuals[0]));
	return outfit->locals && outfit->worlds && outfit->virtuals ? JC_OK : JC_ERROR_MEMORY;
}

/* All but the skeleton. */
static void outfit_finish(struct jc_outfit *outfit)
{
	jc_shared_text_drop(outfit->message);
	free(outfit->locals);
	free(outfit->worlds);
	free(outfit->virtuals);
	jc_retargeter_destroy(outfit->retargeter);
	free(outfit);
}

int jc_outfit_create(struct jc_skeleton *skeleton, struct jc_outfit **out_outfit,
	struct jc_diagnostic *diagnostic)
{
	struct jc_outfit *outfit = calloc(1, sizeof(*outfit));

	if (!outfit) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	outfit->skeleton = skeleton;
	outfit->hash = jc_skeleton_hash(skeleton);

	int status = jc_retargeter_create(skeleton, &outfit->retargeter);

	if (status != JC_OK) {
		jc_diagnose(diagnostic, status, NULL, "cannot be retargeted to: %s",
			jc_error_name(status));
	} else {
		status = make_message(outfit, diagnostic);
	}
	if (status == JC_OK && make_scratch(outfit) != JC_OK) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status != JC_OK) {
		outfit_finish(outfit);
		return status;
	}
	*out_outfit = outfit;
	return JC_OK;
}

void jc_outfit_destroy(struct jc_outfit *outfit)
{
	if (outfit) {
		jc_skeleton_destroy(outfit->skeleton);
		outfit_finish(outfit);
	}
}

/* Where an outfit of that hash is, or would be. */
static size_t place_of(const struct jc_wardrobe *wardrobe, const char *hash)
{
	size_t from = 0;
	size_t to = wardrobe->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (strcmp(wardrobe->outfits[middle]->hash, hash) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

static bool is_at(const struct jc_wardrobe *wardrobe, size_t place, const char *hash)
{
	return place < wardrobe->count && strcmp(wardrobe->outfits[place]->hash, hash) == 0;
}

struct jc_outfit *jc_wardrobe_find(const struct jc_wardrobe *wardrobe, const char *hash)
{
	size_t place = place_of(wardrobe, hash);

	return is_at(wardrobe, place, hash) ? wardrobe->outfits[place] : NULL;
}

static int grow(struct jc_wardrobe *wardrobe)
{
	size_t capacity = wardrobe->capacity ? 2 * wardrobe->capacity : 16;

	if (wardrobe->count < wardrobe->capacity) {
		return JC_OK;
	}
	if (wardrobe->count == JC_MAX_OUTFITS) {
		return JC_ERROR_LIMIT;
	}
	struct jc_outfit **outfits =
		realloc(wardrobe->outfits, capacity * sizeof(wardrobe->outfits[0]));

	if (!outfits) {
		return JC_ERROR_MEMORY;
	}
	wardrobe->outfits = outfits;
	wardrobe->capacity = capacity;
	return JC_OK;
}

int jc_wardrobe_keep(
	struct jc_wardrobe *wardrobe, struct jc_outfit *outfit, struct jc_outfit **out_outfit)
{
	size_t place = place_of(wardrobe, outfit->hash);

	if (is_at(wardrobe, place, outfit->hash)) {
		jc_outfit_destroy(outfit);
		outfit = wardrobe->outfits[place];
	} else {
		int status = grow(wardrobe);

		if (status != JC_OK) {
			return status;
		}
		memmove(&wardrobe->outfits[place + 1], &wardrobe->outfits[place],
			(wardrobe->count - place) * sizeof(wardrobe->outfits[0]));
		wardrobe->outfits[place] = outfit;
		wardrobe->count++;
		outfit->wardrobe = wardrobe;
		outfit->number = ++wardrobe->last_number;
	}
	outfit->keepers++;
	outfit->worn_ns = jc_clock_wall_ns();
	*out_outfit = outfit;
	return JC_OK;
}

int jc_wardrobe_add(struct jc_wardrobe *wardrobe, struct jc_skeleton *skeleton,
	struct jc_outfit **out_outfit, struct jc_diagnostic *diagnostic)
{
	struct jc_outfit *outfit;
	int status = jc_outfit_create(skeleton, &outfit, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	status = jc_wardrobe_keep(wardrobe, outfit, out_outfit);
	if (status != JC_OK) {
		outfit_finish(outfit);
		return jc_diagnose(diagnostic, status, NULL, "too many skeletons");
	}
	(*out_outfit)->is_common = true;
	return JC_OK;
}

static void let_go(struct jc_outfit *outfit)
{
	struct jc_wardrobe *wardrobe = outfit->wardrobe;

	if (outfit->keepers > 0 || outfit->wearers > 0) {
		return;
	}
	size_t place = place_of(wardrobe, outfit->hash);

	wardrobe->count--;
	memmove(&wardrobe->outfits[place], &wardrobe->outfits[place + 1],
		(wardrobe->count - place) * sizeof(wardrobe->outfits[0]));
	jc_outfit_destroy(outfit);
}

void jc_outfit_drop(struct jc_outfit *outfit)
{
	assert(outfit->keepers > 0);
	outfit->keepers--;
	let_go(outfit);
}

struct jc_outfit *jc_outfit_wear(struct jc_outfit *outfit)
{
	outfit->wearers++;
	return outfit;
}

void jc_outfit_take_off(struct jc_outfit *outfit)
{
	assert(outfit->wearers > 0);
	if (--outfit->wearers == 0) {
		outfit->worn_ns = jc_clock_wall_ns();
	}
	let_go(outfit);
}

int jc_wardrobe_init(struct jc_wardrobe *wardrobe, struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;

	*wardrobe = (struct jc_wardrobe){ .count = 0 };
	int status = jc_skeleton_create_builtin(&skeleton);
	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "the built-in skeleton: %s",
			jc_error_name(status));
	}
	status = jc_wardrobe_add(wardrobe, skeleton, &wardrobe->humanoid, diagnostic);
	if (status != JC_OK) {
		jc_skeleton_destroy(skeleton);
	}
	return status;
}

void jc_wardrobe_finish(struct jc_wardrobe *wardrobe)
{
	for (size_t i = 0; i < wardrobe->count; i++) {
		assert(wardrobe->outfits[i]->wearers == 0);
		jc_outfit_destroy(wardrobe->outfits[i]);
	}
	free(wardrobe->outfits);
	*wardrobe = (struct jc_wardrobe){ .count = 0 };
}
