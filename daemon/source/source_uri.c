/* Parses source URIs. */
#include "source/source_uri.h"

#include <ctype.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/address.h"
#include "base/query.h"
#include "jointcast/humanoid.h"
#include "jointcast/limits.h"

/* For OSC trackers without a port; that of VRChat is 9000. */
#define JC_OSC_TRACKERS_PORT "9010"

bool jc_source_space_name_is_valid(const char *name)
{
	size_t length = strlen(name);

	if (length == 0 || length >= JC_MAX_SPACE_NAME) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i])) {
			return false;
		}
	}
	return true;
}

static int fail(
	struct jc_diagnostic *diagnostic, const char *uri, const char *what, const char *text)
{
	return jc_diagnose(
		diagnostic, JC_ERROR_INVALID, NULL, "source '%s': %s '%s'", uri, what, text);
}

/* KEY, KEY=1 or KEY=0. */
static int parse_switch(const char *key, const char *value, bool *out_on, const char *text,
	struct jc_diagnostic *diagnostic)
{
	if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"source '%s': %s is 0 or 1, not '%s'", text, key, value);
	}
	*out_on = !value || value[0] == '1';
	return JC_OK;
}

static bool parse_number(const char *value, double least, double most, double *out_number)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || *end || !isfinite(number) || number < least || number > most) {
		return false;
	}
	*out_number = number;
	return true;
}

/* smooth or smooth=MINCUTOFF,BETA. */
static int parse_smooth(const char *value, struct jc_one_euro_options *out_smooth, const char *text,
	struct jc_diagnostic *diagnostic)
{
	double min_cutoff, beta;
	char first[32];
	const char *comma = value ? strchr(value, ',') : NULL;

	if (!value) {
		*out_smooth = JC_ONE_EURO_DEFAULTS;
		return JC_OK;
	}
	snprintf(first, sizeof(first), "%.*s", comma ? (int)(comma - value) : 0, value);
	if (!comma || !parse_number(first, 0.01, 100.0, &min_cutoff) ||
		!parse_number(comma + 1, 0.0, 100.0, &beta)) {
		return fail(diagnostic, text,
			"smooth is MINCUTOFF,BETA, numbers from 0.01 and 0 to 100, not", value);
	}
	*out_smooth = (struct jc_one_euro_options){ (float)min_cutoff, (float)beta };
	return JC_OK;
}

/* auto or the name of a profile. */
static int parse_profile(
	const char *value, int *out_profile, const char *text, struct jc_diagnostic *diagnostic)
{
	int profile = jc_profile_find(value);

	if (profile < 0 && strcmp(value, "auto") != 0) {
		return fail(diagnostic, text,
			"profile is auto, webxr-spec, meta, pico, htc or slimevr, not", value);
	}
	*out_profile = profile;
	return JC_OK;
}

static int parse_motion(
	const char *value, size_t *out_motion, const char *text, struct jc_diagnostic *diagnostic)
{
	double motion;

	if (!parse_number(value, 0.0, 65535.0, &motion) || motion != floor(motion)) {
		return fail(diagnostic, text, "motion is an index from 0, not", value);
	}
	*out_motion = (size_t)motion;
	return JC_OK;
}

static int parse_speed(const char *value, struct jc_source_uri *uri, const char *text,
	struct jc_diagnostic *diagnostic)
{
	bool replayed = uri->scheme == JC_SOURCE_REPLAY;
	double most = replayed ? JC_MAX_REPLAY_SPEED : JC_MAX_SOURCE_SPEED;

	if (!parse_number(value, 1.0 / most, most, &uri->speed)) {
		return fail(diagnostic, text,
			replayed ? "speed is a number from 0.1 to 10, not"
				 : "speed is a number from 0.01 to 100, not",
			value);
	}
	return JC_OK;
}

/* OLD:NEW; the first colon divides. */
static int parse_rename(const char *value, struct jc_body_names *names, const char *text,
	struct jc_diagnostic *diagnostic)
{
	const char *colon = strchr(value, ':');
	struct jc_body_rename *rename = &names->renames[names->rename_count];

