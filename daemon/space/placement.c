/* Finds places for bodies, with plane geometry about +Y. */
#include "space/placement.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/transform.h"

#define ELBOW_ROOM 0.7f /* metres around a body that does not move */
#define MOST_REACH 1.6f
#define HALF_ROW   5.0f
#define CURVE      0.04f /* forward curve of the row: metres per square metre to the side */

/* Adds a room at the end of the shorter side, or in a new row. */
static struct jc_placement extend(struct jc_arrangement *arrangement, float radius)
{
	bool first = arrangement->depth == 0.0f;
	float x = 0.0f;

	if (!first && fminf(arrangement->left, arrangement->right) + 2.0f * radius > HALF_ROW) {
		arrangement->back += arrangement->depth / 2.0f + radius;
		arrangement->depth = 0.0f;
		first = true;
	}
	/* +X is left when facing +Z. */
	if (first) {
		arrangement->left = arrangement->right = radius;
	} else if (arrangement->left <= arrangement->right) {
		x = arrangement->left + radius;
		arrangement->left += 2.0f * radius;
	} else {
		x = -(arrangement->right + radius);
		arrangement->right += 2.0f * radius;
	}
	arrangement->depth = fmaxf(arrangement->depth, 2.0f * radius);
	return (struct jc_placement){
		.position = { x, 0.0f, CURVE * x * x - arrangement->back },
	};
}

/* The best free spot: the smallest that is large enough, else the largest. */
static struct jc_spot *find_free(struct jc_arrangement *arrangement, float radius)
{
	struct jc_spot *best = NULL;

	for (size_t i = 0; i < arrangement->spot_count; i++) {
		struct jc_spot *spot = &arrangement->spots[i];

		if (spot->is_taken) {
			continue;
		}
		bool fits = spot->radius >= radius;
		bool best_fits = best && best->radius >= radius;

		if (!best || (fits != best_fits ? fits
				     : fits     ? spot->radius < best->radius
						: spot->radius > best->radius)) {
			best = spot;
		}
	}
	return best;
}

struct jc_spot *jc_arrangement_take(struct jc_arrangement *arrangement, float reach)
{
	float radius = ELBOW_ROOM + fminf(fmaxf(reach, 0.0f), MOST_REACH);
	struct jc_spot *spot = find_free(arrangement, radius);
	bool is_full = arrangement->spot_count ==
		       sizeof(arrangement->spots) / sizeof(arrangement->spots[0]);

	if (!is_full && (!spot || spot->radius < radius)) {
		spot = &arrangement->spots[arrangement->spot_count++];
		spot->placement = extend(arrangement, radius);
		spot->radius = radius;
	}
	assert(spot);
	spot->is_taken = true;
	return spot;
}

struct jc_placement jc_placement_compensate(
	struct jc_placement spot, struct jc_vec3 start, float start_yaw)
{
	struct jc_placement placement = { .yaw = remainderf(
						  spot.yaw - start_yaw, 2.0f * (float)M_PI) };
	struct jc_quat turn =
		jc_quat_from_axis_angle((struct jc_vec3){ 0.0f, 1.0f, 0.0f }, placement.yaw);
	struct jc_vec3 offset = jc_quat_rotate(turn, (struct jc_vec3){ start.x, 0.0f, start.z });

	placement.position = jc_vec3_subtract(spot.position, offset);
	return placement;
}

int jc_placement_parse(
	const char *text, struct jc_placement *out_placement, struct jc_diagnostic *diagnostic)
{
	const double most[4] = { JC_MAX_STAND_METRES, JC_MAX_STAND_METRES, JC_MAX_STAND_METRES,
		360.0 };
	double values[4] = { 0.0 };
	const char *at = text;
	char *end = NULL;
	size_t count = 0;

	for (; count < 4; count++, at = end) {
		values[count] = strtod(at, &end);
		/* Written so that NaN fails it. */
		if (end == at || !(fabs(values[count]) <= most[count])) {
			break;
		}
	}
	if (count < 3 || at[strspn(at, " ")]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a place is 'X Y Z' or 'X Y Z YAW', metres up to %.0f and degrees up to "
			"360, not '%s'",
			JC_MAX_STAND_METRES, text);
	}
	*out_placement = (struct jc_placement){
		.position = { (float)values[0], (float)values[1], (float)values[2] },
		.yaw = (float)(values[3] * M_PI / 180.0),
	};
	return JC_OK;
}
