/* An animal's skeleton often has the names of a human one. Its trunk lies level on four legs,
 * which are shorter than a human's; a human on hands and feet, as in a posed scene, has longer
 * legs. A pose in which all bones lie along one axis, common in BVH, still has the lengths of the
 * bones. */
#include "stance.h"

#include <math.h>

#include "jointcast/transform.h"
#include "limb_order.h"
#include "trunk.h"

/* Maximum cosine between the trunk and the limbs below it, minimum cosine between fore and
 * hind limbs, and minimum sum of a pair's vectors relative to their lengths. */
#define ACROSS   0.5f
#define PARALLEL 0.7f

/* Maximum difference of the levels of hands and feet, relative to the length of a leg. */
#define SAME_FLOOR 0.35f

/* Minimum length of a human's legs relative to the trunk up to the shoulders, for a figure on four
 * legs and for one with a tail. Usually it is 2 to 4, 1.5 in figures with short legs, and 1 to 1.3
 * in animals and in the shortest figures. */
#define LEGS_ON_FOUR   2.0f
#define LEGS_WITH_TAIL 1.4f

/* Maximum joints between the hips and a tail, and maximum cosine between the trunk and the
 * legs of a figure that stands upright. */
#define STEPS_TO_TAIL 2
#define UPRIGHT       (-0.5f)

/* Both limbs of a pair. */
struct limbs {
	struct jc_vec3 start;     /* between the first joints */
	struct jc_vec3 direction; /* mean from the first joints to the ends */
	float length;             /* mean */
	bool is_parallel;         /* both have about the same direction */
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

/* False if a limb is missing. */
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
	out_limbs->is_parallel =
		jc_vec3_length(out_limbs->direction) > PARALLEL * out_limbs->length;
	return true;
}

static float cosine(struct jc_vec3 a, struct jc_vec3 b)
{
	return jc_vec3_dot(jc_vec3_normalize(a), jc_vec3_normalize(b));
}

static bool stands_on_four(const struct limbs *legs, const struct limbs *arms, struct jc_vec3 trunk)
{
	struct jc_vec3 down = jc_vec3_normalize(jc_vec3_add(legs->direction, arms->direction));
	float feet = jc_vec3_dot(down, jc_vec3_add(legs->start, legs->direction));
	float hands = jc_vec3_dot(down, jc_vec3_add(arms->start, arms->direction));

	return legs->is_parallel && arms->is_parallel &&
	       fabsf(cosine(trunk, legs->direction)) < ACROSS &&
	       fabsf(cosine(trunk, arms->direction)) < ACROSS &&
	       cosine(legs->direction, arms->direction) > PARALLEL &&
	       fabsf(feet - hands) < SAME_FLOOR * legs->length;
}

static bool has_tail(const struct jc_joint_tree *tree, const struct jc_joint_name *names, int hips)
{
	for (size_t i = (size_t)hips + 1; i < tree->joint_count; i++) {
		int parent = tree->parents[i];

		if (jc_joint_name_has_word(tree->names[i], "tail") &&
			names[i].side == JC_NAME_MIDDLE) {
			for (int steps = 0; steps <= STEPS_TO_TAIL && parent >= 0; steps++) {
				if (parent == hips) {
					return true;
				}
				parent = tree->parents[parent];
			}
		}
	}
	return false;
}

/* Along the joints, from a joint up to the hips. */
static float trunk_length(const struct jc_joint_tree *tree, int joint, int hips)
{
	float length = 0.0f;

	for (; joint > hips; joint = tree->parents[joint]) {
		length += jc_vec3_length(jc_vec3_subtract(
			tree->positions[joint], tree->positions[tree->parents[joint]]));
	}
	return length;
}

static bool has_longer_legs(const struct jc_joint_tree *tree, const int *bones, float least)
{
	int top = jc_trunk_common_ancestor(
		tree, bones[JC_BONE_LEFT_UPPER_ARM], bones[JC_BONE_RIGHT_UPPER_ARM]);
	int upper = bones[JC_BONE_LEFT_UPPER_LEG];
	int lower = bones[JC_BONE_LEFT_LOWER_LEG];
	float leg;

	if (lower < 0 || jc_trunk_steps_up(tree, top, bones[JC_BONE_HIPS]) <= 0) {
		return true;
	}
	leg = jc_vec3_length(jc_vec3_subtract(tree->positions[lower], tree->positions[upper])) +
	      jc_vec3_length(jc_vec3_subtract(end_of(tree, lower), tree->positions[lower]));
	return leg > least * trunk_length(tree, top, bones[JC_BONE_HIPS]);
}

bool jc_stance_is_animal(
	const struct jc_joint_tree *tree, const struct jc_joint_name *names, const int *bones)
{
	struct limbs legs, arms;
	struct jc_vec3 trunk;

	if (!tree->positions ||
		!measure(tree, bones[JC_BONE_LEFT_UPPER_LEG], bones[JC_BONE_RIGHT_UPPER_LEG],
			&legs) ||
		!measure(tree, bones[JC_BONE_LEFT_UPPER_ARM], bones[JC_BONE_RIGHT_UPPER_ARM],
			&arms)) {
		return false;
	}
	trunk = jc_vec3_subtract(arms.start, legs.start);
	if (stands_on_four(&legs, &arms, trunk)) {
		return !has_longer_legs(tree, bones, LEGS_ON_FOUR);
	}
	return cosine(trunk, legs.direction) > UPRIGHT &&
	       has_tail(tree, names, bones[JC_BONE_HIPS]) &&
	       !has_longer_legs(tree, bones, LEGS_WITH_TAIL);
}
