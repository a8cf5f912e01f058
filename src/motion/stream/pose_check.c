/* Puts the pose on the built-in figure. The limits allow for people who climb, sit, lie, jump,
 * dance and fall. */
#include "jointcast_private/apps/pose_check.h"

#include <math.h>

#include "jointcast/transform.h"

/* Looks at a stream: rows of its evidence. */
enum look {
	AT_HINGES,
	AT_FLOOR,
	AT_TRUNK,
	AT_PATH,
	AT_STANDING,
	AT_PARTS,
	AT_CLOCK,
};

#define NOTHING JC_STREAM_FAULT_COUNT /* this look shows neither a fault nor its absence */

#define BENT      0.94f              /* cosine of 20 degrees: the hinge bends */
#define BACKWARD  0.35f              /* share of a bend the wrong way */
#define SUNK      0.25f              /* metres below the floor */
#define ABOVE     0.3f               /* metres above the floor: climbing, or another scale, */
#define FAR_ABOVE 2.2f               /* and no climbing any more */
#define ON_FLOOR  0.12f              /* metres from the floor */
#define SETTLED_S 2.0f               /* seconds on the floor before a fall counts as a drift */
#define SLOW_NS   INT64_C(700000000) /* from the floor to a place off it, at least */
#define LYING     0.5f               /* cosine of the angle from a vertical trunk */
#define NEAR      0.15f              /* share of the length of the legs */

#define JUMP_MOST   0.5f  /* metres between two frames that count */
#define STEP_LEAST  0.15f /* metres per second of a foot that carries a walking body, */
#define STEP_MOST   4.0f  /* and at most */
#define STEPPING    1.0f  /* metres per second of a foot that takes a step */
#define STILL       0.1f  /* metres per second of a foot that stands */
#define SLOW        0.5f  /* metres per second of a drift at most */
#define SLID        0.5f  /* metres: farther than a person leans */
#define PATH_S      12.0f /* in which ways are forgotten */
#define SLID_S      60.0f
#define TWIST_S     1.0f
#define TWISTED     1.48f /* 85 degrees */
#define TURNED_OVER 2.7f  /* 155 degrees */
#define PATH_LEAST  2.0f  /* square metres per second: two seconds of walking */
#define PATH_LESS   0.5f  /* of it that is sent at least: no walk on the spot, */
#define PATH_MORE   1.8f  /* and at most: no jump, no slide */
#define AGREEMENT   0.6f  /* correlation of both ways */
#define AMBIGUOUS   1.25f /* straight ways correlate with their mirror image, too */
#define FASTER      1.2f  /* than the feet, if the scale is wrong; */
#define AS_FAST     0.4f  /* and then the hips are as much too high */
#define FAR_TURNED  0.79f /* 45 degrees */
#define REVERSED    2.36f /* 135 degrees */

/* The bones of the pose on the built-in figure. */
struct posed {
	const struct jc_pose *pose;
	struct jc_vec3 at[JC_BONE_COUNT];
	struct jc_quat turned[JC_BONE_COUNT];
	float lowest;
	bool has_legs;
};

static const enum jc_bone feet[] = { JC_BONE_LEFT_FOOT, JC_BONE_RIGHT_FOOT };

static bool is_there(const struct jc_pose *pose, enum jc_bone bone)
{
	return pose->states[bone] != JC_ABSENT;
}