	if (names->rename_count == JC_MAX_REPLAY_RENAMES) {
		return fail(diagnostic, text, "too many names to change, from", value);
	}
	if (!colon || colon == value || !colon[1] ||
		(size_t)(colon - value) >= sizeof(rename->from) ||
		strlen(colon + 1) >= sizeof(rename->to)) {
		return fail(
			diagnostic, text, "rename is OLD:NEW, names of 1 to 63 bytes, not", value);
	}
	snprintf(rename->from, sizeof(rename->from), "%.*s", (int)(colon - value), value);
	strcpy(rename->to, colon + 1);
	names->rename_count++;
	return JC_OK;
}

/* Reads an option of a replay; sets *out_known to false for other keys. */
static int parse_replay_option(const char *key, const char *value, struct jc_source_uri *uri,
	bool *out_known, const char *text, struct jc_diagnostic *diagnostic)
{
	bool is_from = strcmp(key, "from") == 0;

	*out_known = true;
	if (strcmp(key, "paused") == 0) {
		return parse_switch(key, value, &uri->is_paused, text, diagnostic);
	}
	if (value && (is_from || strcmp(key, "until") == 0)) {
		return parse_number(
			       value, 0.0, JC_LIMIT_BODY_TIME, is_from ? &uri->from : &uri->until)
			       ? JC_OK
			       : fail(diagnostic, text, "from and until are seconds, not", value);
	}
	if (value && strcmp(key, "prefix") == 0) {
		if (strlen(value) >= sizeof(uri->names.prefix)) {
			return fail(diagnostic, text, "a prefix has 63 bytes at most, not", value);
		}
		strcpy(uri->names.prefix, value);
		return JC_OK;
	}
	if (value && strcmp(key, "rename") == 0) {
		return parse_rename(value, &uri->names, text, diagnostic);
	}
	*out_known = false;
	return JC_OK;
}

/* Reads an option of a motion; sets *out_known to false for other keys. */
static int parse_motion_option(const char *key, const char *value, struct jc_source_uri *uri,
	bool *out_known, const char *text, struct jc_diagnostic *diagnostic)
{
	*out_known = true;
	if (strcmp(key, "mirror") == 0) {
		return parse_switch(key, value, &uri->mirror, text, diagnostic);
	}
	if (value && strcmp(key, "twist") == 0) {
		if (!parse_number(value, 0.0, 1.0, &uri->twist)) {
			return fail(diagnostic, text, "twist is a number from 0 to 1, not", value);
		}
		return JC_OK;
	}
	if (value && uri->scheme == JC_SOURCE_FILE && strcmp(key, "motion") == 0) {
		uri->has_motion = true;
		return parse_motion(value, &uri->motion, text, diagnostic);
	}
	if (value && uri->scheme == JC_SOURCE_FILE && strcmp(key, "bones") == 0) {
		if (!*value) {
			return fail(diagnostic, text, "bones is a file, not", value);
		}
		strcpy(uri->bones, value); /* parsed from uri->path */
		return JC_OK;
	}
	*out_known = false;
	return JC_OK;
}

/* SERIAL:ROLE or NAME:ROLE; the last colon divides. */
static int parse_tracker(const char *value, struct jc_tracker_roles *trackers, const char *text,
	struct jc_diagnostic *diagnostic)
{
	char tracker[JC_TRACKER_NAME];
	const char *colon = strrchr(value, ':');
	int role = colon ? jc_tracker_role_find(colon + 1) : -1;

	if (role < 0 || colon == value || (size_t)(colon - value) >= sizeof(tracker)) {
		return fail(diagnostic, text,
			"tracker is SERIAL:ROLE with a serial or name of 1 to 63 bytes and a role "
			"such as waist or left_foot, not",
			value);
	}
	snprintf(tracker, sizeof(tracker), "%.*s", (int)(colon - value), value);
	return jc_tracker_roles_add(trackers, tracker, role)
		       ? JC_OK
		       : fail(diagnostic, text,
				 "the tracker or the joint of this role is already named, before",
				 value);
}

