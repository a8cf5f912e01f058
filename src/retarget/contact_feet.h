/* Feet that stand in the source stand on the figure. */
#ifndef JC_RETARGET_CONTACT_FEET_H
#define JC_RETARGET_CONTACT_FEET_H

#include "contact_figure.h"
#include "contact_limits.h"

/* A value that moves like a damped spring. */
struct jc_contact_spring {
	struct jc_vec3 value, speed;
};

struct jc_contact_foot {
	struct jc_vec3 past[2];         /* ankle and ball of the source, one step before */
	struct jc_vec3 difference[2];   /* of target and source, one step before */
	struct jc_contact_spring slide; /* correction along the ground */
};

struct jc_contact_feet {
	struct jc_contact_figure source, target;
	struct jc_contact_limits limits; /* of the target */
	bool is_active;                  /* both figures have legs, which are not alike */
	float scale;  /* metres of the target for one of the source: by length of leg */
	float stride; /* jc_contacts_stride */
	bool has_past;
	struct jc_contact_foot feet[JC_SIDES];
	struct jc_contact_spring hips; /* correction */
};

/* The figure of the motion and the one that shows it. */
void jc_contact_feet_init(struct jc_contact_feet *feet, const struct jc_contact_t_pose *source,
	const struct jc_contact_t_pose *target);
void jc_contact_feet_reset(struct jc_contact_feet *feet);

/* Changes legs, feet and toes, and moves the hips. Parameters and result as of
 * jc_contacts_keep. */
bool jc_contact_feet_keep(struct jc_contact_feet *feet, const struct jc_pose *pose, double seconds,
	struct jc_quat rotations[JC_BONE_COUNT], struct jc_vec3 *hips_translation);

#endif
