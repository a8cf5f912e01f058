/* Tests the JSON of specs, policies, sanctions and announcements: what is packed reads back, and
 * every wrong field is refused. */
#include <stdlib.h>
#include <string.h>

#include "cluster/origin_message.h"
#include "cluster/policy_message.h"
#include "cluster/view_spec.h"
#include "unit_test.h"

static const struct jc_stream_spec standard = { .chains = true,
	.precision = JC_PRECISION_STANDARD,
	.finest = JC_PRECISION_FINE,
	.rate = 2,
	.sections = JC_STREAM_ALL };

static void specs_read_back(void **)
{
	struct jc_stream_spec specs[] = { standard, standard, standard, standard };

	specs[1].chains = false;
	specs[1].rate = 1;
	specs[2].sections |= JC_STREAM_SECTION(JC_SECTION_VIRTUALS);
	specs[2].virtuals.is_some = true;
	specs[2].virtuals.indices[31] = 0x80; /* number 255 */
	specs[2].virtuals.indices[0] = 0x05;
	assert_true(jc_virtual_choice_add_tag(&specs[2].virtuals, "grip"));
	assert_true(jc_virtual_choice_add_tag(&specs[2].virtuals, "kaf\xc3\xa9"));
	specs[3].contacts = true;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		json_t *object = jc_view_spec_pack(&specs[i]);
		char token[JC_VIEW_TOKEN], expected[JC_VIEW_TOKEN];
		struct jc_stream_spec read;

		assert_null(jc_view_spec_read(object, &read, token));
		assert_true(jc_stream_spec_equal(&read, &specs[i]));
		assert_int_equal(jc_view_token(&specs[i], expected), JC_OK);
		assert_string_equal(token, expected);
		json_decref(object);
	}
}

/* The object of `base` with one field replaced by a JSON text. */
static json_t *with(json_t *base, const char *key, const char *value)
{
	json_t *object = json_deep_copy(base);

	json_object_set_new(object, key, json_loads(value, JSON_DECODE_ANY, NULL));
	return object;
}

static void every_wrong_field_of_a_spec_is_refused(void **)
{
	static const char *const wrong[][2] = { { "view", "\"2-fine-fine-1-7e\"" }, { "view", "7" },
		{ "coding", "3" }, { "coding", "1.5" }, { "precision", "\"best\"" },
		{ "precision", "null" }, { "finest", "\"coarse\"" }, { "finest", "[]" },
		{ "rate", "3" }, { "rate", "0" }, { "rate", "1e9" }, { "sections", "0" },
		{ "sections", "256" }, { "sections", "16" }, { "sections", "\"body\"" },
		{ "virtual", "[1]" }, { "virtual", "[]" }, { "virtual", "[256]" },
		{ "virtual", "[-1]" }, { "virtual", "\"grip\"" }, { "virtual", "[{}]" } };
	json_t *right = jc_view_spec_pack(&standard);
	char token[JC_VIEW_TOKEN];
	struct jc_stream_spec read;

	assert_null(jc_view_spec_read(right, &read, token));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		json_t *object = with(right, wrong[i][0], wrong[i][1]);

		assert_non_null(jc_view_spec_read(object, &read, token));
		json_decref(object);
	}
	assert_non_null(jc_view_spec_read(NULL, &read, token));
	json_decref(right);
}

static struct jc_space_policy some_policy(void)
{
	struct jc_space_policy policy = { .hz = 30,
		.bodies = 5,
		.subscribers = 70,
		.streams = 9,
		.leave_after_s = 11,
		.contacts = true };
	struct jc_diagnostic ignored;

	jc_space_policy_permit(&policy, JC_ROLE_WATCH)->anyone = true;
	jc_permit_add(jc_space_policy_permit(&policy, JC_ROLE_PUBLISH), "subject:ada", &ignored);
	jc_permit_add(jc_space_policy_permit(&policy, JC_ROLE_PUBLISH), "subject:bob", &ignored);
	jc_permit_add(
		jc_space_policy_permit(&policy, JC_ROLE_MODERATE), "role:administer", &ignored);
	policy.fine.roles = JC_ROLE_WATCH | JC_ROLE_PUBLISH;
	policy.standard.anyone = true;
	return policy;
}

static void policies_read_back_and_wrong_ones_are_refused(void **)
{
	static const char *const wrong[][2] = { { "hz", "9" }, { "hz", "\"60\"" },
		{ "limits", "{}" }, { "limits", "{\"bodies\":65}" }, { "permits", "{}" },
		{ "permits", "[]" }, { "closed", "0" }, { "closed", "null" } };
	const struct jc_space_policy policy = some_policy();
	json_t *object = jc_policy_message_pack(&policy, true);
	struct jc_space_policy read;
	bool is_closed = false;

	assert_null(jc_policy_message_read(object, &read, &is_closed));
	assert_true(is_closed);
	assert_memory_equal(&read, &policy, sizeof(policy));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		json_t *other = with(object, wrong[i][0], wrong[i][1]);

		assert_non_null(jc_policy_message_read(other, &read, &is_closed));
		json_decref(other);
	}
	/* An origin that does not know them keeps none. */
	json_object_del(object, "contacts");
	assert_null(jc_policy_message_read(object, &read, &is_closed));
	assert_false(read.contacts);
	json_object_set_new(
		json_object_get(object, "permits"), "watch", json_pack("[s]", "everybody"));
	assert_non_null(jc_policy_message_read(object, &read, &is_closed));
	json_decref(object);
}