/* Reads an option of an OpenXR source; sets *out_known to false for other keys. */
static int parse_openxr_option(const char *key, const char *value, struct jc_source_uri *uri,
	bool *out_known, const char *text, struct jc_diagnostic *diagnostic)
{
	*out_known = true;
	if (strcmp(key, "profile") == 0) {
		return parse_profile(value, &uri->profile, text, diagnostic);
	}
	if (strcmp(key, "height") == 0) {
		return parse_number(value, 0.5, 3.0, &uri->height)
			       ? JC_OK
			       : fail(diagnostic, text, "height is metres from 0.5 to 3, not",
					 value);
	}
	if (strcmp(key, "face") == 0) {
		return parse_switch(key, value, &uri->has_face, text, diagnostic);
	}
	if (strcmp(key, "tracker") == 0) {
		return parse_tracker(value, &uri->trackers, text, diagnostic);
	}
	*out_known = false;
	return JC_OK;
}

static bool is_face(const struct jc_source_uri *uri)
{
	return uri->scheme == JC_SOURCE_IFACIALMOCAP || uri->scheme == JC_SOURCE_FACEMOTION3D;
}

/* Whether the source listens on a UDP port. */
static bool has_port(const struct jc_source_uri *uri)
{
	return uri->scheme == JC_SOURCE_VMC || uri->scheme == JC_SOURCE_OSC_TRACKERS ||
	       uri->scheme == JC_SOURCE_MOCOPI || is_face(uri);
}

static int parse_peer(const char *value, struct jc_source_peers *peers, const char *text,
	struct jc_diagnostic *diagnostic)
{
	char network[JC_ADDRESS_TEXT];

	if (!jc_address_parse_network(value, network) || strlen(network) >= JC_MAX_WHO) {
		return fail(diagnostic, text, "peer is an address like 192.0.2.1, not", value);
	}
	if (peers->count == JC_MAX_SOURCE_PEERS) {
		return fail(diagnostic, text, "too many peers, from", value);
	}
	strcpy(peers->networks[peers->count++], network);
	return JC_OK;
}

/* ADDR or ADDR:PORT; without a port that of the app. */
static int parse_phone(const char *value, struct jc_source_uri *uri, const char *text,
	struct jc_diagnostic *diagnostic)
{
	struct sockaddr_storage *phone = &uri->phone;
	in_port_t port = htons(uri->scheme == JC_SOURCE_FACEMOTION3D ? 49993 : 49983);

	if (!jc_address_parse_host(value, phone)) {
		return fail(diagnostic, text, "phone is an address like 192.0.2.1, not", value);
	}
	in_port_t *own = phone->ss_family == AF_INET ? &((struct sockaddr_in *)phone)->sin_port
						     : &((struct sockaddr_in6 *)phone)->sin6_port;

	*own = *own ? *own : port;
	return JC_OK;
}

/* Reads an option of a phone's face; sets *out_known to false for other keys. */
static int parse_face_option(const char *key, const char *value, struct jc_source_uri *uri,
	bool *out_known, const char *text, struct jc_diagnostic *diagnostic)
{
	*out_known = true;
	if (strcmp(key, "body") == 0) {
		if (!*value || strlen(value) >= sizeof(uri->body)) {
			return fail(diagnostic, text, "body has 1 to 63 bytes, not", value);
		}
		strcpy(uri->body, value);
		return JC_OK;
	}
	if (strcmp(key, "phone") == 0) {
		return parse_phone(value, uri, text, diagnostic);
	}
	if (strcmp(key, "height") == 0) {
		return parse_openxr_option(key, value, uri, out_known, text, diagnostic);
	}
	*out_known = false;
	return JC_OK;
}

