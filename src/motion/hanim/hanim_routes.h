/* TimeSensor -> interpolator -> joint: what the routes of a scene make move. */
#ifndef JC_MOTION_HANIM_ROUTES_H
#define JC_MOTION_HANIM_ROUTES_H

#include "hanim_track.h"

/* Marks the TimeSensors whose routes end in a joint of the figure; out_marks,
 * all false, is by node index. */
int jc_hanim_routes_mark(
	const struct jc_scene *scene, const struct jc_hanim *hanim, bool *out_marks);

/* Appends what this TimeSensor drives and sets the duration, its cycleInterval.
 * Of several routes into one field of a joint the first counts. */
int jc_hanim_routes_read(const struct jc_scene *scene, const struct jc_hanim *hanim,
	const struct jc_scene_node *sensor, struct jc_hanim_tracks *tracks, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
