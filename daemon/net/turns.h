/* Whose control messages are read now, and whose wait: a session reads while its own
 * budget, that of its address and that of all sessions together are positive. Else its
 * bytes stay unread, and it waits for its turn. Addresses take turns, a small share of
 * time each (deficit round robin); addresses that took little of late come first. So a
 * flood delays those who make it, from however many addresses it comes. */
#ifndef JC_TURNS_H
#define JC_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "net/budget.h"

struct jc_server;
struct jc_session;

/* The turns of one address. All zeros: none of its sessions waits. */
struct jc_address_turns {
	struct jc_session *first, *last; /* sessions that wait */
	struct jc_address_turns *next;   /* of the list it is in */
	bool is_listed;
	int64_t share_ns; /* processor time until the next address has its turn */
};

struct jc_turn_list {
	struct jc_address_turns *first, *last;
};

struct jc_turns {
	struct jc_budget all;
	struct jc_turn_list light, heavy; /* addresses with sessions that wait */
	size_t listed;                    /* in both */
	uint64_t waited;                  /* how often sessions had to wait, since the start */
	bool is_timed;                    /* the timer runs */
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

/* An address has no session left: it takes no turns any more. */
void jc_turns_leave(struct jc_server *server, struct jc_address_turns *address);

/* Sessions that may read get their turns, as long as there is time. The timer calls
 * this. */
void jc_turns_take(struct jc_turns *turns, int64_t now_ns);

#endif
