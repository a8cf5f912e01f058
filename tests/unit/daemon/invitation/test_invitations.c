/* Tests invitations without the network: secrets, codes, limits, the file; and that a lookup does
 * the same work whether it finds something or not. */
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "invitation/invitation_file.h"
#include "invitation/invitations.h"
#include "invitation/redemption_limits.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)
#define NOW_S  INT64_C(1700000000)

static size_t hashes, comparisons;

unsigned char *__real_SHA256(const unsigned char *bytes, size_t length, unsigned char *digest);
unsigned char *__wrap_SHA256(const unsigned char *bytes, size_t length, unsigned char *digest);
int __real_CRYPTO_memcmp(const void *one, const void *other, size_t length);
int __wrap_CRYPTO_memcmp(const void *one, const void *other, size_t length);

unsigned char *__wrap_SHA256(const unsigned char *bytes, size_t length, unsigned char *digest)
{
	hashes++;
	return __real_SHA256(bytes, length, digest);
}

int __wrap_CRYPTO_memcmp(const void *one, const void *other, size_t length)
{
	comparisons++;
	assert_int_equal(length, 32);
	return __real_CRYPTO_memcmp(one, other, length);
}

static struct {
	uv_loop_t loop;
	struct jc_log log;
	char folder[64], path[96];
	struct jc_invitations *invitations;
	struct jc_keyring keyring;
	struct jc_grant grant;
} fixture;

static int setup(void **)
{
	static const uint8_t secret[32] = "0123456789abcdef0123456789abcde";
	struct jc_diagnostic diagnostic;

	memset(&fixture, 0, sizeof(fixture));
	strcpy(fixture.folder, "/tmp/jointcast-invitations-XXXXXX");
	if (!mkdtemp(fixture.folder) || uv_loop_init(&fixture.loop) != 0) {
		return -1;
	}
	snprintf(fixture.path, sizeof(fixture.path), "%s/invitations.json", fixture.folder);
	jc_log_init(&fixture.log, -1, NULL);
	fixture.grant = jc_grant_all;
	strcpy(fixture.grant.subject, "mia");
	strcpy(fixture.grant.key_id, "shared");
	return jc_keyring_add(
		&fixture.keyring, "shared", JC_KEY_HS256, secret, sizeof(secret), &diagnostic);
}

static void open_invitations(void)
{
	const struct jc_invitations_options options = {
		.loop = &fixture.loop, .log = &fixture.log, .state = fixture.folder
	};
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_invitations_create(&options, &fixture.invitations, &diagnostic), JC_OK);
}

static void close_invitations(void)
{
	jc_invitations_stop(fixture.invitations);
	uv_run(&fixture.loop, UV_RUN_DEFAULT);
	jc_invitations_destroy(fixture.invitations);
	fixture.invitations = NULL;
}

static int teardown(void **)
{
	char command[96];

	if (fixture.invitations) {
		close_invitations();
	}
	jc_keyring_finish(&fixture.keyring);
	snprintf(command, sizeof(command), "rm -r '%s'", fixture.folder);
	return uv_loop_close(&fixture.loop) || system(command);
}

static struct jc_invitation make(
	const struct jc_invitation_request *request, struct jc_invitation_secret *out_secret)
{
	const struct jc_inviter inviter = { .grant = &fixture.grant, .now_s = NOW_S };
	struct jc_invitation made;

	assert_int_equal(
		jc_invitations_make(fixture.invitations, request, &inviter, &made, out_secret),
		JC_OK);
	return made;
}

static const struct jc_invitation_request wish = {
	.space = "lobby", .role = JC_ROLE_WATCH, .seconds = 600, .uses = 1
};

static int redeem_from(const struct jc_redemption_source *source, bool is_code, const char *text,
	int64_t now_s, int64_t now_ns)
{
	const struct jc_guest guest = {
		.source = *source, .keyring = &fixture.keyring, .now_s = now_s, .now_ns = now_ns
	};
	struct jc_redemption_request request = { .is_code = is_code };
	struct jc_invitation redeemed;

	strcpy(request.text, text);
	return jc_invitations_redeem(fixture.invitations, &request, &guest, &redeemed);
}

static int redeem(bool is_code, const char *text, int64_t now_s, int64_t now_ns)
{
	const struct jc_redemption_source source = { .address = "192.0.2.1" };

	return redeem_from(&source, is_code, text, now_s, now_ns);
}

