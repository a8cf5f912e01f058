/* Declares the generated tables of bones and joints. */
#ifndef JC_HUMANOID_TABLES_H
#define JC_HUMANOID_TABLES_H

#include "jointcast/humanoid.h"

struct jc_bone_entry {
	const char *name;
	enum jc_bone parent;
	enum jc_bone mirror; /* itself in the middle */
	struct jc_vec3 rest; /* T-pose position of the built-in figure */
};

struct jc_joint_entry {
	const char *name;
	enum jc_joint parent;
	enum jc_joint mirror;
	enum jc_bone bone;
	struct jc_vec3 along, up; /* T-pose world directions of -Z and +Y */
};

struct jc_joint_alias {
	const char *name;
	enum jc_joint joint;
};

/* Axes of a joint under a profile. */
struct jc_profile_axes {
	struct jc_vec3 along, up; /* the local axes that lie so in the T-pose */
	bool delivered;           /* by the source itself */
};

struct jc_profile_entry {
	const char *name;
	struct jc_profile_axes joints[JC_JOINT_COUNT];
};

extern const struct jc_profile_entry jc_profile_table[JC_PROFILE_COUNT];
extern const struct jc_bone_entry jc_bone_table[JC_BONE_COUNT];
extern const struct jc_joint_entry jc_joint_table[JC_JOINT_COUNT];
extern const struct jc_joint_alias jc_joint_aliases[];
extern const size_t jc_joint_alias_count;

#endif
