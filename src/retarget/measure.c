/* Accumulates the measures. It keeps only the last three frames, so memory does not depend on the
 * length of the motion. */
#include "jointcast/measure.h"

#include <math.h>

#include "jointcast/transform.h"

static const double contact_level = 0.03; /* of the hips height */
static const double contact_speed = 0.5;  /* hips heights a second */

static const enum jc_measure_point effectors[] = {
	JC_MEASURE_HEAD,
	JC_MEASURE_LEFT_HAND,
	JC_MEASURE_RIGHT_HAND,
	JC_MEASURE_LEFT_FOOT,
	JC_MEASURE_RIGHT_FOOT,
};
static const size_t effector_count = sizeof(effectors) / sizeof(effectors[0]);

void jc_measure_init(struct jc_measure *measure, const struct jc_measure_figure *source,
	const struct jc_measure_figure *target, double frame_seconds)
{
	*measure = (struct jc_measure){ .frame_seconds = frame_seconds };
	measure->source.figure = *source;
	measure->target.figure = *target;
	measure->source.deepest = measure->target.deepest = JC_BONE_NONE;
}

static bool have_both(const struct jc_measure *measure, enum jc_measure_point point)
{
	return measure->source.figure.has[point] && measure->target.figure.has[point];
}

static double distance(struct jc_vec3 a, struct jc_vec3 b)
{
	return (double)jc_vec3_length(jc_vec3_subtract(a, b));
}

static bool is_in_contact(const struct jc_measure_side *side, const struct jc_measure_frame *frame,
	enum jc_measure_point point, double seconds)
{
	double h = (double)side->figure.hips_height;
	double level = (double)(frame->points[point].y - side->figure.levels[point]);
	double speed = distance(frame->points[point], side->past[0].points[point]) / seconds;

	return level <= contact_level * h && speed <= contact_speed * h;
}

static double slide(const struct jc_measure_side *side, const struct jc_measure_frame *frame,
	enum jc_measure_point point)
{
	struct jc_vec3 way = jc_vec3_subtract(frame->points[point], side->past[0].points[point]);

	return 100.0 * hypot((double)way.x, (double)way.z);
}

static void add_contacts(struct jc_measure *measure, const struct jc_measure_frame *source,
	const struct jc_measure_frame *target)
{
	for (int p = JC_MEASURE_LEFT_FOOT; p <= JC_MEASURE_RIGHT_TOES; p++) {
		enum jc_measure_point point = (enum jc_measure_point)p;
		bool is_truth, is_seen;

		if (!have_both(measure, point)) {
			continue;
		}
		is_truth = is_in_contact(&measure->source, source, point, measure->frame_seconds);
		is_seen = is_in_contact(&measure->target, target, point, measure->frame_seconds);
		measure->contact_both += is_truth && is_seen;
		measure->contact_source += is_truth && !is_seen;
		measure->contact_target += is_seen && !is_truth;
		if (is_truth) {
			measure->source.skate += slide(&measure->source, source, point);
			measure->target.skate += slide(&measure->target, target, point);
			measure->skate_count++;
		}
	}
}

/* Millimetres for one foot; 0 if it is absent. */
static double depth(const struct jc_measure_side *side, const struct jc_measure_frame *frame,
	enum jc_measure_point toes, enum jc_measure_point foot)
{
	enum jc_measure_point point = side->figure.has[toes] ? toes : foot;

	return side->figure.has[point] ? 1e3 * fmax((double)side->figure.levels[point] -
							       (double)frame->points[point].y,
						       0.0)
				       : 0.0;
}

static void add_penetration(struct jc_measure_side *side, const struct jc_measure_frame *frame)
{
	double deeper = fmax(depth(side, frame, JC_MEASURE_LEFT_TOES, JC_MEASURE_LEFT_FOOT),
		depth(side, frame, JC_MEASURE_RIGHT_TOES, JC_MEASURE_RIGHT_FOOT));

	side->penetration += deeper;
	side->penetration_most = fmax(side->penetration_most, deeper);
}

static void add_depth(struct jc_measure_side *side, const struct jc_measure_frame *frame)
{
	double below = 1e3 * fmax(-(double)frame->lowest, 0.0);

	side->below += below;
	if (below > side->below_most) {
		side->below_most = below;
		side->deepest = frame->lowest_bone;
	}
}

static struct jc_vec3 reach(const struct jc_measure_side *side,
	const struct jc_measure_frame *frame, enum jc_measure_point point)
{
	return jc_vec3_scale(jc_vec3_subtract(frame->points[point], frame->points[JC_MEASURE_HIPS]),
		1.0f / side->figure.height);
}

