/* jointcastd: options in, exit status out. */
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "options.h"

int main(int argc, char **argv)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_options options;
	struct jc_app *app;
	int status = 2;

	switch (jc_options_parse(argc, argv, JC_WEB_ROOT, &options, &diagnostic)) {
	case JC_OPTIONS_HELP:
		fputs(jc_options_help, stdout);
		status = 0;
		break;
	case JC_OPTIONS_VERSION:
		puts("jointcastd " JC_VERSION);
		status = 0;
		break;
	case JC_OPTIONS_WRONG:
		fprintf(stderr, "jointcastd: %s (--help lists the options)\n", diagnostic.what);
		break;
	case JC_OPTIONS_RUN:
		app = calloc(1, sizeof(*app));
		status = app ? jc_app_run(app, &options, JC_VERSION) : 1;
		free(app);
		break;
	}
	jc_options_finish(&options);
	return status;
}