/* Reads an option of a live source; sets *out_known to false for other keys. */
static int parse_live_option(const char *key, const char *value, struct jc_source_uri *uri,
	bool *out_known, const char *text, struct jc_diagnostic *diagnostic)
{
	*out_known = true;
	if (strcmp(key, "smooth") == 0) {
		return parse_smooth(value, &uri->smooth, text, diagnostic);
	}
	if (value && has_port(uri) && strcmp(key, "allow") == 0) {
		uri->remote = strcmp(value, "remote") == 0;
		return uri->remote ? JC_OK : fail(diagnostic, text, "allow is remote, not", value);
	}
	if (value && uri->scheme == JC_SOURCE_VMC && strcmp(key, "avatar") == 0) {
		if (!*value) {
			return fail(diagnostic, text, "avatar is a file, not", value);
		}
		strcpy(uri->avatar, value); /* parsed from uri->path */
		return JC_OK;
	}
	if (value && has_port(uri) && uri->scheme != JC_SOURCE_VMC && strcmp(key, "peer") == 0) {
		return parse_peer(value, &uri->peers, text, diagnostic);
	}
	if (value && is_face(uri)) {
		return parse_face_option(key, value, uri, out_known, text, diagnostic);
	}
	if (value && uri->scheme == JC_SOURCE_OPENXR) {
		return parse_openxr_option(key, value, uri, out_known, text, diagnostic);
	}
	if (value && uri->scheme == JC_SOURCE_OSC_TRACKERS &&
		(strcmp(key, "height") == 0 || strcmp(key, "tracker") == 0)) {
		return parse_openxr_option(key, value, uri, out_known, text, diagnostic);
	}
	*out_known = false;
	return JC_OK;
}

/* Reads one option; value may be NULL. */
static int parse_option(const char *key, const char *value, struct jc_source_uri *uri,
	const char *text, struct jc_diagnostic *diagnostic)
{
	bool is_motion = uri->scheme == JC_SOURCE_FILE || uri->scheme == JC_SOURCE_DEMO;
	bool is_replay = uri->scheme == JC_SOURCE_REPLAY;
	bool known;
	int status = (is_motion   ? parse_motion_option
		      : is_replay ? parse_replay_option
				  : parse_live_option)(key, value, uri, &known, text, diagnostic);

	if (known || status != JC_OK) {
		return status;
	}
	if ((is_motion || is_replay) && strcmp(key, "loop") == 0) {
		return parse_switch(key, value, &uri->loop, text, diagnostic);
	}
	if (value && (is_motion || is_replay) && strcmp(key, "speed") == 0) {
		return parse_speed(value, uri, text, diagnostic);
	}
	if (value && strcmp(key, "space") == 0) {
		if (!jc_source_space_name_is_valid(value)) {
			return fail(diagnostic, text, "not a name for a space:", value);
		}
		strcpy(uri->space, value);
		return JC_OK;
	}
	if (value && !is_replay && strcmp(key, "name") == 0) {
		if (!*value || strlen(value) >= sizeof(uri->name)) {
			return fail(diagnostic, text, "a name has 1 to 63 bytes, not", value);
		}
		strcpy(uri->name, value);
		return JC_OK;
	}
	return fail(diagnostic, text, "no such option:", key);
}

/* Whether a value has names of bodies: any text, so that '&', '?' and '%' need escapes. */
static bool has_escapes(const char *key)
{
	return strcmp(key, "name") == 0 || strcmp(key, "body") == 0 || strcmp(key, "prefix") == 0 ||
	       strcmp(key, "rename") == 0;
}

static int parse_options(char *options, struct jc_source_uri *uri, const char *text,
	struct jc_diagnostic *diagnostic)
{
	const char *key;
	char *value;
	int status = JC_OK;

	while (status == JC_OK && jc_query_next(&options, &key, &value)) {
		if (value && has_escapes(key) && !jc_query_unescape(value)) {
			return fail(diagnostic, text,
				"a '%' and two hexadecimal digits stand for a byte, a '%' itself "
				"is %25; not so in",
				key);
		}
		status = parse_option(key, value, uri, text, diagnostic);
	}
	return status;
}

