/* Reads and opens sources of every kind. */
#include "app/prepared_source.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "jointcast/bone_map.h"
#include "jointcast/emulation.h"
#include "jointcast/limits.h"
#include "jointcast/recording_reader.h"
#include "jointcast/skeleton.h"
#include "jointcast_private/text.h"
#include "replay/replay.h"
#include "source/face/phone_source.h"
#include "source/mocopi/mocopi_source.h"
#include "source/motion_source.h"
#include "source/openxr/openxr_source.h"
#include "source/osc_trackers_source.h"
#include "source/vmc/vmc_source.h"

static int no_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

/* Reads a bone map; NULL for the path NULL or "". The caller destroys *out_map. */
static int read_bone_map(
	const char *path, struct jc_bone_map **out_map, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic reason = { 0 };
	char *bytes = NULL;
	size_t length;

	*out_map = NULL;
	if (!path || !path[0]) {
		return JC_OK;
	}
	int status = jc_file_read(path, JC_LIMIT_BONE_MAP_BYTES, &bytes, &length, &reason);

	if (status != JC_OK) {
		/* The end of a long path identifies the file better than its beginning. */
		length = strlen(path);
		path += length < sizeof(reason.where) ? 0 : length - sizeof(reason.where) + 1;
		return jc_diagnose(diagnostic, status, path, "bone map: %s", reason.what);
	}
	status = jc_bone_map_read(path, bytes, length, out_map, diagnostic);
	free(bytes);
	return status;
}

int jc_prepared_skeleton_read(const char *path, size_t index, const char *bones,
	struct jc_skeleton **out_skeleton, struct jc_diagnostic *diagnostic)
{
	struct jc_bone_map *map;
	char *bytes = NULL;
	size_t length;
	int status = read_bone_map(bones, &map, diagnostic);

	if (status == JC_OK) {
		status = jc_file_read(path, JC_LIMIT_FILE_BYTES, &bytes, &length, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_skeleton_read_mapped(
			bytes, length, index, map, NULL, out_skeleton, NULL, diagnostic);
	}
	free(bytes);
	jc_bone_map_destroy(map);
	return status;
}

/* Names a body after its motion, else after the file without folder and suffix. */
static void name_by_motion(struct jc_source_uri *uri, const struct jc_motion *motion)
{
	const char *name = jc_motion_info(motion)->name;
	const char *slash = strrchr(uri->path, '/');

	if (!name[0]) {
		name = slash ? slash + 1 : uri->path;
	}
	size_t length = strnlen(name, JC_MAX_BODY_NAME - 1);
	const char *dot = strrchr(name, '.');

	if (name != jc_motion_info(motion)->name && dot && dot > name &&
		(size_t)(dot - name) < length) {
		length = (size_t)(dot - name);
	}
	length = jc_utf8_cut(name, length);
	memcpy(uri->name, name, length);
	uri->name[length] = '\0';
}

static int read_motion(const struct jc_source_uri *uri, struct jc_motion **out_motion,
	struct jc_diagnostic *diagnostic)
{
	struct jc_bone_map *map;
	char *bytes = NULL;
	size_t length;

	if (uri->scheme == JC_SOURCE_DEMO) {
		return jc_motion_create_demo(uri->path, out_motion, diagnostic);
	}
	int status = read_bone_map(uri->bones, &map, diagnostic);

	if (status == JC_OK) {
		status = jc_file_read(uri->path, JC_LIMIT_FILE_BYTES, &bytes, &length, diagnostic);
	}
	if (status == JC_OK && map) {
		status = jc_motion_read_mapped(
			bytes, length, uri->motion, map, NULL, out_motion, NULL, diagnostic);
	} else if (status == JC_OK) {
		status = jc_recording_read_motion(
			bytes, length, uri->motion, NULL, out_motion, NULL, diagnostic);
	}
	free(bytes);
	jc_bone_map_destroy(map);
	if (status == JC_OK && jc_emulation_complete_motion(*out_motion, 0.0f)) {
		jc_motion_destroy(*out_motion);
		status = no_memory(diagnostic);
	}
	return status;
}

/* All bodies of a recording play, unless an option concerns a single body. */
static bool is_recording(const struct jc_source_uri *uri)
{
	FILE *file;
	char magic[8];
	bool is = false;

	if (uri->scheme != JC_SOURCE_FILE || uri->has_motion) {
		return false;
	}
	file = fopen(uri->path, "rbe");
	if (file) {
		is = fread(magic, 1, sizeof(magic), file) == sizeof(magic) &&
		     jc_mcap_is(magic, sizeof(magic));
		fclose(file);
	}
	return is;
}

static int prepare_replay(struct jc_prepared_source *prepared, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;

	if (uri->mirror || uri->twist > 0.0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"mirror and twist need a single body of the recording: motion=N selects "
			"it");
	}
	if (uri->bones[0]) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"a recording has no joints to which a bone map could apply");
	}
	uri->speed = fmin(fmax(uri->speed, JC_REPLAY_SPEED_LEAST), JC_MAX_REPLAY_SPEED);
	uri->scheme = JC_SOURCE_REPLAY;
	return jc_replay_file_open(uri->path, &prepared->recording, diagnostic);
}

