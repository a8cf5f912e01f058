/* Measures the chains of a clip in double precision. */
#include "errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast_private/chain.h"

#define DEGREES 57.29577951308232

static const enum jc_bone ends[] = { JC_BONE_HEAD, JC_BONE_LEFT_HAND, JC_BONE_RIGHT_HAND,
	JC_BONE_LEFT_FOOT, JC_BONE_RIGHT_FOOT, JC_BONE_LEFT_TOES, JC_BONE_RIGHT_TOES };
#define ENDS   (sizeof(ends) / sizeof(ends[0]))
#define TURNED 5 /* the first of them, whose rotations are measured too */

static const enum jc_bone tips[] = { JC_BONE_LEFT_THUMB_DISTAL, JC_BONE_LEFT_INDEX_DISTAL,
	JC_BONE_LEFT_MIDDLE_DISTAL, JC_BONE_LEFT_RING_DISTAL, JC_BONE_LEFT_LITTLE_DISTAL,
	JC_BONE_RIGHT_THUMB_DISTAL, JC_BONE_RIGHT_INDEX_DISTAL, JC_BONE_RIGHT_MIDDLE_DISTAL,
	JC_BONE_RIGHT_RING_DISTAL, JC_BONE_RIGHT_LITTLE_DISTAL };
#define TIPS (sizeof(tips) / sizeof(tips[0]))

struct rotation {
	double x, y, z, w;
};

struct body {
	struct rotation model[JC_BONE_COUNT];
	double at[JC_BONE_COUNT][3];
};

static struct rotation multiply(struct rotation a, struct rotation b)
{
	return (struct rotation){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

static struct rotation unit(struct jc_quat a)
{
	double length =
		sqrt((double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z + (double)a.w * a.w);

	return (struct rotation){ a.x / length, a.y / length, a.z / length, a.w / length };
}

static double angle(struct rotation a, struct rotation b)
{
	double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0 ? -1.0 : 1.0;
	double x = a.x - sign * b.x, y = a.y - sign * b.y, z = a.z - sign * b.z,
	       w = a.w - sign * b.w;

	return DEGREES * 4.0 * asin(0.5 * sqrt(x * x + y * y + z * z + w * w));
}

static void pose(const struct jc_quat *rotations, struct body *body)
{
	for (int bone = 0; bone < JC_BONE_COUNT; bone++) {
		enum jc_bone parent = jc_bone_parent((enum jc_bone)bone);
		struct jc_vec3 here = jc_bone_rest_position((enum jc_bone)bone), above;
		struct rotation turn, way;

		if (parent == JC_BONE_NONE) {
			body->model[bone] = unit(rotations[bone]);
			memset(body->at[bone], 0, sizeof(body->at[bone]));
			continue;
		}
		above = jc_bone_rest_position(parent);
		turn = body->model[parent];
		body->model[bone] = multiply(turn, unit(rotations[bone]));
		way = multiply(
			turn, (struct rotation){ (double)here.x - above.x, (double)here.y - above.y,
				      (double)here.z - above.z, 0.0 });
		way = multiply(way, (struct rotation){ -turn.x, -turn.y, -turn.z, turn.w });
		body->at[bone][0] = body->at[parent][0] + way.x;
		body->at[bone][1] = body->at[parent][1] + way.y;
		body->at[bone][2] = body->at[parent][2] + way.z;
	}
}

static void add(struct series *series, double value)
{
	if (series->count == series->room) {
		series->room = series->room ? 2 * series->room : 4096;
		series->values = realloc(series->values, series->room * sizeof(*series->values));
		if (!series->values) {
			fputs("not enough memory\n", stderr);
			exit(1);
		}
	}
	series->values[series->count++] = value;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double series_percentile(struct series *series, double part)
{
	if (series->count == 0) {
		return 0.0;
	}
	qsort(series->values, series->count, sizeof(*series->values), compare);
	return series->values[(size_t)(part * (double)(series->count - 1))];
}

double series_mean(const struct series *series)
{
	double sum = 0.0;

	for (size_t i = 0; i < series->count; i++) {
		sum += series->values[i];
	}
	return series->count > 0 ? sum / (double)series->count : 0.0;
}

static void add_errors(struct errors *errors, enum jc_section section, const struct jc_quat *wanted,
	const struct jc_quat *shown)
{
	bool is_body = section == JC_SECTION_BODY;
	int first = is_body ? 0 : JC_SECTION_HANDS_FIRST;
	int count = is_body ? JC_SECTION_BODY_COUNT : JC_SECTION_HANDS_COUNT;
	struct body a, b;

	pose(wanted, &a);
	pose(shown, &b);
	for (size_t i = 0; i < (is_body ? ENDS : TIPS); i++) {
		enum jc_bone bone = is_body ? ends[i] : tips[i];
		const double *p = a.at[bone], *q = b.at[bone];

		add(&errors->ends, 1000.0 * hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
		if (is_body && i < TURNED) {
			add(&errors->model, angle(a.model[bone], b.model[bone]));
		}
	}
	for (int bone = first; bone < first + count; bone++) {
		add(&errors->local, angle(unit(wanted[bone]), unit(shown[bone])));
	}
}

static _Noreturn void give_up(const struct clip *clip, size_t frame)
{
	fprintf(stderr, "%s: frame %zu cannot be encoded\n", clip->name, frame);
	exit(1);
}

void errors_measure(struct errors *errors, const struct clip *clip, unsigned coding,
	enum jc_section section, enum jc_precision precision, size_t most)
{
	struct jc_quat shown[JC_BONE_COUNT];
	struct jc_chain chain;

	if (jc_chain_start(&chain, coding, section, precision, ~UINT64_C(0), clip->frames[0],
		    clip->hips)) {
		give_up(clip, 0);
	}
	for (size_t i = 1; i < clip->count && i <= most; i++) {
		uint8_t bytes[JC_CHAIN_BYTES];
		int length = jc_chain_encode(
			&chain, clip->frames[i], &clip->hips[i], false, bytes, sizeof(bytes));

		if (length < 0) {
			give_up(clip, i);
		}
		errors->bytes += length;
		errors->frames += 1.0;
		/* Bones of other sections are as they were: fingers are measured in the hand. */
		memcpy(shown, clip->frames[i], sizeof(shown));
		jc_chain_rotations(&chain, shown);
		add_errors(errors, section, clip->frames[i], shown);
	}
}

void errors_finish(struct errors *errors)
{
	free(errors->ends.values);
	free(errors->model.values);
	free(errors->local.values);
}
