/* Avatars are few: a list is searched. */
#include "avatars/avatars.h"

#include <stdlib.h>
#include <string.h>

#include "jointcast_private/array.h"

static void destroy(struct jc_avatar *avatar)
{
	jc_avatar_file_finish(&avatar->file);
	jc_skeleton_asset_release(avatar->asset);
	free(avatar);
}

void jc_avatars_finish(struct jc_avatars *avatars)
{
	for (size_t i = 0; i < avatars->count; i++) {
		destroy(avatars->list[i]);
	}
	free(avatars->list);
	*avatars = (struct jc_avatars){ .count = 0 };
}

int jc_avatars_add(struct jc_avatars *avatars, struct jc_avatar_file *file,
	struct jc_skeleton_asset *asset, struct jc_avatar **out_avatar)
{
	if (avatars->count == JC_MAX_AVATARS) {
		return JC_ERROR_LIMIT;
	}
	struct jc_avatar *avatar = calloc(1, sizeof(*avatar));

	if (!avatar || !jc_array_grow(&avatars->list, &avatars->capacity, avatars->count + 1,
			       JC_MAX_AVATARS, sizeof(avatars->list[0]))) {
		free(avatar);
		return JC_ERROR_MEMORY;
	}
	avatar->file = *file;
	*file = (struct jc_avatar_file){ .path = NULL };
	avatar->asset = asset;
	asset->keepers++;
	avatars->list[avatars->count++] = avatar;
	*out_avatar = avatar;
	return JC_OK;
}

struct jc_avatar *jc_avatars_find(const struct jc_avatars *avatars, const char *hash)
{
	for (size_t i = 0; i < avatars->count; i++) {
		if (strcmp(avatars->list[i]->file.worn.hash, hash) == 0) {
			return avatars->list[i];
		}
	}
	return NULL;
}

struct jc_avatar *jc_avatars_find_own(
	const struct jc_avatars *avatars, const char *hash, const char *subject)
{
	for (size_t i = 0; i < avatars->count; i++) {
		struct jc_avatar *avatar = avatars->list[i];

		if (avatar->is_uploaded && strcmp(avatar->file.worn.hash, hash) == 0 &&
			strcmp(avatar->claim.subject, subject) == 0) {
			return avatar;
		}
	}
	return NULL;
}

struct jc_avatar *jc_avatars_find_wearable(
	const struct jc_avatars *avatars, const char *hash, const char *subject)
{
	for (size_t i = 0; i < avatars->count; i++) {
		struct jc_avatar *avatar = avatars->list[i];

		if (!avatar->is_uploaded && strcmp(avatar->file.worn.hash, hash) == 0) {
			return avatar;
		}
	}
	return subject ? jc_avatars_find_own(avatars, hash, subject) : NULL;
}

uint64_t jc_avatars_sum(const struct jc_avatars *avatars, const char *subject,
	const struct jc_avatar *without, size_t *out_count)
{
	uint64_t bytes = 0;

	*out_count = 0;
	for (size_t i = 0; i < avatars->count; i++) {
		const struct jc_avatar *avatar = avatars->list[i];

		if (avatar->is_uploaded && avatar != without &&
			(!subject || strcmp(avatar->claim.subject, subject) == 0)) {
			bytes += avatar->file.worn.bytes;
			++*out_count;
		}
	}
	return bytes;
}

const char *jc_avatars_find_excess(const struct jc_avatars *avatars,
	const struct jc_avatar_policy *policy, const struct jc_worn_avatar *upload,
	const char *subject, const struct jc_avatar *replaced)
{
	size_t count;
	uint64_t bytes = jc_avatars_sum(avatars, subject, replaced, &count);

	if (upload->bytes + bytes > policy->quota_bytes || count >= JC_MAX_AVATARS_OF_ONE) {
		return "your avatars take too much room: remove one";
	}
	bytes = jc_avatars_sum(avatars, NULL, replaced, &count);
	return upload->bytes + bytes > policy->total_bytes ||
			       (!replaced && avatars->count == JC_MAX_AVATARS)
		       ? "the avatars of all clients take too much room"
		       : NULL;
}

bool jc_avatars_has_uploaded(const struct jc_avatars *avatars, const char *hash)
{
	for (size_t i = 0; i < avatars->count; i++) {
		if (avatars->list[i]->is_uploaded &&
			strcmp(avatars->list[i]->file.worn.hash, hash) == 0) {
			return true;
		}
	}
	return false;
}

bool jc_avatars_is_worn(const struct jc_spaces *spaces, const char *hash)
{
	for (size_t i = 0; i < spaces->count; i++) {
		const struct jc_space *space = spaces->fanouts[i]->space;

		for (size_t k = 0; k < jc_space_body_count(space); k++) {
			if (strcmp(jc_space_body(space, k)->avatar.hash, hash) == 0) {
				return true;
			}
		}
	}
	return false;
}

static size_t index_of(const struct jc_avatars *avatars, const struct jc_avatar *avatar)
{
	size_t index = 0;

	while (avatars->list[index] != avatar) {
		index++;
	}
	return index;
}

void jc_avatars_remove(
	struct jc_avatars *avatars, struct jc_avatar *avatar, struct jc_spaces *spaces)
{
	avatars->list[index_of(avatars, avatar)] = avatars->list[--avatars->count];
	if (!jc_avatars_find(avatars, avatar->file.worn.hash)) {
		for (size_t i = 0; i < spaces->count; i++) {
			jc_space_undress(spaces->fanouts[i]->space, avatar->file.worn.hash);
		}
	}
	destroy(avatar);
}
