/* Follows routes in two passes, with joints and interpolators marked by node index, so
 * that the time is linear in the number of routes. */
#include "hanim_routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/limits.h"

enum { PATHS = 2 };

static bool is_start(const struct jc_scene_route *route)
{
	return strcmp(route->from_field, "fraction_changed") == 0 &&
	       strcmp(route->to_field, "set_fraction") == 0 &&
	       strcmp(route->from->type, "TimeSensor") == 0;
}

/* Whether the route ends in a field that poses a joint and begins at the matching kind of
 * interpolator. */
static bool is_end(const struct jc_scene_route *route, enum jc_hanim_path *out_path)
{
	const char *field = route->to_field;

	if (strncmp(field, "set_", 4) == 0) {
		field += 4;
	}
	if (strcmp(route->from_field, "value_changed") != 0) {
		return false;
	}
	if (strcmp(field, "rotation") == 0 &&
		strcmp(route->from->type, "OrientationInterpolator") == 0) {
		*out_path = JC_HANIM_ROTATION;
		return true;
	}
	if (strcmp(field, "translation") == 0 &&
		strcmp(route->from->type, "PositionInterpolator") == 0) {
		*out_path = JC_HANIM_TRANSLATION;
		return true;
	}
	return false;
}

int jc_hanim_routes_mark(
	const struct jc_scene *scene, const struct jc_hanim *hanim, bool *out_marks)
{
	bool *joints = calloc(scene->node_count, sizeof(*joints));
	bool *movers = calloc(scene->node_count, sizeof(*movers));
	enum jc_hanim_path path;

	if (!joints || !movers) {
		free(joints);
		free(movers);
		return JC_ERROR_MEMORY;
	}
	for (size_t i = 0; i < hanim->joint_count; i++) {
		joints[hanim->joints[i].node->index] = true;
	}
	for (size_t i = 0; i < scene->route_count; i++) {
		const struct jc_scene_route *route = &scene->routes[i];

		if (joints[route->to->index] && is_end(route, &path)) {
			movers[route->from->index] = true;
		}
	}
	for (size_t i = 0; i < scene->route_count; i++) {
		const struct jc_scene_route *route = &scene->routes[i];

		if (movers[route->to->index] && is_start(route)) {
			out_marks[route->from->index] = true;
		}
	}
	free(joints);
	free(movers);
	return JC_OK;
}

/* State of every node while the routes of one sensor are followed. */
struct place {
	int joint;          /* index plus one; 0 of other nodes */
	bool is_driven;     /* an interpolator driven by the sensor */
	bool moves[PATHS];  /* a joint with a track */
	bool warned[PATHS]; /* a joint whose second track was left out and reported */
};

/* Adds the interpolator of a route as the track of a joint. An invalid one is left out and
 * reported, so that the rest of the clip plays. */
static int add_track(const struct jc_scene_route *route, struct place *to, enum jc_hanim_path path,
	struct jc_hanim_tracks *tracks, struct jc_lint *lint, struct jc_diagnostic *out_reason)
{
	int error = jc_hanim_tracks_add_interpolator(
		tracks, to->joint - 1, path, route->from, out_reason);

	to->moves[path] = !error;
	if (error == JC_ERROR_INVALID) {
		jc_lint_add(lint, JC_WARNING, "hanim-interpolator",
			"%s, %s: left out, '%s' does not move", out_reason->what, out_reason->where,
			route->to->def);
	}
	return error;
}

static int follow(const struct jc_scene *scene, struct place *places,
	struct jc_hanim_tracks *tracks, struct jc_lint *lint, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason;
	int invalid = JC_OK;

	for (size_t i = 0; i < scene->route_count; i++) {
		const struct jc_scene_route *route = &scene->routes[i];
		struct place *to = &places[route->to->index];
		enum jc_hanim_path path;
		int error;

		if (!to->joint || !places[route->from->index].is_driven || !is_end(route, &path)) {
			continue;
		}
		if (to->moves[path]) {
			if (!to->warned[path]) {
				jc_lint_add(lint, JC_WARNING, "hanim-route",
					"line %u: a second route into one field of '%s': left out",
					route->from->line, route->to->def);
			}
			to->warned[path] = true;
			continue;
		}
		error = add_track(route, to, path, tracks, lint, &reason);
		if (error && error != JC_ERROR_INVALID) {
			return jc_diagnose(diagnostic, error, reason.where, "%s", reason.what);
		}
		invalid = error ? error : invalid;
	}
	return invalid && tracks->count == 0
		       ? jc_diagnose(diagnostic, invalid, reason.where, "%s", reason.what)
		       : JC_OK;
}

static int read_duration(
	const struct jc_scene_node *sensor, double *out_seconds, struct jc_diagnostic *diagnostic)
{
	double seconds = 1.0;
	char where[64];

	jc_scene_numbers(sensor, "cycleInterval", 1, &seconds);
	if (!(seconds > 0.0 && seconds <= (double)JC_LIMIT_MOTION_SECONDS)) {
		snprintf(where, sizeof(where), "line %u", sensor->line);
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, where,
			"TimeSensor '%s' has a cycleInterval of %g seconds", sensor->def, seconds);
	}
	*out_seconds = seconds;
	return JC_OK;
}

int jc_hanim_routes_read(const struct jc_scene *scene, const struct jc_hanim *hanim,
	const struct jc_scene_node *sensor, struct jc_hanim_tracks *tracks, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic)
{
	struct place *places;
	int error = read_duration(sensor, &tracks->duration, diagnostic);

	if (error) {
		return error;
	}
	places = calloc(scene->node_count, sizeof(*places));
	if (!places) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	for (size_t i = 0; i < hanim->joint_count; i++) {
		places[hanim->joints[i].node->index].joint = (int)i + 1;
	}
	for (size_t i = 0; i < scene->route_count; i++) {
		const struct jc_scene_route *route = &scene->routes[i];

		if (route->from == sensor && is_start(route)) {
			places[route->to->index].is_driven = true;
		}
	}
	error = follow(scene, places, tracks, lint, diagnostic);
	free(places);
	return error;
}
