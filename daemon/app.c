/* Files are read first, then the port is opened: what listens also works. */
#include "app.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "jointcast/limits.h"
#include "jointcast/motion.h"
#include "jointcast/skeleton.h"
#include "net/frame.h"
#include "sink/sink_target.h"
#include "sink/vmc_sink.h"
#include "source/motion_source.h"
#include "source/source_uri.h"
#include "source/vmc_source.h"

enum { EXIT_OK = 0, EXIT_INPUT = 1, EXIT_IO = 3 };

/* Two descriptors a session, and some. libwebsockets sizes its tables by this
 * limit, so that a huge one is lowered too. */
#define DESCRIPTORS (2 * JC_MAX_CONNECTIONS + 128)

static void limit_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return;
	}
	limit.rlim_cur = limit.rlim_max < DESCRIPTORS ? limit.rlim_max : DESCRIPTORS;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void complain(
	const struct jc_app *app, const char *subject, const struct jc_diagnostic *diagnostic)
{
	jc_log_write(&app->log, JC_LOG_ERROR, "%s%s%s%s%s", subject ? subject : "",
		subject ? ": " : "", diagnostic->what, diagnostic->where[0] ? ", " : "",
		diagnostic->where);
}

static int read_skeleton(const struct jc_skeleton_option *option, struct jc_skeleton **out_skeleton,
	struct jc_diagnostic *diagnostic)
{
	char *bytes = NULL;
	size_t length;
	int status = jc_file_read(option->path, JC_LIMIT_FILE_BYTES, &bytes, &length, diagnostic);

	if (status == JC_OK) {
		status = jc_skeleton_read(
			bytes, length, option->index, NULL, out_skeleton, NULL, diagnostic);
	}
	free(bytes);
	return status;
}

static int load_skeleton(struct jc_app *app, const struct jc_skeleton_option *option)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton *skeleton = NULL;
	const struct jc_outfit *outfit;
	int status = read_skeleton(option, &skeleton, &diagnostic);

	if (status == JC_OK) {
		status = jc_wardrobe_add(&app->spaces.wardrobe, skeleton, &outfit, &diagnostic);
	}
	if (status != JC_OK) {
		jc_skeleton_destroy(skeleton);
		complain(app, option->path, &diagnostic);
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
		status = jc_motion_read(bytes, length, 0, NULL, out_motion, NULL, diagnostic);
	}
	free(bytes);
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

static int make_motion_source(const struct jc_app *app, const struct jc_source_uri *uri,
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
		.start_ns = app->spaces.start_ns,
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
	struct jc_skeleton_option option;

	*out_avatar = NULL;
	if (!*text) {
		return JC_OK;
	}
	if (jc_options_parse_skeleton(text, &option) != JC_OK) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	int status = read_skeleton(&option, out_avatar, diagnostic);

	free(option.path);
	return status;
}

static int make_vmc_source(const struct jc_app *app, const struct jc_source_uri *uri,
	char out_name[JC_MAX_BODY_NAME], struct jc_source **out_source,
	struct jc_diagnostic *diagnostic)
{
	struct jc_vmc_source_options options = { .address = uri->address, .log = &app->log };
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
	jc_log_write(&app->log, JC_LOG_INFO, "vmc %s: waits for a body", address);
	if (uri->remote) {
		jc_log_write(&app->log, JC_LOG_WARNING,
			"vmc %s: whoever reaches this port moves the body", address);
	}
	return JC_OK;
}

static int enter(struct jc_app *app, const struct jc_source_uri *uri, char *name,
	struct jc_source *source, const struct jc_outfit *outfit)
{
	struct jc_fanout *fanout;
	int status = jc_spaces_open(&app->spaces, uri->space, &fanout);

	if (uri->name[0]) {
		strcpy(name, uri->name);
	}
	make_utf8(name);
	return status == JC_OK ? jc_space_add(fanout->space, name, outfit, source) : status;
}

static int load_source(struct jc_app *app, const char *text, const struct jc_outfit *outfit)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source_uri uri;
	struct jc_source *source;
	char name[JC_MAX_BODY_NAME];
	int status = jc_source_uri_parse(text, &uri, &diagnostic);

	if (status != JC_OK) {
		complain(app, NULL, &diagnostic);
		return status;
	}
	status = uri.scheme == JC_SOURCE_VMC
			 ? make_vmc_source(app, &uri, name, &source, &diagnostic)
			 : make_motion_source(app, &uri, name, &source, &diagnostic);
	if (status == JC_OK) {
		status = enter(app, &uri, name, source, outfit);
		if (status != JC_OK) {
			source->ops->destroy(source);
			jc_diagnose(&diagnostic, status, NULL, "cannot enter space '%s': %s",
				uri.space, jc_error_name(status));
		}
	}
	if (status != JC_OK) {
		complain(app, uri.scheme == JC_SOURCE_FILE ? uri.path : text, &diagnostic);
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

static int load_sink(struct jc_app *app, const char *text)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sink_target target;
	struct jc_fanout *fanout;
	struct jc_sink *sink;
	int status = jc_sink_target_parse(text, &target, &diagnostic);

	if (status != JC_OK) {
		complain(app, NULL, &diagnostic);
		return status;
	}
	status = jc_spaces_open(&app->spaces, target.space, &fanout);
	if (status != JC_OK) {
		jc_diagnose(&diagnostic, status, NULL, "cannot open space '%s': %s", target.space,
			jc_error_name(status));
	} else {
		status = jc_vmc_sink_create(&target, &app->log, &sink, &diagnostic);
	}
	if (status != JC_OK) {
		complain(app, text, &diagnostic);
		return status;
	}
	if (!is_there(fanout->space, target.body)) {
		jc_log_write(&app->log, JC_LOG_WARNING,
			"vmc-out %s: space '%s' has no body%s%s%s yet", text, target.space,
			target.body[0] ? " '" : "", target.body, target.body[0] ? "'" : "");
	}
	jc_space_add_sink(fanout->space, sink);
	return JC_OK;
}

