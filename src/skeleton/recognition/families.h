/* The joint names of the field as tables. To add a family, add a table. */
#ifndef JC_SKELETON_FAMILIES_H
#define JC_SKELETON_FAMILIES_H

#include "jointcast/humanoid.h"

/* One name of one bone, in the letters and digits of joint_name.h. '%' marks a name with
 * a side, at any place in the name: the row of the left bone is also used for the right
 * one. Trunk joints are not listed: spine, chest and upperChest follow from their
 * position between hips and neck. Of several names of one bone the first that is present
 * is used. */
struct jc_family_row {
	const char *name;
	enum jc_bone bone;
};

#define JC_FAMILY_TABLES 2

struct jc_family {
	const char *name;
	const char *hips;   /* joints may share the prefix in front of this name */
	const char *prefix; /* prefix that the full name of the hips must have; NULL for any */
	const char *mark;   /* a joint that must be present; NULL for none */
	const struct jc_family_row *tables[JC_FAMILY_TABLES]; /* each ends with a NULL name */
};

/* Ends with a NULL name. Of two families that fit equally well the earlier is used, so
 * special families come before general ones. */
extern const struct jc_family jc_families[];

/* Fingers of families that number them from 1, in families_hands.c. */
extern const struct jc_family_row jc_family_fingers[];
extern const struct jc_family_row jc_family_hand_fingers[]; /* LeftHandIndex1 */
extern const struct jc_family_row jc_family_f_fingers[];    /* f_index.01.L */
extern const struct jc_family_row jc_family_phalanges[];    /* leftIndexProximal */
extern const struct jc_family_row jc_family_biped_fingers[];
extern const struct jc_family_row jc_family_makehuman_fingers[];
extern const struct jc_family_row jc_family_vrchat_fingers[];
extern const struct jc_family_row jc_family_rokoko_fingers[];
extern const struct jc_family_row jc_family_soma_fingers[];

#endif