static int prepare_motion(struct jc_prepared_source *prepared, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;

	if (is_recording(uri)) {
		return prepare_replay(prepared, diagnostic);
	}
	struct jc_motion *motion;
	int status = read_motion(uri, &motion, diagnostic);

	if (status == JC_OK && uri->mirror && jc_motion_create_mirror(motion, &motion)) {
		status = no_memory(diagnostic);
	}
	if (status != JC_OK) {
		return status;
	}
	prepared->motion = motion;
	if (!uri->name[0]) {
		name_by_motion(uri, motion);
	}
	return JC_OK;
}

/* FILE[#N] of an avatar; optional. */
static int prepare_vmc(struct jc_prepared_source *prepared, struct jc_diagnostic *diagnostic)
{
	char path[sizeof(prepared->uri.avatar)];

	if (!prepared->uri.avatar[0]) {
		return JC_OK;
	}
	strcpy(path, prepared->uri.avatar);
	size_t index = jc_config_cut_index(path);

	return jc_prepared_skeleton_read(path, index, NULL, &prepared->avatar, diagnostic);
}

static int prepare(struct jc_prepared_source *prepared, const struct jc_config_source *wanted,
	struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;
	int status = jc_source_uri_parse(wanted->uri, uri, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	/* The configuration has checked both. */
	if (wanted->name) {
		strcpy(uri->name, wanted->name);
	}
	if (wanted->space) {
		strcpy(uri->space, wanted->space);
	}
	switch (uri->scheme) {
	case JC_SOURCE_VMC:
		status = prepare_vmc(prepared, diagnostic);
		break;
	case JC_SOURCE_OPENXR:
	case JC_SOURCE_OSC_TRACKERS:
	case JC_SOURCE_MOCOPI:
	case JC_SOURCE_IFACIALMOCAP:
	case JC_SOURCE_FACEMOTION3D:
		break;
	case JC_SOURCE_FILE:
	case JC_SOURCE_DEMO:
		status = prepare_motion(prepared, diagnostic);
		break;
	case JC_SOURCE_REPLAY:
		status = prepare_replay(prepared, diagnostic);
		break;
	}
	jc_utf8_repair(uri->name); /* sent as JSON; file names are any bytes */
	return status;
}

int jc_prepared_source_create(const struct jc_config_source *wanted,
	struct jc_prepared_source **out_prepared, struct jc_diagnostic *diagnostic)
{
	struct jc_prepared_source *prepared = calloc(1, sizeof(*prepared));

	if (!prepared) {
		return no_memory(diagnostic);
	}
	int status = prepare(prepared, wanted, diagnostic);

	if (status != JC_OK) {
		jc_prepared_source_destroy(prepared);
		return status;
	}
	*out_prepared = prepared;
	return JC_OK;
}

void jc_prepared_source_destroy(struct jc_prepared_source *prepared)
{
	if (prepared) {
		jc_motion_destroy(prepared->motion);
		jc_skeleton_destroy(prepared->avatar);
		jc_replay_file_close(prepared->recording);
		free(prepared);
	}
}

static int open_motion(struct jc_prepared_source *prepared, const struct jc_source_opening *opening,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	const struct jc_source_uri *uri = &prepared->uri;
	const struct jc_motion_info *info = jc_motion_info(prepared->motion);
	struct jc_motion_source_options options = {
		.loop = uri->loop,
		.speed = uri->speed,
		.start_ns = opening->start_ns,
		.epoch_ns = opening->epoch_ns,
		.recorded = uri->scheme == JC_SOURCE_FILE,
		.forearm_twist = (float)uri->twist,
		.seat_height =
			info->hips_height > 0.0f ? info->seat_height / info->hips_height : 0.0f,
	};
	int status = jc_motion_source_create(prepared->motion, &options, out_source);

	if (status != JC_OK) {
		return jc_diagnose(diagnostic, status, NULL, "%s", jc_error_name(status));
	}
	prepared->motion = NULL;
	return JC_OK;
}

static void note_port(const struct jc_source_opening *opening, const struct jc_source_uri *uri,
	const char *kind, const char *address)
{
	jc_log_write(opening->log, JC_LOG_INFO, "%s %s: waiting for a body", kind, address);
	if (uri->remote && uri->peers.count == 0 && uri->phone.ss_family == AF_UNSPEC) {
		jc_log_write(opening->log, JC_LOG_WARNING,
			"%s %s: any program that reaches this port can move the body", kind,
			address);
	}
}

static int open_vmc(struct jc_prepared_source *prepared, const struct jc_source_opening *opening,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;
	const struct jc_vmc_source_options options = {
		.address = uri->address,
		.log = opening->log,
		.smooth = uri->smooth,
		.epoch_ns = opening->epoch_ns,
		.avatar = prepared->avatar,
	};
	char address[JC_ADDRESS_TEXT];
	int status = jc_vmc_source_create(&options, out_source, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	prepared->avatar = NULL;
	jc_vmc_source_address(*out_source, address);
	if (!uri->name[0]) {
		snprintf(uri->name, sizeof(uri->name), "VMC%s", strrchr(address, ':'));
	}
	note_port(opening, uri, "vmc", address);
	return JC_OK;
}

static int open_mocopi(struct jc_prepared_source *prepared, const struct jc_source_opening *opening,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;
	const struct jc_mocopi_source_options options = {
		.address = uri->address,
		.peers = uri->peers,
		.log = opening->log,
		.smooth = uri->smooth,
		.epoch_ns = opening->epoch_ns,
	};
	char address[JC_ADDRESS_TEXT];
	int status = jc_mocopi_source_create(&options, out_source, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	jc_mocopi_source_address(*out_source, address);
	if (!uri->name[0]) {
		snprintf(uri->name, sizeof(uri->name), "mocopi%s", strrchr(address, ':'));
	}
	note_port(opening, uri, "mocopi", address);
	return JC_OK;
}

/* The source of a body of the server, present or waiting: clients own the others. */
static struct jc_source *find_body(void *context, const char *space_name, const char *name)
{
	struct jc_fanout *fanout = jc_spaces_find(context, space_name);
	size_t present = fanout ? jc_space_body_count(fanout->space) : 0;
	size_t count = fanout ? present + jc_space_waiting_count(fanout->space) : 0;

	for (size_t i = 0; i < count; i++) {
		const struct jc_body *body = i < present
						     ? jc_space_body(fanout->space, i)
						     : jc_space_waiting(fanout->space, i - present);

		if (body->source->party == 0 && strcmp(body->name, name) == 0) {
			return body->source;
		}
	}
	return NULL;
}

static int open_phone(struct jc_prepared_source *prepared, const struct jc_source_opening *opening,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;
	const struct jc_phone_source_options options = {
		.app = uri->scheme == JC_SOURCE_FACEMOTION3D ? JC_PHONE_FACEMOTION3D
							     : JC_PHONE_IFACIALMOCAP,
		.address = uri->address,
		.peers = uri->peers,
		.phone = uri->phone,
		.smooth = uri->smooth,
		.height = (float)uri->height,
		.body = uri->body,
		.space = uri->space,
		.log = opening->log,
		.epoch_ns = opening->epoch_ns,
		.find = find_body,
		.context = opening->spaces,
	};
	char address[JC_ADDRESS_TEXT];
	int status = jc_phone_source_create(&options, out_source, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	jc_phone_source_address(*out_source, address);
	if (!uri->name[0]) {
		snprintf(uri->name, sizeof(uri->name), "face%s", strrchr(address, ':'));
	}
	note_port(opening, uri, jc_phone_app_name(options.app), address);
	return JC_OK;
}

static int open_osc_trackers(struct jc_prepared_source *prepared,
	const struct jc_source_opening *opening, struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;
	const struct jc_osc_trackers_options options = {
		.address = uri->address,
		.peers = uri->peers,
		.roles = uri->trackers,
		.height = (float)uri->height,
		.log = opening->log,
		.smooth = uri->smooth,
		.epoch_ns = opening->epoch_ns,
	};
	char address[JC_ADDRESS_TEXT];
	int status = jc_osc_trackers_source_create(&options, out_source, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	jc_osc_trackers_source_address(*out_source, address);
	if (!uri->name[0]) {
		snprintf(uri->name, sizeof(uri->name), "OSC%s", strrchr(address, ':'));
	}
	note_port(opening, uri, "osc-trackers", address);
	return JC_OK;
}

static int open_openxr(struct jc_prepared_source *prepared, const struct jc_source_opening *opening,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri *uri = &prepared->uri;
	const struct jc_openxr_source_options options = {
		.profile = uri->profile,
		.smooth = uri->smooth,
		.height = (float)uri->height,
		.trackers = uri->trackers,
		.is_faceless = !uri->has_face,
		.log = opening->log,
		.epoch_ns = opening->epoch_ns,
	};

	if (!uri->name[0]) {
		strcpy(uri->name, "OpenXR");
	}
	return jc_openxr_source_create(&options, out_source, diagnostic);
}

int jc_prepared_source_open(struct jc_prepared_source *prepared,
	const struct jc_source_opening *opening, struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	switch (prepared->uri.scheme) {
	case JC_SOURCE_VMC:
		return open_vmc(prepared, opening, out_source, diagnostic);
	case JC_SOURCE_OPENXR:
		return open_openxr(prepared, opening, out_source, diagnostic);
	case JC_SOURCE_OSC_TRACKERS:
		return open_osc_trackers(prepared, opening, out_source, diagnostic);
	case JC_SOURCE_MOCOPI:
		return open_mocopi(prepared, opening, out_source, diagnostic);
	case JC_SOURCE_IFACIALMOCAP:
	case JC_SOURCE_FACEMOTION3D:
		return open_phone(prepared, opening, out_source, diagnostic);
	case JC_SOURCE_FILE:
	case JC_SOURCE_DEMO:
	case JC_SOURCE_REPLAY:
		break;
	}
	assert(!prepared->recording);
	return open_motion(prepared, opening, out_source, diagnostic);
}
