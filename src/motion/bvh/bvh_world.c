/* Measures unit, axes and floor of a BVH clip. Assumptions: a human is 1.2 to
 * 2.2 m tall, the hips face forward, the head is above the feet, and most of the time one foot is
 * on the floor. */
#include "bvh_world.h"

#include <math.h>
#include <stdlib.h>

#include "bvh_frame.h"
#include "bvh_signature.h"
#include "jointcast/transform.h"

#define SAMPLES      512
#define LOOK_SAMPLES 32
#define LOOK_SECONDS 1.0

#define STATURE       1.75f /* of the built-in figure, metres */
#define STATURE_MIN   1.2f
#define STATURE_MAX   2.2f
#define STATURE_IDEAL 1.7f

#define SOLE_MOST     0.25f       /* depth below the foot joint, of the hips height */
#define OWN_LEAST     10.0f       /* hips height, centimetres */
#define HEIGHT_ERROR  1e-5f       /* of numbers with six decimals */
#define TURNED        0.78539816f /* 45 degrees */
#define HIPS_LEAST    0.5f        /* level of hips without feet, of the hips height */
#define FLOOR_PERCENT 2
#define FLOOR_NOTED   0.02f /* metres */
#define FLOOR_NEAR    0.25f /* of the hips height */

static const struct unit {
	const char *name;
	float metres;
} units[] = {
	{ "millimetres", 0.001f },
	{ "centimetres", 0.01f },
	{ "inches", 0.0254f },
	{ "CMU units of 1/0.45 inch", 0.0254f / 0.45f },
	{ "decimetres", 0.1f },
	{ "feet", 0.3048f },
	{ "metres", 1.0f },
};

#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

static const enum jc_bone foot_bones[] = { JC_BONE_LEFT_FOOT, JC_BONE_LEFT_TOES, JC_BONE_RIGHT_FOOT,
	JC_BONE_RIGHT_TOES };

#define FOOT_COUNT (sizeof(foot_bones) / sizeof(foot_bones[0]))

static const struct jc_vec3 up = { 0.0f, 1.0f, 0.0f };
static const struct jc_vec3 front = { 0.0f, 0.0f, 1.0f };

/* A figure in its T-pose, or the built-in one. */
struct body {
	const struct jc_vec3 *positions;
	const int *nodes; /* of the bones, -1 if absent */
	float ground;     /* height of its lowest foot joint or sole; INFINITY without feet */
};

static float lowest_foot(const struct jc_vec3 *positions, const int *nodes)
{
	float lowest = INFINITY;

	for (size_t i = 0; i < FOOT_COUNT; i++) {
		if (nodes[foot_bones[i]] >= 0) {
			lowest = fminf(lowest, positions[nodes[foot_bones[i]]].y);
		}
	}
	return lowest;
}

static bool is_below_foot(const struct jc_bvh_clip *clip, size_t index)
{
	const int *parents = clip->tree->tree.parents;
	int joint = parents[index];

	while (joint >= 0 && joint != clip->bones[JC_BONE_LEFT_FOOT] &&
		joint != clip->bones[JC_BONE_RIGHT_FOOT]) {
		joint = parents[joint];
	}
	return joint >= 0;
}

/* Whether the feet point down in the reference pose and forward in the motion. */
static bool feet_are_turned(const struct jc_rest_pose *rest)
{
	return jc_quat_angle(rest->corrections[JC_BONE_LEFT_FOOT], JC_QUAT_IDENTITY) > TURNED ||
	       jc_quat_angle(rest->corrections[JC_BONE_RIGHT_FOOT], JC_QUAT_IDENTITY) > TURNED;
}

/* How far the soles of a figure without toes are below its lowest foot joint, file units: at the
 * lowest of the end sites and other joints of its feet. Toe joints are near enough to the sole,
 * except in our own files. A standing reference pose shows feet flat on the floor; the T-pose turns
 * them with the legs. */
