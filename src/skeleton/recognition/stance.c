/* An animal's skeleton often has the names of a human one. Its trunk lies level on four legs;
 * a human's limbs never all point the same way across the trunk and end at one floor. */
#include "stance.h"

#include <math.h>

#include "jointcast/transform.h"
#include "limb_order.h"

/* Maximum cosine between the trunk and the limbs below it, minimum cosine between fore and
 * hind limbs, and minimum sum of a pair's vectors relative to their lengths. */
#define ACROSS   0.5f
#define PARALLEL 0.7f

/* Maximum difference of the levels of hands and feet, relative to the length of a leg. */
#define SAME_FLOOR 0.35f

/* Both limbs of a pair. */
struct limbs {
	struct jc_vec3 start;     /* between the first joints */
	struct jc_vec3 direction; /* mean from the first joints to the ends */
	float length;             /* mean */
};

/* The farthest joint or tip below a joint. */
static struct jc_vec3 end_of(const struct jc_joint_tree *tree, int joint)
{
	struct jc_vec3 end = tree->positions[joint];
	float farthest = 0.0f;

	for (size_t i = (size_t)joint + 1; i < tree->count; i++) {
		float away = jc_vec3_length(
			jc_vec3_subtract(tree->positions[i], tree->positions[joint]));

		if (away > farthest && jc_limb_order_is_below(tree, (int)i, joint)) {
			farthest = away;
			end = tree->positions[i];
		}
	}
	return end;
}

/* False if a limb is missing or the two have different directions. */
static bool measure(const struct jc_joint_tree *tree, int left, int right, struct limbs *out_limbs)
{
	struct jc_vec3 ways[2];

	if (left < 0 || right < 0) {
		return false;
	}
	ways[0] = jc_vec3_subtract(end_of(tree, left), tree->positions[left]);
	ways[1] = jc_vec3_subtract(end_of(tree, right), tree->positions[right]);
	out_limbs->start = jc_vec3_lerp(tree->positions[left], tree->positions[right], 0.5f);
	out_limbs->direction = jc_vec3_lerp(ways[0], ways[1], 0.5f);
	out_limbs->length = 0.5f * (jc_vec3_length(ways[0]) + jc_vec3_length(ways[1]));
	return jc_vec3_length(out_limbs->direction) > PARALLEL * out_limbs->length;
}

static float cosine(struct jc_vec3 a, struct jc_vec3 b)
{
	return jc_vec3_dot(jc_vec3_normalize(a), jc_vec3_normalize(b));
}

bool jc_stance_is_on_four_legs(const struct jc_joint_tree *tree, const int *bones)
{
	struct limbs legs, arms;
	struct jc_vec3 trunk, down;
	float feet, hands;

	if (!tree->positions ||
		!measure(tree, bones[JC_BONE_LEFT_UPPER_LEG], bones[JC_BONE_RIGHT_UPPER_LEG],
			&legs) ||
		!measure(tree, bones[JC_BONE_LEFT_UPPER_ARM], bones[JC_BONE_RIGHT_UPPER_ARM],
			&arms)) {
		return false;
	}
	trunk = jc_vec3_subtract(arms.start, legs.start);
	down = jc_vec3_normalize(jc_vec3_add(legs.direction, arms.direction));
	feet = jc_vec3_dot(down, jc_vec3_add(legs.start, legs.direction));
	hands = jc_vec3_dot(down, jc_vec3_add(arms.start, arms.direction));
	return fabsf(cosine(trunk, legs.direction)) < ACROSS &&
	       fabsf(cosine(trunk, arms.direction)) < ACROSS &&
	       cosine(legs.direction, arms.direction) > PARALLEL &&
	       fabsf(feet - hands) < SAME_FLOOR * legs.length;
}
