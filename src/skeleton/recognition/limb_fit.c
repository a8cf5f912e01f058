/* Finds the joints of a limb in a branch. Upper and lower part have similar lengths, much
 * longer than the bones before them and longer than hand or foot. Twist joints and other
 * joints within a part are ignored. */
#include "limb_fit.h"

#include <math.h>

#include "jointcast/transform.h"

/* Joints nearer than this share of a branch are at one point. */
#define SAME_PLACE 0.02f

/* A joint with this many branches is a hand. */
#define FINGERS 3

/* A joint at less than this share of the limb from the next one only carries it. */
#define SAME_JOINT 0.05f

/* Cost of leaving out a joint, of a corner, of an end that is not a joint, and of a first
 * joint that only carries the next. */
#define SKIP_COST   0.05f
#define DETOUR_COST 2.0f
#define TIP_COST    0.3f

/* Cost of a wrist below a joint that branches into a thumb and fingers. */
#define MITTEN_COST 0.3f

/* Permitted lengths before and after the two parts, relative to them, and the cost of
 * exceeding them and of any length. */
static const struct proportions {
	float before, behind, cost;
} proportions[] = {
	[JC_LIMB_LEG] = { 0.25f, 0.6f, 0.3f },
	[JC_LIMB_ARM] = { 0.5f, 0.8f, 0.1f },
};

struct jc_vec3 jc_limb_fit_position(
	const struct jc_branches *branches, const struct jc_limb *limb, size_t place)
{
	return branches->tree->positions[limb->chain.joints[place]];
}

struct jc_vec3 jc_limb_fit_bend(const struct jc_branches *branches, const struct jc_limb *limb)
{
	struct jc_vec3 start = jc_limb_fit_position(branches, limb, limb->upper);
	struct jc_vec3 line = jc_vec3_normalize(
		jc_vec3_subtract(jc_limb_fit_position(branches, limb, limb->end), start));
	struct jc_vec3 middle =
		jc_vec3_subtract(jc_limb_fit_position(branches, limb, limb->lower), start);

	return jc_vec3_subtract(middle, jc_vec3_scale(line, jc_vec3_dot(line, middle)));
}

/* The first joint that is not at the same point on both sides. */
static size_t find_root(
	const struct jc_branches *branches, const struct jc_branch_chain *chain, int mirrored)
{
	float near = SAME_PLACE *
		     (branches->lengths[chain->joints[0]] + branches->reaches[chain->joints[0]]);
	struct jc_branch_chain other;
	size_t root = 0;

	jc_branches_chain(branches, mirrored, &other);
	while (root + 1 < chain->count && root + 1 < other.count &&
		jc_branches_distance(branches, chain->joints[root], other.joints[root]) < near) {
		root++;
	}
	return root;
}

/* The place of a hand with fingers, 0 if no hand has fingers. */
static size_t find_hand(const struct jc_branches *branches, const struct jc_limb *limb)
{
	int fingers[JC_BRANCH_FAN_WIDTH];

	for (size_t i = limb->root + 2; i < limb->chain.count; i++) {
		if (jc_branches_fan(branches, limb->chain.joints[i], 0.0f, fingers) >= FINGERS) {
			return i;
		}
	}
	return 0;
}

/* Cost of a part when joints between its ends are left out and the path along them is not
 * straight. */
static float skip_cost(const struct jc_branches *branches, const struct jc_branch_chain *chain,
	size_t from, size_t to, float length)
{
	float detour = jc_branches_way(branches, chain, from, to) / length - 1.0f;

	return DETOUR_COST * detour + SKIP_COST * (float)(to - from - 1);
}

/* Whether a joint of the lower part has more than one branch. */
static bool skips_branches(const struct jc_branches *branches, const struct jc_limb *limb)
{
	int fan[JC_BRANCH_FAN_WIDTH];

	for (size_t i = limb->lower + 1; i < limb->end; i++) {
		if (jc_branches_fan(branches, limb->chain.joints[i], 0.0f, fan) > 1) {
			return true;
		}
	}
	return false;
}

static float misfit_of(
	const struct jc_branches *branches, const struct jc_limb *limb, enum jc_limb_kind kind)
{
	const struct proportions *usual = &proportions[kind];
	const struct jc_branch_chain *chain = &limb->chain;
	float upper = jc_branches_distance(
		branches, chain->joints[limb->upper], chain->joints[limb->lower]);
	float lower = jc_branches_distance(
		branches, chain->joints[limb->lower], chain->joints[limb->end]);
	float before = jc_branches_way(branches, chain, limb->root, limb->upper) / (upper + lower);
	float behind =
		jc_branches_way(branches, chain, limb->end, chain->count - 1) / (upper + lower);
	float misfit;

	if (!(upper > 0.0f && lower > 0.0f)) {
		return INFINITY;
	}
	misfit = fabsf(logf(upper / lower)) + usual->cost * before +
		 2.0f * fmaxf(0.0f, before - usual->before) + fmaxf(0.0f, behind - usual->behind);
	misfit += skip_cost(branches, chain, limb->upper, limb->lower, upper) +
		  skip_cost(branches, chain, limb->lower, limb->end, lower);
	if (jc_branches_is_tip(branches, chain->joints[limb->end])) {
		misfit += TIP_COST;
	}
	if (kind == JC_LIMB_ARM && skips_branches(branches, limb)) {
		misfit += MITTEN_COST;
	}
	if (jc_branches_way(branches, chain, limb->upper, limb->upper + 1) <
		SAME_JOINT * (upper + lower)) {
		misfit += TIP_COST;
	}
	return misfit;
}

bool jc_limb_fit(const struct jc_branches *branches, int branch, int mirrored,
	enum jc_limb_kind kind, struct jc_limb *out_limb)
{
	struct jc_limb limb, best = { .misfit = INFINITY };
	size_t hand;

	jc_branches_chain(branches, branch, &limb.chain);
	limb.root = find_root(branches, &limb.chain, mirrored);
	hand = kind == JC_LIMB_ARM ? find_hand(branches, &limb) : 0;
	for (limb.upper = limb.root; limb.upper + 2 < limb.chain.count; limb.upper++) {
		for (limb.lower = limb.upper + 1; limb.lower + 1 < limb.chain.count; limb.lower++) {
			for (limb.end = limb.lower + 1; limb.end < limb.chain.count; limb.end++) {
				if (hand && limb.end != hand) {
					continue;
				}
				limb.misfit = misfit_of(branches, &limb, kind);
				if (limb.misfit < best.misfit) {
					best = limb;
				}
			}
		}
	}
	if (!isfinite(best.misfit)) {
		return false;
	}
	*out_limb = best;
	return true;
}
