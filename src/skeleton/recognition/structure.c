/* Recognises bones by shape. A body has two pairs of branches that are equal on both
 * sides: legs where the trunk begins, arms where it ends. Of all possible pairs, selects
 * the two that make the largest body of human proportions. If there is none, a body may be
 * a star: one joint, the torso of a camera tracker, carries legs, arms and neck. */
#include "structure.h"

#include <math.h>
#include <stdlib.h>

#include "completeness.h"
#include "facing.h"
#include "hand_fan.h"
#include "jointcast/transform.h"
#include "limb_fit.h"
#include "trunk.h"

/* Only the longest pairs are examined. */
#define PAIRS 48

/* Minimum similarity of the two sides, and minimum length of a limb relative to the
 * longest branch. */
#define LEAST_ALIKE  0.8f
#define LEAST_LENGTH 0.1f

/* Maximum number of joints between the hips and the branching of the legs. */
#define STEPS_TO_LEGS 3

/* Maximum cosine between legs and trunk, which have opposite directions. */
#define LEGS_AWAY (-0.3f)

/* Length of the two parts of a limb relative to the trunk. */
#define LEAST_OF_TRUNK 0.3f
#define MOST_OF_TRUNK  4.0f

/* Maximum misfit of a limb. */
#define MOST_MISFIT 1.2f

/* Confidence of a result from structure relative to one from names, and the same if left
 * and right are a guess. */
#define TRUST         0.9f
#define TRUST_GUESSED 0.8f

/* Two branches of a joint. */
struct pair {
	int joint;
	int branches[2];
	float length; /* of the shorter */
	struct jc_limb legs[2], arms[2];
	float legs_alike, arms_alike; /* 0 if they are not legs or arms */
};

struct search {
	struct jc_branches branches;
	const struct jc_joint_name *names;
	struct pair *pairs; /* owned: PAIRS */
	size_t count;
};

/* The two pairs that make a body. */
struct body {
	const struct pair *legs, *arms;
	int hips;
	float score;
};

static float branch_length(const struct jc_branches *branches, int joint)
{
	return branches->lengths[joint] + branches->reaches[joint];
}

static float ratio(float a, float b)
{
	return fminf(a, b) / fmaxf(a, b);
}

/* How similar the lengths of two branches are, 0 to 1. */
static float alike(const struct jc_branches *branches, int a, int b)
{
	return ratio(branch_length(branches, a), branch_length(branches, b));
}

/* Keeps a pair if it is among the longest. */
static void keep_pair(struct search *search, const struct pair *pair)
{
	size_t shortest = 0;

	if (search->count < PAIRS) {
		search->pairs[search->count++] = *pair;
		return;
	}
	for (size_t i = 1; i < search->count; i++) {
		if (search->pairs[i].length < search->pairs[shortest].length) {
			shortest = i;
		}
	}
	if (pair->length > search->pairs[shortest].length) {
		search->pairs[shortest] = *pair;
	}
}

static void find_pairs_at(struct search *search, int joint, float least)
{
	int fan[JC_BRANCH_FAN_WIDTH];
	size_t count = jc_branches_fan(&search->branches, joint, least, fan);

	for (size_t a = 0; a < count; a++) {
		for (size_t b = a + 1; b < count; b++) {
			struct pair pair = { .joint = joint, .branches = { fan[a], fan[b] } };

			pair.length = fminf(branch_length(&search->branches, fan[a]),
				branch_length(&search->branches, fan[b]));
			if (alike(&search->branches, fan[a], fan[b]) > LEAST_ALIKE) {
				keep_pair(search, &pair);
			}
		}
	}
}

static float part_length(
	const struct jc_branches *branches, const struct jc_limb *limb, size_t from, size_t to)
{
	return jc_branches_distance(branches, limb->chain.joints[from], limb->chain.joints[to]);
}

/* How similar both limbs are part by part; 0 if they are not limbs of this kind. */
static float fit_pair(const struct jc_branches *branches, const struct pair *pair,
	enum jc_limb_kind kind, struct jc_limb limbs[2])
{
	float parts[2][2];
	float alike_parts;

	for (int i = 0; i < 2; i++) {
		struct jc_limb *limb = &limbs[i];

		if (!jc_limb_fit(branches, pair->branches[i], pair->branches[1 - i], kind, limb) ||
			limb->misfit > MOST_MISFIT) {
			return 0.0f;
		}
		parts[i][0] = part_length(branches, limb, limb->upper, limb->lower);
		parts[i][1] = part_length(branches, limb, limb->lower, limb->end);
	}
	alike_parts = fminf(ratio(parts[0][0], parts[1][0]), ratio(parts[0][1], parts[1][1]));
	return alike_parts > LEAST_ALIKE ? alike_parts : 0.0f;
}