static float sole_depth(
	const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest, bool is_own)
{
	bool stands = jc_bvh_tree_stands(clip->tree, clip->bones) && !feet_are_turned(rest);
	const struct jc_vec3 *positions = stands ? clip->tree->positions : rest->t_positions;
	struct jc_vec3 axis =
		stands ? jc_quat_rotate(jc_quat_conjugate(rest->orientation), up) : up;
	float hips = jc_vec3_dot(positions[clip->bones[JC_BONE_HIPS]], axis);
	float lowest = INFINITY, depth = 0.0f;

	if (!is_own &&
		(clip->bones[JC_BONE_LEFT_TOES] >= 0 || clip->bones[JC_BONE_RIGHT_TOES] >= 0)) {
		return 0.0f;
	}
	for (size_t i = 0; i < FOOT_COUNT; i++) {
		int joint = clip->bones[foot_bones[i]];

		lowest = joint < 0 ? lowest : fminf(lowest, jc_vec3_dot(positions[joint], axis));
	}
	for (size_t i = 0; i < clip->tree->tree.count; i++) {
		float below = lowest - jc_vec3_dot(positions[i], axis);

		if (below > depth && below < SOLE_MOST * (hips - lowest) &&
			is_below_foot(clip, i)) {
			depth = below;
		}
	}
	return depth;
}

static struct body measure_body(
	const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest, float sole)
{
	return (struct body){ .positions = rest->t_positions,
		.nodes = clip->bones,
		.ground = lowest_foot(rest->t_positions, clip->bones) - sole };
}

/* Height of a joint above the ground; NAN if it or both feet are absent. */
static float height_of(const struct body *body, enum jc_bone bone)
{
	if (body->nodes[bone] < 0 || isinf(body->ground)) {
		return NAN;
	}
	return body->positions[body->nodes[bone]].y - body->ground;
}

/* As height_of for the hips or, if higher, the middle of the hip joints. */
static float height_of_pelvis(const struct body *body)
{
	float legs = 0.5f * (height_of(body, JC_BONE_LEFT_UPPER_LEG) +
				    height_of(body, JC_BONE_RIGHT_UPPER_LEG));

	return fmaxf(height_of(body, JC_BONE_HIPS), legs);
}

static float chain_length(const struct body *body, enum jc_bone from, enum jc_bone to)
{
	if (body->nodes[from] < 0 || body->nodes[to] < 0) {
		return NAN;
	}
	return jc_vec3_length(jc_vec3_subtract(
		body->positions[body->nodes[to]], body->positions[body->nodes[from]]));
}

/* Stature in file units, by the proportions of the built-in figure: from the height of
 * the head, else of the hips, else from the length of a leg or an arm. 0 if none is
 * present. */
static float measure_stature(const struct body *body)
{
	struct jc_vec3 positions[JC_BONE_COUNT];
	int nodes[JC_BONE_COUNT];
	struct body model = { .positions = positions, .nodes = nodes };
	float ratios[4];

	for (int i = 0; i < JC_BONE_COUNT; i++) {
		positions[i] = jc_bone_rest_position((enum jc_bone)i);
		nodes[i] = i;
	}
	model.ground = lowest_foot(positions, nodes);
	ratios[0] = height_of(body, JC_BONE_HEAD) / height_of(&model, JC_BONE_HEAD);
	ratios[1] = height_of(body, JC_BONE_HIPS) / height_of(&model, JC_BONE_HIPS);
	ratios[2] = chain_length(body, JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG) /
		    chain_length(&model, JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG);
	ratios[3] = chain_length(body, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM) /
		    chain_length(&model, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM);
	for (size_t i = 0; i < 4; i++) {
		if (isfinite(ratios[i]) && ratios[i] > 0.0f) {
			return ratios[i] * STATURE;
		}
	}
	return 0.0f;
}

static void measure_scale(const struct body *body, struct jc_bvh_world *world, struct jc_lint *lint)
{
	float stature = measure_stature(body);
	float height = height_of(body, JC_BONE_HIPS);
	const struct unit *best = NULL;
	float best_error = INFINITY;
	size_t i;

	for (i = 0; i < UNIT_COUNT; i++) {
		float metres = stature * units[i].metres;
		float error = fabsf(logf(metres / STATURE_IDEAL));

		if (metres >= STATURE_MIN && metres <= STATURE_MAX && error < best_error) {
			best = &units[i];
			best_error = error;
		}
	}
	if (best) {
		world->metres_per_unit = best->metres;
		jc_lint_add(lint, JC_NOTE, "units", "%s; the figure is about %.2f m tall",
			best->name, (double)(stature * best->metres));
	} else if (stature > 0.0f) {
		world->metres_per_unit = STATURE / stature;
		jc_lint_add(lint, JC_WARNING, "units",
			"no common unit gives a human size; scaled by %g to %.2f m",
			(double)world->metres_per_unit, (double)STATURE);
	} else {
		world->metres_per_unit = 1.0f;
		jc_lint_add(lint, JC_WARNING, "units",
			"the figure has no size from which its unit follows; taken as metres");
	}
	world->hips_height = height * world->metres_per_unit;
	if (!(world->hips_height > 1e-3f)) {
		/* No feet: take the hips height of a figure of this stature. */
		world->hips_height =
			jc_bone_rest_position(JC_BONE_HIPS).y *
			(stature > 0.0f ? stature * world->metres_per_unit / STATURE : 1.0f);
	}
}

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a;
	float y = *(const float *)b;

	return (x > y) - (x < y);
}

