/* The roster messages of a recording: one whenever the bodies of the space change. */
#ifndef JC_RECORD_ROSTER_H
#define JC_RECORD_ROSTER_H

#include "jointcast/recording.h"
#include "maxima.h"
#include "record/record_queue.h"
#include "space/space.h"

struct jc_record_roster {
	bool is_raw; /* records body frames of persons who consent */
	bool is_reported;
	uint64_t revision; /* of the space's last recorded roster */
	uint64_t intakes;  /* revision of its capture forms */
	uint64_t entered;  /* number of bodies in all recorded rosters */
	size_t body_count;
	uint32_t bodies[JC_MAX_BODIES]; /* ids in the last recorded roster */
	size_t skeleton_count;
	uint32_t skeletons[JC_MAX_RECORDED_SKELETONS]; /* numbers of the recorded skeleton assets */
};

/* Returns the form in which a body is recorded. */
enum jc_recorded jc_record_roster_form(
	const struct jc_record_roster *roster, const struct jc_body *body);

/* Whether the roster changed since the last recorded one. */
bool jc_record_roster_is_due(const struct jc_record_roster *roster, const struct jc_space *space);

/* Puts new skeletons and the roster into the queue. */
void jc_record_roster_report(struct jc_record_roster *roster, const struct jc_space *space,
	int64_t time_us, struct jc_record_queue *queue);

#endif
