/* A joint's name taken apart: which side it says, and the rest. */
#ifndef JC_SKELETON_JOINT_NAME_H
#define JC_SKELETON_JOINT_NAME_H

#include <stdbool.h>

enum jc_name_side {
	JC_NAME_MIDDLE,
	JC_NAME_LEFT,
	JC_NAME_RIGHT,
};

#define JC_NAME_CORE 64

struct jc_joint_name {
	enum jc_name_side side;
	bool is_helper; /* begins with two underscores, as MakeHuman marks helpers */
	/* Letters and digits without the side and what stands before the last
	 * colon or bar, lower case; "" where that is longer than anyone's. */
	char core[JC_NAME_CORE];
};

void jc_joint_name_parse(const char *name, struct jc_joint_name *out_name);

/* How well a core fits a pattern: 2 to the letter, 1 when numbers are compared
 * by value (thumb01 and thumb1), 0 not at all. */
int jc_joint_name_fit(const char *core, const char *pattern);

#endif
