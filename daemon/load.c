/* What the options name, read and put where it belongs. A file is read whole
 * before anything is said of it. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "jointcast/emulation.h"
#include "jointcast/limits.h"
#include "jointcast/motion.h"
#include "jointcast/recording_reader.h"
#include "jointcast/skeleton.h"
#include "net/frame.h"
#include "record/recorder.h"
#include "sink/sink_target.h"
#include "sink/vmc_sink.h"
#include "source/calibration_store.h"
#include "source/motion_source.h"
#include "source/openxr/openxr_source.h"
#include "source/source_uri.h"
#include "source/vmc_source.h"

static int read_skeleton(const char *path, size_t index, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	size_t length;
	int status = jc_file_read(path, JC_LIMIT_FILE_BYTES, &bytes, &length, diagnostic);

	if (status == JC_OK) {
		status = jc_skeleton_read(
			bytes, length, index, NULL, out_skeleton, NULL, diagnostic);
	}
	free(bytes);
	return status;
}

static int load_skeleton(const struct jc_load *load, const struct jc_config_skeleton *wanted,
	struct jc_outfit **out_outfit)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton = NULL;
	int status = read_skeleton(wanted->path, wanted->index, &skeleton, &diagnostic);

	if (status == JC_OK) {
		status =
			jc_wardrobe_add(&load->spaces->wardrobe, skeleton, out_outfit, &diagnostic);
	}
	if (status != JC_OK) {
		jc_skeleton_destroy(skeleton);
		jc_log_diagnostic(load->log, wanted->path, &diagnostic);
	}
	return status;
}

static int read_motion(const struct jc_source_uri *uri, struct jc_motion **out_motion,
	struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	size_t length;

	if (uri->scheme == JC_SOURCE_DEMO) {
		return jc_motion_create_demo(uri->path, out_motion, diagnostic);
	}
	int status = jc_file_read(uri->path, JC_LIMIT_FILE_BYTES, &bytes, &length, diagnostic);

	if (status == JC_OK) {
		status = jc_recording_read_motion(
			bytes, length, uri->motion, NULL, out_motion, NULL, diagnostic);
	}
	free(bytes);
	if (status == JC_OK && jc_emulation_complete_motion(*out_motion, 0.0f)) {
		jc_motion_destroy(*out_motion);
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	return status;
}

/* What a body is called when nothing says so: its motion's name, or the file's
 * without folder and suffix. */
static void default_name(const struct jc_source_uri *uri, const struct jc_motion *motion,
	char out_name[JC_MAX_BODY_NAME])
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
	/* Never half a character of UTF-8. */
	while (length > 0 && name[length] && (name[length] & 0xc0) == 0x80) {
		length--;
	}
	memcpy(out_name, name, length);
	out_name[length] = '\0';
}

/* A name goes out as JSON, and file names are any bytes. */
static void make_utf8(char *name)
{
	if (jc_utf8_is_valid((const uint8_t *)name, strlen(name))) {
		return;
	}
	for (; *name; name++) {
		if (*name & 0x80) {
			*name = '?';
		}
	}
}

static int make_motion_source(const struct jc_load *load, const struct jc_source_uri *uri,
	char out_name[JC_MAX_BODY_NAME], struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	struct jc_motion *motion;
	int status = read_motion(uri, &motion, diagnostic);

	if (status == JC_OK && uri->mirror && jc_motion_create_mirror(motion, &motion)) {
		status = jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status != JC_OK) {
		return status;
	}
	const struct jc_motion_info *info = jc_motion_info(motion);
	struct jc_motion_source_options options = {
		.loop = uri->loop,
		.speed = uri->speed,
		.start_ns = load->spaces->start_ns,
		.epoch_ns = load->spaces->clock.epoch_ns,
		.recorded = uri->scheme == JC_SOURCE_FILE,
		.forearm_twist = (float)uri->twist,
		.seat_height =
			info->hips_height > 0.0f ? info->seat_height / info->hips_height : 0.0f,
	};

	default_name(uri, motion, out_name);
	status = jc_motion_source_create(motion, &options, out_source);
	if (status != JC_OK) {
		jc_motion_destroy(motion);
		jc_diagnose(diagnostic, status, NULL, "%s", jc_error_name(status));
	}
	return status;
}

