/* Keeps the contacts of a body on a skeleton (contacts.h): its state from tick to tick, for all
 * streams and sinks on it. A permitted precision has its own state, because it limits the motion
 * before contacts are kept. */
#ifndef JC_CONTACT_KEEPER_H
#define JC_CONTACT_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jointcast/contacts.h"
#include "jointcast/stream.h"
#include "space/skeleton_table.h"

/* When a body has a pose. */
struct jc_contact_instant {
	int64_t time_ns;     /* nominal time of the tick */
	int64_t captured_ns; /* of the pose */
};

/* Plain data: 2 KB, and contacts of 3 KB. */
struct jc_contact_keeper {
	struct jc_contact_keeper *next;        /* of the same body */
	const struct jc_skeleton_asset *asset; /* borrowed: a user has it in use */
	enum jc_precision finest;
	size_t users;
	struct jc_contacts *contacts; /* owned */
	float stride;                 /* jc_contacts_stride */

	bool has_step;                      /* the following are set: */
	struct jc_contact_instant last;     /* the last step */
	int64_t moved_ns;                   /* nominal time of the last step with another pose */
	struct jc_pose pose;                /* of the last step, */
	struct jc_quat kept[JC_BONE_COUNT]; /* and its results */
	struct jc_vec3 hips_translation;    /* metres */
};

/* Finds the keeper of a skeleton and precision in the list of a body, or adds it; NULL where
 * nothing is to be kept: the proportions of the skeleton are those of the source (NULL: of the
 * built-in skeleton), which is read only during the call, or it is the built-in skeleton. Returns 0
 * or JC_ERROR_MEMORY. Release it after use. */
int jc_contact_keeper_acquire(struct jc_contact_keeper **list, const struct jc_skeleton *source,
	const struct jc_skeleton_asset *asset, enum jc_precision finest,
	struct jc_contact_keeper **out_keeper);
void jc_contact_keeper_release(
	struct jc_contact_keeper **list, struct jc_contact_keeper *keeper); /* NULL is fine */

/* Forgets the earlier instants: the motion of the body was cut. NULL is fine. */
void jc_contact_keepers_reset(struct jc_contact_keeper *list);

/* jc_retargeter_fold with contacts kept; without a keeper (NULL) exactly that. All calls for one
 * tick have the same result. A pose that is repeated because nothing newer was captured is no
 * step: feet that move would seem to stop. */
void jc_contact_keeper_fold(struct jc_contact_keeper *keeper, const struct jc_skeleton_asset *asset,
	const struct jc_pose *pose, const struct jc_contact_instant *instant,
	struct jc_quat out_rotations[JC_BONE_COUNT], uint8_t out_states[JC_BONE_COUNT],
	struct jc_vec3 *out_hips_translation);

#endif