static int load(struct jc_app *app, const struct jc_options *options)
{
	struct jc_fanout *lobby;
	int status = jc_spaces_open(&app->spaces, "lobby", &lobby);

	for (size_t i = 0; status == JC_OK && i < options->skeleton_count; i++) {
		status = load_skeleton(app, &options->skeletons[i]);
	}
	/* Outfit 0 is the built-in humanoid, worn where nothing else is given. */
	const struct jc_wardrobe *wardrobe = &app->spaces.wardrobe;
	size_t first = wardrobe->count > 1 ? 1 : 0;

	for (size_t i = 0; status == JC_OK && i < options->source_count; i++) {
		status = load_source(app, options->sources[i],
			&wardrobe->outfits[first + i % (wardrobe->count - first)]);
	}
	for (size_t i = 0; status == JC_OK && i < options->sink_count; i++) {
		status = load_sink(app, options->sinks[i]);
	}
	return status;
}

static void on_tick(void *context, uint32_t tick, int64_t now_ns)
{
	struct jc_app *app = context;

	jc_spaces_tick(&app->spaces, tick, now_ns);
}

static void on_ticker_closed(void *context)
{
	(void)context;
}

static void on_server_stopped(void *context)
{
	struct jc_app *app = context;

	uv_close((uv_handle_t *)&app->terminate, NULL);
	uv_close((uv_handle_t *)&app->interrupt, NULL);
}

static void on_signal(uv_signal_t *signal, int number)
{
	struct jc_app *app = signal->data;

	if (uv_is_closing((uv_handle_t *)&app->ticker.poll)) {
		return;
	}
	jc_log_write(
		&app->log, JC_LOG_INFO, "stopping on %s", number == SIGTERM ? "SIGTERM" : "SIGINT");
	jc_ticker_close(&app->ticker, on_ticker_closed);
	jc_server_stop(app->server, on_server_stopped, app);
}

static void watch_signal(struct jc_app *app, uv_signal_t *signal, int number)
{
	uv_signal_init(&app->loop, signal);
	signal->data = app;
	uv_signal_start(signal, on_signal, number);
}

static void say_listening(struct jc_app *app, const struct jc_options *options)
{
	char address[JC_ADDRESS_TEXT];

	jc_server_address(app->server, address);
	if (options->source_count == 0) {
		jc_log_write(&app->log, JC_LOG_WARNING, "no --source: space 'lobby' is empty");
	}
	if (access(options->web_root, R_OK | X_OK) != 0) {
		jc_log_write(&app->log, JC_LOG_WARNING, "no viewer: '%s': %s", options->web_root,
			strerror(errno));
	}
	jc_log_write(&app->log, JC_LOG_INFO, "listening on %s", address);
}

/* Listens, ticks and waits for a signal. */
static int serve(struct jc_app *app, const struct jc_options *options, const char *version)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_server_options server = { .address = options->listen,
		.web_root = options->web_root,
		.version = version,
		.log = &app->log,
		.spaces = &app->spaces };

	if (jc_server_create(&app->loop, &server, &app->server, &diagnostic) != JC_OK) {
		complain(app, NULL, &diagnostic);
		return EXIT_IO;
	}
	watch_signal(app, &app->terminate, SIGTERM);
	watch_signal(app, &app->interrupt, SIGINT);

	int status = jc_ticker_start(
		&app->ticker, &app->loop, JC_TICK_HZ, app->spaces.start_ns, on_tick, app);

	if (status == 0) {
		say_listening(app, options);
	} else {
		jc_log_write(&app->log, JC_LOG_ERROR, "cannot tick: %s", uv_strerror(status));
		jc_server_stop(app->server, on_server_stopped, app);
	}
	uv_run(&app->loop, UV_RUN_DEFAULT);
	if (app->ticker.missed > 0) {
		jc_log_write(&app->log, JC_LOG_INFO, "%llu ticks came too late",
			(unsigned long long)app->ticker.missed);
	}
	jc_server_destroy(app->server);
	return status == 0 ? EXIT_OK : EXIT_IO;
}

int jc_app_run(struct jc_app *app, const struct jc_options *options, const char *version)
{
	struct jc_diagnostic diagnostic = { 0 };
	int result = EXIT_INPUT;

	jc_log_init(&app->log, STDERR_FILENO, getenv("JOURNAL_STREAM"));
	limit_descriptors();
	signal(SIGPIPE, SIG_IGN);
	if (uv_loop_init(&app->loop) != 0) {
		return EXIT_IO;
	}
	if (jc_spaces_init(&app->spaces, &diagnostic) != JC_OK) {
		complain(app, NULL, &diagnostic);
	} else if (load(app, options) == JC_OK) {
		result = serve(app, options, version);
	}
	jc_spaces_finish(&app->spaces);

	/* A handle that is still open is a defect, and the status tells. */
	if (uv_loop_close(&app->loop) != 0) {
		jc_log_write(&app->log, JC_LOG_ERROR, "handles were left open");
		result = EXIT_IO;
	}
	return result;
}