/* FILE[#N] of an avatar; none at all is fine. */
static int read_avatar(
	const char *text, struct jc_skeleton **out_avatar, struct jc_diagnostic *diagnostic)
{
	char path[sizeof(((struct jc_source_uri *)0)->avatar)];

	*out_avatar = NULL;
	if (!*text) {
		return JC_OK;
	}
	strcpy(path, text);
	size_t index = jc_config_cut_index(path);

	return read_skeleton(path, index, out_avatar, diagnostic);
}

static int make_vmc_source(const struct jc_load *load, const struct jc_source_uri *uri,
	char out_name[JC_MAX_BODY_NAME], struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	struct jc_vmc_source_options options = {
		.address = uri->address,
		.log = load->log,
		.smooth = uri->smooth,
		.epoch_ns = load->spaces->clock.epoch_ns,
	};
	char address[JC_ADDRESS_TEXT];
	struct jc_skeleton *avatar;
	int status = read_avatar(uri->avatar, &avatar, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	options.avatar = avatar;
	status = jc_vmc_source_create(&options, out_source, diagnostic);
	jc_skeleton_destroy(avatar);
	if (status != JC_OK) {
		return status;
	}
	jc_vmc_source_address(*out_source, address);
	snprintf(out_name, JC_MAX_BODY_NAME, "VMC%s", strrchr(address, ':'));
	jc_log_write(load->log, JC_LOG_INFO, "vmc %s: waits for a body", address);
	if (uri->remote) {
		jc_log_write(load->log, JC_LOG_WARNING,
			"vmc %s: whoever reaches this port moves the body", address);
	}
	return JC_OK;
}

static int make_openxr_source(const struct jc_load *load, const struct jc_source_uri *uri,
	char out_name[JC_MAX_BODY_NAME], struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_openxr_source_options options = {
		.profile = uri->profile,
		.smooth = uri->smooth,
		.height = (float)uri->height,
		.log = load->log,
		.epoch_ns = load->spaces->clock.epoch_ns,
	};

	strcpy(out_name, "OpenXR");
	return jc_openxr_source_create(&options, out_source, diagnostic);
}

static int make_source(const struct jc_load *load, const struct jc_source_uri *uri,
	char out_name[JC_MAX_BODY_NAME], struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	switch (uri->scheme) {
	case JC_SOURCE_VMC:
		return make_vmc_source(load, uri, out_name, out_source, diagnostic);
	case JC_SOURCE_OPENXR:
		return make_openxr_source(load, uri, out_name, out_source, diagnostic);
	case JC_SOURCE_FILE:
	case JC_SOURCE_DEMO:
		break;
	}
	return make_motion_source(load, uri, out_name, out_source, diagnostic);
}

static int enter(const struct jc_load *load, const struct jc_source_uri *uri, char *name,
	struct jc_source *source, struct jc_outfit *outfit)
{
	struct jc_fanout *fanout;
	int status = jc_spaces_open(load->spaces, uri->space, &fanout);

	if (uri->name[0]) {
		strcpy(name, uri->name);
	}
	make_utf8(name);
	jc_calibration_store_restore(load->state, name, source, load->log);
	return status == JC_OK ? jc_space_add(fanout->space, name, outfit, source) : status;
}

static int load_source(
	const struct jc_load *load, const struct jc_config_source *wanted, struct jc_outfit *outfit)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source_uri uri;
	struct jc_source *source;
	char name[JC_MAX_BODY_NAME];
	int status = jc_source_uri_parse(wanted->uri, &uri, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
		return status;
	}
	/* The configuration has judged both. */
	if (wanted->name) {
		strcpy(uri.name, wanted->name);
	}
	if (wanted->space) {
		strcpy(uri.space, wanted->space);
	}
	status = make_source(load, &uri, name, &source, &diagnostic);
	if (status == JC_OK) {
		status = enter(load, &uri, name, source, outfit);
		if (status != JC_OK) {
			source->ops->destroy(source);
			jc_diagnose(&diagnostic, status, NULL, "cannot enter space '%s': %s",
				uri.space, jc_error_name(status));
		}
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, uri.scheme == JC_SOURCE_FILE ? uri.path : wanted->uri,
			&diagnostic);
	}
	return status;
}

