/* Tests which views edges want, and which of several origins serves a space. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/origin/interest.h"
#include "cluster/rivals.h"
#include "unit_test.h"

/* An edge that wants the views whose letters are in the text. */
static struct jc_interested_edge edge_of(const char *name, const char *letters, int64_t expires_ns)
{
	struct jc_interested_edge edge = { .expires_ns = expires_ns };

	strcpy(edge.name, name);
	for (; *letters; letters++) {
		edge.views[edge.view_count++].token[0] = *letters;
	}
	return edge;
}

static int set(struct jc_interest *interest, const char *name, const char *letters, int64_t end_ns)
{
	struct jc_interested_edge edge = edge_of(name, letters, end_ns);

	return jc_interest_set(interest, &edge);
}

static void assert_wanted(const struct jc_interest *interest, const char *letters)
{
	const struct jc_wanted_view *views[JC_MAX_EXPORTED_VIEWS];
	size_t count = jc_interest_views(interest, views);

	assert_int_equal(count, strlen(letters));
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(views[i]->token[0], letters[i]);
	}
}

static void each_wanted_view_is_listed_once_until_the_last_interest_ends(void **)
{
	struct jc_interest interest = { 0 };

	assert_wanted(&interest, "");
	assert_int_equal(set(&interest, "one", "ab", 10), JC_OK);
	assert_int_equal(set(&interest, "two", "bc", 20), JC_OK);
	assert_wanted(&interest, "abc");
	assert_int_equal(set(&interest, "one", "a", 15), JC_OK); /* the complete list */
	assert_wanted(&interest, "abc");
	assert_int_equal(set(&interest, "two", "", 20), JC_OK);
	assert_wanted(&interest, "a");
	assert_int_equal(set(&interest, "three", "", 20), JC_OK);
	assert_int_equal(interest.edge_count, 1);
	assert_false(jc_interest_expire(&interest, 14));
	assert_true(jc_interest_expire(&interest, 15));
	assert_wanted(&interest, "");
	assert_int_equal(jc_interest_watched(&interest, 100), 0);
	jc_interest_finish(&interest);
}

/* An edge whose view is left out wants one from which it encodes that view. */
static void the_ninth_edge_gets_the_view_from_which_it_encodes_its_own(void **)
{
	static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7", "8" };
	struct jc_interest interest = { 0 };
	struct jc_interested_edge ninth = edge_of("9", "i", 10);

	for (size_t i = 0; i < 8; i++) {
		const char letter[] = { (char)('a' + (int)i), '\0' };

		assert_int_equal(set(&interest, names[i], letter, 10), JC_OK);
	}
	assert_int_equal(jc_interest_set(&interest, &ninth), JC_OK);
	assert_wanted(&interest, "abcdefgh");
	ninth = edge_of("9", "*i", 10);
	ninth.views[0].spec = jc_stream_spec_source(JC_PRECISION_STANDARD);
	assert_int_equal(jc_interest_set(&interest, &ninth), JC_OK);
	assert_wanted(&interest, "*abcdefg");
	/* The eighth one shares it. */
	ninth = edge_of("8", "*h", 10);
	ninth.views[0].spec = jc_stream_spec_source(JC_PRECISION_STANDARD);
	assert_int_equal(jc_interest_set(&interest, &ninth), JC_OK);
	assert_wanted(&interest, "*abcdefg");
	jc_interest_finish(&interest);
}

static void watching_clients_are_counted_and_an_edge_as_one_at_least(void **)
{
	struct jc_interested_edge edge = edge_of("one", "a", 10);
	struct jc_interest interest = { 0 };

	edge.watched = 7;
	assert_int_equal(jc_interest_set(&interest, &edge), JC_OK);
	assert_int_equal(set(&interest, "two", "a", 10), JC_OK);
	assert_int_equal(jc_interest_watched(&interest, 100), 8);
	assert_int_equal(jc_interest_watched(&interest, 5), 6);
	assert_int_equal(jc_interest_watched(&interest, 0), 2);
	jc_interest_finish(&interest);
}

static void each_edge_has_its_share_of_the_views(void **)
{
	struct jc_interest interest = { 0 };

	assert_int_equal(set(&interest, "greedy", "12345678", 10), JC_OK);
	assert_wanted(&interest, "12345678");
	assert_int_equal(set(&interest, "one", "abc", 10), JC_OK);
	assert_wanted(&interest, "1a2b3c45");
	assert_int_equal(set(&interest, "two", "ab3", 10), JC_OK);
	assert_wanted(&interest, "1a2b3c45");
	assert_int_equal(set(&interest, "three", "d", 10), JC_OK);
	assert_wanted(&interest, "1ad2b3c4");
	/* A view that several edges want takes one place. */
	assert_int_equal(set(&interest, "greedy", "abcdefgh", 10), JC_OK);
	assert_wanted(&interest, "adbc3efg");
	jc_interest_finish(&interest);
}