static void find_pairs(struct search *search)
{
	const struct jc_joint_tree *tree = search->branches.tree;
	float longest = 0.0f;

	for (size_t i = 0; i < tree->joint_count; i++) {
		longest = fmaxf(longest, search->branches.reaches[i]);
	}
	for (size_t i = 0; i < tree->joint_count; i++) {
		find_pairs_at(search, (int)i, LEAST_LENGTH * longest);
	}
	for (size_t i = 0; i < search->count; i++) {
		struct pair *pair = &search->pairs[i];

		pair->legs_alike = fit_pair(&search->branches, pair, JC_LIMB_LEG, pair->legs);
		pair->arms_alike = fit_pair(&search->branches, pair, JC_LIMB_ARM, pair->arms);
	}
}

static bool is_below(const struct jc_joint_tree *tree, int joint, const struct pair *pair)
{
	return jc_trunk_steps_up(tree, joint, pair->branches[0]) >= 0 ||
	       jc_trunk_steps_up(tree, joint, pair->branches[1]) >= 0;
}

static struct jc_vec3 middle_of(
	const struct jc_branches *branches, const struct jc_limb limbs[2], bool of_ends)
{
	struct jc_vec3 a =
		jc_limb_fit_position(branches, &limbs[0], of_ends ? limbs[0].end : limbs[0].upper);
	struct jc_vec3 b =
		jc_limb_fit_position(branches, &limbs[1], of_ends ? limbs[1].end : limbs[1].upper);

	return jc_vec3_scale(jc_vec3_add(a, b), 0.5f);
}

/* From the hip joints to the branching of the arms, of a star to the shoulder joints. */
static struct jc_vec3 trunk_of(
	const struct jc_branches *branches, const struct pair *legs, const struct pair *arms)
{
	struct jc_vec3 top = legs->joint == arms->joint ? middle_of(branches, arms->arms, false)
							: branches->tree->positions[arms->joint];

	return jc_vec3_subtract(top, middle_of(branches, legs->legs, false));
}

/* Whether the legs point away from the trunk. */
static bool is_upright(
	const struct jc_branches *branches, const struct pair *legs, struct jc_vec3 trunk)
{
	struct jc_vec3 way = jc_vec3_subtract(
		middle_of(branches, legs->legs, true), middle_of(branches, legs->legs, false));

	return jc_vec3_dot(way, trunk) < LEGS_AWAY * jc_vec3_length(way) * jc_vec3_length(trunk);
}

static bool is_proportional(
	const struct jc_branches *branches, const struct jc_limb *limb, struct jc_vec3 trunk)
{
	float length = part_length(branches, limb, limb->upper, limb->lower) +
		       part_length(branches, limb, limb->lower, limb->end);
	float whole = jc_vec3_length(trunk);

	return length > LEAST_OF_TRUNK * whole && length < MOST_OF_TRUNK * whole;
}

/* Whether arms are above the hips, or, in a star, beside legs that are longer. */
static bool are_arms_placed(
	const struct pair *legs, const struct pair *arms, int hips, bool is_star)
{
	if (!is_star) {
		return hips != arms->joint;
	}
	return legs->joint == arms->joint && legs->length > arms->length &&
	       legs->branches[0] != arms->branches[0] && legs->branches[0] != arms->branches[1] &&
	       legs->branches[1] != arms->branches[0] && legs->branches[1] != arms->branches[1];
}

/* False if the two pairs do not make a body, or no star if that is searched. */
static bool join(const struct search *search, const struct pair *legs, const struct pair *arms,
	bool is_star, struct body *out_body)
{
	const struct jc_joint_tree *tree = search->branches.tree;
	int hips = jc_trunk_common_ancestor(tree, legs->joint, arms->joint);
	struct jc_vec3 trunk;
	float misfit = 0.0f;

	if (!(legs->legs_alike > 0.0f) || !(arms->arms_alike > 0.0f) || hips < 0 ||
		!are_arms_placed(legs, arms, hips, is_star) || is_below(tree, arms->joint, legs) ||
		is_below(tree, legs->joint, arms) ||
		jc_trunk_steps_up(tree, legs->joint, hips) > STEPS_TO_LEGS) {
		return false;
	}
	trunk = trunk_of(&search->branches, legs, arms);
	if (!is_upright(&search->branches, legs, trunk) ||
		!is_proportional(&search->branches, &legs->legs[0], trunk) ||
		!is_proportional(&search->branches, &arms->arms[0], trunk)) {
		return false;
	}
	for (int i = 0; i < 2; i++) {
		misfit += legs->legs[i].misfit + arms->arms[i].misfit;
	}
	*out_body = (struct body){ .legs = legs, .arms = arms, .hips = hips };
	out_body->score = (legs->length * legs->legs_alike + arms->length * arms->arms_alike +
				  0.5f * jc_vec3_length(trunk)) *
			  expf(-0.5f * misfit);
	return true;
}