static void sanctions_of_a_space_read_back(void **)
{
	struct jc_sanction ban = { "lobby", JC_SANCTION_BAN, "subject eve", "subject ada", "why", 7,
		INT64_MAX };
	struct jc_sanction mute = { "lobby", JC_SANCTION_MUTE, "address 192.0.2.1", "subject ada",
		"", 8, 900 };
	struct jc_sanction other = { "hall", JC_SANCTION_HIDE, "body n", "subject ada", "", 9, 99 };
	struct jc_sanctions sanctions = { 0 }, read = { 0 };
	const struct jc_sanction *first;
	json_t *list;

	jc_sanctions_put(&sanctions, &ban);
	jc_sanctions_put(&sanctions, &mute);
	jc_sanctions_put(&sanctions, &other);
	assert_int_equal(sanctions.revision, 3);
	list = jc_policy_message_pack_sanctions(&sanctions, "lobby");
	assert_null(jc_policy_message_read_sanctions(list, "lobby", &read));
	assert_int_equal(jc_sanctions_of(&read, "lobby", &first), 2);
	assert_int_equal(read.count, 2);
	assert_memory_equal(jc_sanctions_find(&read, "lobby", JC_SANCTION_BAN, "subject eve"), &ban,
		sizeof(ban));
	assert_non_null(jc_policy_message_read_sanctions(list, "hall", &read));
	json_array_append_new(list, json_integer(1));
	assert_non_null(jc_policy_message_read_sanctions(list, "lobby", &read));
	/* A wrong list lifts nothing; another one replaces all. */
	assert_int_equal(read.count, 2);
	json_array_remove(list, 2);
	json_array_remove(list, 0);
	assert_null(jc_policy_message_read_sanctions(list, "lobby", &read));
	assert_int_equal(read.count, 1);
	json_decref(list);
	jc_sanctions_finish(&sanctions);
	jc_sanctions_finish(&read);
}

static const char *read_text(const char *text, struct jc_origin_message *out_message)
{
	return jc_origin_message_read(text, strlen(text), out_message);
}

static void announcements_read_back(void **)
{
	struct jc_origin_message *message = calloc(2, sizeof(*message)), *read = message + 1;
	json_t *object;
	char *text;

	strcpy(message->origin, "stage-1");
	strcpy(message->incarnation, "00ff");
	message->count = 2;
	message->claims[0] = (struct jc_origin_claim){ "lobby", UINT64_MAX, 12 };
	message->claims[1] = (struct jc_origin_claim){ "a.b", 1, 0 };
	object = jc_origin_message_pack(message);
	text = json_dumps(object, 0);
	assert_null(read_text(text, read));
	assert_memory_equal(read, message, sizeof(*read));
	free(text);
	json_decref(object);
	assert_null(read_text(
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":[],\"leaving\":true}", read));
	assert_true(read->is_leaving);
	free(message);
}

static void wrong_announcements_are_refused(void **)
{
	static const char *const wrong[] = { "", "[]", "{}",
		"{\"origin\":\"a b\",\"incarnation\":\"1\",\"spaces\":[]}",
		"{\"origin\":\"o\",\"incarnation\":\"x\",\"spaces\":[]}",
		"{\"origin\":\"o\",\"incarnation\":\"\",\"spaces\":[]}",
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":{}}",
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":[7]}",
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":[],\"leaving\":1}",
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":[{\"space\":\"\",\"epoch\":"
		"\"1\",\"revision\":1}]}",
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":[{\"space\":\"s\",\"epoch\":"
		"\"11111111111111111\",\"revision\":1}]}",
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":[{\"space\":\"s\",\"epoch\":"
		"5,\"revision\":1}]}",
		"{\"origin\":\"o\",\"incarnation\":\"1\",\"spaces\":[{\"space\":\"s\",\"epoch\":"
		"\"1\",\"revision\":-1}]}" };
	struct jc_origin_message *message = calloc(1, sizeof(*message));

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_non_null(read_text(wrong[i], message));
	}
	free(message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(specs_read_back),
		cmocka_unit_test(every_wrong_field_of_a_spec_is_refused),
		cmocka_unit_test(policies_read_back_and_wrong_ones_are_refused),
		cmocka_unit_test(sanctions_of_a_space_read_back),
		cmocka_unit_test(announcements_read_back),
		cmocka_unit_test(wrong_announcements_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
