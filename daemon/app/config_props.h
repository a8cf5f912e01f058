/* The props of the configuration: things such as chairs, whose virtual transforms the clients of a
 * space use. They are read on any thread, and then sent as they are: the daemon keeps no more of
 * them than the message `props` of each space. */
#ifndef JC_CONFIG_PROPS_H
#define JC_CONFIG_PROPS_H

#include "base/log.h"
#include "config/config.h"
#include "jointcast/lint.h"
#include "space/spaces.h"

/* The files of the props of a configuration, by its entries. All zeros: none was read. */
struct jc_config_props {
	char *descriptors[JC_MAX_PROPS]; /* owned */
	/* The first finding about each file; "": none. */
	char findings[JC_MAX_PROPS][sizeof(((struct jc_lint_entry *)0)->text)];
};

/* Reads all files, on any thread. Returns 0 or a negative enum jc_error with the diagnostic, and
 * *out_path, the file that it concerns, borrowed from the configuration. */
int jc_config_props_read(struct jc_config_props *props, const struct jc_config *config,
	const char **out_path, struct jc_diagnostic *diagnostic);
void jc_config_props_finish(struct jc_config_props *props);

/* Opens the spaces of the props. Returns 0 or a negative enum jc_error with the diagnostic. */
int jc_config_props_open_spaces(
	const struct jc_config *config, struct jc_spaces *spaces, struct jc_diagnostic *diagnostic);

/* Replaces the props of all spaces. Findings about the files, and a lack of memory, are logged. */
void jc_config_props_show(const struct jc_config_props *props, const struct jc_config *config,
	struct jc_spaces *spaces, const struct jc_log *log);

#endif
