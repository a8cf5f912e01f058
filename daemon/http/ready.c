/* Checks readiness on each request: probes are rare. */
#include "http/ready.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "config/config.h"
#include "invitation/invitations.h"
#include "moderation/moderation.h"
#include "net/server.h"
#include "services.h"
#include "space/spaces.h"

static void look_at_source(const struct jc_space *space, const struct jc_body *body, FILE *out)
{
	struct jc_source_status status = { 0 };

	body->source->ops->status(body->source, &status);
	if (status.condition != JC_SOURCE_LIVE && strcmp(status.kind, "publisher") != 0) {
		fprintf(out, "source '%s' of space '%s' is %s%s%s\n", body->name,
			jc_space_options(space)->name, jc_source_condition_name(status.condition),
			status.detail[0] ? ": " : "", status.detail);
	}
}

static void look_at_sources(const struct jc_space *space, FILE *out)
{
	for (size_t i = 0; i < jc_space_body_count(space); i++) {
		look_at_source(space, jc_space_body(space, i), out);
	}
	for (size_t i = 0; i < jc_space_waiting_count(space); i++) {
		look_at_source(space, jc_space_waiting(space, i), out);
	}
}

static void look_at_disk(const char *folder, FILE *out)
{
	struct statvfs disk;

	if (statvfs(folder, &disk) != 0) {
		fprintf(out, "disk: '%s': %s\n", folder, strerror(errno));
		return;
	}
	uint64_t left = (uint64_t)disk.f_bavail * disk.f_frsize;

	if (left < JC_MIN_DISK_BYTES) {
		fprintf(out, "disk: '%s' has %llu MB left, %u are required\n", folder,
			(unsigned long long)(left >> 20), JC_MIN_DISK_BYTES >> 20);
	} else if (access(folder, W_OK) != 0) {
		fprintf(out, "disk: '%s' cannot be written: %s\n", folder, strerror(errno));
	}
}

/* A restart would lift sanctions that are not on disk, and forget revocations. */
static void look_at_state(const char *what, const struct jc_diagnostic *problem, FILE *out)
{
	if (problem) {
		fprintf(out, "%s: the newest are not on the disk: %s%s%s\n", what, problem->what,
			problem->where[0] ? ", " : "", problem->where);
	}
}

static void look_at_cluster(const struct jc_services *services, FILE *out)
{
	char line[512];

	if (services->cluster &&
		services->cluster_ops->problem(services->cluster, line, sizeof(line))) {
		fprintf(out, "%s\n", line);
	}
}

/* FOLDER[?option&…] of --record. */
static void look_at_recording(const char *target, FILE *out)
{
	const char *options = strrchr(target, '?');
	char *folder = strndup(target, options ? (size_t)(options - target) : strlen(target));

	if (folder) {
		look_at_disk(folder, out);
		free(folder);
	}
}

char *jc_ready_text(
	const struct jc_services *services, const struct jc_server *server, bool *out_ready)
{
	const struct jc_config *config = services->config;
	const struct jc_spaces *spaces = services->spaces;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out) {
		return NULL;
	}
	if (server->stopping || server->draining) {
		fputs("draining\n", out);
	}
	for (size_t i = 0; i < spaces->count; i++) {
		look_at_sources(spaces->fanouts[i]->space, out);
	}
	if (config->state) {
		look_at_disk(config->state, out);
	}
	look_at_state("sanctions", jc_moderation_problem(services->moderation), out);
	if (services->invitations) {
		look_at_state("invitations", jc_invitations_problem(services->invitations), out);
	}
	look_at_cluster(services, out);
	for (size_t i = 0; i < config->records.count; i++) {
		look_at_recording(config->records.texts[i], out);
	}
	fflush(out);
	*out_ready = length == 0;
	if (length == 0) {
		fputs("ready\n", out);
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