/* FIPS 180-4, example of one block. */
static void digest_is_sha256(void **)
{
	static const uint8_t expected[] = { 0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41,
		0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a,
		0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad };
	struct jc_digest digest = jc_digest_of("abc", 3);
	struct jc_digest other = digest;

	assert_memory_equal(digest.bytes, expected, sizeof(expected));
	assert_true(jc_digest_equals(&digest, &other));
	other.bytes[31] ^= 1;
	assert_false(jc_digest_equals(&digest, &other));
}

/* 128 bits are 21 characters of 6 bits and one of 2, whose other bits are zero (RFC 4648, 4). */
static void secret_is_128_bits_in_base64url(void **)
{
	char seen[64][JC_SECRET_TEXT];
	unsigned char used[256] = { 0 };
	size_t kinds = 0;

	for (size_t i = 0; i < 64; i++) {
		assert_true(jc_secret_make(seen[i]));
		assert_int_equal(strlen(seen[i]), 22);
		assert_int_equal(
			strspn(seen[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					"0123456789-_"),
			22);
		assert_non_null(strchr("AQgw", seen[i][21]));
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(seen[i], seen[k]);
		}
		for (size_t k = 0; k < 22; k++) {
			kinds += !used[(unsigned char)seen[i][k]];
			used[(unsigned char)seen[i][k]] = 1;
		}
	}
	assert_int_equal(kinds, 64);
}

static void lookups_of_secrets_do_the_same_work(void **)
{
	struct jc_invitation_secret live, spent, revoked, late;
	struct jc_invitation_request soon = wish;

	soon.seconds = 1;
	open_invitations();
	make(&wish, &spent);
	struct jc_invitation ended = make(&wish, &revoked);
	make(&soon, &late);
	make(&wish, &live);
	assert_int_equal(redeem(false, spent.secret, NOW_S, 0), JC_OK);
	jc_invitations_revoke(fixture.invitations, ended.id);

	const struct {
		const char *secret;
		int status;
	} cases[] = { { spent.secret, JC_ERROR_ABSENT }, { revoked.secret, JC_ERROR_ABSENT },
		{ late.secret, JC_ERROR_ABSENT }, { "AAAAAAAAAAAAAAAAAAAAAA", JC_ERROR_ABSENT },
		{ "", JC_ERROR_ABSENT }, { live.secret, JC_OK } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		hashes = comparisons = 0;
		assert_int_equal(redeem(false, cases[i].secret, NOW_S + 2, 0), cases[i].status);
		assert_int_equal(hashes, 1);
		assert_int_equal(comparisons, 4);
	}
}

static void lookups_of_codes_do_the_same_work(void **)
{
	struct jc_invitation_request request = wish;
	struct jc_invitation_secret one, other;
	char wrong[JC_PAIRING_TEXT];

	request.pair = true;
	open_invitations();
	make(&request, &one);
	make(&request, &other);
	strcpy(wrong, other.code);
	wrong[12 - 1] = wrong[12 - 1] == '0' ? '1' : '0';

	const struct {
		const char *code;
		int status;
	} cases[] = { { wrong, JC_ERROR_ABSENT }, { "not a code", JC_ERROR_ABSENT },
		{ "", JC_ERROR_ABSENT }, { "UUUUUUUUUU", JC_ERROR_ABSENT }, { one.code, JC_OK },
		{ one.code, JC_ERROR_ABSENT }, { other.code, JC_OK } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		hashes = comparisons = 0;
		assert_int_equal(redeem(true, cases[i].code, NOW_S, 0), cases[i].status);
		assert_int_equal(hashes, 1);
		assert_int_equal(comparisons, JC_MAX_PAIRINGS);
	}
}

static void code_ends_after_two_minutes(void **)
{
	struct jc_pairings pairings = { 0 };
	char code[JC_PAIRING_TEXT], id[JC_INVITATION_ID];

	assert_int_equal(jc_pairings_add(&pairings, "one", "mia", 5 * SECOND, code), JC_OK);
	assert_false(jc_pairings_take(&pairings, code, 125 * SECOND, id));
	assert_int_equal(jc_pairings_add(&pairings, "two", "mia", 5 * SECOND, code), JC_OK);
	assert_true(jc_pairings_take(&pairings, code, 125 * SECOND - 1, id));
	assert_string_equal(id, "two");
}

