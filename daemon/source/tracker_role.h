/* The roles of trackers that a person wears, named as in XR_HTCX_vive_tracker_interaction, and
 * which tracker has which role. */
#ifndef JC_TRACKER_ROLE_H
#define JC_TRACKER_ROLE_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/humanoid.h"

#define JC_TRACKER_ROLE_COUNT 14
#define JC_TRACKER_NAME       64 /* bytes of the serial or name of a tracker, with the NUL */

const char *jc_tracker_role_name(int role);    /* "left_foot" */
int jc_tracker_role_find(const char *name);    /* the index of the role, or -1 */
int jc_tracker_role_of(enum jc_joint joint);   /* the first role that moves the joint, or -1 */
enum jc_joint jc_tracker_role_joint(int role); /* the joint that a tracker of the role moves */

/* Roles by the serial or name of the tracker. All zeros: none. */
struct jc_tracker_roles {
	size_t count;
	struct jc_tracker_role {
		char tracker[JC_TRACKER_NAME];
		int role;
	} list[JC_TRACKER_ROLE_COUNT];
};

/* Returns false, without a change, if the name has no bytes or too many, the tracker has a role
 * already, or another tracker moves the joint of the role. */
bool jc_tracker_roles_add(struct jc_tracker_roles *roles, const char *tracker, int role);

int jc_tracker_roles_find(const struct jc_tracker_roles *roles, const char *tracker); /* or -1 */

bool jc_tracker_roles_equal(const struct jc_tracker_roles *a, const struct jc_tracker_roles *b);

#endif
