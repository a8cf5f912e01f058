/* Moves a value towards a goal without overshoot and without a jump of its speed. */
#include "contact_spring.h"

#include <math.h>

#include "jointcast/transform.h"

void jc_contact_spring_settle(
	struct jc_contact_spring *spring, struct jc_vec3 goal, float pace, float seconds)
{
	struct jc_vec3 away = jc_vec3_subtract(spring->value, goal);
	struct jc_vec3 rate = jc_vec3_add(spring->speed, jc_vec3_scale(away, pace));
	float left = expf(-pace * seconds);

	spring->value = jc_vec3_add(
		goal, jc_vec3_scale(jc_vec3_add(away, jc_vec3_scale(rate, seconds)), left));
	spring->speed = jc_vec3_scale(
		jc_vec3_subtract(spring->speed, jc_vec3_scale(rate, pace * seconds)), left);
}