static void slots_of_ended_codes_are_used_again(void **)
{
	struct jc_pairings pairings = { 0 };
	char code[JC_PAIRING_TEXT], by[16];

	for (unsigned i = 0; i < JC_MAX_PAIRINGS; i++) {
		snprintf(by, sizeof(by), "mia %u", i / JC_MAX_PAIRINGS_OF_ONE);
		assert_int_equal(jc_pairings_add(&pairings, "x", by, 0, code), JC_OK);
	}
	assert_int_equal(jc_pairings_add(&pairings, "x", "bob", SECOND, code), JC_ERROR_LIMIT);
	assert_int_equal(jc_pairings_add(&pairings, "x", "bob", 120 * SECOND, code), JC_OK);
}

/* 64 codes at a time, of which one creator has 16 (proto/INVITATIONS.md). */
static void codes_of_a_creator_are_limited(void **)
{
	struct jc_pairings pairings = { 0 };
	char code[JC_PAIRING_TEXT], id[JC_INVITATION_ID];

	for (int i = 0; i < 16; i++) {
		assert_int_equal(jc_pairings_add(&pairings, "x", "mia", 0, code), JC_OK);
	}
	assert_int_equal(jc_pairings_add(&pairings, "x", "mia", 0, code), JC_ERROR_LIMIT);
	for (int i = 16; i < 64; i++) {
		assert_int_equal(jc_pairings_add(&pairings, "y", i % 2 ? "bob" : "", 0, code),
			i < 48 ? JC_OK : JC_ERROR_LIMIT);
	}
	assert_true(jc_pairings_take(&pairings, code, 0, id));
	assert_string_equal(id, "y");
	jc_pairings_remove(&pairings, "x");
	assert_int_equal(jc_pairings_add(&pairings, "x", "mia", 0, code), JC_OK);
}

static void failures_of_an_address_are_limited(void **)
{
	static struct jc_redemption_limits limits;
	const struct jc_redemption_source one = { .address = "192.0.2.1" },
					  other = { .address = "2001:db8::/64" };

	assert_int_equal(jc_redemption_limits_init(&limits, 0), JC_OK);
	for (int i = 0; i < JC_MAX_REDEMPTION_FAILURES; i++) {
		assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_SECRET, &one, 0));
		jc_redemption_limits_fail(&limits, JC_REDEEM_SECRET, &one, 0);
	}
	assert_false(jc_redemption_limits_allow(&limits, JC_REDEEM_SECRET, &one, 0));
	assert_false(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &one, 14 * SECOND));
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &one, 15 * SECOND));
	/* Another bucket, except once in 1024 runs. */
	if (jc_siphash(&limits.key, one.address, strlen(one.address)) % JC_REDEMPTION_BUCKETS !=
		jc_siphash(&limits.key, other.address, strlen(other.address)) %
			JC_REDEMPTION_BUCKETS) {
		assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_SECRET, &other, 0));
	}
}

static const struct jc_redemption_source guest = { .address = "192.0.2.1" };

/* Failures of other addresses, 200 and none of the guest's bucket. */
static void fail_of_others(struct jc_redemption_limits *limits, enum jc_redemption_kind kind)
{
	size_t own = jc_siphash(&limits->key, guest.address, strlen(guest.address)) %
		     JC_REDEMPTION_BUCKETS;

	for (int i = 0, failed = 0; failed < 200; i++) {
		char address[32];

		snprintf(address, sizeof(address), "198.51.%d.%d", i / 256, i % 256);
		if (jc_siphash(&limits->key, address, strlen(address)) % JC_REDEMPTION_BUCKETS !=
			own) {
			jc_redemption_limits_fail(limits, kind,
				&(struct jc_redemption_source){ .address = address }, 0);
			failed++;
		}
	}
}

static void failures_of_all_are_limited_for_codes_alone(void **)
{
	static struct jc_redemption_limits limits;

	assert_int_equal(jc_redemption_limits_init(&limits, 0), JC_OK);
	fail_of_others(&limits, JC_REDEEM_SECRET);
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_SECRET, &guest, 0));
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &guest, 0));
	fail_of_others(&limits, JC_REDEEM_CODE);
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_SECRET, &guest, 0));
	assert_false(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &guest, 0));
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &guest, SECOND));
}

