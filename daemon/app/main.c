/* The main function of jointcastd: from options to exit status. */
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "app/app.h"
#include "app/list_senders.h"
#include "app/options.h"

static void print_error(const struct jc_diagnostic *diagnostic, const char *hint)
{
	fprintf(stderr, "jointcastd: %s%s%s%s\n", diagnostic->what,
		diagnostic->where[0] ? ", " : "", diagnostic->where, hint);
}

/* Finds the viewer's directory: relative to the program (the build and an installation have the
 * same relative path), otherwise where an installation has it. */
static void find_web_root(char out_path[PATH_MAX])
{
	char program[PATH_MAX - sizeof(JC_WEB_FROM_PROGRAM)];
	char beside[PATH_MAX];
	size_t length = sizeof(program);

	snprintf(out_path, PATH_MAX, "%s", JC_WEB_INSTALLED);
	if (uv_exepath(program, &length) != 0 || length >= sizeof(program) - 1) {
		return;
	}
	*strrchr(program, '/') = '\0';
	snprintf(beside, sizeof(beside), "%s/%s", program, JC_WEB_FROM_PROGRAM);
	if (!realpath(beside, out_path)) {
		snprintf(out_path, PATH_MAX, "%s", JC_WEB_INSTALLED);
	}
}

static int run(const struct jc_options *options)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_app *app = calloc(1, sizeof(*app));
	char web_root[PATH_MAX];
	int status = 1;

	if (!app) {
		return status;
	}
	find_web_root(web_root);
	if (jc_options_configure(options, web_root, &app->config, &diagnostic) != JC_OK) {
		print_error(&diagnostic, "");
	} else if (options->check) {
		status = jc_app_check(app);
		if (status == 0) {
			puts("the configuration is sound");
		}
	} else {
		status = jc_app_run(app, options, web_root, JC_VERSION);
	}
	jc_config_finish(&app->config);
	free(app);
	return status;
}

#define LARGE_BYTES (256 << 10)

/* By default, glibc gives each thread of the pool its own heap, which keeps the largest size that
 * a job on it ever used. After a large block has been freed, it also takes large blocks from the
 * heap and keeps twice as much at its end. */
static void share_one_heap(void)
{
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
}

int main(int argc, char **argv)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_options options;

	share_one_heap();
	switch (jc_options_parse(argc, argv, &options, &diagnostic)) {
	case JC_OPTIONS_HELP:
		fputs(jc_options_help, stdout);
		return 0;
	case JC_OPTIONS_VERSION:
		puts("jointcastd " JC_VERSION);
		return 0;
	case JC_OPTIONS_LIST_SENDERS:
		return jc_list_senders(options.lists_remote);
	case JC_OPTIONS_RUN:
		return run(&options);
	default:
		print_error(&diagnostic, " (--help lists the options)");
		return 2;
	}
}
