/* Estimates the trunk from hips to head: heading and lean of the body, and a bent spine that meets
 * the known positions of its ends. The constants were chosen on the clips named in emulation.c. */
#include <math.h>

#include "emulation_body.h"

#define TRUNK (JC_BONE_HEAD + 1) /* hips to head are the first bones of the table */

#define HEADING_LAG   0.2f /* time constant with which the trunk turns to the head, seconds */
#define HEADING_QUICK 4.0f /* acceleration of this turn per square radian of difference */
#define HEADING_APART 1.2f /* maximum angle between head and trunk, radians */
#define HANDS_ASIDE   0.2f /* turn of the chest, radians per metre that each hand is at the side */
#define HANDS_AHEAD   0.6f /* turn of the chest, radians per metre between front and back hand */
#define HANDS_MOST    0.7f
#define LEAN_PITCH    0.2f /* share of the head's pitch that the chest has */
#define LEAN_DROP     1.0f /* lean of the chest, radians per relative drop of the head */
#define LEAN_LEAST    (-0.2f)
#define LEAN_MOST     1.2f
#define LEAN_FLAT     1.8f /* lean without room for the hips below */
#define FLOOR_LEAST   0.1f /* minimum height of the hips for size 1, metres */
#define HIPS_LEAN     0.5f /* share of the chest's lean */
#define CHEST_HEAD    0.2f /* share of the angle from given hips to the head that the chest has */
#define CHEST_HANDS   0.5f /* share of the angle from given hips to the hands that the chest has */
#define NECK_SHARE    0.5f /* share of the angle from chest to head */
#define GAP_MOST      1.0e-4f /* maximum gap between spine and neck, metres */
#define REACH_ROUNDS  16
#define REACH_TURN    0.1f /* turn of the chest per round towards a hand out of reach, radians */
#define REACH_GAIN    1.5f
#define REACH_LAG     0.25f /* seconds */
#define REACHED       1.0e-4f
#define ARCH_GAIN     30.0f   /* arch per metre, for a spine that is bent forward */
#define BEND_FROM     (-1.0f) /* minimum bend of a spine from bottom to top, radians */
#define BEND_MOST     3.5f
#define HALVINGS      22

/* A section of the spine: rotations of its bones and the offsets between them. */
struct section {
	int count;
	struct jc_vec3 axis; /* bend axis in the T-pose of each bone */
	struct jc_vec3 offsets[TRUNK];
	struct jc_quat turns[TRUNK];
};

static struct jc_quat bent(const struct section *section, int i, float bend)
{
	float last = (float)(section->count - 1);
	float part = section->count > 1 ? (float)i / last - 0.5f : 0.0f;

	return jc_quat_multiply(section->turns[i], jc_emulated_about(section->axis, bend * part));
}

static struct jc_vec3 chord(const struct section *section, float bend)
{
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };

	for (int i = 0; i < section->count; i++) {
		sum = jc_vec3_add(sum, jc_quat_rotate(bent(section, i, bend), section->offsets[i]));
	}
	return sum;
}

static float span(const struct section *section, float bend)
{
	return jc_vec3_length(chord(section, bend));
}

/* The bend that gives the section its maximum length. */
static float find_straightest(const struct section *section)
{
	float low = BEND_FROM, high = -BEND_FROM;

	for (int i = 0; i < HALVINGS; i++) {
		float third = (high - low) / 3.0f;

		if (span(section, low + third) < span(section, high - third)) {
			low += third;
		} else {
			high -= third;
		}
	}
	return 0.5f * (low + high);
}

/* Bends the section until its length equals that of `way`, then turns it to the direction of
 * `way`. */
static void fit_section(struct section *section, struct jc_vec3 way)
{
	float length = jc_vec3_length(way);
	float low = section->count > 1 ? find_straightest(section) : 0.0f;
	float high = low + BEND_MOST;
	struct jc_quat swing;

	for (int i = 0; i < HALVINGS && section->count > 1; i++) {
		float middle = 0.5f * (low + high);

		if (span(section, middle) > length) {
			low = middle;
		} else {
			high = middle;
		}
	}
	swing = jc_quat_between(chord(section, low), way, jc_front);
	for (int i = 0; i < section->count; i++) {
		section->turns[i] =
			jc_quat_normalize(jc_quat_multiply(swing, bent(section, i, low)));
	}
}

static struct jc_vec3 find_axis(const struct jc_emulation *emulation)
{
	struct jc_vec3 axis = jc_vec3_normalize(jc_vec3_cross(emulation->arch, jc_up));

	return jc_vec3_length(axis) > 0.5f ? axis : jc_left;
}