/* Samples of the clip. */
struct samples {
	size_t count;
	struct jc_vec3 up;                        /* sum of jc_bvh_evidence_up, file axes */
	struct jc_vec3 hips;                      /* sum of positions, file axes and units */
	struct jc_vec3 feet[SAMPLES][FOOT_COUNT]; /* file axes and units */
	size_t foot_count;
};

static void take_sample(const struct jc_bvh_clip *clip, size_t frame, struct jc_transform *worlds,
	struct samples *samples)
{
	const int *bones = clip->bones;
	size_t i;

	jc_bvh_frame_worlds(clip->bvh, frame, worlds);
	samples->up = jc_vec3_add(samples->up, jc_bvh_evidence_up(worlds, bones));
	samples->hips = jc_vec3_add(samples->hips, worlds[bones[JC_BONE_HIPS]].translation);
	samples->foot_count = 0;
	for (i = 0; i < FOOT_COUNT; i++) {
		if (bones[foot_bones[i]] >= 0) {
			samples->feet[samples->count][samples->foot_count++] =
				worlds[bones[foot_bones[i]]].translation;
		}
	}
	samples->count++;
}

/* The lowest position of the lower foot along `axis`, file units. The lowest 2 % are left
 * out as errors of the capture. */
static float lowest_along(const struct samples *samples, struct jc_vec3 axis)
{
	float lows[SAMPLES];
	size_t i, foot;

	if (samples->foot_count == 0) {
		return 0.0f;
	}
	for (i = 0; i < samples->count; i++) {
		lows[i] = INFINITY;
		for (foot = 0; foot < samples->foot_count; foot++) {
			lows[i] = fminf(lows[i], jc_vec3_dot(samples->feet[i][foot], axis));
		}
	}
	qsort(lows, samples->count, sizeof(*lows), compare_floats);
	return lows[samples->count * FLOOR_PERCENT / 100];
}

/* Shares of a straight body's length. */
#define UPRIGHT     0.8f  /* along an axis: the body stands along it */
#define UPSIDE_DOWN 0.2f  /* against it: more than a body that lies */
#define UPRIGHT_GAP 0.2f  /* between the best axis and the next: nearer ones are ambiguous */
#define PREFER_Y    0.1f  /* added to +Y and -Y */
#define PREFER_Z    0.05f /* added to +Z and -Z */

/* The axis along which the body stands, of -X … +Z; out_gap: how much better it is than the next
 * best, as a share of a straight body. */
static struct jc_vec3 measure_up(const struct samples *samples, float *out_gap)
{
	struct jc_vec3 mean = jc_vec3_scale(samples->up, 1.0f / (float)samples->count);
	float best = -INFINITY, next = -INFINITY;
	struct jc_vec3 axis = up;

	for (int i = 0; i < 6; i++) {
		float sign = i & 1 ? -1.0f : 1.0f;
		float share = sign * (i < 2          ? mean.x
					     : i < 4 ? mean.y
						     : mean.z) +
			      (i < 2          ? 0.0f
				      : i < 4 ? PREFER_Y
					      : PREFER_Z);

		if (share > best) {
			next = best;
			best = share;
			axis = (struct jc_vec3){ i < 2 ? sign : 0.0f, i >= 2 && i < 4 ? sign : 0.0f,
				i >= 4 ? sign : 0.0f };
		} else {
			next = fmaxf(next, share);
		}
	}
	*out_gap = best - next;
	return axis;
}

/* Selects the up axis: the one along which the body stands. A standing reference pose gives the
 * usual axis; a body that is not along it may lie on the floor, or the clip may have been turned
 * later. A turned clip has feet near the zero of the other axis, or nearer than along the usual
 * one. */
