/* Keeps the contacts of a motion on a figure of other proportions: feet that stand on the ground
 * in the source stand still on the figure and neither sink nor float; hands that are near each
 * other, the head, the hips, a thigh or the floor are as near on the figure, in heights of its
 * head. A stage after the exact retargeting, which keeps angles and therefore moves feet of other
 * legs along the ground and parts hands of other arms.
 *
 * Causal, without delay: a step uses the pose of its instant and the state of the steps before. */
#ifndef JOINTCAST_CONTACTS_H
#define JOINTCAST_CONTACTS_H

#include <stdbool.h>

#include "humanoid.h"
#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

struct jc_contacts;

/* Prepares the stage for one body on one skeleton. source is the figure in whose proportions the
 * motion was captured (jc_motion_skeleton), or NULL: the built-in one. Both are only read during
 * the call. JC_OK or JC_ERROR_MEMORY. Nothing changes on a skeleton without legs, or with the
 * proportions of the source. */
int jc_contacts_create(const struct jc_skeleton *source, const struct jc_skeleton *skeleton,
	struct jc_contacts **out_contacts);
void jc_contacts_destroy(struct jc_contacts *contacts); /* NULL is fine */

/* False where every step leaves every pose as it is, because the figures have equal proportions. */
bool jc_contacts_is_active(const struct jc_contacts *contacts);

/* The share of its way that the figure has to walk for steps that fit its legs: the ratio of leg
 * lengths of both figures over that of hips heights. Multiply both scales of
 * jc_retargeter_scale_hips by it; jc_contacts_keep expects this. 1 where nothing changes. */
float jc_contacts_stride(const struct jc_contacts *contacts);

/* Forgets all earlier steps: after a cut, a teleport or a pause. */
void jc_contacts_reset(struct jc_contacts *contacts);

/* The step of one instant. pose is the motion; rotations (N) and hips_translation (metres) are what
 * jc_retargeter_fold made of it, and are changed. seconds is the time since the step before; a
 * value that is not above 0, or above JC_CONTACTS_PAUSE, resets the stage. Returns false if nothing
 * was changed: no part of the body is near a contact, and both outputs are the same to the bit.
 * Allocates nothing. */
#define JC_CONTACTS_PAUSE 0.5
bool jc_contacts_keep(struct jc_contacts *contacts, const struct jc_pose *pose, double seconds,
	struct jc_quat rotations[JC_BONE_COUNT], struct jc_vec3 *hips_translation);

#ifdef __cplusplus
}
#endif

#endif
