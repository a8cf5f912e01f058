/* The 1€ filter for rotations: filters vectors of the tangent space at the last output, where they
 * are small and a low-pass filter is a slerp. */
#include "jointcast/one_euro.h"

#include <math.h>

#include "jointcast/limits.h"
#include "jointcast/transform.h"

#define TWO_PI    6.2831853f
#define SILENCE_S 1.0f /* a longer gap discards the history */

/* The paper's alpha: of a low-pass with this cutoff, for one step. */
static float smoothing(float step_s, float cutoff)
{
	float tau = 1.0f / (TWO_PI * cutoff);

	return 1.0f / (1.0f + tau / step_s);
}

/* Updates the filtered speed with the last step and returns the share of that step to apply. */
static float follow(const struct jc_one_euro_options *options, float step_s, struct jc_vec3 way,
	struct jc_vec3 *speed)
{
	*speed = jc_vec3_lerp(*speed, jc_vec3_scale(way, 1.0f / step_s),
		smoothing(step_s, JC_ONE_EURO_SPEED_CUTOFF));
	return smoothing(step_s, options->min_cutoff + options->beta * jc_vec3_length(*speed));
}

/* Axis times angle of a rotation, the short way. */
static struct jc_vec3 rotation_vector(struct jc_quat q)
{
	struct jc_vec3 v = { q.x, q.y, q.z };
	float sine = jc_vec3_length(v);

	if (sine < 1e-9f) {
		return (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
	}
	return jc_vec3_scale(v, 2.0f * atan2f(sine, fabsf(q.w)) / copysignf(sine, q.w));
}

static void filter_bone(struct jc_one_euro *filter, struct jc_pose *pose, int bone, float step_s)
{
	struct jc_quat last = filter->pose.rotations[bone];
	struct jc_quat now = pose->rotations[bone];

	if (pose->states[bone] == JC_ABSENT || filter->pose.states[bone] == JC_ABSENT) {
		filter->speeds[bone] = (struct jc_vec3){ 0.0f, 0.0f, 0.0f };
		return;
	}
	struct jc_vec3 way = rotation_vector(jc_quat_multiply(jc_quat_conjugate(last), now));

	pose->rotations[bone] = jc_quat_normalize(jc_quat_slerp(
		last, now, follow(&filter->options, step_s, way, &filter->speeds[bone])));
}

static void begin(struct jc_one_euro *filter, const struct jc_pose *pose, int64_t time_ns)
{
	*filter = (struct jc_one_euro){
		.options = filter->options, .has_begun = true, .time_ns = time_ns, .pose = *pose
	};
}

void jc_one_euro_filter(struct jc_one_euro *filter, struct jc_pose *pose, int64_t time_ns)
{
	struct jc_vec3 way =
		jc_vec3_subtract(pose->hips_translation, filter->pose.hips_translation);
	float step_s = (float)(time_ns - filter->time_ns) * 1e-9f;

	if (!(filter->options.min_cutoff > 0.0f)) {
		return;
	}
	if (filter->has_begun && time_ns <= filter->time_ns) {
		*pose = filter->pose;
		return;
	}
	if (!filter->has_begun || step_s > SILENCE_S || jc_vec3_length(way) > JC_LIMIT_HIPS_JUMP) {
		begin(filter, pose, time_ns);
		return;
	}
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		filter_bone(filter, pose, bone, step_s);
	}
	pose->hips_translation = jc_vec3_lerp(filter->pose.hips_translation, pose->hips_translation,
		follow(&filter->options, step_s, way, &filter->hips_speed));
	filter->pose = *pose;
	filter->time_ns = time_ns;
}
