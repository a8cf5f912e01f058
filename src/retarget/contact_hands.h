/* Hands that are near a part of the body, each other or the floor in the source are equally near on
 * the figure, in units of its size. */
#ifndef JC_RETARGET_CONTACT_HANDS_H
#define JC_RETARGET_CONTACT_HANDS_H

#include "contact_body.h"
#include "contact_limits.h"

/* Parts that hands touch only when they are slow. */
enum jc_contact_slow {
	JC_CONTACT_HIPS,
	JC_CONTACT_THIGHS,
	JC_CONTACT_SLOW = JC_CONTACT_THIGHS + 2
};

/* A hand and one of them. */
struct jc_contact_touch {
	struct jc_vec3 past; /* offset, one step before */
	float weight, rate;  /* of the contact; its change in a second */
};

/* A hand, one step before. */
struct jc_contact_hand {
	struct jc_vec3 wrist; /* of the source, from its hips */
	struct jc_vec3 way;   /* by which the other hand moved that of the target */
	struct jc_vec3 late;  /* the way that ended at once */
	float weight, rate;   /* of that; its change in a second */
};

struct jc_contact_hands {
	struct jc_contact_body source, target;
	bool is_active; /* their proportions differ */
	float scale;    /* from a way of the source to one of the target: heights of the head */
	struct jc_contact_limits limits; /* of the arms */
	bool has_past;
	struct jc_contact_hand hands[2];                     /* left and right */
	struct jc_contact_touch touches[2][JC_CONTACT_SLOW]; /* left and right hand */
};

/* The figure of the motion and the one that shows it. */
void jc_contact_hands_init(struct jc_contact_hands *hands, const struct jc_contact_t_pose *source,
	const struct jc_contact_t_pose *target);

void jc_contact_hands_reset(struct jc_contact_hands *hands);

/* Changes upper arms, lower arms and hands after the feet were kept. Parameters and result as of
 * jc_contacts_keep. Hands keep their orientation in space as far as
 * the limits of joints allow. */
bool jc_contact_hands_keep(struct jc_contact_hands *hands, const struct jc_pose *pose,
	double seconds, struct jc_quat rotations[JC_BONE_COUNT], struct jc_vec3 hips_translation);

#endif
