/* Measures unit, axes, floor and hinge axes of a BVH clip. Assumptions: a human is 1.2 to
 * 2.2 m tall, the hips face forward, and most of the time one foot is on the floor. */
#include "bvh_world.h"

#include <math.h>
#include <stdlib.h>

#include "bvh_frame.h"
#include "jointcast/transform.h"

#define SAMPLES      512
#define LOOK_SAMPLES 32
#define LOOK_SECONDS 1.0

#define STATURE       1.75f /* of the built-in figure, metres */
#define STATURE_MIN   1.2f
#define STATURE_MAX   2.2f
#define STATURE_IDEAL 1.7f

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

/* Height of a joint above the lowest foot joint; NAN if one is absent. */
static float height_of(const struct jc_vec3 *positions, const int *nodes, enum jc_bone bone)
{
	float lowest = INFINITY;
	size_t i;

	for (i = 0; i < FOOT_COUNT; i++) {
		if (nodes[foot_bones[i]] >= 0) {
			lowest = fminf(lowest, positions[nodes[foot_bones[i]]].y);
		}
	}
	if (nodes[bone] < 0 || isinf(lowest)) {
		return NAN;
	}
	return positions[nodes[bone]].y - lowest;
}

static float chain_length(
	const struct jc_vec3 *positions, const int *nodes, enum jc_bone from, enum jc_bone to)
{
	if (nodes[from] < 0 || nodes[to] < 0) {
		return NAN;
	}
	return jc_vec3_length(jc_vec3_subtract(positions[nodes[to]], positions[nodes[from]]));
}

/* Stature in file units, by the proportions of the built-in figure: from the height of
 * the head, else of the hips, else from the length of a leg or an arm. 0 if none is
 * present. */
static float measure_stature(const struct jc_vec3 *positions, const int *nodes)
{
	struct jc_vec3 model[JC_BONE_COUNT];
	int self[JC_BONE_COUNT];
	float ratios[4];
	size_t i;

	for (i = 0; i < JC_BONE_COUNT; i++) {
		model[i] = jc_bone_rest_position((enum jc_bone)i);
		self[i] = (int)i;
	}
	ratios[0] =
		height_of(positions, nodes, JC_BONE_HEAD) / height_of(model, self, JC_BONE_HEAD);
	ratios[1] =
		height_of(positions, nodes, JC_BONE_HIPS) / height_of(model, self, JC_BONE_HIPS);
	ratios[2] = chain_length(positions, nodes, JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG) /
		    chain_length(model, self, JC_BONE_LEFT_UPPER_LEG, JC_BONE_LEFT_LOWER_LEG);
	ratios[3] = chain_length(positions, nodes, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM) /
		    chain_length(model, self, JC_BONE_LEFT_UPPER_ARM, JC_BONE_LEFT_LOWER_ARM);
	for (i = 0; i < 4; i++) {
		if (isfinite(ratios[i]) && ratios[i] > 0.0f) {
			return ratios[i] * STATURE;
		}
	}
	return 0.0f;
}

static void measure_scale(const struct jc_rest_pose *rest, const int *bones,
	struct jc_bvh_world *world, struct jc_lint *lint)
{
	const struct jc_vec3 *positions = rest->t_positions;
	float stature = measure_stature(positions, bones);
	float height = height_of(positions, bones, JC_BONE_HIPS);
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

static struct jc_vec3 nearest_axis(struct jc_vec3 v)
{
	float x = fabsf(v.x);
	float y = fabsf(v.y);
	float z = fabsf(v.z);