static void edges_beyond_the_limit_change_nothing(void **)
{
	struct jc_interest interest = { 0 };
	char name[16];

	for (unsigned i = 0; i < JC_MAX_EDGES; i++) {
		snprintf(name, sizeof(name), "edge-%u", i);
		assert_int_equal(set(&interest, name, "i", 10), JC_OK);
	}
	assert_int_equal(set(&interest, "late", "j", 10), JC_ERROR_LIMIT);
	assert_wanted(&interest, "i");
	assert_int_equal(set(&interest, name, "ia", 10), JC_OK);
	assert_true(jc_interest_expire(&interest, 10));
	assert_int_equal(interest.edge_count, 0);
	jc_interest_finish(&interest);
}

static void the_higher_epoch_wins_and_of_equal_ones_the_first_name(void **)
{
	assert_true(jc_origin_wins(2, "b", 1, "a"));
	assert_false(jc_origin_wins(1, "a", 2, "b"));
	assert_true(jc_origin_wins(2, "a", 2, "b"));
	assert_false(jc_origin_wins(2, "b", 2, "a"));
	assert_false(jc_origin_wins(2, "a", 2, "a"));
}

static void take(struct jc_rivals *rivals, const char *origin, const char *space, uint64_t epoch,
	int64_t expires_ns)
{
	struct jc_origin_message *message = calloc(1, sizeof(*message));

	strcpy(message->origin, origin);
	snprintf(message->incarnation, sizeof(message->incarnation), "%s", origin);
	message->is_leaving = !space;
	if (space) {
		strcpy(message->claims[0].space, space);
		message->claims[0].epoch = epoch;
		message->count = 1;
	}
	jc_rivals_take(rivals, message, expires_ns);
	free(message);
}

static void a_claim_holds_until_it_expires_or_its_origin_leaves(void **)
{
	struct jc_rivals rivals = { 0 };

	take(&rivals, "other", "lobby", 5, 10);
	take(&rivals, "other", "hall", 7, 20);
	assert_null(jc_rivals_winner(&rivals, "attic", 0, "own"));
	assert_null(jc_rivals_winner(&rivals, "lobby", 6, "own"));
	assert_string_equal(jc_rivals_winner(&rivals, "lobby", 4, "own")->origin, "other");
	assert_non_null(jc_rivals_winner(&rivals, "lobby", 0, "own")); /* any claim */
	take(&rivals, "late", "lobby", 6,
		10); /* the higher one wins, in any order of announcements */
	assert_string_equal(jc_rivals_winner(&rivals, "lobby", 0, "own")->origin, "late");
	take(&rivals, "early", "lobby", 4, 10);
	assert_string_equal(jc_rivals_winner(&rivals, "lobby", 3, "own")->origin, "late");
	take(&rivals, "other", "lobby", 5, 30);
	jc_rivals_expire(&rivals, 20);
	assert_null(jc_rivals_winner(&rivals, "hall", 0, "own"));
	assert_non_null(jc_rivals_winner(&rivals, "lobby", 0, "own"));
	take(&rivals, "third", NULL, 0, 40);
	assert_non_null(jc_rivals_winner(&rivals, "lobby", 0, "own"));
	take(&rivals, "other", NULL, 0, 40);
	assert_null(jc_rivals_winner(&rivals, "lobby", 0, "own"));
	jc_rivals_finish(&rivals);
}

static void a_process_that_leaves_does_not_end_the_claims_of_its_successor(void **)
{
	struct jc_origin_message *message = calloc(1, sizeof(*message));
	struct jc_rivals rivals = { 0 };

	take(&rivals, "stage", "lobby", 5, 10);
	strcpy(message->origin, "stage");
	strcpy(message->incarnation, "2");
	strcpy(message->claims[0].space, "lobby");
	message->claims[0].epoch = 6;
	message->count = 1;
	jc_rivals_take(&rivals, message, 10);
	take(&rivals, "stage", NULL, 0, 10);
	assert_int_equal(jc_rivals_winner(&rivals, "lobby", 0, "own")->claim.epoch, 6);
	jc_rivals_finish(&rivals);
	free(message);
}

static void claims_are_bounded(void **)
{
	struct jc_rivals rivals = { 0 };
	char name[16];

	for (unsigned i = 0; i < JC_MAX_RIVALS + 5; i++) {
		snprintf(name, sizeof(name), "origin-%u", i);
		take(&rivals, name, "lobby", 1, 10);
	}
	assert_int_equal(rivals.count, JC_MAX_RIVALS);
	jc_rivals_finish(&rivals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_wanted_view_is_listed_once_until_the_last_interest_ends),
		cmocka_unit_test(the_ninth_edge_gets_the_view_from_which_it_encodes_its_own),
		cmocka_unit_test(watching_clients_are_counted_and_an_edge_as_one_at_least),
		cmocka_unit_test(each_edge_has_its_share_of_the_views),
		cmocka_unit_test(edges_beyond_the_limit_change_nothing),
		cmocka_unit_test(the_higher_epoch_wins_and_of_equal_ones_the_first_name),
		cmocka_unit_test(a_claim_holds_until_it_expires_or_its_origin_leaves),
		cmocka_unit_test(a_process_that_leaves_does_not_end_the_claims_of_its_successor),
		cmocka_unit_test(claims_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
