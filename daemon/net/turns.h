/* Whose control messages are read now, and whose wait: a session reads while its own
 * budget, that of its address and that of all sessions together are positive. Else its
 * bytes stay unread, and it gets its turn when there is time again: sessions of addresses
 * that took little lately come first. So a flood delays those who make it. */
#ifndef JC_TURNS_H
#define JC_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "net/budget.h"

struct jc_server;
struct jc_session;

#define JC_TURN_CLASSES 16

struct jc_turns {
	struct jc_budget all;
	/* Sessions that wait, by what their addresses took lately: a list for each doubling. */
	struct jc_session *first[JC_TURN_CLASSES], *last[JC_TURN_CLASSES];
	uint64_t waited; /* sessions that had to wait, since the start */
	bool is_timed;   /* the timer runs */
	uv_timer_t timer;
};

/* Those of a server. Its timer is closed with the server's other handles, and leads to
 * the server as they do. */
void jc_turns_init(struct jc_server *server);

/* A session begins: its budget is full. */
void jc_turns_begin(struct jc_session *session, int64_t now_ns);

/* Whether the session may read a control message now. */
bool jc_turns_allow(struct jc_session *session, int64_t now_ns);

/* Processor time that the control messages of a session took. */
void jc_turns_charge(struct jc_session *session, int64_t spent_ns);

/* The session waits for its turn: jc_session_resume is called then. */
void jc_turns_wait(struct jc_session *session);

/* It does not wait any more. Nothing happens where it does not. */
void jc_turns_forget(struct jc_session *session);

/* Every session that may read now gets its turn. The timer calls this. */
void jc_turns_take(struct jc_turns *turns, int64_t now_ns);

#endif