static struct jc_vec3 choose_up(const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest,
	const struct samples *samples, const struct jc_bvh_world *world, bool *out_is_ambiguous)
{
	struct jc_vec3 usual =
		jc_bvh_evidence_axis(jc_quat_rotate(jc_quat_conjugate(rest->orientation), up));
	float gap;
	struct jc_vec3 measured = measure_up(samples, &gap);
	float share = jc_vec3_dot(samples->up, measured) / (float)samples->count;
	float height = world->hips_height / world->metres_per_unit;
	float low = fabsf(lowest_along(samples, measured));

	*out_is_ambiguous = false;
	if (!jc_bvh_tree_stands(clip->tree, clip->bones)) {
		*out_is_ambiguous = gap < UPRIGHT_GAP;
		return measured;
	}
	if (jc_vec3_dot(usual, measured) > 0.5f) {
		return measured;
	}
	*out_is_ambiguous = share <= UPRIGHT || low >= FLOOR_NEAR * height;
	return share > UPRIGHT && (low < FLOOR_NEAR * height ||
					  low <= fabsf(lowest_along(samples, usual)))
		       ? measured
		       : usual;
}

/* Rotation of the hips in a frame, file axes. */
static struct jc_quat hips_rotation(const struct jc_bvh *bvh, const int *bones, size_t frame)
{
	struct jc_quat rotation = JC_QUAT_IDENTITY;
	int joint;

	for (joint = bones[JC_BONE_HIPS]; joint >= 0; joint = bvh->joints[joint].parent) {
		rotation = jc_quat_multiply(
			jc_bvh_frame_local(bvh, frame, (size_t)joint).rotation, rotation);
	}
	return jc_quat_normalize(rotation);
}

/* Quarter turns about +Y that turn the mean facing of the first second to +Z. */
static int choose_yaw(
	const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest, struct jc_quat upright)
{
	const struct jc_bvh *bvh = clip->bvh;
	struct jc_quat reference = clip->tree->rotations[clip->bones[JC_BONE_HIPS]];
	struct jc_vec3 look = jc_quat_rotate(jc_quat_conjugate(reference),
		jc_quat_rotate(jc_quat_conjugate(rest->orientation), front));
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	double frames = LOOK_SECONDS / bvh->frame_seconds + 1.0;
	size_t end = frames < (double)bvh->frame_count ? (size_t)frames : bvh->frame_count;
	size_t step = end / LOOK_SAMPLES + 1;
	size_t frame;
	int turns;

	for (frame = 0; frame < end; frame += step) {
		struct jc_quat rotation =
			jc_quat_multiply(upright, hips_rotation(bvh, clip->bones, frame));

		sum = jc_vec3_add(sum, jc_vec3_scale(jc_quat_rotate(rotation, look), (float)step));
	}
	sum.y = 0.0f;
	if (jc_vec3_length(sum) < 0.3f * (float)end) {
		return 0; /* faces up, down or all around */
	}
	turns = -(int)lroundf(atan2f(sum.x, sum.z) / 1.57079633f);
	return turns == -2 ? 2 : turns;
}

static const char *name_axis(struct jc_vec3 axis)
{
	static const char *const names[] = { "+X", "-X", "+Y", "-Y", "+Z", "-Z" };
	int i = fabsf(axis.x) > 0.5f ? 0 : fabsf(axis.y) > 0.5f ? 2 : 4;

	return names[i + (axis.x + axis.y + axis.z < 0.0f)];
}

static void note_up(
	const struct samples *samples, struct jc_vec3 axis, bool is_ambiguous, struct jc_lint *lint)
{
	if (is_ambiguous) {
		jc_lint_add(lint, JC_WARNING, "axes", "the body is not upright: up may not be %s",
			name_axis(axis));
	} else if (axis.y < 0.5f) {
		jc_lint_add(lint, JC_NOTE, "axes", "up is %s in the motion; turned to +Y",
			name_axis(axis));
	}
	if (jc_vec3_dot(samples->up, axis) < -UPSIDE_DOWN * (float)samples->count) {
		jc_lint_add(
			lint, JC_WARNING, "axes", "the feet are above the head most of the time");
	}
}

static void choose_axes(const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest,
	const struct samples *samples, struct jc_bvh_world *world, struct jc_lint *lint)
{
	bool is_ambiguous;
	struct jc_vec3 axis = choose_up(clip, rest, samples, world, &is_ambiguous);
	struct jc_quat upright = jc_quat_between(axis, up, (struct jc_vec3){ 1.0f, 0.0f, 0.0f });
	int turns = choose_yaw(clip, rest, upright);

	world->axes = jc_quat_normalize(
		jc_quat_multiply(jc_quat_from_axis_angle(up, (float)turns * 1.57079633f), upright));
	note_up(samples, axis, is_ambiguous, lint);
	if (turns != 0) {
		jc_lint_add(lint, JC_NOTE, "axes",
			"turned by %d degrees about the vertical to begin facing +Z", turns * 90);
	}
}

