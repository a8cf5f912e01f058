/* Fuzzes the configuration file. A refused text has a reason and a place in the file. In an
 * accepted one every number is within its limits, and every list within its maximum. No other file
 * is read: libconfuse has no include() unless the program provides it, and an input with it must be
 * refused. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config/config_file.h"
#include "record/record_target.h"
#include "source/source_uri.h"
#include "target.h"

static void check_range(long value, long least, long most)
{
	assert(value >= least && value <= most);
}

static void check_texts(const struct jc_config_texts *texts)
{
	assert(texts->count <= JC_MAX_CONFIG_TEXTS);
	for (size_t i = 0; i < texts->count; i++) {
		assert(texts->texts[i] && texts->texts[i][0]);
	}
}

static void check_permit(const struct jc_permit *permit)
{
	assert(permit->count <= JC_PERMIT_SUBJECTS && !(permit->roles & ~(unsigned)JC_ROLE_ALL));
	for (size_t i = 0; i < permit->count; i++) {
		assert(permit->subjects[i][0]);
		assert(memchr(permit->subjects[i], '\0', sizeof(permit->subjects[i])));
	}
}

static void check_policy(const struct jc_space_policy *policy)
{
	check_range(policy->hz, JC_LEAST_TICK_HZ, JC_MAX_TICK_HZ);
	check_range(policy->bodies, 1, JC_MAX_BODIES);
	check_range(policy->subscribers, 1, JC_MAX_CONNECTIONS);
	check_range(policy->streams, 1, JC_MAX_STREAMS);
	check_range(policy->leave_after_s, JC_LEAST_LEAVE_AFTER_S, JC_MAX_LEAVE_AFTER_S);
	for (size_t i = 0; i < JC_PERMITS; i++) {
		check_permit(&policy->permits[i]);
	}
}

static void check_spaces(const struct jc_config *config)
{
	assert(config->space_count <= JC_MAX_SPACES);
	for (size_t i = 0; i < config->space_count; i++) {
		assert(jc_source_space_name_is_valid(config->spaces[i]->name));
		assert(jc_config_space_policy(config, config->spaces[i]->name));
		check_policy(&config->spaces[i]->policy);
	}
	check_policy(&config->policy.space);
	check_permit(&config->policy.open);
	check_range(config->policy.most, 1, JC_MAX_SPACES - 1);
	check_range(config->policy.most_of_one, 1, JC_MAX_SPACES - 1);
	check_range(config->policy.linger_s, 1, 86400);
}

static void check_sources(const struct jc_config *config)
{
	assert(config->source_count <= JC_MAX_SOURCES && config->sink_count <= JC_MAX_SINKS);
	assert(config->skeleton_count <= JC_MAX_SKELETONS);
	for (size_t i = 0; i < config->source_count; i++) {
		const struct jc_config_source *source = &config->sources[i];

		assert(source->uri && source->name);
		check_range((long)strlen(source->name), 1, JC_MAX_BODY_NAME - 1);
		assert(!source->space || jc_source_space_name_is_valid(source->space));
	}
	for (size_t i = 0; i < config->skeleton_count; i++) {
		assert(config->skeletons[i].name && config->skeletons[i].path);
	}
	for (size_t i = 0; i < config->sink_count; i++) {
		assert(config->sinks[i].target);
	}
}

static void check_config(const struct jc_config *config)
{
	check_range(config->connections, 1, JC_MAX_CONNECTIONS);
	check_range(config->connections_per_address, 1, JC_MAX_CONNECTIONS);
	check_range(config->connections_per_subject, 1, JC_MAX_CONNECTIONS);
	check_range(config->bodies_per_person, 1, JC_MAX_CONNECTIONS);
	check_range(config->rewind_seconds, 0, JC_MAX_REWIND_SECONDS);
	check_range(config->rewind_bytes, 65536, JC_MAX_REWIND_BYTES);
	check_texts(&config->hosts);
	check_texts(&config->origins);
	check_texts(&config->recorded_spaces);
	assert(config->audience && config->key_count <= JC_MAX_CONFIG_KEYS);
	for (size_t i = 0; i < config->key_count; i++) {
		assert(config->keys[i].id && config->keys[i].path);
		assert((int)config->keys[i].algorithm >= 0);
		assert(config->keys[i].algorithm < JC_KEY_ALGORITHM_COUNT);
	}
	assert(memchr(config->recording.folder, '\0', sizeof(config->recording.folder)));
	check_spaces(config);
	check_sources(config);
}

/* The argument of --record is not part of the file, but the same functions read it. */
static void check_record_target(const uint8_t *data, size_t size)
{
	const struct jc_record_settings defaults = JC_RECORD_DEFAULTS;
	struct jc_record_target target;
	struct jc_diagnostic diagnostic = { 0 };
	char *text = strndup((const char *)data, size);

	assert(text);
	if (jc_record_target_parse(text, &defaults, &target, &diagnostic) == JC_OK) {
		assert(jc_source_space_name_is_valid(target.space));
		assert(target.settings.folder[0]);
		assert(memchr(target.settings.folder, '\0', sizeof(target.settings.folder)));
	} else {
		assert(diagnostic.what[0]);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_config config;
	char path[64];
	int fd = memfd_create("config", MFD_CLOEXEC);

	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	/* ${NAME} is a variable of the environment: none has a value here, on any machine. */
	clearenv();
	int status = jc_config_init(&config, "/nowhere", &diagnostic);

	assert(status == JC_OK);
	status = jc_config_file_read(&config, path, &diagnostic);
	if (status == JC_OK) {
		check_config(&config);
		/* Accepts or refuses; runs the second check in both cases. */
		jc_config_check(&config, &diagnostic);
	} else {
		assert(diagnostic.what[0] && strstr(diagnostic.where, path));
	}
	jc_config_finish(&config);
	close(fd);
	check_record_target(data, size);
	return 0;
}