static bool find_body(const struct search *search, bool is_star, struct body *out_body)
{
	out_body->score = 0.0f;
	for (size_t l = 0; l < search->count; l++) {
		for (size_t a = 0; a < search->count; a++) {
			struct body body;

			if (a != l &&
				join(search, &search->pairs[l], &search->pairs[a], is_star,
					&body) &&
				body.score > out_body->score) {
				*out_body = body;
			}
		}
	}
	return out_body->score > 0.0f;
}

/* The branch that continues the trunk between the arms; -1 if no branch does. */
static int find_neck(
	const struct jc_branches *branches, const struct body *body, struct jc_vec3 trunk)
{
	const struct jc_vec3 *positions = branches->tree->positions;
	int fan[JC_BRANCH_FAN_WIDTH];
	size_t count = jc_branches_fan(branches, body->arms->joint, 0.0f, fan);
	float farthest = 0.0f;
	int neck = -1;

	for (size_t i = 0; i < count; i++) {
		struct jc_branch_chain chain;
		struct jc_vec3 way;
		float reach;

		if (fan[i] == body->arms->branches[0] || fan[i] == body->arms->branches[1] ||
			fan[i] == body->legs->branches[0] || fan[i] == body->legs->branches[1]) {
			continue;
		}
		jc_branches_chain(branches, fan[i], &chain);
		way = jc_vec3_subtract(
			positions[chain.joints[chain.count - 1]], positions[body->arms->joint]);
		reach = jc_vec3_dot(way, jc_vec3_normalize(trunk));
		if (reach > farthest && reach > 0.5f * jc_vec3_length(way)) {
			farthest = reach;
			neck = fan[i];
		}
	}
	return neck;
}

static bool has_neck(const struct search *search, const struct body *body)
{
	return find_neck(&search->branches, body,
		       trunk_of(&search->branches, body->legs, body->arms)) >= 0;
}

/* Index of the head in the chain that begins with the neck or the head. After the head
 * there may be a tip, or a joint in place of one, at more than the length of a neck. A
 * joint with the branches of a face is the head. */
static size_t find_head(
	const struct jc_branches *branches, const struct jc_branch_chain *chain, float trunk)
{
	size_t last = 0;
	int fan[JC_BRANCH_FAN_WIDTH];

	while (last + 1 < chain->count && !jc_branches_is_tip(branches, chain->joints[last + 1])) {
		last++;
	}
	for (size_t i = 0; i <= last; i++) {
		size_t count = jc_branches_fan(branches, chain->joints[i], 0.0f, fan);

		if (count > 2 || (count == 2 && alike(branches, fan[0], fan[1]) > LEAST_ALIKE)) {
			return i;
		}
	}
	if (last == 0 || branches->reaches[chain->joints[last]] > 0.0f) {
		return last;
	}
	if (last == 1) {
		return branches->lengths[chain->joints[1]] > 0.35f * trunk ? 0 : 1;
	}
	return branches->lengths[chain->joints[last]] >
			       1.3f * branches->lengths[chain->joints[last - 1]]
		       ? last - 1
		       : last;
}

static void map_head(const struct jc_branches *branches, const struct body *body,
	struct jc_vec3 trunk, int *bones)
{
	int neck = find_neck(branches, body, trunk);
	struct jc_branch_chain chain;
	size_t head;

	if (neck < 0) {
		return;
	}
	jc_branches_chain(branches, neck, &chain);
	head = find_head(branches, &chain, jc_vec3_length(trunk));
	bones[JC_BONE_HEAD] = chain.joints[head];
	if (head > 0) {
		bones[JC_BONE_NECK] = neck;
	}
}

static int joint_at(const struct jc_branches *branches, const struct jc_limb *limb, size_t place)
{
	int joint = place < limb->chain.count ? limb->chain.joints[place] : -1;

	return joint >= 0 && !jc_branches_is_tip(branches, joint) ? joint : -1;
}

