/* One section of the configuration file: its keys, who judges their values where
 * they stand, and how they get into the configuration. A section lives in a file
 * of its own and is named in section.c. */
#ifndef JC_SECTION_H
#define JC_SECTION_H

#include <confuse.h>

#include "config/config.h"

/* Judges a value once it was read: 0, or -1 after cfg_error(). */
struct jc_section_judge {
	const char *path; /* "server|listen"; of the section itself: "server" */
	cfg_validate_callback_t judge;
};

struct jc_section {
	const char *name;
	cfg_flag_t flags;                      /* with a title: CFGF_TITLE | CFGF_MULTI */
	const cfg_opt_t *keys;                 /* ends with CFG_END() */
	const struct jc_section_judge *judges; /* ends with a path of NULL; may be NULL */
	/* Takes what the whole file says; the parser is at its root. Returns 0 or a
	 * negative enum jc_error with the diagnostic filled. */
	int (*take)(cfg_t *parser, struct jc_config *config, struct jc_diagnostic *diagnostic);
};

/* All there are, in the order in which they are taken; ends with NULL. */
extern const struct jc_section *const jc_sections[];

extern const struct jc_section jc_section_admin;
extern const struct jc_section jc_section_auth;
extern const struct jc_section jc_section_limits;
extern const struct jc_section jc_section_recording;
extern const struct jc_section jc_section_server;
extern const struct jc_section jc_section_skeleton;
extern const struct jc_section jc_section_source;
extern const struct jc_section jc_section_space;
extern const struct jc_section jc_section_spaces;
extern const struct jc_section jc_section_tls;
extern const struct jc_section jc_section_proxy;
extern const struct jc_section jc_section_vmc_out;

/* For judges. */

/* Makes an error of the file of what one of our parsers found. */
int jc_section_judged(cfg_t *section, int status, const struct jc_diagnostic *diagnostic);
/* The value that was read last. */
const char *jc_section_text(cfg_opt_t *option);
cfg_t *jc_section_last(cfg_opt_t *option);
int jc_section_judge_address(cfg_t *section, cfg_opt_t *option);
/* A number from `least` to `most`. */
int jc_section_judge_range(cfg_t *section, cfg_opt_t *option, long least, long most);
/* Refuses sections of that name that lack a key which they need. */
int jc_section_judge_has(cfg_t *parent, cfg_opt_t *option, const char *key);
int jc_section_judge_space_name(cfg_t *section, const char *name);

/* For takers. */

int jc_section_take_texts(cfg_t *parser, const char *path, struct jc_config_texts *texts,
	struct jc_diagnostic *diagnostic);
/* Leaves the value as it is where the file has none. */
void jc_section_take_number(cfg_t *parser, const char *path, unsigned *number);

#endif
