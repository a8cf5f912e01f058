/* Steps of the contacts of live bodies: at most one in a tick, and with the time between captures
 * where that is known. */
#include "space/contact_keeper.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"

/* A source that delivers at least 20 poses a second has not stopped between two of them. */
#define REPEATS_NS INT64_C(50000000)

static bool is_builtin(const struct jc_skeleton_asset *asset)
{
	return asset->skeleton_table && asset == asset->skeleton_table->humanoid;
}

/* NULL where the proportions are those of the source. */
static int make(const struct jc_skeleton *source, const struct jc_skeleton_asset *asset,
	enum jc_precision finest, struct jc_contact_keeper **out_keeper)
{
	struct jc_contacts *contacts;

	*out_keeper = NULL;
	if (jc_contacts_create(source, asset->skeleton, &contacts) != JC_OK) {
		return JC_ERROR_MEMORY;
	}
	if (!jc_contacts_is_active(contacts)) {
		jc_contacts_destroy(contacts);
		return JC_OK;
	}
	struct jc_contact_keeper *keeper = calloc(1, sizeof(*keeper));

	if (!keeper) {
		jc_contacts_destroy(contacts);
		return JC_ERROR_MEMORY;
	}
	keeper->asset = asset;
	keeper->finest = finest;
	keeper->contacts = contacts;
	keeper->stride = jc_contacts_stride(contacts);
	*out_keeper = keeper;
	return JC_OK;
}

int jc_contact_keeper_acquire(struct jc_contact_keeper **list, const struct jc_skeleton *source,
	const struct jc_skeleton_asset *asset, enum jc_precision finest,
	struct jc_contact_keeper **out_keeper)
{
	struct jc_contact_keeper *keeper = *list;

	while (keeper && (keeper->asset != asset || keeper->finest != finest)) {
		keeper = keeper->next;
	}
	if (!keeper && !is_builtin(asset)) {
		int status = make(source, asset, finest, &keeper);

		if (status != JC_OK) {
			return status;
		}
		if (keeper) {
			keeper->next = *list;
			*list = keeper;
		}
	}
	if (keeper) {
		keeper->users++;
	}
	*out_keeper = keeper;
	return JC_OK;
}

void jc_contact_keeper_release(struct jc_contact_keeper **list, struct jc_contact_keeper *keeper)
{
	if (!keeper) {
		return;
	}
	assert(keeper->users > 0);
	if (--keeper->users > 0) {
		return;
	}
	while (*list != keeper) {
		list = &(*list)->next;
	}
	*list = keeper->next;
	jc_contacts_destroy(keeper->contacts);
	free(keeper);
}

void jc_contact_keepers_reset(struct jc_contact_keeper *list)
{
	for (; list; list = list->next) {
		list->has_step = false;
	}
}

static bool is_same(const struct jc_pose *a, const struct jc_pose *b)
{
	return memcmp(a->rotations, b->rotations, sizeof(a->rotations)) == 0 &&
	       memcmp(&a->hips_translation, &b->hips_translation, sizeof(a->hips_translation)) == 0;
}

/* Between two captures where that is plausible, else between two ticks. */
static double seconds_to(
	const struct jc_contact_keeper *keeper, const struct jc_contact_instant *instant)
{
	int64_t ticked_ns = instant->time_ns - keeper->last.time_ns;
	int64_t captured_ns = instant->captured_ns - keeper->last.captured_ns;
	bool is_plausible = captured_ns > ticked_ns / 4 && captured_ns < ticked_ns * 4;

	return (double)(is_plausible ? captured_ns : ticked_ns) * 1e-9;
}

static bool is_step(const struct jc_contact_keeper *keeper, const struct jc_pose *pose,
	const struct jc_contact_instant *instant)
{
	return !keeper->has_step || (instant->time_ns != keeper->last.time_ns &&
					    (instant->time_ns - keeper->moved_ns >= REPEATS_NS ||
						    !is_same(&keeper->pose, pose)));
}

static void step(struct jc_contact_keeper *keeper, const struct jc_pose *pose,
	const struct jc_contact_instant *instant)
{
	double seconds = keeper->has_step ? seconds_to(keeper, instant) : 0.0;

	jc_contacts_keep(keeper->contacts, pose, seconds, keeper->kept, &keeper->hips_translation);
	if (!keeper->has_step || !is_same(&keeper->pose, pose)) {
		keeper->moved_ns = instant->time_ns;
	}
	keeper->pose = *pose;
	keeper->last = *instant;
	keeper->has_step = true;
}

void jc_contact_keeper_fold(struct jc_contact_keeper *keeper, const struct jc_skeleton_asset *asset,
	const struct jc_pose *pose, const struct jc_contact_instant *instant,
	struct jc_quat out_rotations[JC_BONE_COUNT], uint8_t out_states[JC_BONE_COUNT],
	struct jc_vec3 *out_hips_translation)
{
	if (!keeper) {
		jc_retargeter_fold(
			asset->retargeter, pose, out_rotations, out_states, out_hips_translation);
		return;
	}
	struct jc_pose paced = *pose;

	/* The retargeter is shared with streams that keep no contacts. */
	paced.hips_translation = jc_vec3_scale(pose->hips_translation, keeper->stride);
	jc_retargeter_fold(
		asset->retargeter, &paced, out_rotations, out_states, out_hips_translation);
	if (is_step(keeper, pose, instant)) {
		memcpy(keeper->kept, out_rotations, sizeof(keeper->kept));
		keeper->hips_translation = *out_hips_translation;
		step(keeper, pose, instant);
	}
	memcpy(out_rotations, keeper->kept, sizeof(keeper->kept));
	*out_hips_translation = keeper->hips_translation;
}