	if (y >= x && y >= z) {
		return (struct jc_vec3){ 0.0f, copysignf(1.0f, v.y), 0.0f };
	}
	if (z >= x) {
		return (struct jc_vec3){ 0.0f, 0.0f, copysignf(1.0f, v.z) };
	}
	return (struct jc_vec3){ copysignf(1.0f, v.x), 0.0f, 0.0f };
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
	struct jc_vec3 up;                        /* mean up direction of the hips, file axes */
	struct jc_vec3 feet[SAMPLES][FOOT_COUNT]; /* file axes and units */
	size_t foot_count;
};

static void take_sample(const struct jc_bvh *bvh, const int *bones, struct jc_quat from_canonical,
	size_t frame, struct jc_transform *worlds, struct samples *samples)
{
	size_t i;

	jc_bvh_frame_worlds(bvh, frame, worlds);
	samples->up = jc_vec3_add(samples->up, jc_quat_rotate(worlds[bones[JC_BONE_HIPS]].rotation,
						       jc_quat_rotate(from_canonical, up)));
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

/* Selects the up axis. The zero pose gives the usual axis. A clip may have been turned
 * later, or the joint axes ignore it: the measured axis is taken if the body stands along
 * it and the feet are near its zero, or nearer than along the usual axis. (A lying body
 * is along another axis too, but then its feet are near zero along the usual one.) */
static struct jc_vec3 choose_up(const struct jc_rest_pose *rest, const struct samples *samples,
	const struct jc_bvh_world *world)
{
	struct jc_vec3 usual =
		nearest_axis(jc_quat_rotate(jc_quat_conjugate(rest->orientation), up));
	struct jc_vec3 measured = nearest_axis(samples->up);
	float agreement = jc_vec3_dot(samples->up, measured) / (float)samples->count;
	float height = world->hips_height / world->metres_per_unit;
	float low = fabsf(lowest_along(samples, measured));

	if (agreement > 0.8f &&
		(low < FLOOR_NEAR * height || low <= fabsf(lowest_along(samples, usual)))) {
		return measured;
	}
	return usual;
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
static int choose_yaw(const struct jc_bvh *bvh, const int *bones, const struct jc_rest_pose *rest,
	struct jc_quat upright)
{
	struct jc_vec3 look = jc_quat_rotate(jc_quat_conjugate(rest->orientation), front);
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	double frames = LOOK_SECONDS / bvh->frame_seconds + 1.0;
	size_t end = frames < (double)bvh->frame_count ? (size_t)frames : bvh->frame_count;
	size_t step = end / LOOK_SAMPLES + 1;
	size_t frame;
	int turns;

	for (frame = 0; frame < end; frame += step) {
		struct jc_quat rotation =
			jc_quat_multiply(upright, hips_rotation(bvh, bones, frame));

		sum = jc_vec3_add(sum, jc_vec3_scale(jc_quat_rotate(rotation, look), (float)step));
	}
	sum.y = 0.0f;
	if (jc_vec3_length(sum) < 0.3f * (float)end) {
		return 0; /* faces up, down or all around */
	}
	turns = -(int)lroundf(atan2f(sum.x, sum.z) / 1.57079633f);
	return turns == -2 ? 2 : turns;
}

static void choose_axes(const struct jc_bvh *bvh, const int *bones, const struct jc_rest_pose *rest,
	const struct samples *samples, struct jc_bvh_world *world, struct jc_lint *lint)
{
	static const char *const names[] = { "X", "Y", "Z" };
	struct jc_vec3 axis = choose_up(rest, samples, world);
	struct jc_quat upright = jc_quat_between(axis, up, (struct jc_vec3){ 1.0f, 0.0f, 0.0f });
	int turns = choose_yaw(bvh, bones, rest, upright);

	world->axes = jc_quat_normalize(
		jc_quat_multiply(jc_quat_from_axis_angle(up, (float)turns * 1.57079633f), upright));
	if (axis.y < 0.5f) {
		jc_lint_add(lint, JC_NOTE, "axes", "up is %s%s in the motion; turned to +Y",
			axis.x + axis.y + axis.z < 0.0f ? "-" : "+",
			names[fabsf(axis.x) > 0.5f     ? 0
				: fabsf(axis.y) > 0.5f ? 1
						       : 2]);
	}
	if (turns != 0) {
		jc_lint_add(lint, JC_NOTE, "axes",
			"turned by %d degrees about the vertical to begin facing +Z", turns * 90);
	}
}

static int take_samples(const struct jc_bvh *bvh, const int *bones, const struct jc_rest_pose *rest,
	struct samples **out_samples)
{
	struct jc_quat from_canonical = jc_quat_conjugate(rest->orientation);
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
		take_sample(bvh, bones, from_canonical, frame, worlds, samples);
	}
	free(worlds);
	*out_samples = samples;
	return JC_OK;
}

int jc_bvh_world_measure(const struct jc_bvh *bvh, const int *bones,
	const struct jc_rest_pose *rest, struct jc_bvh_world *out_world, struct jc_lint *lint)
{
	struct jc_bvh_world world = { .axes = JC_QUAT_IDENTITY };
	struct samples *samples;
	int status = take_samples(bvh, bones, rest, &samples);

	if (status != JC_OK) {
		return status;
	}
	measure_scale(rest, bones, &world, lint);
	choose_axes(bvh, bones, rest, samples, &world, lint);
	world.floor = lowest_along(samples, jc_quat_rotate(jc_quat_conjugate(world.axes), up)) *
		      world.metres_per_unit;
	if (fabsf(world.floor) > FLOOR_NOTED) {
		jc_lint_add(lint, JC_NOTE, "floor",
			"the lower foot joint is at %.2f m most of the time; taken as the floor",
			(double)world.floor);
	}
	free(samples);
	*out_world = world;
	return JC_OK;
}

#define HINGE_SAMPLES 256

/* A clip shows a hinge axis if the mean sine of the bend exceeds the first value (about
 * nine degrees), and this share of it is about one axis. */
#define LEAST_BEND      0.15f
#define LEAST_AGREEMENT 0.8f

/* Rotation of `joint` relative to its ancestor `above` in a frame. */
static struct jc_quat relative_rotation(
	const struct jc_bvh *bvh, size_t frame, int joint, int above)
{
	struct jc_quat rotation = JC_QUAT_IDENTITY;

	for (; joint >= 0 && joint != above; joint = bvh->joints[joint].parent) {
		rotation = jc_quat_multiply(
			jc_bvh_frame_local(bvh, frame, (size_t)joint).rotation, rotation);
	}
	return jc_quat_normalize(rotation);
}

/* From a joint to a descendant in the zero pose. */
static struct jc_vec3 direction(const struct jc_bvh *bvh, int from, int to)
{
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };

	for (; to >= 0 && to != from; to = bvh->joints[to].parent) {
		sum = jc_vec3_add(sum, bvh->joints[to].offset);
	}
	return jc_vec3_normalize(sum);
}

static bool measure_hinge(
	const void *context, int upper, int lower, int end, struct jc_vec3 *out_axis)
{
	const struct jc_bvh *bvh = context;
	struct jc_vec3 along_upper = direction(bvh, upper, lower);
	struct jc_vec3 along_lower = direction(bvh, lower, end);
	size_t step = bvh->frame_count / HINGE_SAMPLES + 1;
	struct jc_vec3 sum = { 0.0f, 0.0f, 0.0f };
	float bend = 0.0f;
	size_t count = 0;
	size_t frame;

	for (frame = 0; frame < bvh->frame_count; frame += step) {
		struct jc_vec3 axis = jc_vec3_cross(along_upper,
			jc_quat_rotate(relative_rotation(bvh, frame, lower, upper), along_lower));

		sum = jc_vec3_add(sum, axis);
		bend += jc_vec3_length(axis);
		count++;
	}
	if (bend < LEAST_BEND * (float)count || jc_vec3_length(sum) < LEAST_AGREEMENT * bend) {
		return false;
	}
	*out_axis = jc_vec3_normalize(sum);
	return true;
}

struct jc_rest_hinge jc_bvh_world_hinge(const struct jc_bvh *bvh)
{
	return (struct jc_rest_hinge){ .measure = measure_hinge, .context = bvh };
}
