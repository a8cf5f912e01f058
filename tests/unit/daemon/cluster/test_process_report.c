/* Tests reports of processes, the list of processes that are known, and rates. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cluster/report/peers.h"
#include "cluster/report/process_report.h"
#include "cluster/report/rate.h"
#include "unit_test.h"

#define SECOND INT64_C(1000000000)

static const char edge_text[] =
	"{\"name\":\"edge-1\",\"role\":\"edge\",\"incarnation\":\"9f3c\",\"version\":\"0.1.0\","
	"\"nats\":\"connected\",\"draining\":true,\"uptime\":12.5,\"reconnects\":2,\"spaces\":3,"
	"\"clients\":40,\"messagesPerSecond\":1200,\"bytesPerSecond\":88000,\"views\":4,"
	"\"frames\":7200,\"late\":5,\"dropped\":6,\"rejoins\":7,"
	"\"added\":{\"p50\":0.0005,\"p99\":0.003},\"later\":true}";

static const char *read_text(const char *text, struct jc_process_report *out_report)
{
	json_t *object = json_loads(text, 0, NULL);
	const char *wrong;

	assert_non_null(object);
	wrong = jc_process_report_read(object, out_report);
	json_decref(object);
	return wrong;
}

/* The text with another value of a field. */
static const char *read_changed(const char *key, json_t *value, struct jc_process_report *out)
{
	json_t *object = json_loads(edge_text, 0, NULL);
	const char *wrong;

	if (value) {
		json_object_set_new(object, key, value);
	} else {
		json_object_del(object, key);
	}
	wrong = jc_process_report_read(object, out);
	json_decref(object);
	return wrong;
}

static void a_report_is_read(void **)
{
	struct jc_process_report report;

	assert_null(read_text(edge_text, &report));
	assert_string_equal(report.name, "edge-1");
	assert_int_equal(report.role, JC_ROLE_EDGE);
	assert_string_equal(report.incarnation, "9f3c");
	assert_string_equal(report.version, "0.1.0");
	assert_true(report.is_connected && report.is_draining && report.has_added);
	assert_int_equal(report.reconnects, 2);
	assert_int_equal(report.spaces, 3);
	assert_int_equal(report.clients, 40);
	assert_int_equal(report.messages_per_second, 1200);
	assert_int_equal(report.bytes_per_second, 88000);
	assert_int_equal(report.views, 4);
	assert_int_equal(report.frames, 7200);
	assert_int_equal(report.late, 5);
	assert_int_equal(report.dropped, 6);
	assert_int_equal(report.rejoins, 7);
	assert_true(report.added_p50_s == 0.0005 && report.added_p99_s == 0.003);
	assert_int_equal(report.edge_count, 0);
}

static void what_is_packed_is_read(void **)
{
	struct jc_process_report report = { .role = JC_ROLE_STANDBY,
		.name = "stage_2",
		.incarnation = "1",
		.version = "1.2~rc1",
		.frames = UINT64_C(1) << 53,
		.edge_count = JC_MAX_EDGES };
	struct jc_process_report again;
	char *text;

	for (size_t i = 0; i < report.edge_count; i++) {
		memset(report.edges[i].name, 'e', JC_MAX_HOST_ID - 1);
		report.edges[i].heard_s = (double)i;
	}
	json_t *object = jc_process_report_pack(&report);

	text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
	/* The longest report fits into a message. */
	assert_true(strlen(text) < JC_MAX_REPORT_BYTES - 64);
	assert_null(jc_process_report_read(object, &again));
	assert_memory_equal(&report, &again, sizeof(report));
	free(text);
	json_decref(object);
}

static void wrong_fields_are_refused(void **)
{
	static const char *const keys[] = { "name", "role", "incarnation", "version", "draining",
		"uptime", "reconnects", "rejoins" };
	struct jc_process_report report;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		assert_non_null(read_changed(keys[i], NULL, &report));
		assert_non_null(read_changed(keys[i], json_array(), &report));
	}
	assert_non_null(read_changed("name", json_string("a b"), &report));
	assert_non_null(read_changed("role", json_string("server"), &report));
	assert_non_null(read_changed("incarnation", json_string("12345678901234567"), &report));
	assert_non_null(read_changed("incarnation", json_string(""), &report));
	assert_non_null(read_changed("version", json_string("1\x1b[31m"), &report));
	assert_non_null(
		read_changed("version", json_string("12345678901234567890123456789012"), &report));
	assert_non_null(read_changed("uptime", json_real(-1.0), &report));
	assert_non_null(read_changed("clients", json_integer(-1), &report));
	assert_non_null(read_changed("frames", json_integer((INT64_C(1) << 53) + 1), &report));
	assert_non_null(read_changed("added", json_object(), &report));
	assert_non_null(read_changed("edges", json_object(), &report));
	assert_non_null(read_changed("edges", json_pack("[{ss}]", "name", "e"), &report));
	assert_null(
		read_changed("edges", json_pack("[{ss sf}]", "name", "e", "heard", 1.0), &report));
	json_t *many = json_array();

	for (size_t i = 0; i <= JC_MAX_EDGES; i++) {
		json_array_append_new(many, json_pack("{ss sf}", "name", "e", "heard", 1.0));
	}
	assert_non_null(read_changed("edges", many, &report));
	assert_non_null(read_text("[]", &report));
}

