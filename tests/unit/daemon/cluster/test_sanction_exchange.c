/* Tests what two hosts exchange: only later changes go back, and an invalid message changes
 * nothing. */
#include "cluster/origin/sanction_exchange.h"

#include <string.h>

#include "cluster/policy_message.h"
#include "unit_test.h"

#define NOW_S 1000

static void ban(struct jc_sanction_history *history, const char *who, int64_t since_s)
{
	struct jc_sanction sanction = { .kind = JC_SANCTION_BAN,
		.space = "lobby",
		.by = "subject mia",
		.reason = "rude",
		.since_s = since_s,
		.until_s = INT64_MAX };

	strcpy(sanction.who, who);
	assert_int_equal(jc_sanction_history_put(history, &sanction), 0);
}

static void lift(struct jc_sanction_history *history, const char *who, int64_t now_s)
{
	jc_sanction_history_lift(history, "lobby", JC_SANCTION_BAN, who, now_s);
}

static bool is_banned(const struct jc_sanction_history *history, const char *who)
{
	return jc_sanctions_find(&history->in_force, "lobby", JC_SANCTION_BAN, who) != NULL;
}

/* The answer to `succession`. */
static json_t *answer_of(const struct jc_sanction_history *history)
{
	return json_pack("{so so}", "sanctions",
		jc_policy_message_pack_sanctions(&history->in_force, "lobby"), "ended",
		jc_policy_message_pack_sanctions(&history->ended, "lobby"));
}

static void later_changes_go_back_alone(void **)
{
	struct jc_sanction_history origin = { .keeps_ended = true }, standby = origin;
	json_t *later, *answer, *back;

	ban(&origin, "subject both", 100);
	ban(&standby, "subject both", 100);
	ban(&origin, "subject lifted there", 100);
	ban(&standby, "subject lifted there", 100);
	lift(&standby, "subject lifted there", 200);
	ban(&standby, "subject banned there", 200);
	ban(&origin, "subject banned here", 300);
	answer = answer_of(&origin);
	assert_true(jc_sanction_exchange_take(&standby, "lobby", answer, NOW_S, &later));
	assert_true(is_banned(&standby, "subject banned here"));
	assert_string_equal(json_string_value(json_object_get(later, "space")), "lobby");
	assert_int_equal(json_array_size(json_object_get(later, "sanctions")), 1);
	assert_int_equal(json_array_size(json_object_get(later, "ended")), 1);

	assert_true(jc_sanction_exchange_take(&origin, "lobby", later, NOW_S, &back));
	assert_true(is_banned(&origin, "subject banned there"));
	assert_false(is_banned(&origin, "subject lifted there"));
	json_decref(back); /* the message had some only */
	assert_false(jc_sanction_exchange_take(&origin, "lobby", later, NOW_S, &back));
	json_decref(back);
	json_decref(later);
	json_decref(answer);

	answer = answer_of(&origin);
	assert_false(jc_sanction_exchange_take(&standby, "lobby", answer, NOW_S, &later));
	assert_null(later);
	json_decref(answer);
	jc_sanction_history_finish(&origin);
	jc_sanction_history_finish(&standby);
}

static void an_invalid_message_changes_nothing(void **)
{
#define GOOD                                                                                       \
	"{\"space\":\"lobby\",\"kind\":\"ban\",\"who\":\"subject eve\",\"by\":\"\",\"reason\":"    \
	"\"\",\"since\":500}"
	static const char *const wrong[] = { "{}", "{\"sanctions\":{}}",
		"{\"sanctions\":[" GOOD ",{}]}", "{\"sanctions\":[" GOOD "],\"ended\":7}",
		"{\"sanctions\":[" GOOD "],\"ended\":[{\"space\":\"lobby\"}]}",
		"{\"sanctions\":[" GOOD ",{\"space\":\"hall\",\"kind\":\"ban\",\"who\":\"subject "
		"bob\",\"by\":\"\",\"reason\":\"\",\"since\":500}]}" };
	struct jc_sanction_history history = { .keeps_ended = true };
	json_t *later;

	ban(&history, "subject ada", 100);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		json_t *message = json_loads(wrong[i], 0, NULL);

		assert_non_null(message);
		assert_false(jc_sanction_exchange_take(&history, "lobby", message, NOW_S, &later));
		assert_null(later);
		assert_int_equal(history.in_force.count + history.ended.count, 1);
		json_decref(message);
	}
	/* An earlier version has no `ended`. */
	json_t *message = json_loads("{\"sanctions\":[" GOOD "]}", 0, NULL);

	assert_true(jc_sanction_exchange_take(&history, "lobby", message, NOW_S, &later));
	assert_true(is_banned(&history, "subject eve"));
	json_decref(later);
	json_decref(message);
	jc_sanction_history_finish(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_changes_go_back_alone),
		cmocka_unit_test(an_invalid_message_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
