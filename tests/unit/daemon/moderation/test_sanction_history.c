/* Tests that the later change of two hosts counts, that what has ended stays known for a while, and
 * that hosts which exchange their changes in any order agree. */
#include "moderation/sanction_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jointcast/error.h"
#include "unit_test.h"

#define DAY_S 86400

static struct jc_sanction ban(const char *space, const char *who, int64_t since_s, int64_t until_s)
{
	struct jc_sanction sanction = {
		.kind = JC_SANCTION_BAN, .by = "subject mia", .reason = "rude"
	};

	snprintf(sanction.space, sizeof(sanction.space), "%s", space);
	snprintf(sanction.who, sizeof(sanction.who), "%s", who);
	sanction.since_s = since_s;
	sanction.until_s = until_s;
	return sanction;
}

static void put(struct jc_sanction_history *history, const char *who, int64_t since_s)
{
	const struct jc_sanction sanction = ban("lobby", who, since_s, INT64_MAX);

	assert_int_equal(jc_sanction_history_put(history, &sanction), JC_OK);
}

static void lift(struct jc_sanction_history *history, const char *who, int64_t now_s)
{
	jc_sanction_history_lift(history, "lobby", JC_SANCTION_BAN, who, now_s);
}

static const struct jc_sanction *find(const struct jc_sanctions *list, const char *who)
{
	return jc_sanctions_find(list, "lobby", JC_SANCTION_BAN, who);
}

/* Takes all changes of another host. Returns how many counted. */
static unsigned take(
	struct jc_sanction_history *to, const struct jc_sanction_history *from, int64_t now_s)
{
	const struct jc_sanctions *const lists[] = { &from->in_force, &from->ended };
	unsigned count = 0;

	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < lists[k]->count; i++) {
			count += jc_sanction_history_merge(to, &lists[k]->list[i], now_s);
		}
	}
	return count;
}

static void lifted_and_expired_sanctions_stay_known_for_thirty_days(void **)
{
	struct jc_sanction_history history = { .keeps_ended = true };
	const struct jc_sanction brief = ban("lobby", "subject bob", 100, 200);

	put(&history, "subject eve", 100);
	assert_int_equal(jc_sanction_history_put(&history, &brief), JC_OK);
	lift(&history, "subject eve", 150);
	assert_null(find(&history.in_force, "subject eve"));
	assert_int_equal(find(&history.ended, "subject eve")->since_s, 150);
	assert_int_equal(find(&history.ended, "subject eve")->until_s, 0);
	assert_string_equal(find(&history.ended, "subject eve")->reason, "");
	assert_false(jc_sanction_history_expire(&history, 199));
	assert_true(jc_sanction_history_expire(&history, 200));
	assert_int_equal(history.in_force.count, 0);
	assert_string_equal(find(&history.ended, "subject bob")->by, "");
	assert_false(jc_sanction_history_expire(&history, 150 + 30 * DAY_S));
	assert_int_equal(history.ended.count, 2);
	jc_sanction_history_expire(&history, 151 + 30 * DAY_S);
	assert_null(find(&history.ended, "subject eve"));
	jc_sanction_history_expire(&history, 201 + 30 * DAY_S);
	assert_int_equal(history.ended.count, 0);
	jc_sanction_history_finish(&history);
}

static void a_host_alone_keeps_nothing_of_what_has_ended(void **)
{
	struct jc_sanction_history history = { 0 };
	const struct jc_sanction brief = ban("lobby", "subject bob", 100, 200);

	put(&history, "subject eve", 100);
	assert_int_equal(jc_sanction_history_put(&history, &brief), JC_OK);
	lift(&history, "subject eve", 150);
	assert_true(jc_sanction_history_expire(&history, 200));
	assert_int_equal(history.in_force.count + history.ended.count, 0);
	jc_sanction_history_finish(&history);
}

