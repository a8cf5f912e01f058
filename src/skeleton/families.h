/* How the field names the joints of a body, as data: another family is
 * another table. */
#ifndef JC_SKELETON_FAMILIES_H
#define JC_SKELETON_FAMILIES_H

#include "jointcast/humanoid.h"

/* One name of one bone. Names are compared without case, blanks, underscores,
 * hyphens and points. '%' stands for the side: the row of the left bone serves
 * the right one as well. Trunk joints are not listed: which of them is spine,
 * chest and upperChest follows from where they stand between hips and neck. */
struct jc_family_row {
	const char *name;
	enum jc_bone bone;
};

#define JC_FAMILY_TABLES 2

struct jc_family {
	const char *name;
	const char *left, *right; /* what '%' stands for */
	const char *hips;         /* in front of this the joints may share a prefix */
	const char *prefix;       /* that the prefix has to start with; NULL for any */
	const char *mark;         /* a joint that has to be there; NULL for none */
	const struct jc_family_row *tables[JC_FAMILY_TABLES]; /* each ends with a NULL name */
};

/* Ends with a NULL name. Where two families fit equally well the earlier one
 * counts, so the particular stand before the general. */
extern const struct jc_family jc_families[];

#endif
