/* Finds the fingers of a hand. The thumb has another direction than the others and begins
 * nearer to the wrist; the others are side by side, the index finger next to the thumb. */
#include "hand_fan.h"

#include <math.h>
#include <string.h>

#include "jointcast/transform.h"

#define FINGERS         5
#define LEAST_FINGERS   3
#define PHALANGES       3
#define LEAST_PHALANGES 2

/* A thumb differs by this angle in radians from the mean direction, or is nearer to the
 * wrist by this share of the distance of the farthest finger. */
#define THUMB_ANGLE 0.3f
#define THUMB_NEAR  0.3f

/* Joints nearer than this share of a finger are at one point. */
#define SAME_PLACE 0.02f

/* If the distance from the wrist exceeds the length of the first bone by this factor,
 * that bone is a phalanx: a metacarpal begins near the wrist and is long. */
#define PHALANX_AWAY 1.5f

struct finger {
	struct jc_branch_chain chain; /* its joints, without tips */
	size_t begin;                 /* first joint after a metacarpal that is not the thumb's */
	struct jc_vec3 base, direction;
	float away; /* distance of the base from the wrist */
	float side; /* position of the base across the hand */
};

static struct jc_vec3 position_of(const struct jc_branches *branches, int joint)
{
	return branches->tree->positions[joint];
}

/* Whether the fingers have a common first joint, which is then no phalanx. */
static bool shares_base(const struct jc_branches *branches, int branch)
{
	int parent = branches->tree->parents[branch];
	float near = SAME_PLACE * branches->reaches[branch];

	for (int other = branches->first[parent]; other >= 0; other = branches->next[other]) {
		if (other != branch && jc_branches_distance(branches, branch, other) < near) {
			return true;
		}
	}
	return false;
}

/* Measures a finger without joints that are neither phalanx nor metacarpal of a thumb. */
static bool measure_finger(
	const struct jc_branches *branches, int hand, int branch, struct finger *finger)
{
	struct jc_branch_chain *chain = &finger->chain;
	size_t joints = 0;
	int last;

	jc_branches_chain(branches, branch, chain);
	while (joints < chain->count && !jc_branches_is_tip(branches, chain->joints[joints])) {
		joints++;
	}
	last = chain->joints[chain->count - 1];
	chain->count = joints;
	if (joints < LEAST_PHALANGES) {
		return false;
	}
	finger->begin = joints > PHALANGES &&
			(shares_base(branches, branch) ||
				branches->lengths[branch] <
					PHALANX_AWAY * branches->lengths[chain->joints[1]]);
	finger->base = position_of(branches, chain->joints[finger->begin]);
	finger->away = jc_branches_distance(branches, hand, chain->joints[finger->begin]);
	finger->direction =
		jc_vec3_normalize(jc_vec3_subtract(position_of(branches, last), finger->base));
	return true;
}

/* Index of the thumb, -1 if no finger differs enough. */
static int find_thumb(const struct finger *fingers, size_t count, struct jc_vec3 mean)
{
	float farthest = 0.0f;
	float most = 0.0f;
	int thumb = -1;

	for (size_t i = 0; i < count; i++) {
		farthest = fmaxf(farthest, fingers[i].away);
	}
	for (size_t i = 0; i < count; i++) {
		float angle = jc_vec3_angle(fingers[i].direction, mean);
		float near = farthest > 0.0f ? 1.0f - fingers[i].away / farthest : 0.0f;

		if ((angle > THUMB_ANGLE || near > THUMB_NEAR) && angle + near > most) {
			most = angle + near;
			thumb = (int)i;
		}
	}
	return thumb;
}

static void swap(struct finger *a, struct finger *b)
{
	struct finger kept = *a;

	*a = *b;
	*b = kept;
}

/* Sorts the fingers: the thumb first, then the others in order across the hand. */
static void order_fingers(struct finger *fingers, size_t count, int thumb)
{
	struct jc_vec3 along = { 0.0f, 0.0f, 0.0f };
	struct jc_vec3 across = { 0.0f, 0.0f, 0.0f };

	swap(&fingers[0], &fingers[thumb]);
	for (size_t i = 1; i < count; i++) {
		along = jc_vec3_add(along, fingers[i].direction);
		across = jc_vec3_add(across, jc_vec3_subtract(fingers[i].base, fingers[0].base));
	}
	along = jc_vec3_normalize(along);
	across = jc_vec3_subtract(across, jc_vec3_scale(along, jc_vec3_dot(along, across)));
	for (size_t i = 1; i < count; i++) {
		fingers[i].side = jc_vec3_dot(across, fingers[i].base);
	}
	for (size_t i = 2; i < count; i++) {
		for (size_t k = i; k > 1 && fingers[k].side < fingers[k - 1].side; k--) {
			swap(&fingers[k], &fingers[k - 1]);
		}
	}
}