/* Fits the bones between two known positions, starting from their current rotations. */
static void bend_between(
	const struct jc_emulation *emulation, struct jc_emulated *body, int low, int high)
{
	struct section section = { .count = high - low - 1, .axis = find_axis(emulation) };
	struct jc_vec3 place = jc_vec3_add(
		body->positions[low], jc_quat_rotate(body->turned[low], body->offsets[low + 1]));
	struct jc_vec3 way = jc_vec3_subtract(body->positions[high], place);

	if (section.count < 1) {
		return;
	}
	for (int i = 0; i < section.count; i++) {
		section.turns[i] = body->turned[low + 1 + i];
		section.offsets[i] = body->offsets[low + 2 + i];
	}
	fit_section(&section, way);
	for (int i = 0; i < section.count; i++) {
		body->positions[low + 1 + i] = place;
		body->turned[low + 1 + i] = section.turns[i];
		place = jc_vec3_add(place, jc_quat_rotate(section.turns[i], section.offsets[i]));
	}
}

static struct jc_quat face(float heading, float pitch)
{
	return jc_quat_multiply(
		jc_emulated_about(jc_up, heading), jc_emulated_about(jc_left, pitch));
}

/* Pitch of a head below the horizon. */
static float pitch_of(struct jc_quat turned)
{
	struct jc_vec3 front = jc_quat_rotate(turned, jc_front);

	return -asinf(jc_emulated_clamp(front.y, -1.0f, 1.0f));
}

/* The trunk bone that defines the heading: hips, else the bone nearest to the chest, never the
 * head. */
static int find_facing(const struct jc_emulated *body)
{
	for (int b = JC_BONE_HIPS; b < JC_BONE_NECK; b++) {
		if (body->is_given[b]) {
			return b;
		}
	}
	return -1;
}

/* Turns the chest towards hands at the side of the head. */
static float turn_of_hands(const struct jc_emulated *body, float heading)
{
	struct jc_quat back = jc_emulated_about(jc_up, -heading);
	float turn = 0.0f;

	for (int side = 0; side < 2; side++) {
		enum jc_bone hand = jc_emulated_bone(JC_BONE_LEFT_HAND, side);
		struct jc_vec3 way;

		if (!body->is_given[hand] || !body->is_found[JC_BONE_HEAD]) {
			continue;
		}
		way = jc_quat_rotate(back,
			jc_vec3_subtract(body->positions[hand], body->positions[JC_BONE_HEAD]));
		way = jc_vec3_scale(way, 1.0f / body->size);
		turn += HANDS_ASIDE * way.x + (side == 0 ? -HANDS_AHEAD : HANDS_AHEAD) * way.z;
	}
	return jc_emulated_clamp(turn, -HANDS_MOST, HANDS_MOST);
}

static void find_heading(struct jc_emulation *emulation, const struct jc_emulated *body)
{
	int facing = find_facing(body);
	float head, wish, apart;

	if (facing >= 0) {
		emulation->heading = jc_emulated_heading(body->turned[facing]);
		return;
	}
	if (!body->is_given[JC_BONE_HEAD] && !body->is_given[JC_BONE_NECK]) {
		return;
	}
	head = jc_emulated_heading(
		body->turned[body->is_given[JC_BONE_HEAD] ? JC_BONE_HEAD : JC_BONE_NECK]);
	wish = head + turn_of_hands(body, head);
	if (!emulation->has_begun) {
		emulation->heading = wish;
		return;
	}
	apart = jc_emulated_wrap(wish - emulation->heading);
	emulation->heading += apart * jc_emulated_follow(body,
					      HEADING_LAG / (1.0f + HEADING_QUICK * apart * apart));
	apart = jc_emulated_wrap(emulation->heading - head);
	emulation->heading = head + jc_emulated_clamp(apart, -HEADING_APART, HEADING_APART);
}

/* The lean of the chest: with a bowed head, and in a crouch. */
static float guess_lean(const struct jc_emulated *body)
{
	float standing = jc_bone_rest_position(JC_BONE_HEAD).y * body->size;
	float drop;

	if (!body->is_given[JC_BONE_HEAD]) {
		return 0.0f;
	}
	drop = fmaxf(standing - body->positions[JC_BONE_HEAD].y, 0.0f) / standing;
	return jc_emulated_clamp(
		LEAN_PITCH * pitch_of(body->turned[JC_BONE_HEAD]) + LEAN_DROP * fminf(drop, 1.0f),
		LEAN_LEAST, LEAN_MOST);
}