static int take_samples(const struct jc_bvh_clip *clip, struct samples **out_samples)
{
	const struct jc_bvh *bvh = clip->bvh;
	struct jc_transform *worlds = malloc(bvh->joint_count * sizeof(*worlds));
	struct samples *samples = calloc(1, sizeof(*samples));
	size_t step = (bvh->frame_count - 1) / SAMPLES + 1;
	size_t frame;

	if (!worlds || !samples) {
		free(samples);
		free(worlds);
		return JC_ERROR_MEMORY;
	}
	for (frame = 0; frame < bvh->frame_count; frame += step) {
		take_sample(clip, frame, worlds, samples);
	}
	free(worlds);
	*out_samples = samples;
	return JC_OK;
}

/* Whether the file is one of our own, whose unit, axes and floor are known. A figure of the size of
 * a toy's is a human if another program converted the file to metres. */
static bool is_known(const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest,
	struct jc_bvh_world *world, struct jc_lint *lint)
{
	float sole = sole_depth(clip, rest, true);
	struct body body = measure_body(clip, rest, sole);
	float hips_height;

	if (jc_quat_angle(rest->orientation, JC_QUAT_IDENTITY) > 1e-3f ||
		!jc_bvh_signature_find(clip, &hips_height) || hips_height < OWN_LEAST) {
		return false;
	}
	*world = (struct jc_bvh_world){
		.metres_per_unit = 0.01f,
		.hips_height = hips_height,
		.axes = JC_QUAT_IDENTITY,
		.has_floor = true,
	};
	if (isfinite(body.ground)) {
		world->hips_height = height_of(&body, JC_BONE_HIPS);
		world->has_floor =
			hips_height * (1.0f + HEIGHT_ERROR) > height_of_pelvis(&body) - 0.5f * sole;
	}
	world->hips_height *= world->metres_per_unit;
	jc_lint_add(
		lint, JC_NOTE, "units", "written by jointcast: centimetres, +Y up, the floor at 0");
	return true;
}

/* The floor under hips that the file puts near 0 or below, at the height of hips in the T-pose. The
 * position of higher hips is taken as it is. */
static void measure_floor_without_feet(
	const struct samples *samples, struct jc_bvh_world *world, struct jc_lint *lint)
{
	struct jc_vec3 axis = jc_quat_rotate(jc_quat_conjugate(world->axes), up);
	float level =
		jc_vec3_dot(samples->hips, axis) / (float)samples->count * world->metres_per_unit;

	if (level < HIPS_LEAST * world->hips_height) {
		world->floor = level - world->hips_height;
		jc_lint_add(lint, JC_NOTE, "floor",
			"the figure has no feet, and its hips are at %.2f m; raised to %.2f m",
			(double)level, (double)world->hips_height);
	}
}

static void measure_floor(
	const struct samples *samples, float sole, struct jc_bvh_world *world, struct jc_lint *lint)
{
	world->floor = lowest_along(samples, jc_quat_rotate(jc_quat_conjugate(world->axes), up));
	world->floor = (world->floor - sole) * world->metres_per_unit;
	if (fabsf(world->floor) > FLOOR_NOTED) {
		jc_lint_add(lint, JC_NOTE, "floor",
			"the lower foot stands at %.2f m most of the time; taken as the floor",
			(double)world->floor);
	}
}

int jc_bvh_world_measure(const struct jc_bvh_clip *clip, const struct jc_rest_pose *rest,
	struct jc_bvh_world *out_world, struct jc_lint *lint)
{
	struct jc_bvh_world world = { .axes = JC_QUAT_IDENTITY, .has_floor = true };
	float sole = sole_depth(clip, rest, false);
	struct body body = measure_body(clip, rest, sole);
	struct samples *samples;
	int status;

	if (is_known(clip, rest, out_world, lint)) {
		return JC_OK;
	}
	status = take_samples(clip, &samples);
	if (status != JC_OK) {
		return status;
	}
	measure_scale(&body, &world, lint);
	choose_axes(clip, rest, samples, &world, lint);
	if (samples->foot_count > 0) {
		measure_floor(samples, sole, &world, lint);
	} else {
		measure_floor_without_feet(samples, &world, lint);
	}
	free(samples);
	*out_world = world;
	return JC_OK;
}
