/* Numbers of strangers: each is bounded before it counts. */
#include "control/fields.h"

#include <math.h>

#include "maxima.h"

static bool read_number(const json_t *value, double most, float *out_number)
{
	double number = json_number_value(value);

	*out_number = (float)number;
	return json_is_number(value) && fabs(number) <= most;
}

const char *jc_fields_stand(const json_t *object, struct jc_stand *out_stand)
{
	const json_t *position = json_object_get(object, "position");
	const json_t *seat = json_object_get(object, "seat");
	struct jc_stand stand = { .seat_height = 0.0f };
	struct jc_vec3 *at = &stand.placement.position;

	if (!json_is_array(position) || json_array_size(position) != 3 ||
		!read_number(json_array_get(position, 0), JC_MAX_STAND_METRES, &at->x) ||
		!read_number(json_array_get(position, 1), JC_MAX_STAND_METRES, &at->y) ||
		!read_number(json_array_get(position, 2), JC_MAX_STAND_METRES, &at->z)) {
		return "position is three numbers from -10000 to 10000";
	}
	if (!read_number(json_object_get(object, "yaw"), 1000.0, &stand.placement.yaw)) {
		return "yaw is radians, from -1000 to 1000";
	}
	if (seat && !json_is_null(seat) &&
		(!read_number(
			 json_object_get(seat, "height"), JC_MAX_SEAT_METRES, &stand.seat_height) ||
			!(stand.seat_height > 0.0f))) {
		return "seat is null or has a height up to 3";
	}
	stand.placement.yaw = remainderf(stand.placement.yaw, 2.0f * (float)M_PI);
	*out_stand = stand;
	return NULL;
}

bool jc_fields_number(
	const json_t *message, const char *key, double least, double most, double *number)
{
	const json_t *value = json_object_get(message, key);
	double read = json_number_value(value);

	if (!value) {
		return true;
	}
	if (!json_is_number(value) || !(read >= least && read <= most)) {
		return false;
	}
	*number = read;
	return true;
}