static void place_bones(const struct jc_pose *pose, struct posed *out_posed)
{
	struct jc_vec3 rest = jc_bone_rest_position(JC_BONE_HIPS);
	float height = rest.y - jc_bone_rest_position(JC_BONE_LEFT_TOES).y;

	out_posed->pose = pose;
	out_posed->turned[JC_BONE_HIPS] = pose->rotations[JC_BONE_HIPS];
	out_posed->at[JC_BONE_HIPS] =
		jc_vec3_add(rest, jc_vec3_scale(pose->hips_translation, height));
	out_posed->lowest = out_posed->at[JC_BONE_HIPS].y;
	for (int i = JC_BONE_HIPS + 1; i <= JC_BONE_RIGHT_TOES; i++) {
		enum jc_bone bone = (enum jc_bone)i;
		enum jc_bone parent = jc_bone_parent(bone);

		out_posed->turned[i] =
			jc_quat_multiply(out_posed->turned[parent], pose->rotations[i]);
		out_posed->at[i] = jc_vec3_add(
			out_posed->at[parent], jc_quat_rotate(out_posed->turned[parent],
						       jc_vec3_subtract(jc_bone_rest_position(bone),
							       jc_bone_rest_position(parent))));
		if (is_there(pose, bone)) {
			out_posed->lowest = fminf(out_posed->lowest, out_posed->at[i].y);
		}
	}
	out_posed->has_legs = is_there(pose, JC_BONE_HIPS);
	for (int i = 0; i < 2; i++) {
		enum jc_bone shin = jc_bone_parent(feet[i]);

		out_posed->has_legs = out_posed->has_legs && is_there(pose, shin) &&
				      is_there(pose, jc_bone_parent(shin));
	}
}

/* Counts a bent hinge, and whether it bends the wrong way: `forward` is where its end goes. */
static void count_hinge(const struct jc_pose *pose, enum jc_bone bone, struct jc_vec3 along,
	float forward, int *bent, int *wrong)
{
	struct jc_vec3 way = jc_quat_rotate(pose->rotations[bone], along);
	float share = jc_vec3_dot(way, along);

	if (!is_there(pose, bone) || share > BENT) {
		return;
	}
	*bent += 1;
	*wrong += forward * way.z < -BACKWARD * sqrtf(1.0f - fminf(share * share, 1.0f));
}

static enum jc_stream_fault look_at_hinges(const struct posed *posed)
{
	const struct jc_vec3 left = { 1.0f, 0.0f, 0.0f }, right = { -1.0f, 0.0f, 0.0f };
	const struct jc_vec3 down = { 0.0f, -1.0f, 0.0f };
	int elbows = 0, knees = 0, wrong_elbows = 0, wrong_knees = 0;

	count_hinge(posed->pose, JC_BONE_LEFT_LOWER_ARM, left, 1.0f, &elbows, &wrong_elbows);
	count_hinge(posed->pose, JC_BONE_RIGHT_LOWER_ARM, right, 1.0f, &elbows, &wrong_elbows);
	count_hinge(posed->pose, JC_BONE_LEFT_LOWER_LEG, down, -1.0f, &knees, &wrong_knees);
	count_hinge(posed->pose, JC_BONE_RIGHT_LOWER_LEG, down, -1.0f, &knees, &wrong_knees);
	if (elbows + knees == 0) {
		return NOTHING;
	}
	return (elbows > 0 && wrong_elbows == elbows) || (knees > 0 && wrong_knees == knees)
		       ? JC_STREAM_MIRRORED
		       : JC_STREAM_SOUND;
}

/* Whether the hips are as far along a horizontal axis as they should be above the floor. */
static bool is_on_its_side(struct jc_vec3 hips)
{
	float height = jc_bone_rest_position(JC_BONE_HIPS).y;

	return fabsf(fabsf(hips.x) - height) < 2.0f * NEAR * height ||
	       fabsf(fabsf(hips.z) - height) < 2.0f * NEAR * height;
}

/* Feet carry the body: its lowest point is on the floor, or on what the person climbs. */
static enum jc_stream_fault look_at_floor(
	struct jc_pose_check *check, const struct posed *posed, int64_t time_ns, float dt)
{
	bool is_faster =
		check->walked > PATH_LEAST && check->sent > FASTER * FASTER * check->walked;
	bool is_off = posed->lowest < -SUNK || posed->lowest > FAR_ABOVE ||
		      (posed->lowest > ABOVE && is_faster);