static void codes_of_an_edge_are_limited_for_it_alone(void **)
{
	static struct jc_redemption_limits limits;
	const struct jc_redemption_source west = { .edge = "west" }, east = { .edge = "east" };

	assert_int_equal(jc_redemption_limits_init(&limits, 0), JC_OK);
	for (int i = 0; i < 200; i++) {
		assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &west, 0));
		jc_redemption_limits_fail(&limits, JC_REDEEM_CODE, &west, 0);
	}
	assert_false(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &west, 0));
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_SECRET, &west, 0));
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &guest, 0));
	assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &west, SECOND));
	/* Another bucket, except once in 1024 runs. */
	if (jc_siphash(&limits.key, "west", 4) % JC_REDEMPTION_BUCKETS !=
		jc_siphash(&limits.key, "east", 4) % JC_REDEMPTION_BUCKETS) {
		assert_true(jc_redemption_limits_allow(&limits, JC_REDEEM_CODE, &east, 0));
	}
}

/* The code may be right at another origin. */
static void a_code_of_an_edge_without_a_slot_here_is_no_failure(void **)
{
	const struct jc_redemption_source west = { .edge = "west" };

	open_invitations();
	for (int i = 0; i < 300; i++) {
		assert_int_equal(redeem_from(&west, true, "01-2345-6789", 0, 0), JC_ERROR_ABSENT);
	}
}

static char *read_file(void)
{
	FILE *file = fopen(fixture.path, "r");
	char *text = calloc(1, 1 << 20);

	assert_non_null(file);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
	fclose(file);
	return text;
}

