/* Plane geometry about +Y. */
#include "space/placement.h"

#include <math.h>
#include <stdbool.h>

#include "jointcast/transform.h"

#define ELBOW_ROOM 0.7f /* metres around a body that stays where it is */
#define MOST_REACH 1.6f
#define HALF_ROW   5.0f
#define CURVE      0.04f /* metres forward per square metre aside */

struct jc_placement jc_arrangement_place(struct jc_arrangement *arrangement, float reach)
{
	float radius = ELBOW_ROOM + fminf(fmaxf(reach, 0.0f), MOST_REACH);
	bool first = arrangement->depth == 0.0f;
	float x = 0.0f;

	if (!first && fminf(arrangement->left, arrangement->right) + 2.0f * radius > HALF_ROW) {
		*arrangement = (struct jc_arrangement){
			.back = arrangement->back + arrangement->depth / 2.0f + radius,
		};
		first = true;
	}
	/* +X is the left of who faces +Z. */
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