/* Estimates the rotations of the trunk from hips to neck. */
static void guess_turns(const struct jc_emulation *emulation, struct jc_emulated *body, float lean)
{
	struct jc_quat hips, chest;

	chest = face(emulation->heading, lean);
	hips = body->is_given[JC_BONE_HIPS] ? body->turned[JC_BONE_HIPS]
					    : face(emulation->heading, HIPS_LEAN * lean);
	if (body->is_given[JC_BONE_HIPS]) {
		chest = hips;
		if (body->is_given[JC_BONE_HEAD]) {
			float apart =
				jc_emulated_wrap(jc_emulated_heading(body->turned[JC_BONE_HEAD]) -
						 emulation->heading);

			apart = CHEST_HEAD * jc_emulated_clamp(apart, -1.5f, 1.5f) +
				CHEST_HANDS * turn_of_hands(body, emulation->heading);
			chest = jc_quat_multiply(jc_emulated_about(jc_up, apart), hips);
		}
	}
	for (int b = JC_BONE_HIPS; b <= JC_BONE_UPPER_CHEST; b++) {
		if (!body->is_given[b]) {
			body->turned[b] =
				jc_quat_slerp(hips, chest, (float)b / (float)JC_BONE_UPPER_CHEST);
		}
	}
}

static void turn_neck(struct jc_emulated *body)
{
	if (!body->is_given[JC_BONE_NECK]) {
		body->turned[JC_BONE_NECK] = jc_quat_slerp(
			body->turned[JC_BONE_UPPER_CHEST], body->turned[JC_BONE_HEAD], NECK_SHARE);
	}
}

/* Places bones below and above a known bone. */
static void hang(struct jc_emulated *body, int from, int to)
{
	for (int b = from - 1; b >= to; b--) {
		body->positions[b] = jc_vec3_subtract(body->positions[b + 1],
			jc_quat_rotate(body->turned[b], body->offsets[b + 1]));
	}
}

static void stand(struct jc_emulated *body, int from)
{
	for (int b = from + 1; b < TRUNK; b++) {
		body->positions[b] = jc_vec3_add(body->positions[b - 1],
			jc_quat_rotate(body->turned[b - 1], body->offsets[b]));
	}
}

/* The neck follows its head, so the spine ends at the neck's start; if the spine is too short,
 * the neck becomes a part of it. */
static void bend_below_head(const struct jc_emulation *emulation, struct jc_emulated *body, int low)
{
	struct jc_vec3 top;

	turn_neck(body);
	hang(body, JC_BONE_HEAD, JC_BONE_NECK);
	bend_between(emulation, body, low, JC_BONE_NECK);
	top = jc_vec3_add(body->positions[JC_BONE_UPPER_CHEST],
		jc_quat_rotate(body->turned[JC_BONE_UPPER_CHEST], body->offsets[JC_BONE_NECK]));
	if (jc_vec3_length(jc_vec3_subtract(top, body->positions[JC_BONE_NECK])) > GAP_MOST) {
		bend_between(emulation, body, low, JC_BONE_HEAD);
	}
}

/* Fits all sections between given bones after the rotations are estimated. */
static void place_bones(const struct jc_emulation *emulation, struct jc_emulated *body)
{
	int low = -1;

	for (int b = 0; b < TRUNK; b++) {
		if (!body->is_given[b]) {
			continue;
		}
		if (low < 0) {
			if (b == JC_BONE_HEAD) {
				turn_neck(body);
			}
			hang(body, b, JC_BONE_HIPS);
		} else if (b == JC_BONE_HEAD && low < JC_BONE_UPPER_CHEST) {
			bend_below_head(emulation, body, low);
		} else {
			bend_between(emulation, body, low, b);
		}
		low = b;
	}
	stand(body, low);
}

/* The rotation about a pivot that moves the end of a lever by a pull. */
static struct jc_vec3 turn_by(struct jc_vec3 lever, struct jc_vec3 pull)
{
	return jc_vec3_scale(
		jc_vec3_cross(lever, pull), 1.0f / fmaxf(jc_vec3_dot(lever, lever), 1.0e-4f));
}

static struct jc_quat turn_of(struct jc_vec3 turn)
{
	float angle = jc_vec3_length(turn);

	return angle > 1.0e-6f ? jc_emulated_about(jc_vec3_scale(turn, 1.0f / angle),
					 fminf(REACH_GAIN * angle, REACH_TURN))
			       : JC_QUAT_IDENTITY;
}

/* Raises hips to the floor by leaning the trunk. */
static void keep_off_floor(
	const struct jc_emulation *emulation, struct jc_emulated *body, float low)
{
	float least = FLOOR_LEAST * body->size;
	float high = LEAN_FLAT;

	place_bones(emulation, body);
	if (body->is_given[JC_BONE_HIPS] || body->positions[JC_BONE_HIPS].y >= least) {
		return;
	}
	for (int i = 0; i < HALVINGS; i++) {
		float middle = 0.5f * (low + high);

		guess_turns(emulation, body, middle);
		place_bones(emulation, body);
		if (body->positions[JC_BONE_HIPS].y < least) {
			low = middle;
		} else {
			high = middle;
		}
	}
	guess_turns(emulation, body, high);
}

