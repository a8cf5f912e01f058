/* How the field names the joints of a body, as data: another family is
 * another table. */
#ifndef JC_SKELETON_FAMILIES_H
#define JC_SKELETON_FAMILIES_H

#include "jointcast/humanoid.h"

/* One name of one bone, in the letters and digits of joint_name.h. '%' says that
 * the name has a side, wherever: the row of the left bone serves the right one
 * as well. Trunk joints are not listed: which of them is spine, chest and
 * upperChest follows from where they stand between hips and neck. Of several
 * names of one bone the first that is there counts. */
struct jc_family_row {
	const char *name;
	enum jc_bone bone;
};

#define JC_FAMILY_TABLES 2

struct jc_family {
	const char *name;
	const char *hips;   /* in front of this the joints may share a prefix */
	const char *prefix; /* that the hips' whole name has to begin with; NULL for any */
	const char *mark;   /* a joint that has to be there; NULL for none */
	const struct jc_family_row *tables[JC_FAMILY_TABLES]; /* each ends with a NULL name */
};

/* Ends with a NULL name. Where two families fit equally well the earlier one
 * counts, so the particular stand before the general. */
extern const struct jc_family jc_families[];

/* Fingers, of families that number them from 1, in families_hands.c. */
extern const struct jc_family_row jc_family_fingers[];
extern const struct jc_family_row jc_family_hand_fingers[]; /* LeftHandIndex1 */
extern const struct jc_family_row jc_family_f_fingers[];    /* f_index.01.L */
extern const struct jc_family_row jc_family_phalanges[];    /* leftIndexProximal */
extern const struct jc_family_row jc_family_biped_fingers[];
extern const struct jc_family_row jc_family_makehuman_fingers[];
extern const struct jc_family_row jc_family_vrchat_fingers[];

#endif
