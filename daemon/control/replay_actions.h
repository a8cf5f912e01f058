/* Control message `replay`: recordings play in a space, and whoever is there is told how
 * they do by `replaying`. */
#ifndef JC_REPLAY_ACTIONS_H
#define JC_REPLAY_ACTIONS_H

#include <jansson.h>
#include <stdint.h>

#include "net/session.h"

void jc_control_replay(struct jc_session *session, const json_t *message, int64_t now_ns);

/* Answers what was asked for by that action, with more beside it: stolen, NULL for none. */
void jc_control_replaying(struct jc_session *session, const struct jc_fanout *fanout,
	const char *action, json_t *more);

/* The pool has done what a client asked for. True where the client and the space of that id
 * are still there, the client still has the role and there is no problem; else a client
 * that is still there has its answer. Nothing of before is to be borrowed by a job of the
 * pool: sessions and spaces are found again here, by serial and id. */
bool jc_control_resume_replay(struct jc_server *server, uint64_t serial, uint32_t space,
	enum jc_role role, const struct jc_diagnostic *problem, struct jc_session **out_session,
	struct jc_fanout **out_fanout);

/* To who has just joined, where there is something to tell. */
void jc_control_report_replays(struct jc_session *session, struct jc_fanout *fanout);

/* The one of that serial, unless it is gone or going; NULL. */
struct jc_session *jc_control_find_session(const struct jc_server *server, uint64_t serial);

/* From now on who is in a space is told of its replays; or no more. */
void jc_control_follow_replays(struct jc_server *server);
void jc_control_unfollow_replays(struct jc_server *server);

#endif
