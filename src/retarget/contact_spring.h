/* A value that moves towards a goal like a critically damped spring. */
#ifndef JC_RETARGET_CONTACT_SPRING_H
#define JC_RETARGET_CONTACT_SPRING_H

#include "jointcast/types.h"

struct jc_contact_spring {
	struct jc_vec3 value, speed;
};

/* Moves towards `goal`; exact for any time. pace: 1/s. */
void jc_contact_spring_settle(
	struct jc_contact_spring *spring, struct jc_vec3 goal, float pace, float seconds);

#endif
