/* Tests the limit of connections per address. */
#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/address.h"
#include "jointcast/error.h"
#include "net/address_limits.h"
#include "unit_test.h"

static int enter(struct jc_address_limits *address_limits, const char *text, size_t most,
	struct jc_client_address **out_client_address)
{
	struct sockaddr_storage address;

	assert_true(jc_address_parse(text, &address));
	return jc_address_limits_enter(
		address_limits, (const struct sockaddr *)&address, 0, most, out_client_address);
}

static void an_address_that_another_host_states_is_one_of_its_own(void **)
{
	struct jc_address_limits address_limits = { .key = { { 7 } } };
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0x0a000001) };
	const struct sockaddr *any = (const struct sockaddr *)&address;
	struct jc_client_address *of[3], *other;

	for (uint64_t via = 0; via < 3; via++) {
		assert_int_equal(
			jc_address_limits_enter(&address_limits, any, via, 1, &of[via]), JC_OK);
		assert_int_equal(jc_address_limits_enter(&address_limits, any, via, 1, &other),
			JC_ERROR_LIMIT);
	}
	for (size_t i = 0; i < 3; i++) {
		jc_address_limits_leave(&address_limits, of[i]);
	}
}

static void limits_the_connections_of_an_address(void **)
{
	struct jc_address_limits address_limits = { .key = { { 7 } } };
	struct jc_client_address *of[3], *other;

	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(enter(&address_limits, "192.0.2.1:1", 3, &of[i]), JC_OK);
	}
	assert_int_equal(enter(&address_limits, "192.0.2.1:2", 3, &other), JC_ERROR_LIMIT);
	assert_int_equal(enter(&address_limits, "192.0.2.2:1", 3, &other), JC_OK);
	jc_address_limits_leave(&address_limits, of[1]);
	assert_int_equal(enter(&address_limits, "192.0.2.1:2", 3, &of[1]), JC_OK);
	for (size_t i = 0; i < 3; i++) {
		jc_address_limits_leave(&address_limits, of[i]);
	}
	jc_address_limits_leave(&address_limits, other);
}

static void kept_bytes_count_over_all_connections_of_an_address(void **)
{
	struct jc_address_limits address_limits = { .key = { { 7 } } };
	struct jc_client_address *a, *again, *b;

	assert_int_equal(enter(&address_limits, "192.0.2.1:1", 9, &a), JC_OK);
	assert_int_equal(enter(&address_limits, "192.0.2.1:2", 9, &again), JC_OK);
	assert_int_equal(enter(&address_limits, "192.0.2.2:1", 9, &b), JC_OK);
	assert_true(jc_client_address_keep(a, 60, 100));
	assert_false(jc_client_address_keep(again, 41, 100));
	assert_false(jc_client_address_keep(again, SIZE_MAX, 100));
	assert_true(jc_client_address_keep(again, 40, 100));
	assert_true(jc_client_address_keep(b, 100, 100));
	jc_client_address_let_go(a, 60);
	assert_true(jc_client_address_keep(again, 60, 100));
	jc_address_limits_leave(&address_limits, a);
	jc_address_limits_leave(&address_limits, again);
	jc_address_limits_leave(&address_limits, b);
}

static void an_ipv6_network_of_64_bits_is_one_address(void **)
{
	struct jc_address_limits address_limits = { .key = { { 7 } } };
	struct jc_client_address *first, *ipv4, *ignored, *next;

	assert_int_equal(enter(&address_limits, "[2001:db8:1:2::1]:1", 1, &first), JC_OK);
	assert_int_equal(
		enter(&address_limits, "[2001:db8:1:2:ffff::2]:1", 1, &ignored), JC_ERROR_LIMIT);
	assert_int_equal(enter(&address_limits, "[2001:db8:1:3::1]:1", 1, &next), JC_OK);
	assert_int_equal(enter(&address_limits, "192.0.2.1:1", 1, &ipv4), JC_OK);
	assert_int_equal(
		enter(&address_limits, "[::ffff:192.0.2.1]:1", 1, &ignored), JC_ERROR_LIMIT);
	/* The same bytes as the first half of an address of the other kind. */
	assert_int_equal(enter(&address_limits, "[c000:201::1]:1", 1, &ignored), JC_OK);
	jc_address_limits_leave(&address_limits, ignored);
	jc_address_limits_leave(&address_limits, first);
	jc_address_limits_leave(&address_limits, next);
	jc_address_limits_leave(&address_limits, ipv4);
}

/* More than there are lists, so that some share one; each leaves the others alone. */
static void thousands_of_addresses_enter_and_leave_in_any_order(void **)
{
	static struct jc_client_address *of[4096];
	struct jc_address_limits address_limits = { .key = { { 1 } } };
	struct sockaddr_in address = { .sin_family = AF_INET };
	struct jc_client_address *again;

	for (uint32_t i = 0; i < 4096; i++) {
		address.sin_addr.s_addr = htonl(0x0a000000 + i);
		assert_int_equal(jc_address_limits_enter(&address_limits,
					 (struct sockaddr *)&address, 0, 1, &of[i]),
			JC_OK);
	}
	for (uint32_t i = 0; i < 4096; i++) {
		uint32_t k = i * 2741 % 4096; /* odd: each once */

		address.sin_addr.s_addr = htonl(0x0a000000 + k);
		assert_int_equal(jc_address_limits_enter(&address_limits,
					 (struct sockaddr *)&address, 0, 1, &again),
			JC_ERROR_LIMIT);
		jc_address_limits_leave(&address_limits, of[k]);
	}
	for (size_t i = 0; i < JC_ADDRESS_BUCKETS; i++) {
		assert_null(address_limits.buckets[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_bytes_count_over_all_connections_of_an_address),
		cmocka_unit_test(limits_the_connections_of_an_address),
		cmocka_unit_test(an_address_that_another_host_states_is_one_of_its_own),
		cmocka_unit_test(an_ipv6_network_of_64_bits_is_one_address),
		cmocka_unit_test(thousands_of_addresses_enter_and_leave_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
