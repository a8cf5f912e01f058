/* Decides which sessions read control messages now and which wait: a session reads while
 * its own budget, that of its address and that of all sessions together are positive. Else
 * its bytes stay unread, and it waits for its turn. Addresses take turns, each for a small
 * slice of time (deficit round robin); addresses that used little time recently come first.
 * So a flood delays its own senders, from however many addresses it comes. */
#ifndef JC_TURNS_H
#define JC_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "net/budget.h"

struct jc_config;
struct jc_turns;

/* The part of a session that takes turns. */
struct jc_turn_taker {
	struct jc_turns *turns;           /* borrowed */
	struct jc_address_turns *address; /* borrowed; of its client address */
	struct jc_budget budget;          /* processor time of its control messages */
	bool is_waiting, has_turn;
	struct jc_turn_taker *next, *previous; /* of the waiting ones of its address */
};

/* The turns of one address. All zeros: none of its sessions waits. */
struct jc_address_turns {
	struct jc_budget budget;            /* processor time of its control messages */
	struct jc_turn_taker *first, *last; /* sessions that wait */
	struct jc_address_turns *next;      /* of the list it is in */
	bool is_listed;
	int64_t share_ns; /* processor time until the next address has its turn */
};

struct jc_turn_list {
	struct jc_address_turns *first, *last;
};

struct jc_turns {
	const struct jc_config *config; /* borrowed: the shares of processor time */
	void (*resume)(struct jc_turn_taker *taker, int64_t now_ns);
	struct jc_budget all;
	struct jc_turn_list light, heavy; /* addresses with sessions that wait */
	size_t listed;                    /* in both */
	uint64_t waited;                  /* how often sessions had to wait, since the start */
	bool is_timed;                    /* the timer runs */
	uv_timer_t timer;
};

/* resume is called when a session has its turn and reads its waiting messages. */
void jc_turns_init(struct jc_turns *turns, uv_loop_t *loop, const struct jc_config *config,
	void (*resume)(struct jc_turn_taker *taker, int64_t now_ns));

/* on_closed gets the timer's handle, whose data is the given pointer. */
void jc_turns_close(struct jc_turns *turns, void *data, uv_close_cb on_closed);

/* A session begins: its budget is full. */
void jc_turns_begin(struct jc_turns *turns, struct jc_turn_taker *taker,
	struct jc_address_turns *address, int64_t now_ns);

/* Whether the session may read a control message now. */
bool jc_turns_allow(struct jc_turn_taker *taker, int64_t now_ns);

/* Charges processor time that the control messages of a session took. */
void jc_turns_charge(struct jc_turn_taker *taker, int64_t spent_ns);

/* The session waits until resume is called for it. */
void jc_turns_wait(struct jc_turn_taker *taker);

/* It does not wait any more. Nothing happens where it does not. */
void jc_turns_forget(struct jc_turn_taker *taker);

/* An address has no session left: it takes no turns any more. */
void jc_turns_leave(struct jc_turns *turns, struct jc_address_turns *address);

/* Gives turns to sessions that may read, as long as there is time. The timer calls this. */
void jc_turns_take(struct jc_turns *turns, int64_t now_ns);

#endif
