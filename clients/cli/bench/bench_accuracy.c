/* Measures decoding errors in double precision, so that the result contains no error of its own. */
#include "bench/bench_accuracy.h"

#include <math.h>

#define DEGREES     57.29577951308232
#define MILLIMETRES 1000.0

struct vec {
	double x, y, z;
};

struct quat {
	double x, y, z, w;
};

static const enum jc_bone end_effectors[] = {
	JC_BONE_HEAD,
	JC_BONE_LEFT_HAND,
	JC_BONE_RIGHT_HAND,
	JC_BONE_LEFT_MIDDLE_PROXIMAL,
	JC_BONE_RIGHT_MIDDLE_PROXIMAL,
	JC_BONE_LEFT_FOOT,
	JC_BONE_RIGHT_FOOT,
	JC_BONE_LEFT_TOES,
	JC_BONE_RIGHT_TOES,
	JC_BONE_LEFT_THUMB_DISTAL,
	JC_BONE_LEFT_INDEX_DISTAL,
	JC_BONE_LEFT_MIDDLE_DISTAL,
	JC_BONE_LEFT_RING_DISTAL,
	JC_BONE_LEFT_LITTLE_DISTAL,
	JC_BONE_RIGHT_THUMB_DISTAL,
	JC_BONE_RIGHT_INDEX_DISTAL,
	JC_BONE_RIGHT_MIDDLE_DISTAL,
	JC_BONE_RIGHT_RING_DISTAL,
	JC_BONE_RIGHT_LITTLE_DISTAL,
};

static struct quat unit(struct jc_quat q)
{
	double x = q.x, y = q.y, z = q.z, w = q.w;
	double length = sqrt(x * x + y * y + z * z + w * w);

	return (struct quat){ x / length, y / length, z / length, w / length };
}

static double angle(struct quat p, struct quat q)
{
	double dot = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
	double sign = dot < 0.0 ? -1.0 : 1.0;
	double x = p.x - sign * q.x, y = p.y - sign * q.y, z = p.z - sign * q.z,
	       w = p.w - sign * q.w;

	/* A turn by t is t / 2 between unit quaternions, its chord 2 sin(t / 4). */
	return DEGREES * 4.0 * asin(0.5 * sqrt(x * x + y * y + z * z + w * w));
}

double jc_bench_angle(struct jc_quat a, struct jc_quat b)
{
	return angle(unit(a), unit(b));
}

static struct quat multiply(struct quat a, struct quat b)
{
	return (struct quat){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

/* v + 2 w (u x v) + 2 u x (u x v), u the vector part. */
static struct vec rotate(struct quat q, struct vec v)
{
	struct vec t = {
		2.0 * (q.y * v.z - q.z * v.y),
		2.0 * (q.z * v.x - q.x * v.z),
		2.0 * (q.x * v.y - q.y * v.x),
	};

	return (struct vec){
		v.x + q.w * t.x + q.y * t.z - q.z * t.y,
		v.y + q.w * t.y + q.z * t.x - q.x * t.z,
		v.z + q.w * t.z + q.x * t.y - q.y * t.x,
	};
}

/* The positions of all joints relative to the hips joint, and their rotations. */
static void find_positions(
	const struct jc_quat rotations[], struct vec out_positions[], struct quat worlds[])
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)bone);
		struct jc_vec3 here = jc_bone_rest_position((enum jc_bone)bone), above;
		struct vec way;

		if (parent == JC_BONE_NONE) {
			worlds[bone] = unit(rotations[bone]);
			out_positions[bone] = (struct vec){ 0.0, 0.0, 0.0 };
			continue;
		}
		above = jc_bone_rest_position(parent);
		way = rotate(worlds[parent],
			(struct vec){ (double)here.x - above.x, (double)here.y - above.y,
				(double)here.z - above.z });
		worlds[bone] = multiply(worlds[parent], unit(rotations[bone]));
		out_positions[bone] = (struct vec){ out_positions[parent].x + way.x,
			out_positions[parent].y + way.y, out_positions[parent].z + way.z };
	}
}

static double distance(struct vec p, struct vec q)
{
	return hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z);
}

double jc_bench_end_effectors(
	const struct jc_quat a[JC_BONE_COUNT], const struct jc_quat b[JC_BONE_COUNT])
{
	struct vec left[JC_BONE_COUNT], right[JC_BONE_COUNT];
	struct quat turns[JC_BONE_COUNT];
	double most = 0.0;

	find_positions(a, left, turns);
	find_positions(b, right, turns);
	for (size_t i = 0; i < sizeof(end_effectors) / sizeof(end_effectors[0]); i++) {
		struct vec p = left[end_effectors[i]], q = right[end_effectors[i]];

		most = fmax(most, distance(p, q));
	}
	return MILLIMETRES * most;
}

struct jc_bench_ends jc_bench_measure_ends(
	const struct jc_quat a[JC_BONE_COUNT], const struct jc_quat b[JC_BONE_COUNT])
{
	static const enum jc_bone joints[JC_BENCH_ENDS] = { JC_BONE_HEAD, JC_BONE_LEFT_HAND,
		JC_BONE_RIGHT_HAND, JC_BONE_LEFT_FOOT, JC_BONE_RIGHT_FOOT, JC_BONE_LEFT_TOES,
		JC_BONE_RIGHT_TOES };
	static const enum jc_bone fingers[JC_BENCH_FINGERS] = { JC_BONE_LEFT_THUMB_DISTAL,
		JC_BONE_LEFT_INDEX_DISTAL, JC_BONE_LEFT_MIDDLE_DISTAL, JC_BONE_LEFT_RING_DISTAL,
		JC_BONE_LEFT_LITTLE_DISTAL, JC_BONE_RIGHT_THUMB_DISTAL, JC_BONE_RIGHT_INDEX_DISTAL,
		JC_BONE_RIGHT_MIDDLE_DISTAL, JC_BONE_RIGHT_RING_DISTAL,
		JC_BONE_RIGHT_LITTLE_DISTAL };
	struct vec left[JC_BONE_COUNT], right[JC_BONE_COUNT];
	struct quat p[JC_BONE_COUNT], q[JC_BONE_COUNT];
	struct jc_bench_ends ends;

	find_positions(a, left, p);
	find_positions(b, right, q);
	for (size_t i = 0; i < JC_BENCH_ENDS; i++) {
		ends.millimetres[i] = MILLIMETRES * distance(left[joints[i]], right[joints[i]]);
	}
	for (size_t i = 0; i < JC_BENCH_TURNED; i++) {
		ends.degrees[i] = angle(p[joints[i]], q[joints[i]]);
	}
	for (size_t i = 0; i < JC_BENCH_FINGERS; i++) {
		ends.fingers[i] = MILLIMETRES * distance(left[fingers[i]], right[fingers[i]]);
	}
	return ends;
}
