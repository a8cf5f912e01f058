/* The timer runs only while a session waits. */
#include "net/turns.h"

#include "base/clock.h"
#include "net/gate.h"
#include "net/server_private.h"

#define TURN_MS 10

/* At once, after silence. */
#define SESSION_NS INT64_C(40000000)
#define ADDRESS_NS INT64_C(100000000)
#define ALL_NS     INT64_C(4000000)

static const struct jc_config *config_of(const struct jc_session *session)
{
	return session->server->options.gate->config;
}

static void on_time(uv_timer_t *timer)
{
	struct jc_server *server = timer->data;

	jc_turns_take(&server->turns, jc_clock_now_ns());
}

void jc_turns_init(struct jc_server *server)
{
	uv_timer_init(server->loop, &server->turns.timer);
	server->turns.timer.data = server;
}

void jc_turns_begin(struct jc_session *session, int64_t now_ns)
{
	jc_budget_init(&session->budget, SESSION_NS, now_ns);
}

/* The budgets, filled up to now. */
static bool fill(struct jc_session *session, int64_t now_ns)
{
	const struct jc_config *config = config_of(session);
	struct jc_visitor *visitor = session->connection->visitor;
	int64_t own = jc_budget_fill(
		&session->budget, config->control_percent_per_client, SESSION_NS, now_ns);
	int64_t address = jc_budget_fill(
		&visitor->budget, config->control_percent_per_address, ADDRESS_NS, now_ns);

	return own > 0 && address > 0;
}

/* From 0, for less than 128 us of the last second, to the class of half a second and more. */
static unsigned class_of(const struct jc_session *session)
{
	int64_t recent_us = session->connection->visitor->budget.recent_ns / 1000;
	unsigned class = 0;

	while (recent_us >= 128 && class < JC_TURN_CLASSES - 1) {
		recent_us /= 2;
		class ++;
	}
	return class;
}

/* Another session of that class or a lower one is before it. */
static bool has_predecessor(const struct jc_turns *turns, unsigned class)
{
	for (unsigned i = 0; i <= class; i++) {
		if (turns->first[i]) {
			return true;
		}
	}
	return false;
}

static bool has_time(struct jc_session *session, int64_t now_ns)
{
	return jc_budget_fill(&session->server->turns.all, config_of(session)->control_percent,
		       ALL_NS, now_ns) > 0;
}

bool jc_turns_allow(struct jc_session *session, int64_t now_ns)
{
	return fill(session, now_ns) && has_time(session, now_ns) &&
	       (session->has_turn || !has_predecessor(&session->server->turns, class_of(session)));
}

void jc_turns_charge(struct jc_session *session, int64_t spent_ns)
{
	jc_budget_charge(&session->budget, spent_ns);
	jc_budget_charge(&session->connection->visitor->budget, spent_ns);
	jc_budget_charge(&session->server->turns.all, spent_ns);
}

void jc_turns_wait(struct jc_session *session)
{
	struct jc_turns *turns = &session->server->turns;
	unsigned class = class_of(session);

	if (session->is_waiting) {
		return;
	}
	session->is_waiting = true;
	session->turn_class = (uint8_t) class;
	session->next_waiting = NULL;
	session->previous_waiting = turns->last[class];
	*(turns->last[class] ? &turns->last[class]->next_waiting : &turns->first[class]) = session;
	turns->last[class] = session;
	turns->waited++;
	if (!turns->is_timed) {
		turns->is_timed = uv_timer_start(&turns->timer, on_time, TURN_MS, TURN_MS) == 0;
	}
}

void jc_turns_forget(struct jc_session *session)
{
	struct jc_turns *turns = &session->server->turns;
	unsigned class = session->turn_class;

	if (!session->is_waiting) {
		return;
	}
	session->is_waiting = false;
	*(session->previous_waiting ? &session->previous_waiting->next_waiting
				    : &turns->first[class]) = session->next_waiting;
	*(session->next_waiting ? &session->next_waiting->previous_waiting : &turns->last[class]) =
		session->previous_waiting;
}

/* Each session of the class at most once: who has to wait on stands at the end again. */
static void take_class(struct jc_turns *turns, unsigned class, int64_t now_ns)
{
	struct jc_session *last = turns->last[class];
	struct jc_session *session = turns->first[class];

	while (session && turns->all.left_ns > 0) {
		struct jc_session *next = session == last ? NULL : session->next_waiting;

		if (fill(session, now_ns) && has_time(session, now_ns)) {
			jc_turns_forget(session);
			session->has_turn = true;
			jc_session_resume(session, now_ns);
			session->has_turn = false;
		}
		session = next;
	}
}

static bool is_empty(const struct jc_turns *turns)
{
	return !has_predecessor(turns, JC_TURN_CLASSES - 1);
}

void jc_turns_take(struct jc_turns *turns, int64_t now_ns)
{
	for (unsigned class = 0; class < JC_TURN_CLASSES; class ++) {
		/* The first look fills the budget of all. */
		if (turns->first[class] && has_time(turns->first[class], now_ns)) {
			take_class(turns, class, now_ns);
		}
	}
	if (turns->is_timed && is_empty(turns)) {
		uv_timer_stop(&turns->timer);
		turns->is_timed = false;
	}
}
