/* Motions by routes: TimeSensor -> interpolator -> joint. */
#ifndef JC_MOTION_HANIM_ROUTES_H
#define JC_MOTION_HANIM_ROUTES_H

#include "hanim_track.h"

/* Marks the TimeSensors whose routes end in a joint of the figure. out_marks is by node
 * index and initially false. */
int jc_hanim_routes_mark(
	const struct jc_scene *scene, const struct jc_hanim *hanim, bool *out_marks);

/* Appends the tracks of this TimeSensor and sets the duration, its cycleInterval. Of
 * several routes into one field of a joint the first is used. */
int jc_hanim_routes_read(const struct jc_scene *scene, const struct jc_hanim *hanim,
	const struct jc_scene_node *sensor, struct jc_hanim_tracks *tracks, struct jc_lint *lint,
	struct jc_diagnostic *diagnostic);

#endif