/* PORT without an address means 127.0.0.1. */
static int parse_port(struct jc_source_uri *uri, const char *text, struct jc_diagnostic *diagnostic)
{
	char address[JC_ADDRESS_TEXT];
	bool alone = !strchr(uri->path, ':');
	const char *path = uri->path[0] ? uri->path : JC_OSC_TRACKERS_PORT;
	int length = snprintf(address, sizeof(address), "%s%s", alone ? "127.0.0.1:" : "", path);

	if ((size_t)length >= sizeof(address) || !jc_address_parse(address, &uri->address)) {
		return fail(diagnostic, text,
			"not a port, or 127.0.0.1:39539 or [::1]:39539:", uri->path);
	}
	if (!jc_address_is_loopback((const struct sockaddr *)&uri->address) && !uri->remote) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"source '%s': %s no authentication, so any address but loopback needs "
			"'?allow=remote'",
			text,
			uri->scheme == JC_SOURCE_VMC            ? "VMC has"
			: uri->scheme == JC_SOURCE_OSC_TRACKERS ? "OSC trackers have"
								: "its packets have");
	}
	/* A socket of loopback reaches no other machine. */
	if (uri->phone.ss_family != AF_UNSPEC &&
		!jc_address_is_loopback((const struct sockaddr *)&uri->phone) &&
		jc_address_is_loopback((const struct sockaddr *)&uri->address)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"source '%s': a phone needs an address that it reaches, such as "
			"0.0.0.0:49983, and '?allow=remote'",
			text);
	}
	return JC_OK;
}

static bool find_scheme(const char *text, enum jc_source_scheme *out_scheme)
{
	static const char *const schemes[] = {
		[JC_SOURCE_FILE] = "file:",
		[JC_SOURCE_DEMO] = "demo:",
		[JC_SOURCE_VMC] = "vmc:",
		[JC_SOURCE_OPENXR] = "openxr:",
		[JC_SOURCE_MOCOPI] = "mocopi:",
		[JC_SOURCE_IFACIALMOCAP] = "ifacialmocap:",
		[JC_SOURCE_FACEMOTION3D] = "facemotion3d:",
		[JC_SOURCE_OSC_TRACKERS] = "osc-trackers:",
		[JC_SOURCE_REPLAY] = "replay:",
	};

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (strncmp(text, schemes[i], strlen(schemes[i])) == 0) {
			*out_scheme = (enum jc_source_scheme)i;
			return true;
		}
	}
	return false;
}

int jc_source_uri_parse(
	const char *text, struct jc_source_uri *out_uri, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri uri = { .speed = 1.0,
		.profile = -1,
		.has_face = true,
		.until = JC_LIMIT_BODY_TIME,
		.space = "lobby" };

	if (!find_scheme(text, &uri.scheme)) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"source '%s': neither file:PATH, demo:NAME, replay:PATH, vmc:PORT, "
			"osc-trackers:PORT, mocopi:PORT, ifacialmocap:PORT, facemotion3d:PORT nor "
			"openxr:",
			text);
	}
	uri.loop = uri.scheme == JC_SOURCE_FILE || uri.scheme == JC_SOURCE_DEMO;
	const char *path = strchr(text, ':') + 1;

	if (strlen(path) >= sizeof(uri.path)) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
			"source: a path of more than %zu bytes", sizeof(uri.path) - 1);
	}
	strcpy(uri.path, path);

	char *options = jc_query_cut(uri.path);
	int status = parse_options(options, &uri, text, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	if (uri.scheme == JC_SOURCE_OPENXR && uri.path[0]) {
		return fail(diagnostic, text, "of openxr only options follow, not", uri.path);
	}
	if (uri.scheme != JC_SOURCE_OPENXR && uri.scheme != JC_SOURCE_OSC_TRACKERS &&
		!uri.path[0]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"source '%s': nothing follows the colon", text);
	}
	if (has_port(&uri)) {
		status = parse_port(&uri, text, diagnostic);
	}
	if (status == JC_OK) {
		*out_uri = uri;
	}
	return status;
}
