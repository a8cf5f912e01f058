/* Composes one text for each space, which all its clients share. */
#include "app/config_props.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/shared_text.h"
#include "jointcast/limits.h"
#include "jointcast/skeleton.h"
#include "space/placement.h"

static const char *space_of(const struct jc_config_prop *prop)
{
	return prop->space ? prop->space : "lobby";
}

static int read_prop(const char *path, char **out_descriptor, char *finding, size_t capacity,
	struct jc_diagnostic *diagnostic)
{
	struct jc_skeleton *skeleton;
	struct jc_lint *lint = calloc(1, sizeof(*lint));
	char *bytes = NULL;
	size_t length = 0;
	int status = lint ? jc_file_read(path, JC_LIMIT_FILE_BYTES, &bytes, &length, diagnostic)
			  : jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");

	if (status == JC_OK) {
		status = jc_skeleton_read_prop(bytes, length, &skeleton, lint, diagnostic);
	}
	if (status == JC_OK) {
		status = jc_skeleton_write_descriptor(skeleton, out_descriptor);
		jc_skeleton_destroy(skeleton);
		snprintf(finding, capacity, "%s", lint->count > 0 ? lint->entries[0].text : "");
	}
	free(bytes);
	free(lint);
	return status;
}

int jc_config_props_read(struct jc_config_props *props, const struct jc_config *config,
	const char **out_path, struct jc_diagnostic *diagnostic)
{
	size_t total = 0;

	for (size_t i = 0; i < config->prop_count; i++) {
		*out_path = config->props[i].path;

		int status = read_prop(config->props[i].path, &props->descriptors[i],
			props->findings[i], sizeof(props->findings[i]), diagnostic);

		if (status != JC_OK) {
			return status;
		}
		total += strlen(props->descriptors[i]);
		if (total > JC_MAX_PROPS_BYTES) {
			return jc_diagnose(diagnostic, JC_ERROR_LIMIT, NULL,
				"the descriptors of all props have more than %u bytes",
				JC_MAX_PROPS_BYTES);
		}
	}
	return JC_OK;
}

void jc_config_props_finish(struct jc_config_props *props)
{
	for (size_t i = 0; i < JC_MAX_PROPS; i++) {
		free(props->descriptors[i]);
		props->descriptors[i] = NULL;
	}
}

int jc_config_props_open_spaces(
	const struct jc_config *config, struct jc_spaces *spaces, struct jc_diagnostic *diagnostic)
{
	for (size_t i = 0; i < config->prop_count; i++) {
		struct jc_fanout *fanout;
		int status = jc_spaces_open(spaces, space_of(&config->props[i]), &fanout);

		if (status != JC_OK) {
			return jc_diagnose(diagnostic, status, NULL, "cannot open space '%s': %s",
				space_of(&config->props[i]), jc_error_name(status));
		}
	}
	return JC_OK;
}

/* Writes one entry of the list. False without memory. */
static bool put_prop(FILE *stream, const struct jc_config_prop *prop, const char *descriptor)
{
	struct jc_placement placement = { .yaw = 0.0f };

	/* The configuration has checked it. */
	if (prop->place) {
		jc_placement_parse(prop->place, &placement, NULL);
	}
	json_t *head = json_pack("{ss s{s[fff] sf}}", "name", prop->name, "placement", "position",
		placement.position.x, placement.position.y, placement.position.z, "yaw",
		placement.yaw);
	char *text = head ? json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;

	json_decref(head);
	if (text) {
		text[strlen(text) - 1] = '\0'; /* the object goes on */
		fprintf(stream, "%s,\"descriptor\":%s}", text, descriptor);
	}
	free(text);
	return text != NULL;
}

/* The message of a space. NULL without memory. */
static struct jc_shared_text *compose(
	const struct jc_config_props *props, const struct jc_config *config, const char *space)
{
	struct jc_shared_text *message = NULL;
	const char *separator = "";
	char *bytes = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&bytes, &length);
	bool is_whole = stream != NULL;

	if (!stream) {
		return NULL;
	}
	fprintf(stream, "{\"type\":\"props\",\"space\":\"%s\",\"props\":[", space);
	for (size_t i = 0; i < config->prop_count && is_whole; i++) {
		if (strcmp(space_of(&config->props[i]), space) == 0) {
			fputs(separator, stream);
			is_whole = put_prop(stream, &config->props[i], props->descriptors[i]);
			separator = ",";
		}
	}
	fputs("]}", stream);
	if (fclose(stream) == 0 && is_whole) {
		message = jc_shared_text_create(bytes, length);
	}
	free(bytes);
	return message;
}

static bool has_prop(const struct jc_config *config, const char *space)
{
	for (size_t i = 0; i < config->prop_count; i++) {
		if (strcmp(space_of(&config->props[i]), space) == 0) {
			return true;
		}
	}
	return false;
}

void jc_config_props_show(const struct jc_config_props *props, const struct jc_config *config,
	struct jc_spaces *spaces, const struct jc_log *log)
{
	for (size_t i = 0; i < config->prop_count; i++) {
		if (props->findings[i][0]) {
			jc_log_write(log, JC_LOG_WARNING, "prop '%s': %s", config->props[i].name,
				props->findings[i]);
		}
	}
	for (size_t i = 0; i < spaces->count; i++) {
		struct jc_fanout *fanout = spaces->fanouts[i];
		const char *name = jc_space_options(fanout->space)->name;
		struct jc_shared_text *message;

		if (!fanout->props && !has_prop(config, name)) {
			continue;
		}
		message = compose(props, config, name);
		if (message) {
			jc_fanout_set_props(fanout, message);
		} else {
			jc_log_write(log, JC_LOG_ERROR,
				"out of memory: space '%s' keeps its earlier props", name);
		}
	}
}