static void the_later_change_of_two_hosts_counts(void **)
{
	struct jc_sanction_history origin = { .keeps_ended = true }, standby = origin;

	put(&origin, "subject lifted at the standby", 100);
	put(&origin, "subject banned again", 100);
	assert_int_equal(take(&standby, &origin, 110), 2);
	lift(&standby, "subject lifted at the standby", 120);
	lift(&standby, "subject banned again", 120);
	put(&standby, "subject banned at the standby", 120);
	put(&origin, "subject banned again", 130);
	assert_int_equal(take(&origin, &standby, 140), 2);
	assert_int_equal(take(&standby, &origin, 140), 1);
	for (int i = 0; i < 2; i++) {
		const struct jc_sanctions *list = i ? &standby.in_force : &origin.in_force;

		assert_int_equal(list->count, 2);
		assert_non_null(find(list, "subject banned at the standby"));
		assert_int_equal(find(list, "subject banned again")->since_s, 130);
	}
	jc_sanction_history_finish(&origin);
	jc_sanction_history_finish(&standby);
}

static void of_changes_at_the_same_second_the_stricter_counts(void **)
{
	struct jc_sanction_history origin = { .keeps_ended = true }, standby = origin;
	const struct jc_sanction longer = ban("lobby", "subject bob", 100, 900);
	const struct jc_sanction shorter = ban("lobby", "subject bob", 100, 800);

	lift(&origin, "subject eve", 100);
	put(&standby, "subject eve", 100);
	assert_int_equal(jc_sanction_history_put(&origin, &longer), JC_OK);
	assert_int_equal(jc_sanction_history_put(&standby, &shorter), JC_OK);
	assert_int_equal(take(&origin, &standby, 110), 1);
	assert_int_equal(take(&standby, &origin, 110), 1);
	assert_non_null(find(&origin.in_force, "subject eve"));
	assert_non_null(find(&standby.in_force, "subject eve"));
	assert_int_equal(find(&origin.in_force, "subject bob")->until_s, 900);
	assert_int_equal(find(&standby.in_force, "subject bob")->until_s, 900);
	jc_sanction_history_finish(&origin);
	jc_sanction_history_finish(&standby);
}

/* A moderator who lifts a ban has seen it, whatever the clocks of the hosts show. */
static void a_change_is_later_than_the_one_that_it_replaces(void **)
{
	struct jc_sanction_history origin = { .keeps_ended = true }, standby = origin;

	put(&standby, "subject eve", 5000); /* its clock is ahead */
	put(&standby, "subject bob", 100);
	take(&origin, &standby, 110);
	lift(&origin, "subject eve", 110);
	lift(&origin, "subject bob", 100); /* within the same second */
	assert_int_equal(take(&standby, &origin, 5010), 2);
	assert_int_equal(standby.in_force.count, 0);
	put(&standby, "subject eve", 5001);
	take(&origin, &standby, 120);
	assert_non_null(find(&origin.in_force, "subject eve"));
	jc_sanction_history_finish(&origin);
	jc_sanction_history_finish(&standby);
}

/* Else the permanent ban of the origin would come back when the shorter one at the standby ends. */
static void an_expired_sanction_is_later_than_the_one_that_it_replaced(void **)
{
	struct jc_sanction_history origin = { .keeps_ended = true }, standby = origin;
	const struct jc_sanction shorter = ban("lobby", "subject eve", 150, 160);

	put(&origin, "subject eve", 100);
	take(&standby, &origin, 110);
	assert_int_equal(jc_sanction_history_put(&standby, &shorter), JC_OK);
	assert_true(jc_sanction_history_expire(&standby, 170));
	assert_int_equal(take(&origin, &standby, 180), 1);
	assert_int_equal(origin.in_force.count, 0);
	assert_int_equal(take(&standby, &origin, 180), 0);
	jc_sanction_history_finish(&origin);
	jc_sanction_history_finish(&standby);
}