static void map_finger(const struct finger *finger, size_t place, bool is_right, int *bones)
{
	static const enum jc_bone firsts[FINGERS] = { JC_BONE_LEFT_THUMB_METACARPAL,
		JC_BONE_LEFT_INDEX_PROXIMAL, JC_BONE_LEFT_MIDDLE_PROXIMAL,
		JC_BONE_LEFT_RING_PROXIMAL, JC_BONE_LEFT_LITTLE_PROXIMAL };

	for (size_t i = 0; i < PHALANGES && finger->begin + i < finger->chain.count; i++) {
		enum jc_bone bone = (enum jc_bone)(firsts[place] + (int)i);

		bones[is_right ? jc_bone_mirror(bone) : bone] =
			finger->chain.joints[finger->begin + i];
	}
}

/* Collects the branches of a hand joint. A metacarpal that two fingers share belongs to
 * neither. */
static size_t collect(const struct jc_branches *branches, int hand, int joint,
	struct finger *fingers, size_t count)
{
	int fan[JC_BRANCH_FAN_WIDTH];
	size_t fan_count = jc_branches_fan(branches, joint, 0.0f, fan);

	for (size_t i = 0; i < fan_count; i++) {
		int ignored[JC_BRANCH_FAN_WIDTH];

		if (joint == hand && jc_branches_fan(branches, fan[i], 0.0f, ignored) > 1) {
			count = collect(branches, hand, fan[i], fingers, count);
		} else if (count < JC_BRANCH_FAN_WIDTH &&
			   measure_finger(branches, hand, fan[i], &fingers[count])) {
			count++;
		}
	}
	return count;
}

void jc_hand_fan_map(const struct jc_branches *branches, int hand, bool is_right, int *bones)
{
	struct jc_vec3 mean = { 0.0f, 0.0f, 0.0f };
	struct finger fingers[JC_BRANCH_FAN_WIDTH];
	size_t count = collect(branches, hand, hand, fingers, 0);
	int thumb;

	if (count < LEAST_FINGERS || count > FINGERS) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		mean = jc_vec3_add(mean, fingers[i].direction);
	}
	thumb = find_thumb(fingers, count, mean);
	if (thumb < 0) {
		return;
	}
	order_fingers(fingers, count, thumb);
	for (size_t i = 0; i < count; i++) {
		map_finger(&fingers[i], i, is_right, bones);
	}
}

/* The first and last bone of a hand's fingers. */
static void find_range(bool is_right, int *out_first, int *out_last)
{
	*out_first = is_right ? JC_BONE_RIGHT_THUMB_METACARPAL : JC_BONE_LEFT_THUMB_METACARPAL;
	*out_last = is_right ? JC_BONE_RIGHT_LITTLE_DISTAL : JC_BONE_LEFT_LITTLE_DISTAL;
}

static void complete_hand(const struct jc_branches *branches, bool is_right, int *bones)
{
	int hand = bones[is_right ? JC_BONE_RIGHT_HAND : JC_BONE_LEFT_HAND];
	int found[JC_BONE_COUNT];
	int first, last;

	if (hand < 0) {
		return;
	}
	memset(found, -1, sizeof(found));
	jc_hand_fan_map(branches, hand, is_right, found);
	find_range(is_right, &first, &last);
	for (int b = first; b <= last; b++) {
		if (bones[b] >= 0 && bones[b] != found[b]) {
			return;
		}
	}
	memcpy(&bones[first], &found[first], (size_t)(last - first + 1) * sizeof(*bones));
}

int jc_hand_fan_complete(const struct jc_joint_tree *tree, int *bones)
{
	struct jc_branches branches;

	if (jc_branches_init(&branches, tree)) {
		return JC_ERROR_MEMORY;
	}
	complete_hand(&branches, false, bones);
	complete_hand(&branches, true, bones);
	jc_branches_finish(&branches);
	return JC_OK;
}
