/* A joint name split into its side and the rest. */
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
	bool is_helper; /* begins with two underscores, the mark of MakeHuman's helpers */
	/* Letters and digits in lower case, without the side, everything before the last
	 * colon or bar and everything after '#'; "" if that is too long. */
	char core[JC_NAME_CORE];
};

void jc_joint_name_parse(const char *name, struct jc_joint_name *out_name);

/* Whether one of the words of a name, without case, is `word`, in lower case. */
bool jc_joint_name_has_word(const char *name, const char *word);

/* How well a core matches a pattern: 2 exactly, 1 if numbers are compared by value
 * (thumb01 and thumb1), 0 not at all. */
int jc_joint_name_fit(const char *core, const char *pattern);

#endif
