/* Keeps the configuration in memory: defaults, single values, lists, and a reload. */
#include "config/config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_value.h"

static int no_memory(struct jc_diagnostic *diagnostic)
{
	return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
}

static bool is_single(const struct jc_config_entry *entry)
{
	return jc_config_entry_section(entry)->maximum == 0;
}

int jc_config_init(struct jc_config *config, const char *web_root, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	*config = (struct jc_config){ 0 };
	for (const struct jc_config_entry *entry = jc_config_entries;
		entry->path && status == JC_OK; entry++) {
		if (entry->initial && is_single(entry)) {
			status = jc_config_value_read(entry, entry->initial, config, diagnostic);
		}
	}
	return status == JC_OK ? jc_config_set(config, "server.web", web_root, diagnostic) : status;
}

static size_t *count_of(const struct jc_config_section *section, const struct jc_config *config)
{
	return (size_t *)((char *)config + section->count);
}

/* The element, or the pointer to it. */
static void *slot_of(
	const struct jc_config_section *section, const struct jc_config *config, size_t i)
{
	return (char *)config + section->array + i * section->item_size;
}

static void *element_of(
	const struct jc_config_section *section, const struct jc_config *config, size_t i)
{
	void *slot = slot_of(section, config, i);

	return section->allocated ? *(void **)slot : slot;
}

static void finish_values(const struct jc_config_section *section, void *base)
{
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		if (jc_config_entry_section(entry) == section) {
			jc_config_value_finish(entry, base);
		}
	}
}

static void finish_list(const struct jc_config_section *section, struct jc_config *config)
{
	for (size_t i = 0; i < *count_of(section, config); i++) {
		void *element = element_of(section, config, i);

		finish_values(section, element);
		free(*(char **)element); /* the title */
		if (section->allocated) {
			free(element);
		}
	}
}

void jc_config_finish(struct jc_config *config)
{
	const struct jc_config_section *section = jc_config_sections;

	for (; section->path; section++) {
		if (section->maximum > 0) {
			finish_list(section, config);
		} else {
			finish_values(section, config);
		}
	}
	jc_config_free_texts(&config->records);
	*config = (struct jc_config){ 0 };
}

int jc_config_add_element(struct jc_config *config, const struct jc_config_section *section,
	const char *title, void **out_element, struct jc_diagnostic *diagnostic)
{
	size_t *count = count_of(section, config);
	void *slot = slot_of(section, config, *count);
	void *element = slot;

	if (*count == section->maximum) {
		return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL, "more than %zu %s",
			section->maximum, section->what);
	}
	if (section->allocated) {
		element = calloc(1, section->allocated);
		*(void **)slot = element;
	} else {
		memset(slot, 0, section->item_size);
	}
	char *own = element && title ? strdup(title) : NULL;

	if (!element || (title && !own)) {
		if (section->allocated) {
			free(element);
		}
		return no_memory(diagnostic);
	}
	*(char **)element = own;
	if (section->init) {
		section->init(config, element);
	}
	++*count;
	*out_element = element;
	return JC_OK;
}

int jc_config_add(struct jc_config *config, const char *path, const char *text,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_config_entry *entry = jc_config_entry_find(path);
	void *element = NULL;
	int status = jc_config_add_element(
		config, jc_config_entry_section(entry), NULL, &element, diagnostic);

	return status == JC_OK ? jc_config_value_store(entry, text, element, diagnostic) : status;
}

int jc_config_set(struct jc_config *config, const char *path, const char *text,
	struct jc_diagnostic *diagnostic)
{
	const struct jc_config_entry *entry = jc_config_entry_find(path);

	assert(entry && is_single(entry));
	return jc_config_value_read(entry, text, config, diagnostic);
}

int jc_config_check_value(const char *path, const char *text, struct jc_diagnostic *diagnostic)
{
	struct jc_config *scratch = calloc(1, sizeof(*scratch));

	if (!scratch) {
		return no_memory(diagnostic);
	}
	int status = jc_config_set(scratch, path, text, diagnostic);

	jc_config_finish(scratch);
	free(scratch);
	return status;
}

static int read_variable(const struct jc_config_entry *entry, const char *name,
	struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	struct jc_diagnostic cause = { 0 };
	const char *text = getenv(name);

	if (!text || !*text) {
		return JC_OK;
	}
	/* Unlike in the file, a number is decimal, and zeros before it mean nothing. */
	if (entry->type == JC_CONFIG_NUMBER) {
		text += strspn(text, "0");
		if (!*text || text[strspn(text, "0123456789")]) {
			return jc_diagnose(diagnostic, JC_ERROR_INVALID, name,
				"a number from %ld to %ld, not '%s'", entry->minimum,
				entry->maximum, getenv(name));
		}
	}
	int status = jc_config_value_read(entry, text, config, &cause);

	return status == JC_OK ? JC_OK : jc_diagnose(diagnostic, status, name, "%s", cause.what);
}

