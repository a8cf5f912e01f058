/* The space writes the texts of its roster; here they go to its subscribers. */
#include "control/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_text.h"
#include "control/admission.h"
#include "control/control.h"
#include "control/control_private.h"
#include "control/replay_actions.h"
#include "net/server_private.h"

void jc_control_send_skeleton(struct jc_session *session, struct jc_skeleton_asset *asset)
{
	if (jc_skeleton_asset_set_add(&session->assets, asset)) {
		jc_session_send_shared(session, asset->message);
	}
}

void jc_control_roster_changed(struct jc_session *session, struct jc_view *view,
	const struct jc_announcement *announcement)
{
	/* Once something waits, the complete roster comes later, and skeletons before it. */
	for (size_t i = 0; i < announcement->joined_count && !session->queue.first; i++) {
		jc_control_send_skeleton(session, announcement->joined[i]->asset);
	}
	if (session->queue.first) {
		view->needs_roster = true;
	} else {
		jc_session_send_shared(session, announcement->change);
	}
}

void jc_control_send_roster(struct jc_session *session, struct jc_view *view)
{
	const struct jc_space *space = view->fanout->space;

	for (size_t i = 0; i < jc_space_body_count(space) && !session->queue.first; i++) {
		jc_control_send_skeleton(session, jc_space_body(space, i)->asset);
	}
	jc_session_send_roster(session, view);
}

/* The session's view of a space; NULL where there is none. */
static struct jc_view *view_of(struct jc_session *session, const struct jc_fanout *fanout)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (session->views[i] && session->views[i]->fanout == fanout) {
			return session->views[i];
		}
	}
	return NULL;
}

/* Most watch one space: a view has memory from when it is first needed. */
static struct jc_view *free_view(struct jc_session *session)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (!session->views[i]) {
			session->views[i] = calloc(1, sizeof(*session->views[i]));
		}
		if (!session->views[i] || !session->views[i]->fanout) {
			return session->views[i];
		}
	}
	return NULL;
}

struct jc_view *jc_control_joined_view(
	struct jc_session *session, const json_t *message, const char *type)
{
	struct jc_fanout *fanout = jc_control_named_space(session, message, type);
	struct jc_view *view = fanout ? view_of(session, fanout) : NULL;

	if (fanout && !view) {
		jc_control_error(session, "not-joined", "join the space first", type);
	}
	return view;
}

static bool join(struct jc_session *session, struct jc_fanout *fanout)
{
	if (view_of(session, fanout)) {
		return true;
	}
	struct jc_view *view = free_view(session);

	if (!view || fanout->view_count >= fanout->policy.subscribers) {
		jc_control_error(session, "too-many",
			view ? "the space is full" : "too many spaces at a time", "join");
		return false;
	}
	if (fanout->view_count == 0) {
		jc_space_catch_up(fanout->space);
	}
	jc_view_join(view, fanout, &session->subscriber);
	return true;
}

void jc_control_join(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_fanout *fanout =
		jc_control_entered_space(session, message, JC_ROLE_WATCH, "join");

	if (!fanout || !jc_admission_allows(session, JC_ROLE_WATCH,
			       jc_space_options(fanout->space)->name, "join")) {
		return;
	}
	if (!jc_token_bucket_spend(&session->rosters, 1, JC_MAX_ROSTERS_PER_SECOND, now_ns)) {
		jc_control_error(session, "too-many", "too many rosters a second", "join");
		return;
	}
	if (join(session, fanout)) {
		jc_session_send_roster(session, view_of(session, fanout));
		jc_control_report_replays(session, fanout);
	}
}

void jc_control_leave(struct jc_session *session, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_control_joined_view(session, message, "leave");

	(void)now_ns;
	if (view) {
		jc_view_leave(view);
	}
}
