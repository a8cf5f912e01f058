/* Tests what lets an edge admit guests: the key pair of an origin, the message about its guests,
 * and which tokens an edge accepts. */
#include <string.h>

#include "cluster/guest/guest_passes.h"
#include "invitation/guest_key.h"
#include "invitation/guest_token.h"
#include "unit_test.h"

#define NOW_S INT64_C(1700000000)
#define ID    "0123456789abcdef"
#define OTHER "fedcba9876543210"

static const char secret[] = "0123456789abcdef0123456789abcdef";

/* Computed by Node: SHA-512 of the purpose with its NUL and the secret, modulo n - 1, plus 1. */
static const char public_pem[] =
	"-----BEGIN PUBLIC KEY-----\n"
	"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJUBNMgNFvEOzN/Nvh6GbRjRwn8N0\n"
	"Zg00cvnmX3nt4AmrY4hcOgG58dz5O2ZmLA4pcOCvaq2Jfel/jxX4QN0X7g==\n"
	"-----END PUBLIC KEY-----\n";

static void one_secret_gives_one_key(void **state)
{
	(void)state;
	struct jc_guest_key key, other;

	assert_int_equal(jc_guest_key_derive(secret, 32, &key), JC_OK);
	assert_string_equal(key.public_pem, public_pem);
	assert_int_equal(jc_guest_key_derive(secret, 31, &other), JC_OK);
	assert_string_not_equal(other.public_pem, public_pem);
}

static json_t *message(const char *pem, const char *id)
{
	return json_pack("{ss s[s]}", "key", pem, "invitations", id);
}

static void take(struct jc_guest_passes *passes, const char *space, json_t *steals)
{
	assert_null(jc_guest_passes_take(passes, space, steals));
	json_decref(steals);
}

/* The token of a guest of the space, with a key. */
static char *make_token(const char *space, const struct jc_guest_key *key)
{
	struct jc_invitation invitation = {
		.id = ID, .role = JC_ROLE_WATCH, .expires_s = NOW_S + 100
	};
	char subject[JC_MAX_SUBJECT];

	strcpy(invitation.space, space);
	return jc_guest_token_make(&invitation, key->private_pem, "world", NOW_S, subject);
}

static enum jc_refusal read_token(
	const struct jc_guest_passes *passes, const char *token, struct jc_grant *out_grant)
{
	char id[JC_INVITATION_ID];

	assert_true(jc_token_invitation(token, strlen(token), id));
	assert_string_equal(id, ID);

	const struct jc_keyring *keyring = jc_guest_passes_keyring(passes, id);

	return keyring ? jc_token_read(keyring, "world", token, strlen(token), NOW_S, out_grant)
		       : JC_REFUSAL_REVOKED;
}

static void an_edge_accepts_tokens_of_invitations_that_hold(void **state)
{
	(void)state;
	struct jc_guest_passes passes = { .count = 0 };
	struct jc_guest_key key, other;
	struct jc_grant grant;

	assert_int_equal(jc_guest_key_derive(secret, 32, &key), JC_OK);
	assert_int_equal(jc_guest_key_derive(secret, 31, &other), JC_OK);

	char *token = make_token("lobby", &key), *forged = make_token("lobby", &other);
	char *elsewhere = make_token("attic", &key);

	assert_int_equal(read_token(&passes, token, &grant), JC_REFUSAL_REVOKED);
	take(&passes, "attic", message(other.public_pem, OTHER));
	take(&passes, "lobby", message(key.public_pem, ID));
	assert_int_equal(read_token(&passes, token, &grant), JC_REFUSAL_NONE);
	assert_true(jc_guest_passes_accept(&passes, &grant));
	assert_int_equal(read_token(&passes, forged, &grant), JC_REFUSAL_SIGNATURE);
	/* The origin of the lobby cannot admit guests to the attic. */
	assert_int_equal(read_token(&passes, elsewhere, &grant), JC_REFUSAL_NONE);
	assert_false(jc_guest_passes_accept(&passes, &grant));
	grant.spaces.all = true;
	assert_false(jc_guest_passes_accept(&passes, &grant));

	assert_int_equal(read_token(&passes, token, &grant), JC_REFUSAL_NONE);
	take(&passes, "lobby", message(key.public_pem, OTHER));
	assert_false(jc_guest_passes_accept(&passes, &grant));
	assert_int_equal(read_token(&passes, token, &grant), JC_REFUSAL_REVOKED);
	take(&passes, "lobby", json_null());
	jc_guest_passes_drop(&passes, "attic");
	assert_int_equal(passes.count, 1);
	jc_guest_token_free(token);
	jc_guest_token_free(forged);
	jc_guest_token_free(elsewhere);
	jc_guest_passes_finish(&passes);
}

static void refuses_wrong_messages(void **state)
{
	(void)state;
	static const char *const texts[] = { "1", "{}", "{\"key\":\"x\",\"invitations\":[]}" };
	struct jc_guest_passes passes = { .count = 0 };

	take(&passes, "lobby", message(public_pem, ID));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_t *wrong = json_loads(texts[i], JSON_DECODE_ANY, NULL);

		assert_non_null(jc_guest_passes_take(&passes, "lobby", wrong));
		json_decref(wrong);
	}
	for (const char *const *id = (const char *const[]){ "", "0123456789abcdeF", ID "0", NULL };
		*id; id++) {
		json_t *wrong = message(public_pem, *id);

		assert_non_null(jc_guest_passes_take(&passes, "lobby", wrong));
		json_decref(wrong);
	}
	/* Nothing has changed. */
	assert_non_null(jc_guest_passes_keyring(&passes, ID));
	jc_guest_passes_finish(&passes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_secret_gives_one_key),
		cmocka_unit_test(an_edge_accepts_tokens_of_invitations_that_hold),
		cmocka_unit_test(refuses_wrong_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
