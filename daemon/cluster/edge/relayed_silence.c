/* How long an origin is silent, and what the time of its ticks is here. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/edge/relayed_roster.h"
#include "cluster/edge/relayed_space.h"
#include "space/fanout.h"

#define SECOND         INT64_C(1000000000)
#define STALE_NS       SECOND           /* without frames after frames, */
#define UNANNOUNCED_NS (3 * SECOND / 2) /* and without announcements, two a second */
#define CLOCK_STEP_US  5000             /* a larger error of the clock is corrected */

static struct jc_space *space_of(const struct jc_relayed_space *space)
{
	return space->views.fanout->space;
}

/* Their origin is silent: the entries state it. */
static void make_stale(struct jc_relayed_space *space)
{
	struct jc_space *relayed = space_of(space);

	for (size_t i = 0; i < jc_space_body_count(relayed); i++) {
		const struct jc_body *body = jc_space_body(relayed, i);
		json_t *entry = json_loads(body->entry, 0, NULL);
		char *text;

		json_object_set_new(entry, "state", json_string("stale"));
		text = jc_relayed_roster_text(entry);
		json_decref(entry);
		if (text) {
			jc_space_relay_set_live(relayed, body->id, false, text);
		}
	}
	jc_relayed_space_announce(space, NULL);
}

static void remove_all(struct jc_relayed_space *space)
{
	struct jc_space *relayed = space_of(space);

	while (jc_space_body_count(relayed) > 0) {
		jc_space_relay_remove(relayed, jc_space_body(relayed, 0)->id);
	}
	jc_relayed_space_announce(space, NULL);
}

static void follow_silence(struct jc_relayed_space *space, int64_t now_ns)
{
	int64_t silent_ns = now_ns - space->heard_ns;
	int64_t leave_ns = (int64_t)space->views.fanout->policy.leave_after_s * SECOND;
	int64_t most_ns = space->is_flowing ? STALE_NS : UNANNOUNCED_NS;

	if (space->silence == JC_RELAYED_HEARD && silent_ns >= most_ns) {
		space->silence = JC_RELAYED_STALE;
		jc_log_write(space->context->log, JC_LOG_WARNING,
			"space '%s': its origin is silent", space->name);
		make_stale(space);
	}
	if (space->silence == JC_RELAYED_STALE && silent_ns >= leave_ns) {
		space->silence = JC_RELAYED_GONE;
		remove_all(space);
	}
}

void jc_relayed_space_heard(struct jc_relayed_space *space, bool is_frame, int64_t now_ns)
{
	space->heard_ns = now_ns;
	space->is_flowing = is_frame;
	/* The state brings the bodies back as they are now. */
	space->needs_state |= space->silence != JC_RELAYED_HEARD;
}

void jc_relayed_space_claim(struct jc_relayed_space *space, const struct jc_origin_claim *claim,
	const char *incarnation, int64_t now_ns)
{
	bool is_served = space->has_state && space->epoch == claim->epoch &&
			 strcmp(space->incarnation, incarnation) == 0;
	bool is_other = space->claimed_epoch != claim->epoch ||
			strcmp(space->claimed_incarnation, incarnation) != 0;

	space->is_claimed = true;
	space->claimed_epoch = claim->epoch;
	strcpy(space->claimed_incarnation, incarnation);
	if (!is_served) {
		space->needs_state = true;
		if (is_other) {
			jc_relayed_requests_restart(space, now_ns);
		}
	} else if (claim->revision > space->revision && space->change_count == 0) {
		space->needs_state = true;
	}
	jc_relayed_space_heard(space, false, now_ns);
}

void jc_relayed_space_abandon(struct jc_relayed_space *space, int64_t now_ns)
{
	space->is_claimed = false;
	if (space->has_state && space->silence == JC_RELAYED_HEARD) {
		space->heard_ns = now_ns - UNANNOUNCED_NS;
		follow_silence(space, now_ns);
	}
}

/* Corrects the times of ticks. Subscribers get the complete roster, which has them. */
static void follow_clock(struct jc_relayed_space *space, int64_t now_ns)
{
	int64_t now_us = jc_clock_server_us(&space->context->spaces->clock, now_ns);
	int64_t ahead_us = space->ahead_us;

	if (!jc_origin_clock_ahead(&space->clock, now_us, &ahead_us) ||
		llabs(ahead_us - space->ahead_us) <= CLOCK_STEP_US) {
		return;
	}
	space->ahead_us = ahead_us;
	jc_space_relay_set_start(space_of(space), jc_relayed_space_start_ns(space),
		space->origin_start_us + ahead_us);
	jc_relayed_space_announce(space, NULL);
}

void jc_relayed_space_sweep(struct jc_relayed_space *space, int64_t now_ns)
{
	jc_relayed_requests_sweep(space, now_ns);
	jc_relayed_space_advance(space, now_ns);
	if (space->has_state) {
		follow_silence(space, now_ns);
		if (!space->needs_state) {
			follow_clock(space, now_ns);
		}
	}
}

void jc_relayed_space_flush(struct jc_relayed_space *space, int64_t now_ns)
{
	if (space->views.is_waiting && now_ns - space->views.since_ns >= JC_FRAMES_AWAITED_NS) {
		jc_relayed_views_flush(&space->views, now_ns);
		jc_relayed_requests_follow(space, now_ns);
	}
}

void jc_relayed_space_connected(struct jc_relayed_space *space)
{
	space->needs_state = true;
	space->views.is_changed = true;
	space->state_asked_ns = 0;
}
