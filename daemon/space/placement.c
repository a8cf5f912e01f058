/* Plane geometry about +Y. */
#include "space/placement.h"

#include <math.h>

#include "jointcast/transform.h"

#define COLUMNS 5
#define GAP     1.5f
#define CURVE   0.06f /* metres forward per square metre aside */

struct jc_placement jc_placement_spot(size_t index)
{
	size_t row = index / COLUMNS;
	size_t column = index % COLUMNS;
	/* 0, +1, -1, +2, -2, … from the middle; +X is a body's left. */
	float side = (float)((column + 1) / 2) * (column % 2 ? 1.0f : -1.0f);
	float x = (side + (row % 2 ? 0.5f : 0.0f)) * GAP;

	return (struct jc_placement){
		.position = { column == 0 && row % 2 == 0 ? 0.0f : x, 0.0f,
			CURVE * x * x - (float)row * GAP },
		.yaw = 0.0f,
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
