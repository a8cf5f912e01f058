/* Tests the persons of a space on their way between hosts: parties as text, lists of ignores that
 * come in parts and expire. */
#include <stdlib.h>
#include <string.h>

#include "cluster/people/edge_ignores.h"
#include "cluster/people/party_text.h"
#include "cluster/people/people_message.h"
#include "jointcast/error.h"
#include "space/people/people.h"
#include "unit_test.h"

static const struct jc_siphash_key secret = { { 1, 2, 3 } }, other_secret = { { 1, 2, 4 } };

static void a_person_is_the_same_with_the_same_key_only(void **state)
{
	(void)state;
	const struct jc_siphash_key lobby = jc_people_key(&secret, "lobby");
	const struct jc_siphash_key hall = jc_people_key(&secret, "hall");
	const struct jc_siphash_key elsewhere = jc_people_key(&other_secret, "lobby");
	const struct jc_subscriber ada = { .party = 6, .subject = "ada" }, nobody = { .party = 6 };
	struct jc_siphash_key again = jc_people_key(&secret, "lobby");
	uint64_t party = jc_people_party(&lobby, &ada);

	assert_memory_equal(&lobby, &again, sizeof(again));
	assert_int_equal(jc_people_party(&again, &ada), party);
	assert_int_not_equal(jc_people_party(&hall, &ada), party);
	assert_int_not_equal(jc_people_party(&elsewhere, &ada), party);
	assert_true(jc_party_has_token(party));
	assert_int_equal(jc_people_party(&hall, &nobody), 6);
	assert_false(jc_party_has_token(jc_party_of_connection(&secret, 1)));
	assert_int_not_equal(
		jc_party_of_connection(&secret, 1), jc_party_of_connection(&secret, 2));
}

static void a_party_has_one_text(void **state)
{
	(void)state;
	char text[JC_PARTY_TEXT];
	uint64_t party = 0;

	jc_party_write(UINT64_C(0x80f0000000000abc), text);
	assert_string_equal(text, "80f0000000000abc");
	assert_true(jc_party_read(text, &party));
	assert_int_equal(party, UINT64_C(0x80f0000000000abc));
	assert_false(jc_party_read("80F0000000000abc", &party));
	assert_false(jc_party_read("80f0000000000ab", &party));
	assert_false(jc_party_read("", &party));
}

static void lists_of_edges_come_in_parts_and_expire(void **state)
{
	(void)state;
	const struct jc_party_pair pairs[] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
	struct jc_edge_ignores *ignores = calloc(1, sizeof(*ignores));
	size_t count;

	assert_non_null(ignores);
	assert_int_equal(jc_edge_ignores_take(ignores, "east", 0, pairs, 2, 100), JC_OK);
	assert_int_equal(jc_edge_ignores_take(ignores, "east", 1, pairs, 1, 100), JC_ERROR_INVALID);
	assert_int_equal(jc_edge_ignores_take(ignores, "west", 1, pairs, 1, 100), JC_ERROR_INVALID);
	assert_int_equal(jc_edge_ignores_take(ignores, "east", 2, &pairs[2], 1, 100), JC_OK);
	assert_int_equal(jc_edge_ignores_take(ignores, "west", 0, pairs, 1, 200), JC_OK);

	struct jc_party_pair *all = jc_edge_ignores_all(ignores, &count);

	assert_int_equal(count, 4);
	assert_memory_equal(all, pairs, sizeof(pairs));
	assert_memory_equal(&all[3], pairs, sizeof(pairs[0]));
	free(all);
	assert_false(jc_edge_ignores_expire(ignores, 99));
	assert_true(jc_edge_ignores_expire(ignores, 100));
	/* A new list replaces the earlier one; an empty one ends it. */
	assert_int_equal(jc_edge_ignores_take(ignores, "west", 0, NULL, 0, 200), JC_OK);
	assert_null(jc_edge_ignores_all(ignores, &count));
	assert_int_equal(count, 0);
	jc_edge_ignores_finish(ignores);
	free(ignores);
}

static void ignores_are_read_strictly(void **state)
{
	(void)state;
	static const char *const wrong[] = { "{}", "[1]", "[\"0000000000000001\"]",
		"[\"00000000000000020000000000000001\"]", "[\"00000000000000010000000000000001\"]",
		"[\"0000000000000001000000000000000x\"]" };
	const struct jc_party_pair pair = { 1, UINT64_C(0x8000000000000002) };
	struct jc_party_pair *pairs;
	size_t count;
	json_t *list = jc_ignores_message_pack(&pair, 1);

	assert_string_equal(
		json_string_value(json_array_get(list, 0)), "00000000000000018000000000000002");
	assert_null(jc_ignores_message_read(list, &pairs, &count));
	assert_int_equal(count, 1);
	assert_memory_equal(pairs, &pair, sizeof(pair));
	free(pairs);
	json_decref(list);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		list = json_loads(wrong[i], 0, NULL);
		assert_non_null(jc_ignores_message_read(list, &pairs, &count));
		json_decref(list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_person_is_the_same_with_the_same_key_only),
		cmocka_unit_test(a_party_has_one_text),
		cmocka_unit_test(lists_of_edges_come_in_parts_and_expire),
		cmocka_unit_test(ignores_are_read_strictly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