static void ended_ones_make_way_in_a_full_space(void **)
{
	struct jc_sanction_history history = { .keeps_ended = true }, other = { 0 };
	char who[32];

	for (int i = 0; i < (int)JC_MAX_SANCTIONS_OF_SPACE; i++) {
		snprintf(who, sizeof(who), "subject %d", i);
		put(&history, who, 100);
		if (i % 2) {
			lift(&history, who, 1000 - i);
		}
	}
	assert_int_equal(history.ended.count, JC_MAX_SANCTIONS_OF_SPACE / 2);
	put(&history, "subject more", 2000);
	assert_int_equal(history.in_force.count + history.ended.count, JC_MAX_SANCTIONS_OF_SPACE);
	assert_null(find(&history.ended, "subject 511")); /* the one that ended first */
	assert_non_null(find(&history.ended, "subject 509"));
	/* What another host knows pushes out no other one. */
	lift(&history, "subject more", 3000);
	const struct jc_sanction unknown = ban("lobby", "subject unknown", 3000, 0);

	assert_false(jc_sanction_history_merge(&history, &unknown, 3000));
	for (int i = 0; i < (int)JC_MAX_SANCTIONS_OF_SPACE; i++) {
		snprintf(who, sizeof(who), "subject new %d", i);
		const struct jc_sanction more = ban("lobby", who, 4000, INT64_MAX);
		bool fits = i < (int)JC_MAX_SANCTIONS_OF_SPACE / 2;

		assert_int_equal(jc_sanction_history_merge(&history, &more, 4000), fits);
	}
	assert_int_equal(history.ended.count, 0);
	jc_sanction_history_finish(&history);
	jc_sanction_history_finish(&other);
}

#define PEOPLE 6
#define HOSTS  3

/* What must hold for a person: the change with the highest time, and of these the longest. */
struct truth {
	int64_t since_s, until_s;
};

static void change(struct jc_sanction_history *host, struct truth truths[PEOPLE], int64_t now_s)
{
	int person = rand() % PEOPLE;
	char who[16];

	snprintf(who, sizeof(who), "subject %d", person);
	if (rand() % 2) {
		const struct jc_sanction sanction =
			ban("lobby", who, now_s, rand() % 3 ? INT64_MAX : now_s + 1 + rand() % 20);

		assert_int_equal(jc_sanction_history_put(host, &sanction), JC_OK);
	} else {
		lift(host, who, now_s);
	}
	const struct jc_sanction *own = find(&host->in_force, who);
	struct truth *truth = &truths[person];

	own = own ? own : find(&host->ended, who);
	if (own->since_s > truth->since_s ||
		(own->since_s == truth->since_s && own->until_s > truth->until_s)) {
		*truth = (struct truth){ own->since_s, own->until_s };
	}
}

static void hosts_agree_after_any_changes_and_exchanges(void **)
{
	srand(20261128);
	for (int round = 0; round < 300; round++) {
		struct jc_sanction_history hosts[HOSTS] = { { .keeps_ended = true },
			{ .keeps_ended = true }, { .keeps_ended = true } };
		struct truth truths[PEOPLE] = { { 0 } };
		int64_t now_s = 1000;

		for (int step = 0; step < 60; step++) {
			struct jc_sanction_history *host = &hosts[rand() % HOSTS];

			now_s += rand() % 3;
			jc_sanction_history_expire(host, now_s);
			if (rand() % 3) {
				change(host, truths, now_s + rand() % 5 - 2); /* clocks differ */
			} else {
				take(host, &hosts[rand() % HOSTS], now_s);
			}
		}
		for (int i = 0; i < 2 * HOSTS; i++) {
			take(&hosts[(i + 1) % HOSTS], &hosts[i % HOSTS], now_s);
		}
		for (int i = 0; i < HOSTS; i++) {
			jc_sanction_history_expire(&hosts[i], now_s);
			for (int person = 0; person < PEOPLE; person++) {
				char who[16];

				snprintf(who, sizeof(who), "subject %d", person);
				const struct jc_sanction *found = find(&hosts[i].in_force, who);
				int64_t until_s = found ? found->until_s : 0;
				bool holds = truths[person].until_s > now_s;

				assert_int_equal(until_s, holds ? truths[person].until_s : 0);
			}
			jc_sanction_history_finish(&hosts[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lifted_and_expired_sanctions_stay_known_for_thirty_days),
		cmocka_unit_test(a_host_alone_keeps_nothing_of_what_has_ended),
		cmocka_unit_test(the_later_change_of_two_hosts_counts),
		cmocka_unit_test(of_changes_at_the_same_second_the_stricter_counts),
		cmocka_unit_test(a_change_is_later_than_the_one_that_it_replaces),
		cmocka_unit_test(an_expired_sanction_is_later_than_the_one_that_it_replaced),
		cmocka_unit_test(ended_ones_make_way_in_a_full_space),
		cmocka_unit_test(hosts_agree_after_any_changes_and_exchanges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