/* Turns the chest, and the spine below it by its share. */
static void turn_chest(struct jc_emulated *body, struct jc_quat turn)
{
	body->turned[JC_BONE_UPPER_CHEST] =
		jc_quat_normalize(jc_quat_multiply(turn, body->turned[JC_BONE_UPPER_CHEST]));
	for (int b = JC_BONE_SPINE; b < JC_BONE_UPPER_CHEST; b++) {
		if (!body->is_given[b]) {
			body->turned[b] = jc_quat_slerp(body->turned[JC_BONE_HIPS],
				body->turned[JC_BONE_UPPER_CHEST],
				(float)b / (float)JC_BONE_UPPER_CHEST);
		}
	}
}

/* Turns the chest about the neck, and arches the spine, towards hands out of reach. */
static bool pull_chest(struct jc_emulation *emulation, struct jc_emulated *body)
{
	struct jc_vec3 neck = body->positions[JC_BONE_NECK];
	struct jc_quat back = jc_emulated_about(jc_up, -emulation->heading);
	struct jc_vec3 turn = { 0.0f, 0.0f, 0.0f };
	struct jc_vec3 both = { 0.0f, 0.0f, 0.0f };

	for (int side = 0; side < 2; side++) {
		struct jc_vec3 pull = jc_emulated_pull(body, side);

		turn = jc_vec3_add(turn,
			turn_by(jc_vec3_subtract(jc_emulated_shoulder(body, side), neck), pull));
		both = jc_vec3_add(both, pull);
	}
	if (jc_vec3_length(turn) + jc_vec3_length(both) < REACHED) {
		return false;
	}
	both = jc_quat_rotate(jc_quat_conjugate(body->turned[JC_BONE_UPPER_CHEST]), both);
	emulation->arch.x += ARCH_GAIN * both.x;
	emulation->arch.z += ARCH_GAIN * both.z;
	turn_chest(body, turn_of(turn));
	emulation->reaching = jc_quat_normalize(
		jc_quat_multiply(turn_of(jc_quat_rotate(back, turn)), emulation->reaching));
	return true;
}

/* The trunk reaches for hands at once and returns slowly. */
static void reach_out(struct jc_emulation *emulation, struct jc_emulated *body)
{
	struct jc_quat yaw = jc_emulated_about(jc_up, emulation->heading);
	struct jc_vec3 arch = { 0.0f, 0.0f, -1.0f };
	float left = emulation->has_begun ? 1.0f - jc_emulated_follow(body, REACH_LAG) : 0.0f;

	emulation->reaching = jc_quat_slerp(JC_QUAT_IDENTITY, emulation->reaching, left);
	emulation->arch = jc_vec3_lerp(arch, emulation->arch, left);
	if (body->is_given[JC_BONE_UPPER_CHEST]) {
		place_bones(emulation, body);
		return;
	}
	turn_chest(body, jc_quat_multiply(jc_quat_multiply(yaw, emulation->reaching),
				 jc_quat_conjugate(yaw)));
	place_bones(emulation, body);
	for (int round = 0; round < REACH_ROUNDS && pull_chest(emulation, body); round++) {
		place_bones(emulation, body);
	}
}

/* Without any trunk bone, places the trunk behind the present joints. */
static void invent_head(const struct jc_emulation *emulation, struct jc_emulated *body)
{
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	struct jc_quat turned = face(emulation->heading, 0.0f);
	float count = 0.0f;

	for (int b = 0; b < JC_BONE_COUNT; b++) {
		if (body->is_given[b]) {
			sum = jc_vec3_add(sum, body->positions[b]);
			count += 1.0f;
		}
	}
	sum = count > 0.0f ? jc_vec3_scale(sum, 1.0f / count) : emulation->place;
	sum = jc_vec3_subtract(
		sum, jc_quat_rotate(turned, (struct jc_vec3){ 0.0f, 0.0f, 0.25f * body->size }));
	sum.y = jc_bone_rest_position(JC_BONE_HEAD).y * body->size;
	body->positions[JC_BONE_HEAD] = sum;
	body->turned[JC_BONE_HEAD] = turned;
	body->is_given[JC_BONE_HEAD] = true;
}

void jc_emulate_trunk(struct jc_emulation *emulation, struct jc_emulated *body)
{
	bool any = false;
	float lean;

	for (int b = 0; b < TRUNK; b++) {
		any = any || body->is_given[b];
	}
	if (!any) {
		invent_head(emulation, body);
	}
	find_heading(emulation, body);
	lean = guess_lean(body);
	guess_turns(emulation, body, lean);
	if (!body->is_given[JC_BONE_HEAD]) {
		body->turned[JC_BONE_HEAD] = face(emulation->heading, 0.0f);
		turn_neck(body);
	}
	keep_off_floor(emulation, body, lean);
	reach_out(emulation, body);
	for (int b = 0; b < TRUNK; b++) {
		body->is_found[b] = true;
	}
}