static void map_leg(
	const struct jc_branches *branches, const struct jc_limb *leg, bool is_right, int *bones)
{
	int foot = joint_at(branches, leg, leg->end);
	int fan[JC_BRANCH_FAN_WIDTH];
	int first = is_right ? JC_BONE_RIGHT_UPPER_LEG : JC_BONE_LEFT_UPPER_LEG;

	bones[first] = joint_at(branches, leg, leg->upper);
	bones[first + 1] = joint_at(branches, leg, leg->lower);
	bones[first + 2] = foot;
	/* With several toes, no joint moves all of them. */
	if (foot >= 0 && jc_branches_fan(branches, foot, 0.0f, fan) <= 2) {
		bones[first + 3] = joint_at(branches, leg, leg->end + 1);
	}
}

static void map_arm(
	const struct jc_branches *branches, const struct jc_limb *arm, bool is_right, int *bones)
{
	int hips = bones[JC_BONE_HIPS];
	int first = is_right ? JC_BONE_RIGHT_SHOULDER : JC_BONE_LEFT_SHOULDER;
	int hand = joint_at(branches, arm, arm->end);

	/* Shoulders may begin at one point in the middle, but not in that of a star. */
	if (arm->upper > arm->root) {
		bones[first] = joint_at(branches, arm, arm->root);
	} else if (arm->root > 0 &&
		   jc_branches_distance(branches, hips, arm->chain.joints[arm->root - 1]) > 0.0f) {
		bones[first] = joint_at(branches, arm, arm->root - 1);
	}
	bones[first + 1] = joint_at(branches, arm, arm->upper);
	bones[first + 2] = joint_at(branches, arm, arm->lower);
	bones[first + 3] = hand;
	if (hand >= 0) {
		jc_hand_fan_map(branches, hand, is_right, bones);
	}
}

static bool is_second_left(const struct jc_branches *branches, const struct jc_limb *const pair[2],
	struct jc_vec3 left)
{
	struct jc_vec3 to_first =
		jc_vec3_subtract(jc_limb_fit_position(branches, pair[0], pair[0]->upper),
			jc_limb_fit_position(branches, pair[1], pair[1]->upper));

	return jc_vec3_dot(to_first, left) < 0.0f;
}

static void map_body(
	const struct search *search, const struct body *body, struct jc_recognition *match)
{
	const struct jc_branches *branches = &search->branches;
	struct jc_vec3 trunk = trunk_of(branches, body->legs, body->arms);
	struct jc_limb_pairs pairs = {
		.legs = { &body->legs->legs[0], &body->legs->legs[1] },
		.arms = { &body->arms->arms[0], &body->arms->arms[1] },
		.up = jc_vec3_normalize(trunk),
	};
	bool is_shown, are_swapped[2];
	struct jc_vec3 left = jc_facing_left(branches, search->names, &pairs, &is_shown);

	match->bones[JC_BONE_HIPS] = body->hips;
	are_swapped[0] = is_second_left(branches, pairs.legs, left);
	are_swapped[1] = is_second_left(branches, pairs.arms, left);
	for (int i = 0; i < 2; i++) {
		map_leg(branches, pairs.legs[i], (i == 1) != are_swapped[0], match->bones);
		map_arm(branches, pairs.arms[i], (i == 1) != are_swapped[1], match->bones);
	}
	map_head(branches, body, trunk, match->bones);
	jc_trunk_map(branches->tree, match->bones);
	jc_completeness_count(match);
	match->confidence *= TRUST * (is_shown ? 1.0f : TRUST_GUESSED) *
			     fminf(body->legs->legs_alike, body->arms->arms_alike);
	match->family = match->confidence < JC_RECOGNITION_LEAST ? "" : "structure";
}

int jc_structure_match(const struct jc_joint_tree *tree, const struct jc_joint_name *names,
	struct jc_recognition *out_match)
{
	struct search search = { .names = names, .pairs = calloc(PAIRS, sizeof(struct pair)) };
	struct body body = { 0 };

	jc_completeness_clear(out_match);
	if (!search.pairs || jc_branches_init(&search.branches, tree)) {
		free(search.pairs);
		return JC_ERROR_MEMORY;
	}
	find_pairs(&search);
	if (find_body(&search, false, &body) ||
		(find_body(&search, true, &body) && has_neck(&search, &body))) {
		map_body(&search, &body, out_match);
	}
	jc_branches_finish(&search.branches);
	free(search.pairs);
	return JC_OK;
}
