/* The timer runs only while a session waits. */
#include "net/turns.h"

#include "base/clock.h"
#include "net/auth_policy.h"
#include "net/server_private.h"

#define TURN_MS 10

/* Processor time at once after silence: of a session, of an address, of all. */
#define SESSION_NS INT64_C(10000000)
#define ADDRESS_NS INT64_C(25000000)
#define ALL_NS     INT64_C(4000000)

#define LEAST_RECENT_NS INT64_C(100000)

/* That an address has in one turn. */
#define SHARE_NS INT64_C(250000)

static const struct jc_config *config_of(const struct jc_session *session)
{
	return session->server->options.auth_policy->config;
}

static struct jc_address_turns *address_of(const struct jc_session *session)
{
	return &session->connection->client_address->turns;
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

/* Whether the budgets are positive, filled up to now. */
static bool can_pay(struct jc_session *session, int64_t now_ns)
{
	const struct jc_config *config = config_of(session);
	struct jc_client_address *client_address = session->connection->client_address;

	return jc_budget_fill(&session->budget, config->control_percent_per_client, SESSION_NS,
		       now_ns) > 0 &&
	       jc_budget_fill(&client_address->budget, config->control_percent_per_address,
		       ADDRESS_NS, now_ns) > 0 &&
	       jc_budget_fill(
		       &session->server->turns.all, config->control_percent, ALL_NS, now_ns) > 0;
}

/* Its address was active of late, and took clearly less than its part of all time. An
 * address that was silent is not light: where many begin at once, those that were there
 * come first. */
static bool is_light(const struct jc_session *session)
{
	int64_t recent_ns = session->connection->client_address->budget.recent_ns;
	int64_t second_ns = (int64_t)config_of(session)->control_percent * 10000000;
	int64_t part_ns = second_ns / (int64_t)(session->server->turns.listed + 1);

	return recent_ns > LEAST_RECENT_NS && recent_ns < part_ns / 4 * 3;
}

bool jc_turns_allow(struct jc_session *session, int64_t now_ns)
{
	const struct jc_address_turns *address = address_of(session);

	if (!can_pay(session, now_ns)) {
		return false;
	}
	if (session->has_turn) {
		return address->share_ns > 0;
	}
	return session->server->turns.listed == 0 || (!address->is_listed && is_light(session));
}

void jc_turns_charge(struct jc_session *session, int64_t spent_ns)
{
	/* Half as much again goes to the kernel and libwebsockets, where it is not measured. */
	spent_ns += spent_ns / 2;
	jc_budget_charge(&session->budget, spent_ns);
	jc_budget_charge(&session->connection->client_address->budget, spent_ns);
	jc_budget_charge(&session->server->turns.all, spent_ns);
	address_of(session)->share_ns -= spent_ns;
}

static void append(struct jc_turn_list *list, struct jc_address_turns *address)
{
	address->next = NULL;
	*(list->last ? &list->last->next : &list->first) = address;
	list->last = address;
}

static struct jc_address_turns *shift(struct jc_turn_list *list)
{
	struct jc_address_turns *address = list->first;

	list->first = address->next;
	if (!list->first) {
		list->last = NULL;
	}
	return address;
}

void jc_turns_wait(struct jc_session *session)
{
	struct jc_turns *turns = &session->server->turns;
	struct jc_address_turns *address = address_of(session);

	if (session->is_waiting) {
		return;
	}
	session->is_waiting = true;
	session->next_waiting = NULL;
	session->previous_waiting = address->last;
	*(address->last ? &address->last->next_waiting : &address->first) = session;
	address->last = session;
	turns->waited++;
	if (!address->is_listed) {
		append(is_light(session) ? &turns->light : &turns->heavy, address);
		address->is_listed = true;
		address->share_ns = SHARE_NS;
		turns->listed++;
	}
	if (!turns->is_timed) {
		turns->is_timed = uv_timer_start(&turns->timer, on_time, TURN_MS, TURN_MS) == 0;
	}
}

void jc_turns_forget(struct jc_session *session)
{
	struct jc_address_turns *address = address_of(session);

	if (!session->is_waiting) {
		return;
	}
	session->is_waiting = false;
	*(session->previous_waiting ? &session->previous_waiting->next_waiting : &address->first) =
		session->next_waiting;
	*(session->next_waiting ? &session->next_waiting->previous_waiting : &address->last) =
		session->previous_waiting;
}

static bool take_out(struct jc_turn_list *list, const struct jc_address_turns *address)
{
	struct jc_address_turns *before = NULL;

	for (struct jc_address_turns *at = list->first; at; before = at, at = at->next) {
		if (at == address) {
			*(before ? &before->next : &list->first) = at->next;
			list->last = list->last == at ? before : list->last;
			return true;
		}
	}
	return false;
}

void jc_turns_leave(struct jc_server *server, struct jc_address_turns *address)
{
	struct jc_turns *turns = &server->turns;

	if (address->is_listed &&
		(take_out(&turns->light, address) || take_out(&turns->heavy, address))) {
		address->is_listed = false;
		turns->listed--;
	}
}

/* The first session of the address that can pay; NULL: none can now. */
static struct jc_session *find_payer(const struct jc_address_turns *address, int64_t now_ns)
{
	for (struct jc_session *session = address->first; session;
		session = session->next_waiting) {
		if (can_pay(session, now_ns)) {
			return session;
		}
	}
	return NULL;
}

/* One turn of an address that is out of the lists meanwhile. Whether it did anything. */
static bool take_turn(struct jc_turns *turns, struct jc_address_turns *address, int64_t now_ns)
{
	bool has_worked = false;

	address->share_ns += SHARE_NS;
	if (address->share_ns > SHARE_NS) {
		address->share_ns = SHARE_NS;
	}
	while (address->share_ns > 0) {
		struct jc_session *session = find_payer(address, now_ns);

		if (!session) {
			break;
		}
		has_worked = true;
		jc_turns_forget(session);
		session->has_turn = true;
		jc_session_resume(session, now_ns);
		session->has_turn = false;
	}
	if (address->first) {
		append(&turns->heavy, address);
	} else {
		address->is_listed = false;
		turns->listed--;
	}
	return has_worked || address->share_ns <= 0;
}

/* Whether there is time for anybody: else no address would be better off for its turn. */
static bool has_time(struct jc_turns *turns, int64_t now_ns)
{
	const struct jc_server *server = turns->timer.data;

	return jc_budget_fill(&turns->all, server->options.auth_policy->config->control_percent,
		       ALL_NS, now_ns) > 0;
}

void jc_turns_take(struct jc_turns *turns, int64_t now_ns)
{
	size_t idle = 0;

	/* Until there is no time left, or no address that waits can pay. */
	while (turns->listed > 0 && idle <= turns->listed && has_time(turns, now_ns)) {
		struct jc_turn_list *list = turns->light.first ? &turns->light : &turns->heavy;
		bool has_worked = take_turn(turns, shift(list), now_ns);

		idle = has_worked ? 0 : idle + 1;
	}
	if (turns->is_timed && turns->listed == 0) {
		uv_timer_stop(&turns->timer);
		turns->is_timed = false;
	}
}