static bool is_there(const struct jc_space *space, const char *name)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		if (!name[0] || strcmp(jc_space_body(space, i)->name, name) == 0) {
			return true;
		}
	}
	return false;
}

static int load_sink(const struct jc_load *load, const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sink_target target;
	struct jc_fanout *fanout;
	struct jc_sink *sink;
	int status = jc_sink_target_parse(text, &target, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
		return status;
	}
	status = jc_spaces_open(load->spaces, target.space, &fanout);
	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", target.space,
			jc_error_name(status));
	} else {
		status = jc_vmc_sink_create(&target, load->log, &sink, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, text, &diagnostic);
		return status;
	}
	if (!is_there(fanout->space, target.body)) {
		jc_log_write(load->log, JC_LOG_WARNING,
			"vmc-out %s: space '%s' has no body%s%s%s yet", text, target.space,
			target.body[0] ? " '" : "", target.body, target.body[0] ? "'" : "");
	}
	jc_space_add_sink(fanout->space, sink);
	return JC_OK;
}

static int load_record(const struct jc_load *load, const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_record_target target;
	struct jc_recorder_options options = { .target = &target,
		.loop = load->loop,
		.clock = &load->spaces->clock,
		.log = load->log };
	struct jc_fanout *fanout;
	struct jc_sink *sink;
	int status = jc_record_target_parse(text, &target, &diagnostic);

	if (status != JC_OK) {
		jc_log_diagnostic(load->log, NULL, &diagnostic);
		return status;
	}
	status = jc_spaces_open(load->spaces, target.space, &fanout);
	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", target.space,
			jc_error_name(status));
	} else {
		options.epoch = jc_space_options(fanout->space)->epoch;
		options.hz = jc_space_options(fanout->space)->hz;
		status = jc_recorder_create(&options, &sink, &diagnostic);
	}
	if (status != JC_OK) {
		jc_log_diagnostic(load->log, text, &diagnostic);
		return status;
	}
	jc_log_write(
		load->log, JC_LOG_INFO, "record '%s': space '%s'", target.folder, target.space);
	jc_space_add_sink(fanout->space, sink);
	return JC_OK;
}

static int open_space(const struct jc_load *load, const char *name)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_fanout *fanout;
	int status = jc_spaces_open(load->spaces, name, &fanout);

	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", name,
			jc_error_name(status));
		jc_log_diagnostic(load->log, NULL, &diagnostic);
	}
	return status;
}

/* What the i-th source wears: what it names, else the skeletons there are in turn. */
static struct jc_outfit *choose_outfit(const struct jc_load *load, const struct jc_config *config,
	size_t i, struct jc_outfit *const *outfits)
{
	const struct jc_config_source *source = &config->sources[i];

	for (size_t j = 0; source->skeleton && j < config->skeleton_count; j++) {
		const char *name = config->skeletons[j].name;

		if (name && strcmp(name, source->skeleton) == 0) {
			return outfits[j];
		}
	}
	return config->skeleton_count > 0 ? outfits[i % config->skeleton_count]
					  : load->spaces->wardrobe.humanoid;
}

int jc_load(const struct jc_load *load, const struct jc_config *config)
{
	struct jc_outfit *outfits[JC_MAX_SKELETONS];
	int status = open_space(load, "lobby");

	for (size_t i = 0; status == JC_OK && i < config->space_count; i++) {
		status = open_space(load, config->spaces[i]);
	}
	for (size_t i = 0; status == JC_OK && i < config->skeleton_count; i++) {
		status = load_skeleton(load, &config->skeletons[i], &outfits[i]);
	}
	for (size_t i = 0; status == JC_OK && i < config->source_count; i++) {
		status = load_source(
			load, &config->sources[i], choose_outfit(load, config, i, outfits));
	}
	for (size_t i = 0; status == JC_OK && i < config->sink_count; i++) {
		status = load_sink(load, config->sinks[i]);
	}
	for (size_t i = 0; status == JC_OK && i < config->record_count; i++) {
		status = load_record(load, config->records[i]);
	}
	return status;
}