	if (fabsf(posed->lowest) < ON_FLOOR) {
		check->seconds += dt;
		check->stood_ns = time_ns;
	}
	if (!is_off) {
		check->suspended_ns = time_ns;
		return JC_STREAM_SOUND;
	}
	if (check->seconds >= SETTLED_S && check->suspended_ns - check->stood_ns > SLOW_NS) {
		return JC_STREAM_DRIFTS;
	}
	return posed->lowest < 0.0f && is_on_its_side(posed->at[JC_BONE_HIPS]) ? JC_STREAM_AXES
									       : JC_STREAM_SCALE;
}

/* A trunk that lies although the hips are as high as the legs are long. */
static enum jc_stream_fault look_at_trunk(const struct posed *posed)
{
	struct jc_vec3 up =
		jc_quat_rotate(posed->turned[JC_BONE_HIPS], (struct jc_vec3){ 0.0f, 1.0f, 0.0f });
	float legs = 0.0f;

	for (int i = 0; i < 2; i++) {
		struct jc_vec3 way = jc_vec3_subtract(posed->at[JC_BONE_HIPS], posed->at[feet[i]]);

		legs = fmaxf(legs, jc_vec3_dot(way, up) + jc_bone_rest_position(feet[i]).y);
	}
	return up.y < LYING && fabsf(posed->at[JC_BONE_HIPS].y - legs) < NEAR * legs
		       ? JC_STREAM_AXES
		       : JC_STREAM_SOUND;
}

/* Adds the way of the hips in this frame, if one foot carries the body. */
static void add_way(struct jc_pose_check *check, struct jc_vec3 sent, struct jc_vec3 foot, float dt)
{
	float keep = 1.0f - dt / PATH_S;
	struct jc_vec3 walked = jc_vec3_scale(foot, -1.0f);
	float speed = hypotf(walked.x, walked.z) / dt;
	float share = speed > STEP_LEAST && speed < STEP_MOST ? 1.0f / dt : 0.0f;

	check->walked = keep * check->walked + share * (walked.x * walked.x + walked.z * walked.z);
	check->sent = keep * check->sent + share * (sent.x * sent.x + sent.z * sent.z);
	check->turned_x = keep * check->turned_x + share * (sent.x * walked.x + sent.z * walked.z);
	check->turned_z = keep * check->turned_z + share * (sent.z * walked.x - sent.x * walked.z);
	check->folded_x = keep * check->folded_x + share * (sent.x * walked.x - sent.z * walked.z);
	check->folded_z = keep * check->folded_z + share * (sent.z * walked.x + sent.x * walked.z);
}

/* The hips go where the feet push them. */
static enum jc_stream_fault look_at_path(const struct jc_pose_check *check)
{
	float both = sqrtf(check->walked * check->sent);
	float turned = hypotf(check->turned_x, check->turned_z);
	float folded = hypotf(check->folded_x, check->folded_z);
	float angle = fabsf(atan2f(check->turned_z, check->turned_x));

	if (check->walked < PATH_LEAST || check->sent < PATH_LESS * check->walked ||
		check->sent > PATH_MORE * check->walked ||
		fmaxf(turned, folded) < AGREEMENT * both) {
		return NOTHING;
	}
	if (folded > AMBIGUOUS * turned) {
		return JC_STREAM_MIRRORED;
	}
	if (turned > AMBIGUOUS * folded) {
		return angle > FAR_TURNED ? JC_STREAM_AXES : JC_STREAM_SOUND;
	}
	return angle > REVERSED     ? JC_STREAM_MIRRORED
	       : angle < FAR_TURNED ? JC_STREAM_SOUND
				    : NOTHING;
}

