/* Packs and reads reports. Counts have one table for both. */
#include "cluster/report/process_report.h"

#include <stdio.h>
#include <string.h>

#include "config/nats_url.h"
#include "jointcast_private/json.h"

#define MOST_COUNT (INT64_C(1) << 53) /* exact in programs that have doubles only */

static const char *const role_names[JC_ROLE_COUNT] = { "origin", "standby", "edge" };

static const struct {
	const char *key;
	size_t offset;
} counts[] = {
	{ "reconnects", offsetof(struct jc_process_report, reconnects) },
	{ "spaces", offsetof(struct jc_process_report, spaces) },
	{ "clients", offsetof(struct jc_process_report, clients) },
	{ "messagesPerSecond", offsetof(struct jc_process_report, messages_per_second) },
	{ "bytesPerSecond", offsetof(struct jc_process_report, bytes_per_second) },
	{ "views", offsetof(struct jc_process_report, views) },
	{ "frames", offsetof(struct jc_process_report, frames) },
	{ "late", offsetof(struct jc_process_report, late) },
	{ "dropped", offsetof(struct jc_process_report, dropped) },
	{ "rejoins", offsetof(struct jc_process_report, rejoins) },
};

const char *jc_process_role_name(enum jc_process_role role)
{
	return role_names[role];
}

json_t *jc_process_report_pack(const struct jc_process_report *report)
{
	json_t *object = json_pack("{ss ss ss ss ss sb sf}", "name", report->name, "role",
		role_names[report->role], "incarnation", report->incarnation, "version",
		report->version, "nats", report->is_connected ? "connected" : "lost", "draining",
		report->is_draining, "uptime", report->uptime_s);
	json_t *edges = report->role == JC_ROLE_EDGE ? NULL : json_array();

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		json_object_set_new(object, counts[i].key,
			json_integer((json_int_t) *
				     (const uint64_t *)((const char *)report + counts[i].offset)));
	}
	if (report->has_added) {
		json_object_set_new(object, "added",
			json_pack(
				"{sf sf}", "p50", report->added_p50_s, "p99", report->added_p99_s));
	}
	for (size_t i = 0; edges && i < report->edge_count; i++) {
		json_array_append_new(edges, json_pack("{ss sf}", "name", report->edges[i].name,
						     "heard", report->edges[i].heard_s));
	}
	if (edges) {
		json_object_set_new(object, "edges", edges);
	}
	return object;
}

static bool is_word(const char *text, size_t size, const char *characters)
{
	size_t length = text ? strlen(text) : 0;

	return length > 0 && length < size &&
	       (characters ? strspn(text, characters) == length : true);
}

static bool is_printable(const char *text)
{
	for (; *text; text++) {
		if (*text <= ' ' || *text > '~') {
			return false;
		}
	}
	return true;
}

/* A time in seconds, at most 30 years. */
static bool read_seconds(const json_t *value, double *out_seconds)
{
	double seconds = json_number_value(value);

	if (!json_is_number(value) || !(seconds >= 0.0 && seconds <= 1e9)) {
		return false;
	}
	*out_seconds = seconds;
	return true;
}

static const char *read_texts(const json_t *object, struct jc_process_report *report)
{
	const char *name = json_string_value(json_object_get(object, "name"));
	const char *role = json_string_value(json_object_get(object, "role"));
	const char *incarnation = json_string_value(json_object_get(object, "incarnation"));
	const char *version = json_string_value(json_object_get(object, "version"));
	const char *nats = json_string_value(json_object_get(object, "nats"));

	if (!name || !jc_host_id_is_valid(name)) {
		return "name is not the name of a host";
	}
	if (!is_word(incarnation, sizeof(report->incarnation), "0123456789abcdef")) {
		return "incarnation must be hex digits";
	}
	if (!is_word(version, sizeof(report->version), NULL) || !is_printable(version)) {
		return "version must be a short text";
	}
	for (report->role = 0; report->role < JC_ROLE_COUNT; report->role++) {
		if (role && strcmp(role, role_names[report->role]) == 0) {
			break;
		}
	}
	if (report->role == JC_ROLE_COUNT) {
		return "role must be origin, standby or edge";
	}
	strcpy(report->name, name);
	strcpy(report->incarnation, incarnation);
	strcpy(report->version, version);
	report->is_connected = nats && strcmp(nats, "connected") == 0;
	return NULL;
}

static const char *read_edges(const json_t *list, struct jc_process_report *report)
{
	if (list && (!json_is_array(list) || json_array_size(list) > JC_MAX_EDGES)) {
		return "edges must be a list of at most 64 edges";
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *edge = json_array_get(list, i);
		const char *name = json_string_value(json_object_get(edge, "name"));

		if (!name || !jc_host_id_is_valid(name) ||
			!read_seconds(json_object_get(edge, "heard"),
				&report->edges[report->edge_count].heard_s)) {
			return "an edge must have a name and a time";
		}
		strcpy(report->edges[report->edge_count++].name, name);
	}
	return NULL;
}

const char *jc_process_report_read(const json_t *object, struct jc_process_report *out_report)
{
	const json_t *added = json_object_get(object, "added");
	const char *wrong;

	memset(out_report, 0, sizeof(*out_report));
	wrong = read_texts(object, out_report);
	if (wrong) {
		return wrong;
	}
	if (!json_is_boolean(json_object_get(object, "draining")) ||
		!read_seconds(json_object_get(object, "uptime"), &out_report->uptime_s)) {
		return "draining must be true or false, uptime a number of seconds";
	}
	out_report->is_draining = json_is_true(json_object_get(object, "draining"));
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		long long count;

		if (!jc_json_is_integer(json_object_get(object, counts[i].key), &count) ||
			count < 0 || count > MOST_COUNT) {
			return "a count is missing, or out of range";
		}
		*(uint64_t *)((char *)out_report + counts[i].offset) = (uint64_t)count;
	}
	if (added &&
		(!read_seconds(json_object_get(added, "p50"), &out_report->added_p50_s) ||
			!read_seconds(json_object_get(added, "p99"), &out_report->added_p99_s))) {
		return "added must have two times";
	}
	out_report->has_added = added != NULL;
	return read_edges(json_object_get(object, "edges"), out_report);
}
