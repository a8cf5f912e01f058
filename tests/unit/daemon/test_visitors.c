/* How many connections an address may have. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/address.h"
#include "jointcast/error.h"
#include "net/visitors.h"

static int enter(struct jc_visitors *visitors, const char *text, size_t most,
	struct jc_visitor **out_visitor)
{
	struct sockaddr_storage address;

	assert_true(jc_address_parse(text, &address));
	return jc_visitors_enter(visitors, (const struct sockaddr *)&address, most, out_visitor);
}

static void an_address_has_no_more_than_it_may_and_room_again_when_one_leaves(void **state)
{
	struct jc_visitors visitors = { .key = { { 7 } } };
	struct jc_visitor *of[3], *other;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(enter(&visitors, "192.0.2.1:1", 3, &of[i]), JC_OK);
	}
	assert_int_equal(enter(&visitors, "192.0.2.1:2", 3, &other), JC_ERROR_LIMIT);
	assert_int_equal(enter(&visitors, "192.0.2.2:1", 3, &other), JC_OK);
	jc_visitors_leave(&visitors, of[1]);
	assert_int_equal(enter(&visitors, "192.0.2.1:2", 3, &of[1]), JC_OK);
	for (size_t i = 0; i < 3; i++) {
		jc_visitors_leave(&visitors, of[i]);
	}
	jc_visitors_leave(&visitors, other);
}

static void what_is_kept_of_an_address_is_counted_over_its_connections(void **state)
{
	struct jc_visitors visitors = { .key = { { 7 } } };
	struct jc_visitor *a, *again, *b;

	(void)state;
	assert_int_equal(enter(&visitors, "192.0.2.1:1", 9, &a), JC_OK);
	assert_int_equal(enter(&visitors, "192.0.2.1:2", 9, &again), JC_OK);
	assert_int_equal(enter(&visitors, "192.0.2.2:1", 9, &b), JC_OK);
	assert_true(jc_visitor_keep(a, 60, 100));
	assert_false(jc_visitor_keep(again, 41, 100));
	assert_false(jc_visitor_keep(again, SIZE_MAX, 100));
	assert_true(jc_visitor_keep(again, 40, 100));
	assert_true(jc_visitor_keep(b, 100, 100));
	jc_visitor_let_go(a, 60);
	assert_true(jc_visitor_keep(again, 60, 100));
	jc_visitors_leave(&visitors, a);
	jc_visitors_leave(&visitors, again);
	jc_visitors_leave(&visitors, b);
}

static void of_ipv6_a_network_of_64_bits_is_one_and_ipv4_is_itself(void **state)
{
	struct jc_visitors visitors = { .key = { { 7 } } };
	struct jc_visitor *first, *ipv4, *ignored, *next;

	(void)state;
	assert_int_equal(enter(&visitors, "[2001:db8:1:2::1]:1", 1, &first), JC_OK);
	assert_int_equal(enter(&visitors, "[2001:db8:1:2:ffff::2]:1", 1, &ignored), JC_ERROR_LIMIT);
	assert_int_equal(enter(&visitors, "[2001:db8:1:3::1]:1", 1, &next), JC_OK);
	assert_int_equal(enter(&visitors, "192.0.2.1:1", 1, &ipv4), JC_OK);
	assert_int_equal(enter(&visitors, "[::ffff:192.0.2.1]:1", 1, &ignored), JC_ERROR_LIMIT);
	/* The same bytes as the first half of an address of the other kind. */
	assert_int_equal(enter(&visitors, "[c000:201::1]:1", 1, &ignored), JC_OK);
	jc_visitors_leave(&visitors, ignored);
	jc_visitors_leave(&visitors, first);
	jc_visitors_leave(&visitors, next);
	jc_visitors_leave(&visitors, ipv4);
}

/* More than there are lists, so that some share one; each leaves the others alone. */
static void thousands_come_and_go_in_any_order(void **state)
{
	static struct jc_visitor *of[4096];
	struct jc_visitors visitors = { .key = { { 1 } } };
	struct sockaddr_in address = { .sin_family = AF_INET };
	struct jc_visitor *again;

	(void)state;
	for (uint32_t i = 0; i < 4096; i++) {
		address.sin_addr.s_addr = htonl(0x0a000000 + i);
		assert_int_equal(
			jc_visitors_enter(&visitors, (struct sockaddr *)&address, 1, &of[i]),
			JC_OK);
	}
	for (uint32_t i = 0; i < 4096; i++) {
		uint32_t k = i * 2741 % 4096; /* odd: each once */

		address.sin_addr.s_addr = htonl(0x0a000000 + k);
		assert_int_equal(
			jc_visitors_enter(&visitors, (struct sockaddr *)&address, 1, &again),
			JC_ERROR_LIMIT);
		jc_visitors_leave(&visitors, of[k]);
	}
	for (size_t i = 0; i < JC_VISITOR_BUCKETS; i++) {
		assert_null(visitors.buckets[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_of_an_address_is_counted_over_its_connections),
		cmocka_unit_test(an_address_has_no_more_than_it_may_and_room_again_when_one_leaves),
		cmocka_unit_test(of_ipv6_a_network_of_64_bits_is_one_and_ipv4_is_itself),
		cmocka_unit_test(thousands_come_and_go_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