/* Follows hips and feet from frame to frame. */
static void follow(struct jc_pose_check *check, const struct posed *posed, float dt)
{
	struct jc_vec3 hips = posed->at[JC_BONE_HIPS];
	struct jc_vec3 sent = jc_vec3_subtract(hips, check->hips);
	struct jc_vec3 slid = sent; /* the lower foot on the floor */
	float fastest = 0.0f;
	bool goes_on = check->is_begun && dt > 0.0f && jc_vec3_length(sent) < JUMP_MOST;
	int lower = posed->at[feet[0]].y < posed->at[feet[1]].y ? 0 : 1;

	for (int i = 0; i < 2; i++) {
		struct jc_vec3 foot = jc_vec3_subtract(posed->at[feet[i]], hips);
		struct jc_vec3 moved = jc_vec3_subtract(foot, check->feet[i]);

		fastest = fmaxf(fastest, jc_vec3_length(moved));
		slid = i == lower ? jc_vec3_add(sent, moved) : slid;
		if (goes_on && i == lower && lower == check->support) {
			add_way(check, sent, moved, dt);
		}
		check->feet[i] = foot;
	}
	if (fastest > STEPPING * dt || jc_vec3_length(sent) > SLOW * dt) {
		check->slid = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	} else if (goes_on && fastest < STILL * dt) {
		check->slid = jc_vec3_add(jc_vec3_scale(check->slid, 1.0f - dt / SLID_S), slid);
	}
	check->hips = hips;
	check->support = lower;
	check->is_begun = true;
}

static float find_twist(struct jc_quat rotation)
{
	return fabsf(remainderf(2.0f * atan2f(rotation.y, rotation.w), 2.0f * (float)M_PI));
}

/* A part whose sensor drifts about the vertical twists against its neighbours farther than joints
 * do. Thighs, arms and heads turn far. No two of the joints can be turned over at once. */
static enum jc_stream_fault look_at_parts(
	struct jc_pose_check *check, const struct jc_pose *pose, float dt)
{
	const struct jc_quat *turns = pose->rotations;
	const struct jc_quat parts[JC_POSE_CHECK_PARTS] = {
		turns[JC_BONE_LEFT_LOWER_LEG],
		turns[JC_BONE_RIGHT_LOWER_LEG],
		turns[JC_BONE_LEFT_FOOT],
		turns[JC_BONE_RIGHT_FOOT],
		jc_quat_multiply(jc_quat_multiply(turns[JC_BONE_SPINE], turns[JC_BONE_CHEST]),
			turns[JC_BONE_UPPER_CHEST]),
	};
	bool is_twisted = false;
	int over = 0;

	for (size_t i = 0; i < JC_POSE_CHECK_PARTS; i++) {
		check->twists[i] += (find_twist(parts[i]) - check->twists[i]) * dt / TWIST_S;
		is_twisted = is_twisted || check->twists[i] > TWISTED;
		over += jc_quat_angle(parts[i], JC_QUAT_IDENTITY) > TURNED_OVER;
	}
	return over > 1 ? JC_STREAM_AXES : is_twisted ? JC_STREAM_DRIFTS : JC_STREAM_SOUND;
}

static void judge(
	struct jc_pose_check *check, enum look look, enum jc_stream_fault fault, float seconds)
{
	if (fault != NOTHING) {
		jc_stream_check_judge(&check->stream, look, fault, seconds);
	}
}

enum jc_stream_fault jc_pose_check_put(struct jc_pose_check *check, const struct jc_pose *pose,
	int64_t time_ns, const struct jc_sender_clock *clock)
{
	float dt = jc_stream_check_step(&check->stream, time_ns);
	struct posed posed;

	place_bones(pose, &posed);
	check->has_moved = check->has_moved || jc_vec3_length(pose->hips_translation) > 0.0f;
	judge(check, AT_HINGES, look_at_hinges(&posed), dt);
	judge(check, AT_PARTS, look_at_parts(check, pose, dt), dt);
	/* Senders of an upper body place it anywhere. */
	if (posed.has_legs && check->has_moved) {
		follow(check, &posed, dt);
		judge(check, AT_FLOOR, look_at_floor(check, &posed, time_ns, dt), dt);
		judge(check, AT_TRUNK, look_at_trunk(&posed), dt);
		judge(check, AT_PATH, look_at_path(check), dt);
		judge(check, AT_STANDING,
			jc_vec3_length(check->slid) > SLID ? JC_STREAM_DRIFTS : JC_STREAM_SOUND,
			dt);
	}
	if (clock) {
		judge(check, AT_CLOCK, jc_sender_clock_fault(clock), dt);
	}
	return jc_stream_check_fault(&check->stream);
}
