/* The table of all configuration keys. Reading the file, the environment and the command
 * line, checking values, comparing configurations at a reload, and the list of keys in
 * jointcastd.conf(5) follow from it: a new key is one new row in config_table.c. */
#ifndef JC_CONFIG_TABLE_H
#define JC_CONFIG_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"

enum jc_config_type {
	JC_CONFIG_NUMBER,    /* unsigned, from `minimum` to `maximum` */
	JC_CONFIG_FLAG,      /* bool */
	JC_CONFIG_TEXT,      /* char *, owned */
	JC_CONFIG_TEXTS,     /* struct jc_config_texts; a list */
	JC_CONFIG_PERMIT,    /* struct jc_permit; a list */
	JC_CONFIG_LOOPBACK,  /* struct sockaddr_storage: a loopback address and port */
	JC_CONFIG_ADDRESS,   /* struct sockaddr_storage: any address and port */
	JC_CONFIG_ADMIN,     /* struct sockaddr_storage: as LOOPBACK, or "unix:PATH" */
	JC_CONFIG_ALGORITHM, /* enum jc_key_algorithm */
	JC_CONFIG_FOLDER,    /* char [PATH_MAX], in the file not empty */
	JC_CONFIG_SKELETON,  /* path and index of struct jc_config_skeleton, from FILE[#N] */
	JC_CONFIG_RECORDING, /* a field of `recording` that jc_record_set() knows */
};

/* When a changed value takes effect. */
enum jc_config_reload {
	JC_CONFIG_AT_START,     /* at the next start; a reload logs a warning */
	JC_CONFIG_AT_RELOAD,    /* at SIGHUP */
	JC_CONFIG_LOWER_RELOAD, /* a lower number at SIGHUP, a higher one at the next start */
};

struct jc_config_entry {
	const char *path; /* "limits.connections": section, key */
	enum jc_config_type type;
	size_t offset, size; /* of the field, in struct jc_config or in an element of a list */
	enum jc_config_reload reload;
	bool is_required; /* where its section is present */
	long minimum, maximum;
	const char *initial; /* the default as the file would have it; NULL: none */
	const char *unit;    /* for the manual; NULL: none */
	/* Rejects a value beyond what its type rejects, with the diagnostic filled; may be
	 * NULL. */
	int (*check)(const char *text, struct jc_diagnostic *diagnostic);
	const char *variables[2]; /* of the environment; the later one wins; NULL: none */
	const char *help;         /* for the manual; *x* is bold. NULL: described at "spaces" */
};

/* A section with titles, such as space "NAME" { … }, adds an element to a list of struct
 * jc_config; the first field of the element is the title. A section without titles has no
 * list: its entries are fields of struct jc_config. */
struct jc_config_section {
	const char *path;             /* "limits"; "auth.key" is inside "auth" */
	size_t array, count;          /* offsets of the list and of its length */
	size_t item_size, maximum;    /* maximum 0: no titles */
	size_t allocated;             /* size of an element that the list points to;
				       * 0: the list contains its elements */
	enum jc_config_reload reload; /* of the whole list */
	const char *what;             /* plural, for errors */
	int (*check_title)(const char *title, struct jc_diagnostic *diagnostic); /* may be NULL */
	/* Sets defaults of a new element; may be NULL. */
	void (*init)(const struct jc_config *config, void *element);
	const char *help; /* for the manual */
};

/* Both end with a path of NULL. Sections are read in this order. */
extern const struct jc_config_section jc_config_sections[];
extern const struct jc_config_entry jc_config_entries[];

/* The key alone: "connections" of "limits.connections". */
const char *jc_config_entry_key(const struct jc_config_entry *entry);
const struct jc_config_section *jc_config_entry_section(const struct jc_config_entry *entry);
bool jc_config_entry_is_list(const struct jc_config_entry *entry);
const struct jc_config_entry *jc_config_entry_find(const char *path);

/* Adds an element to the list of a section and sets its title, which may be NULL. Returns 0,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY with the diagnostic filled. */
int jc_config_add_element(struct jc_config *config, const struct jc_config_section *section,
	const char *title, void **out_element, struct jc_diagnostic *diagnostic);

#endif