int jc_config_read_environment(struct jc_config *config, struct jc_diagnostic *diagnostic)
{
	int status = JC_OK;

	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		for (size_t i = 0; status == JC_OK && i < 2 && entry->variables[i]; i++) {
			status = read_variable(entry, entry->variables[i], config, diagnostic);
		}
	}
	return status;
}

int jc_config_add_text(struct jc_config_texts *texts, size_t maximum, const char *what,
	const char *text, struct jc_diagnostic *diagnostic)
{
	if (texts->count == maximum) {
		return jc_diagnose(
			diagnostic, JC_ERROR_LIMIT, NULL, "more than %zu %s", maximum, what);
	}
	char *copy = strdup(text);

	if (!copy) {
		return no_memory(diagnostic);
	}
	texts->texts[texts->count++] = copy;
	return JC_OK;
}

void jc_config_free_texts(struct jc_config_texts *texts)
{
	while (texts->count > 0) {
		free(texts->texts[--texts->count]);
	}
}

const struct jc_space_policy *jc_config_space_policy(
	const struct jc_config *config, const char *name)
{
	for (size_t i = 0; i < config->space_count; i++) {
		if (strcmp(config->spaces[i]->name, name) == 0) {
			return &config->spaces[i]->policy;
		}
	}
	return &config->policy.space;
}

size_t jc_config_cut_index(char *text)
{
	char *hash = strrchr(text, '#');
	size_t digits = hash ? strspn(hash + 1, "0123456789") : 0;

	if (digits == 0 || digits >= 7 || hash[1 + digits] != '\0') {
		return 0;
	}
	*hash = '\0';
	return (size_t)strtoul(hash + 1, NULL, 10);
}

static void swap(void *a, void *b, size_t size)
{
	unsigned char *x = a;
	unsigned char *y = b;

	for (size_t i = 0; i < size; i++) {
		unsigned char kept = x[i];

		x[i] = y[i];
		y[i] = kept;
	}
}

static bool takes_over_now(const struct jc_config_entry *entry, const struct jc_config *config,
	const struct jc_config *next)
{
	if (entry->reload == JC_CONFIG_LOWER_RELOAD) {
		return *(const unsigned *)((const char *)next + entry->offset) <=
		       *(const unsigned *)((const char *)config + entry->offset);
	}
	return entry->reload == JC_CONFIG_AT_RELOAD;
}

static bool same_list(const struct jc_config_section *section, const struct jc_config *a,
	const struct jc_config *b)
{
	bool same = *count_of(section, a) == *count_of(section, b);

	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		if (jc_config_entry_section(entry) != section) {
			continue;
		}
		for (size_t i = 0; same && i < *count_of(section, a); i++) {
			same = jc_config_value_equals(
				entry, element_of(section, a, i), element_of(section, b, i));
		}
	}
	return same;
}

static void take_over_value(const struct jc_config_entry *entry, struct jc_config *config,
	struct jc_config *next, jc_config_on_restart *on_restart, void *context)
{
	if (takes_over_now(entry, config, next)) {
		swap((char *)config + entry->offset, (char *)next + entry->offset, entry->size);
	} else if (!jc_config_value_equals(entry, config, next)) {
		on_restart(context, entry->path);
	}
}

static void take_over_list(const struct jc_config_section *section, struct jc_config *config,
	struct jc_config *next, jc_config_on_restart *on_restart, void *context)
{
	if (section->reload == JC_CONFIG_AT_RELOAD) {
		swap(slot_of(section, config, 0), slot_of(section, next, 0),
			section->maximum * section->item_size);
		swap(count_of(section, config), count_of(section, next), sizeof(size_t));
	} else if (!same_list(section, config, next)) {
		on_restart(context, section->path);
	}
}

void jc_config_take_over(struct jc_config *config, struct jc_config *next,
	jc_config_on_restart *on_restart, void *context)
{
	for (const struct jc_config_entry *entry = jc_config_entries; entry->path; entry++) {
		if (is_single(entry)) {
			take_over_value(entry, config, next, on_restart, context);
		}
	}
	for (const struct jc_config_section *section = jc_config_sections; section->path;
		section++) {
		if (section->maximum > 0) {
			take_over_list(section, config, next, on_restart, context);
		}
	}
}