static void file_keeps_everything_but_secrets(void **)
{
	struct jc_invitation_request request = wish, code = wish;
	struct jc_invitation_secret secret, pairing;
	struct stat status;

	request.role = JC_ROLE_PUBLISH;
	request.uses = 3;
	strcpy(request.note, "für \"Ada\"");
	code.pair = true;
	open_invitations();
	struct jc_invitation made = make(&request, &secret);

	make(&code, &pairing);
	assert_int_equal(redeem(false, secret.secret, NOW_S, 0), JC_OK);
	close_invitations();
	char *text = read_file();

	assert_null(strstr(text, secret.secret));
	assert_null(strstr(text, pairing.code));
	free(text);
	assert_int_equal(stat(fixture.path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);

	open_invitations();
	const struct jc_invitation_list *list = jc_invitations_list(fixture.invitations, NOW_S);

	assert_int_equal(list->count, 2);
	const struct jc_invitation *read = jc_invitation_list_find(list, made.id);

	assert_non_null(read);
	assert_string_equal(read->space, "lobby");
	assert_string_equal(read->note, "für \"Ada\"");
	assert_string_equal(read->by, "mia");
	assert_string_equal(read->key_id, "shared");
	assert_int_equal(read->role, JC_ROLE_PUBLISH);
	assert_int_equal(read->expires_s, NOW_S + 600);
	assert_int_equal(read->uses, 3);
	assert_int_equal(read->used, 1);
	assert_false(list->list[1].has_secret);
	assert_int_equal(redeem(false, secret.secret, NOW_S, 0), JC_OK);
	assert_int_equal(redeem(true, pairing.code, NOW_S, 0), JC_ERROR_ABSENT);
	/* All tokens have expired: clocks may differ by 30 s. */
	assert_int_equal(jc_invitations_list(fixture.invitations, NOW_S + 630)->count, 2);
	assert_int_equal(jc_invitations_list(fixture.invitations, NOW_S + 631)->count, 0);
}

static void file_keeps_members_of_a_newer_version(void **)
{
	static const char newer[] =
		"{\"jointcast\":\"invitations\",\"version\":1,\"later\":7,\"invitations\":[{\"id\":"
		"\"a\",\"space\":\"s\",\"role\":\"watch\",\"note\":\"\",\"by\":\"b\",\"key\":\"k\","
		"\"expires\":1,\"uses\":1,\"used\":0,\"revoked\":true,\"colour\":\"red\"}]}";
	struct jc_invitation_list list = { 0 };
	struct jc_diagnostic diagnostic;

	assert_int_equal(jc_invitation_file_parse(newer, strlen(newer), &list, &diagnostic), JC_OK);
	assert_true(list.list[0].is_revoked);
	char *text = jc_invitation_file_format(&list, newer, strlen(newer));

	assert_non_null(text);
	assert_non_null(strstr(text, "\"later\": 7"));
	assert_non_null(strstr(text, "\"colour\": \"red\""));
	free(text);
	jc_invitation_list_finish(&list);
}

static void file_is_read_strictly(void **)
{
#define HEAD "{\"jointcast\":\"invitations\",\"invitations\":["
#define ENTRY                                                                                      \
	"\"space\":\"s\",\"note\":\"\",\"by\":\"b\",\"key\":\"k\",\"expires\":1,\"uses\":1,"       \
	"\"used\":0,\"revoked\":false"
	static const char *const texts[] = { "", "{}", HEAD "7]}", HEAD "{" ENTRY "}]}",
		HEAD "{\"id\":\"\",\"role\":\"watch\"," ENTRY "}]}",
		HEAD "{\"id\":\"12345678901234567\",\"role\":\"watch\"," ENTRY "}]}",
		HEAD "{\"id\":\"a\",\"role\":\"moderate\"," ENTRY "}]}",
		HEAD "{\"id\":\"a\",\"role\":\"watch\",\"hash\":\"00\"," ENTRY "}]}",
		HEAD "{\"id\":\"a\",\"role\":\"watch\",\"hash\":7," ENTRY "}]}",
		HEAD "{\"id\":\"a\",\"role\":\"watch\"," ENTRY ",\"used\":-1}]}",
		HEAD "{\"id\":\"a\",\"role\":\"watch\"," ENTRY ",\"uses\":1001}]}",
		HEAD "{\"id\":\"a\",\"role\":\"watch\"," ENTRY ",\"revoked\":0}]}",
		HEAD "{\"id\":\"a\",\"role\":\"watch\"," ENTRY
		     "},{\"id\":\"a\",\"role\":\"watch\"," ENTRY "}]}" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct jc_invitation_list list = { 0 };
		struct jc_diagnostic diagnostic = { 0 };

		assert_int_equal(
			jc_invitation_file_parse(texts[i], strlen(texts[i]), &list, &diagnostic),
			JC_ERROR_INVALID);
		assert_true(diagnostic.what[0]);
		assert_int_equal(list.count, 0);
	}
}

static void one_creator_has_a_quota(void **)
{
	struct jc_invitation_list list = { 0 };
	struct jc_invitation one = { .by = "mia", .uses = 1 };

	for (unsigned i = 0; i < JC_MAX_INVITATIONS; i++) {
		snprintf(one.id, sizeof(one.id), "%u", i);
		snprintf(one.by, sizeof(one.by), "mia %u", i / JC_MAX_INVITATIONS_OF_ONE);
		assert_int_equal(jc_invitation_list_add(&list, &one), JC_OK);
		if (i == JC_MAX_INVITATIONS_OF_ONE - 1) {
			strcpy(one.id, "more");
			assert_int_equal(jc_invitation_list_add(&list, &one), JC_ERROR_LIMIT);
		}
	}
	strcpy(one.id, "last");
	strcpy(one.by, "bob");
	assert_int_equal(jc_invitation_list_add(&list, &one), JC_ERROR_LIMIT);
	assert_true(jc_invitation_list_remove(&list, "7"));
	assert_false(jc_invitation_list_remove(&list, "7"));
	assert_int_equal(jc_invitation_list_add(&list, &one), JC_OK);
	jc_invitation_list_finish(&list);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digest_is_sha256),
		cmocka_unit_test(secret_is_128_bits_in_base64url),
		CASE(lookups_of_secrets_do_the_same_work),
		CASE(lookups_of_codes_do_the_same_work),
		cmocka_unit_test(code_ends_after_two_minutes),
		cmocka_unit_test(slots_of_ended_codes_are_used_again),
		cmocka_unit_test(codes_of_a_creator_are_limited),
		cmocka_unit_test(failures_of_an_address_are_limited),
		cmocka_unit_test(failures_of_all_are_limited_for_codes_alone),
		cmocka_unit_test(codes_of_an_edge_are_limited_for_it_alone),
		CASE(a_code_of_an_edge_without_a_slot_here_is_no_failure),
		CASE(file_keeps_everything_but_secrets),
		cmocka_unit_test(file_keeps_members_of_a_newer_version),
		cmocka_unit_test(file_is_read_strictly),
		cmocka_unit_test(one_creator_has_a_quota),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
