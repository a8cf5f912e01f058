/* Implements deficit round robin over addresses; the timer runs only while a session waits. */
#include "net/turns.h"

#include "base/clock.h"
#include "config/config.h"

#define TURN_MS 10

/* Processor time at once after silence: of a session, of an address, of all. */
#define SESSION_NS INT64_C(10000000)
#define ADDRESS_NS INT64_C(25000000)
#define ALL_NS     INT64_C(4000000)

#define LEAST_RECENT_NS INT64_C(100000)

/* Processor time of an address in one turn. */
#define SHARE_NS INT64_C(250000)

static void on_time(uv_timer_t *timer)
{
	jc_turns_take(timer->data, jc_clock_now_ns());
}

void jc_turns_init(struct jc_turns *turns, uv_loop_t *loop, const struct jc_config *config,
	void (*resume)(struct jc_turn_taker *taker, int64_t now_ns))
{
	*turns = (struct jc_turns){ .config = config, .resume = resume };
	uv_timer_init(loop, &turns->timer);
	turns->timer.data = turns;
}

void jc_turns_close(struct jc_turns *turns, void *data, uv_close_cb on_closed)
{
	turns->timer.data = data;
	uv_close((uv_handle_t *)&turns->timer, on_closed);
}

void jc_turns_begin(struct jc_turns *turns, struct jc_turn_taker *taker,
	struct jc_address_turns *address, int64_t now_ns)
{
	*taker = (struct jc_turn_taker){ .turns = turns, .address = address };
	jc_budget_init(&taker->budget, SESSION_NS, now_ns);
}

/* Whether the budgets are positive, filled up to now. */
static bool can_pay(struct jc_turn_taker *taker, int64_t now_ns)
{
	const struct jc_config *config = taker->turns->config;

	return jc_budget_fill(&taker->budget, config->control_percent_per_client, SESSION_NS,
		       now_ns) > 0 &&
	       jc_budget_fill(&taker->address->budget, config->control_percent_per_address,
		       ADDRESS_NS, now_ns) > 0 &&
	       jc_budget_fill(&taker->turns->all, config->control_percent, ALL_NS, now_ns) > 0;
}

/* Whether the address was active recently and used clearly less than its share. An address
 * without activity does not count: if many connect at once, active ones come first. */
static bool is_light(const struct jc_turn_taker *taker)
{
	int64_t recent_ns = taker->address->budget.recent_ns;
	int64_t second_ns = (int64_t)taker->turns->config->control_percent * 10000000;
	int64_t part_ns = second_ns / (int64_t)(taker->turns->listed + 1);

	return recent_ns > LEAST_RECENT_NS && recent_ns < part_ns / 4 * 3;
}

bool jc_turns_allow(struct jc_turn_taker *taker, int64_t now_ns)
{
	if (!can_pay(taker, now_ns)) {
		return false;
	}
	if (taker->has_turn) {
		return taker->address->share_ns > 0;
	}
	return taker->turns->listed == 0 || (!taker->address->is_listed && is_light(taker));
}

void jc_turns_charge(struct jc_turn_taker *taker, int64_t spent_ns)
{
	/* Adds half of it again for time in the kernel and in libwebsockets, which is not
	 * measured. */
	spent_ns += spent_ns / 2;
	jc_budget_charge(&taker->budget, spent_ns);
	jc_budget_charge(&taker->address->budget, spent_ns);
	jc_budget_charge(&taker->turns->all, spent_ns);
	taker->address->share_ns -= spent_ns;
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

void jc_turns_wait(struct jc_turn_taker *taker)
{
	struct jc_turns *turns = taker->turns;
	struct jc_address_turns *address = taker->address;

	if (taker->is_waiting) {
		return;
	}
	taker->is_waiting = true;
	taker->next = NULL;
	taker->previous = address->last;
	*(address->last ? &address->last->next : &address->first) = taker;
	address->last = taker;
	turns->waited++;
	if (!address->is_listed) {
		append(is_light(taker) ? &turns->light : &turns->heavy, address);
		address->is_listed = true;
		address->share_ns = SHARE_NS;
		turns->listed++;
	}
	if (!turns->is_timed) {
		turns->is_timed = uv_timer_start(&turns->timer, on_time, TURN_MS, TURN_MS) == 0;
	}
}

void jc_turns_forget(struct jc_turn_taker *taker)
{
	struct jc_address_turns *address = taker->address;

	if (!taker->is_waiting) {
		return;
	}
	taker->is_waiting = false;
	*(taker->previous ? &taker->previous->next : &address->first) = taker->next;
	*(taker->next ? &taker->next->previous : &address->last) = taker->previous;
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

void jc_turns_leave(struct jc_turns *turns, struct jc_address_turns *address)
{
	if (address->is_listed &&
		(take_out(&turns->light, address) || take_out(&turns->heavy, address))) {
		address->is_listed = false;
		turns->listed--;
	}
}

/* The first session of the address with a positive budget; NULL: none. */
static struct jc_turn_taker *find_payer(const struct jc_address_turns *address, int64_t now_ns)
{
	for (struct jc_turn_taker *taker = address->first; taker; taker = taker->next) {
		if (can_pay(taker, now_ns)) {
			return taker;
		}
	}
	return NULL;
}

/* Whether the budget of all sessions is positive. */
static bool has_time(struct jc_turns *turns, int64_t now_ns)
{
	return jc_budget_fill(&turns->all, turns->config->control_percent, ALL_NS, now_ns) > 0;
}

/* One turn of an address, which was removed from its list. Returns whether a session read. */
static bool take_turn(struct jc_turns *turns, struct jc_address_turns *address, int64_t now_ns)
{
	bool has_worked = false;

	address->share_ns += SHARE_NS;
	if (address->share_ns > SHARE_NS) {
		address->share_ns = SHARE_NS;
	}
	while (address->share_ns > 0) {
		struct jc_turn_taker *taker = find_payer(address, now_ns);

		if (!taker) {
			break;
		}
		has_worked = true;
		jc_turns_forget(taker);
		taker->has_turn = true;
		turns->resume(taker, now_ns);
		taker->has_turn = false;
	}
	if (address->first) {
		/* A light address keeps its list if the time of all sessions ended its turn. */
		bool stays = is_light(address->first) && !has_time(turns, now_ns);

		append(stays ? &turns->light : &turns->heavy, address);
	} else {
		address->is_listed = false;
		turns->listed--;
	}
	return has_worked || address->share_ns <= 0;
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