static const struct jc_cluster_peer *find(const struct jc_peers *peers, const char *name)
{
	for (size_t i = 0; i < peers->count; i++) {
		if (strcmp(peers->list[i].name, name) == 0) {
			return &peers->list[i];
		}
	}
	return NULL;
}

static void peers_are_known_for_a_minute(void **)
{
	static struct jc_origin_message message;
	static struct jc_peers peers;

	jc_peers_hear(&peers, "edge", JC_ROLE_EDGE, 10 * SECOND);
	jc_peers_hear(
		&peers, "edge", JC_ROLE_EDGE, 5 * SECOND); /* another origin heard it earlier */
	assert_int_equal(find(&peers, "edge")->heard_ns, 10 * SECOND);
	strcpy(message.origin, "stage");
	jc_peers_hear_announcement(&peers, &message, 20 * SECOND);
	assert_int_equal(find(&peers, "stage")->role, JC_ROLE_ORIGIN);
	/* An announcement does not name the role. */
	jc_peers_hear(&peers, "stage", JC_ROLE_STANDBY, 21 * SECOND);
	jc_peers_hear_announcement(&peers, &message, 22 * SECOND);
	assert_int_equal(find(&peers, "stage")->role, JC_ROLE_STANDBY);
	jc_peers_expire(&peers, 70 * SECOND - 1);
	assert_int_equal(peers.count, 2);
	jc_peers_expire(&peers, 70 * SECOND);
	assert_null(find(&peers, "edge"));
	message.is_leaving = true;
	jc_peers_hear_announcement(&peers, &message, 71 * SECOND);
	assert_true(find(&peers, "stage")->has_left);
	/* What others heard before it left. */
	jc_peers_hear(&peers, "stage", JC_ROLE_STANDBY, 70 * SECOND);
	assert_true(find(&peers, "stage")->has_left);
	jc_peers_hear(&peers, "stage", JC_ROLE_ORIGIN, 72 * SECOND);
	assert_false(find(&peers, "stage")->has_left);
	jc_peers_leave(&peers, "nobody", 73 * SECOND);
	assert_int_equal(peers.count, 1);
}

static void too_many_peers_displace_the_oldest(void **)
{
	static struct jc_peers peers;
	char name[JC_MAX_HOST_ID];

	for (int i = 0; i < (int)JC_MAX_PROCESSES; i++) {
		snprintf(name, sizeof(name), "edge-%d", i);
		jc_peers_hear(&peers, name, JC_ROLE_EDGE, i == 7 ? 0 : i + SECOND);
	}
	jc_peers_hear(&peers, "new", JC_ROLE_EDGE, 2 * SECOND);
	assert_int_equal(peers.count, JC_MAX_PROCESSES);
	assert_null(find(&peers, "edge-7"));
	assert_non_null(find(&peers, "edge-8"));
	assert_int_equal(find(&peers, "new")->heard_ns, 2 * SECOND);
}

static void a_rate_is_that_of_the_last_seconds(void **)
{
	struct jc_rate rate = { .count = 0 };

	assert_int_equal(jc_rate_per_second(&rate), 0);
	jc_rate_add(&rate, 1000, SECOND);
	assert_int_equal(jc_rate_per_second(&rate), 0);
	jc_rate_add(&rate, 1600, 3 * SECOND);
	assert_int_equal(jc_rate_per_second(&rate), 300);
	/* The first value is older than five seconds from here on. */
	for (int i = 4; i <= 8; i++) {
		jc_rate_add(&rate, 1600 + (uint64_t)(i - 3) * 10, i * SECOND);
	}
	assert_int_equal(jc_rate_per_second(&rate), 10);
	jc_rate_add(&rate, 5, 9 * SECOND);
	assert_int_equal(jc_rate_per_second(&rate), 0);
	jc_rate_add(&rate, 8, 11 * SECOND);
	assert_int_equal(jc_rate_per_second(&rate), 2); /* 1.5 */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_is_read),
		cmocka_unit_test(what_is_packed_is_read),
		cmocka_unit_test(wrong_fields_are_refused),
		cmocka_unit_test(peers_are_known_for_a_minute),
		cmocka_unit_test(too_many_peers_displace_the_oldest),
		cmocka_unit_test(a_rate_is_that_of_the_last_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
