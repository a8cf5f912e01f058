/* Parses the values of --vmc-out and --osc-out. */
#include "sink/osc_target.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "base/query.h"
#include "source/source_uri.h"
#include "source/tracker_role.h"

#define ALL_TRACKERS "waist,left_foot,right_foot,left_knee,right_knee,chest,left_elbow,right_elbow"
#define VRCHAT_PORT  "9000"

static int fail(
	struct jc_diagnostic *diagnostic, const char *target, const char *what, const char *text)
{
	return jc_diagnose(
		diagnostic, JC_ERROR_INVALID, NULL, "target '%s': %s '%s'", target, what, text);
}

/* ROLE,ROLE… with one tracker for each joint. */
static int parse_trackers(const char *value, struct jc_osc_target *target, const char *text,
	struct jc_diagnostic *diagnostic)
{
	target->tracker_count = 0;
	for (const char *at = value; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char name[32];
		size_t length = strcspn(at, ",");

		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		int role = length < sizeof(name) ? jc_tracker_role_find(name) : -1;
		enum jc_bone bone =
			role < 0 ? JC_BONE_NONE : jc_joint_bone(jc_tracker_role_joint(role));

		for (size_t i = 0; i < target->tracker_count; i++) {
			bone = target->trackers[i] == bone ? JC_BONE_NONE : bone;
		}
		if (bone == JC_BONE_NONE || target->tracker_count == JC_SINK_TRACKERS) {
			return fail(diagnostic, text,
				"trackers are up to eight different roles such as waist,left_foot, "
				"not",
				value);
		}
		target->trackers[target->tracker_count++] = bone;
	}
	return JC_OK;
}

static int parse_hz(const char *value, struct jc_osc_target *target, const char *text,
	struct jc_diagnostic *diagnostic)
{
	char *end;
	double hz = strtod(value, &end);

	if (end == value || *end || !isfinite(hz) || hz < 1.0 || hz > JC_MAX_SINK_HZ) {
		return fail(diagnostic, text, "hz is a number from 1 to 120, not", value);
	}
	target->hz = hz;
	return JC_OK;
}

static int parse_option(const char *key, const char *value, struct jc_osc_target *target,
	bool *remote, const char *text, struct jc_diagnostic *diagnostic)
{
	if (!value) {
		return fail(diagnostic, text, "no such option:", key);
	}
	if (strcmp(key, "space") == 0) {
		if (!jc_source_space_name_is_valid(value)) {
			return fail(diagnostic, text, "not a name for a space:", value);
		}
		strcpy(target->space, value);
		return JC_OK;
	}
	if (strcmp(key, "body") == 0) {
		if (!*value || strlen(value) >= sizeof(target->body)) {
			return fail(diagnostic, text, "a name has 1 to 63 bytes, not", value);
		}
		strcpy(target->body, value);
		return JC_OK;
	}
	if (strcmp(key, "hz") == 0) {
		return parse_hz(value, target, text, diagnostic);
	}
	if (target->is_trackers && strcmp(key, "trackers") == 0) {
		return parse_trackers(value, target, text, diagnostic);
	}
	if (!target->is_trackers && strcmp(key, "bones") == 0) {
		target->bones =
			strcmp(value, "original") == 0 ? JC_VMC_ORIGINAL : JC_VMC_NORMALIZED;
		return target->bones == JC_VMC_ORIGINAL || strcmp(value, "normalized") == 0
			       ? JC_OK
			       : fail(diagnostic, text, "bones are normalized or original, not",
					 value);
	}
	if (strcmp(key, "allow") == 0) {
		*remote = strcmp(value, "remote") == 0;
		return *remote ? JC_OK : fail(diagnostic, text, "allow is remote, not", value);
	}
	return fail(diagnostic, text, "no such option:", key);
}

static bool parse_address(const char *text, struct jc_osc_target *target)
{
	char with_port[512 + sizeof(VRCHAT_PORT)];

	if (jc_address_parse(text, &target->address)) {
		return true;
	}
	snprintf(with_port, sizeof(with_port), "%s:%s", text, VRCHAT_PORT);
	return target->is_trackers && jc_address_parse(with_port, &target->address);
}

static int parse(const char *text, bool is_trackers, struct jc_osc_target *out_target,
	struct jc_diagnostic *diagnostic)
{
	struct jc_osc_target target = { .is_trackers = is_trackers, .space = "lobby", .hz = 60.0 };
	char copy[512];
	const char *key;
	char *value;
	bool remote = false;

	if (strlen(text) >= sizeof(copy)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "target: too long");
	}
	strcpy(copy, text);
	char *options = jc_query_cut(copy);

	parse_trackers(ALL_TRACKERS, &target, text, NULL);

	while (jc_query_next(&options, &key, &value)) {
		int status = parse_option(key, value, &target, &remote, text, diagnostic);

		if (status != JC_OK) {
			return status;
		}
	}
	if (!parse_address(copy, &target)) {
		return fail(diagnostic, text, "not an address like 127.0.0.1:39539:", copy);
	}
	if (!jc_address_is_loopback((const struct sockaddr *)&target.address) && !remote) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"target '%s': %s not encrypted, so any address but loopback needs "
			"'?allow=remote'",
			text, is_trackers ? "OSC is" : "VMC is");
	}
	*out_target = target;
	return JC_OK;
}

int jc_osc_target_parse_vmc(
	const char *text, struct jc_osc_target *out_target, struct jc_diagnostic *diagnostic)
{
	return parse(text, false, out_target, diagnostic);
}

int jc_osc_target_parse_trackers(
	const char *text, struct jc_osc_target *out_target, struct jc_diagnostic *diagnostic)
{
	return parse(text, true, out_target, diagnostic);
}