static void add_errors(struct jc_measure *measure, const struct jc_measure_frame *source,
	const struct jc_measure_frame *target)
{
	for (size_t i = 0; i < effector_count; i++) {
		if (have_both(measure, effectors[i]) && have_both(measure, JC_MEASURE_HIPS)) {
			measure->error += distance(reach(&measure->source, source, effectors[i]),
				reach(&measure->target, target, effectors[i]));
			measure->error_count++;
		}
	}
}

static double third_difference(double p0, double p1, double p2, double p3)
{
	return p0 - 3.0 * p1 + 3.0 * p2 - p3;
}

static double jerk(const struct jc_measure_side *side, const struct jc_measure_frame *frame,
	enum jc_measure_point point, double seconds)
{
	struct jc_vec3 a = frame->points[point], b = side->past[0].points[point],
		       c = side->past[1].points[point], d = side->past[2].points[point];
	double x = third_difference((double)a.x, (double)b.x, (double)c.x, (double)d.x);
	double y = third_difference((double)a.y, (double)b.y, (double)c.y, (double)d.y);
	double z = third_difference((double)a.z, (double)b.z, (double)c.z, (double)d.z);

	return sqrt(x * x + y * y + z * z) / (seconds * seconds * seconds) /
	       (double)side->figure.hips_height;
}

static void add_jerks(struct jc_measure *measure, const struct jc_measure_frame *source,
	const struct jc_measure_frame *target)
{
	double seconds = measure->frame_seconds;

	for (size_t i = 0; i < effector_count; i++) {
		if (have_both(measure, effectors[i])) {
			measure->source.jerk +=
				jerk(&measure->source, source, effectors[i], seconds);
			measure->target.jerk +=
				jerk(&measure->target, target, effectors[i], seconds);
			measure->jerk_count++;
		}
	}
}

static void remember(struct jc_measure_side *side, const struct jc_measure_frame *frame)
{
	side->past[2] = side->past[1];
	side->past[1] = side->past[0];
	side->past[0] = *frame;
}

void jc_measure_add(struct jc_measure *measure, const struct jc_measure_frame *source,
	const struct jc_measure_frame *target)
{
	add_penetration(&measure->source, source);
	add_penetration(&measure->target, target);
	add_depth(&measure->source, source);
	add_depth(&measure->target, target);
	add_errors(measure, source, target);
	if (measure->frame_count >= 1) {
		add_contacts(measure, source, target);
	}
	if (measure->frame_count >= 3) {
		add_jerks(measure, source, target);
	}
	remember(&measure->source, source);
	remember(&measure->target, target);
	measure->frame_count++;
}

/* NaN if nothing was counted. */
static double share(double sum, size_t count)
{
	return count > 0 ? sum / (double)count : (double)NAN;
}

static bool has_feet(const struct jc_measure_side *side)
{
	for (int p = JC_MEASURE_LEFT_FOOT; p <= JC_MEASURE_RIGHT_TOES; p++) {
		if (side->figure.has[p]) {
			return true;
		}
	}
	return false;
}

static struct jc_measure_result result_of(
	const struct jc_measure *measure, const struct jc_measure_side *side)
{
	size_t frames = has_feet(side) ? measure->frame_count : 0;

	return (struct jc_measure_result){
		.skate = share(side->skate, measure->skate_count),
		.penetration = share(side->penetration, frames),
		.penetration_most = frames > 0 ? side->penetration_most : (double)NAN,
		.below = share(side->below, measure->frame_count),
		.below_most = measure->frame_count > 0 ? side->below_most : (double)NAN,
		.deepest = side->deepest,
		.jerk = share(side->jerk, measure->jerk_count),
	};
}

void jc_measure_finish(const struct jc_measure *measure, struct jc_measures *out_measures)
{
	/* The jerk of a nearly still figure is only rounding. */
	const double least_jerk = 1e-2;
	size_t both = measure->contact_both;
	size_t seen = both + measure->contact_target;
	size_t truth = both + measure->contact_source;
	struct jc_measures measures = {
		.frame_count = measure->frame_count,
		.fps = measure->frame_seconds > 0.0 ? 1.0 / measure->frame_seconds : 0.0,
		.source = result_of(measure, &measure->source),
		.target = result_of(measure, &measure->target),
		.contact_f1 = share(2.0 * (double)both, seen + truth),
		.contact_precision = share((double)both, seen),
		.contact_recall = share((double)both, truth),
		.end_effector_error = share(measure->error, measure->error_count),
	};

	measures.jerk_ratio = measures.source.jerk > least_jerk
				      ? measures.target.jerk / measures.source.jerk
				      : (double)NAN;
	*out_measures = measures;
}
