/* The values of configuration keys: read from text, compared and freed as the type in their
 * table entry requires. `base` is the struct that contains the field (jc_config_entry.offset). */
#ifndef JC_CONFIG_VALUE_H
#define JC_CONFIG_VALUE_H

#include "config/config_table.h"

/* Reads and checks a text, and stores its value. A list gets one more element, anything
 * else is replaced. Returns 0, JC_ERROR_INVALID, JC_ERROR_LIMIT or JC_ERROR_MEMORY with the
 * diagnostic filled. */
int jc_config_value_read(const struct jc_config_entry *entry, const char *text, void *base,
	struct jc_diagnostic *diagnostic);

/* The same without the check of the entry. */
int jc_config_value_store(const struct jc_config_entry *entry, const char *text, void *base,
	struct jc_diagnostic *diagnostic);

/* Frees what the value owns; a list is then empty, a text NULL. */
void jc_config_value_finish(const struct jc_config_entry *entry, void *base);

bool jc_config_value_equals(const struct jc_config_entry *entry, const void *a, const void *b);

#endif
