/* Messages `join` and `leave`, and rosters for subscribers. The space composes the texts of
 * its roster. */
#include "control/join.h"
#include "control/messages.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/shared_text.h"
#include "control/admission.h"
#include "control/client.h"
#include "control/named_space.h"
#include "control/replay/replay_report.h"
#include "control/reply.h"
#include "net/session.h"

void jc_join_send_skeleton(struct jc_client *client, struct jc_skeleton_asset *asset)
{
	if (jc_skeleton_asset_set_add(&client->assets, asset)) {
		jc_session_send_shared(client->session, asset->message);
	}
}

void jc_join_announce(
	struct jc_client *client, struct jc_view *view, const struct jc_announcement *announcement)
{
	/* While messages wait, changes are skipped: the complete roster follows later,
	 * after its skeletons. */
	for (size_t i = 0; i < announcement->joined_count && !client->session->queue.first; i++) {
		jc_join_send_skeleton(client, announcement->joined[i]->asset);
	}
	if (client->session->queue.first) {
		view->needs_roster = true;
	} else {
		jc_session_send_shared(client->session, announcement->change);
	}
}

/* The complete roster of the view's space, now or as soon as nothing else waits. */
static void send_roster_text(struct jc_client *client, struct jc_view *view, bool is_answer)
{
	struct jc_session *session = client->session;
	struct jc_shared_text *roster;

	view->needs_roster = session->queue.first != NULL;
	if (view->needs_roster || session->close_code) {
		return;
	}
	roster = jc_space_roster(view->fanout->space);
	if (roster && is_answer) {
		jc_reply_answer_shared(client, roster);
	} else if (roster) {
		jc_session_send_shared(session, roster);
	} else {
		jc_session_close(session, JC_CLOSE_INTERNAL, "out of memory");
	}
	jc_shared_text_drop(roster);
}

/* The complete roster, after the skeletons of its bodies. */
static void send_roster(struct jc_client *client, struct jc_view *view)
{
	const struct jc_space *space = view->fanout->space;

	for (size_t i = 0; i < jc_space_body_count(space) && !client->session->queue.first; i++) {
		jc_join_send_skeleton(client, jc_space_body(space, i)->asset);
	}
	send_roster_text(client, view, false);
}

void jc_join_send_due_rosters(struct jc_client *client)
{
	const struct jc_session *session = client->session;

	for (size_t i = 0; i < JC_MAX_VIEWS && !session->queue.first && !session->close_code; i++) {
		struct jc_view *view = client->views[i];

		if (view && view->fanout && view->needs_roster) {
			send_roster(client, view);
		}
	}
}

void jc_join_send_props(struct jc_client *client, struct jc_view *view)
{
	const struct jc_fanout *fanout = view->fanout;

	if (view->props_revision != fanout->props_revision && !client->session->close_code) {
		view->props_revision = fanout->props_revision;
		jc_session_send_shared(client->session, fanout->props);
	}
}

/* Most clients watch one space: a view is allocated at its first use. */
static struct jc_view *free_view(struct jc_client *client)
{
	for (size_t i = 0; i < JC_MAX_VIEWS; i++) {
		if (!client->views[i]) {
			client->views[i] = calloc(1, sizeof(*client->views[i]));
		}
		if (!client->views[i] || !client->views[i]->fanout) {
			return client->views[i];
		}
	}
	return NULL;
}

static bool join(struct jc_client *client, struct jc_fanout *fanout)
{
	if (jc_named_space_view(client, fanout)) {
		return true;
	}
	struct jc_view *view = free_view(client);

	if (!view || fanout->view_count + fanout->remote_count >= fanout->policy.subscribers) {
		jc_reply_error(client, "too-many",
			view ? "the space is full" : "too many spaces at a time", "join");
		return false;
	}
	if (fanout->view_count == 0) {
		jc_space_catch_up(fanout->space);
	}
	jc_view_join(view, fanout, &client->subscriber);
	return true;
}

void jc_control_join(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	if (client->session->carrier.is_relayed) {
		jc_reply_error(client, "unsupported", "the edge serves the motion", "join");
		return;
	}
	struct jc_fanout *fanout = jc_named_space_enter(client, message, JC_ROLE_WATCH, "join");

	if (!fanout || !jc_admission_allows(client, JC_ROLE_WATCH,
			       jc_space_options(fanout->space)->name, "join")) {
		return;
	}
	if (!jc_token_bucket_spend(&client->rosters, 1, JC_MAX_ROSTERS_PER_SECOND, now_ns)) {
		jc_reply_error(client, "too-many", "too many rosters a second", "join");
		return;
	}
	if (join(client, fanout)) {
		struct jc_view *view = jc_named_space_view(client, fanout);

		send_roster_text(client, view, true);
		jc_join_send_props(client, view);
		jc_replay_report_joined(client, fanout);
	}
}

void jc_control_leave(struct jc_client *client, const json_t *message, int64_t now_ns)
{
	struct jc_view *view = jc_named_space_joined_view(client, message, "leave");

	(void)now_ns;
	if (view) {
		jc_view_leave(view);
	}
}
