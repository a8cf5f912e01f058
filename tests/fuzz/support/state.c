/* What a run has changed is made again for the next one, so that runs do not depend on their
 * order. */
#include "state.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "invitation/invitation_file.h"
#include "invitation/invitations.h"
#include "scratch.h"

#define FOLDER "state"
#define YEAR_S INT64_C(31536000)

const char state_avatar[] =
	"{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"VRMC_vrm\"],"
	"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
	"\"nodes\":[{\"name\":\"h\",\"translation\":[0,1,0]}],\"extensions\":{\"VRMC_vrm\":"
	"{\"specVersion\":\"1.0\",\"humanoid\":{\"humanBones\":{\"hips\":{\"node\":0}}},"
	"\"meta\":{\"avatarPermission\":\"everyone\",\"allowRedistribution\":true}}}}";

static char state_path[PATH_MAX], invitations_path[PATH_MAX];
static struct timespec written; /* the file of invitations, as state_open has made it */

static bool accept_invitation(
	void *context, const struct jc_keyring *keyring, const struct jc_grant *grant)
{
	return jc_invitations_accept(context, keyring, grant->invitation);
}

static const struct jc_auth_invitations_ops invitations_ops = { .accept = accept_invitation };

static void write_invitation(void)
{
	static const char key[] = "fedcba9876543210fedcba9876543210";
	struct jc_invitation one = { .id = STATE_INVITATION,
		.has_secret = true,
		.hash = jc_digest_of(STATE_SECRET, strlen(STATE_SECRET)),
		.space = "lobby",
		.role = JC_ROLE_PUBLISH,
		.by = "ada",
		.key_id = "h",
		.uses = 1000 };
	struct jc_invitation_list list = { .count = 1, .list = &one };
	struct jc_diagnostic diagnostic;

	one.expires_s = jc_clock_wall_ns() / 1000000000 + YEAR_S;
	scratch_write(FOLDER "/invite.key", key, strlen(key));
	int status = jc_invitation_file_write(invitations_path, &list, &diagnostic);

	assert(status == JC_OK);
}

static struct timespec time_of_file(void)
{
	struct stat status;
	int result = stat(invitations_path, &status);

	assert(result == 0);
	return status.st_mtim;
}

static void upload(struct line *line, const char *subject)
{
	const struct jc_avatar_upload upload = { .subject = subject,
		.licence = "CC0-1.0",
		.rights = JC_AVATAR_RIGHTS_PUBLIC,
		.bytes = strdup(state_avatar),
		.length = strlen(state_avatar) };
	int status = jc_avatar_store_put(line->services.avatar_store, &upload, NULL, NULL);

	assert(status == JC_OK);
	uv_run(&line->loop, UV_RUN_DEFAULT);
}

static void open_avatars(struct line *line)
{
	const struct jc_avatar_store_options options = { .state = state_path,
		.policy = &line->config.avatars,
		.avatars = &line->avatars,
		.spaces = &line->spaces,
		.moderation = line->services.moderation,
		.log = &line->log,
		.loop = &line->loop };

	line->config.avatars.upload = true;
	jc_avatar_store_destroy(line->services.avatar_store);
	int status = jc_avatar_store_create(&options, &line->services.avatar_store);

	assert(status == JC_OK);
	if (line->avatars.count == 0) {
		upload(line, "ada");
		upload(line, "");
	}
	assert(line->avatars.count == 2);
}

static void open_invitations(struct line *line)
{
	const struct jc_invitations_options options = { .loop = &line->loop,
		.log = &line->log,
		.state = state_path,
		.now_ns = jc_clock_now_ns() };
	struct jc_diagnostic diagnostic;
	struct jc_invitations **invitations = &line->services.invitations;
	int status = jc_invitations_create(&options, invitations, &diagnostic);

	assert(status == JC_OK);
	line->auth_policy.invitations = &invitations_ops;
	line->auth_policy.context = *invitations;
	status = jc_invitations_add_key(
		*invitations, &line->auth_policy.keyring, false, &diagnostic);
	assert(status == JC_OK);
}

void state_open(struct line *line)
{
	struct stat status;

	scratch_path(FOLDER, state_path);
	scratch_path(FOLDER "/invitations.json", invitations_path);
	if (stat(invitations_path, &status) != 0) {
		scratch_make_folder(FOLDER);
		write_invitation();
		written = time_of_file();
	}
	open_avatars(line);
	open_invitations(line);
}

/* The number of files in a folder of the state directory, which may be missing. */
static size_t count_files(const char *name)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	size_t count = 0;

	scratch_path(name, path);
	DIR *directory = opendir(path);

	while (directory && (entry = readdir(directory))) {
		count += entry->d_name[0] != '.';
	}
	if (directory) {
		closedir(directory);
	}
	return count;
}

/* Of all owners. */
static size_t count_records(void)
{
	char path[PATH_MAX], owner[512];
	const struct dirent *entry;
	size_t count = 0;

	scratch_path(FOLDER "/avatars", path);
	DIR *directory = opendir(path);

	while (directory && (entry = readdir(directory))) {
		snprintf(owner, sizeof(owner), FOLDER "/avatars/%s", entry->d_name);
		count += entry->d_name[0] == '.' || strcmp(entry->d_name, "@files") == 0
				 ? 0
				 : count_files(owner);
	}
	if (directory) {
		closedir(directory);
	}
	return count;
}

static size_t count_hashes(const struct jc_avatars *avatars)
{
	size_t count = 0;

	for (size_t i = 0; i < avatars->count; i++) {
		count += jc_avatars_find(avatars, avatars->list[i]->file.worn.hash) ==
			 avatars->list[i];
	}
	return count;
}

void state_check(const struct line *line)
{
	struct jc_invitation_list on_disk = { 0 };
	struct jc_diagnostic diagnostic;
	const struct jc_invitation_list *list =
		jc_invitations_list(line->services.invitations, jc_clock_wall_ns() / 1000000000);
	int status = jc_invitation_file_read(invitations_path, &on_disk, &diagnostic);

	assert(status == JC_OK && on_disk.count == list->count);
	for (size_t i = 0; i < list->count; i++) {
		assert(strcmp(on_disk.list[i].id, list->list[i].id) == 0);
		assert(on_disk.list[i].used == list->list[i].used);
		assert(list->list[i].used <= list->list[i].uses);
		assert(on_disk.list[i].is_revoked == list->list[i].is_revoked);
	}
	jc_invitation_list_finish(&on_disk);
	assert(count_files(FOLDER "/avatars/@files") == count_hashes(&line->avatars));
	assert(count_records() == line->avatars.count);
}

static bool is_changed(const struct line *line)
{
	struct timespec now = time_of_file();
	bool is_same = now.tv_sec == written.tv_sec && now.tv_nsec == written.tv_nsec &&
		       line->avatars.count == 2;

	for (size_t i = 0; is_same && i < 2; i++) {
		const struct jc_avatar *avatar = line->avatars.list[i];

		is_same = avatar->file.worn.bytes == strlen(state_avatar) &&
			  strcmp(avatar->claim.licence, "CC0-1.0") == 0 &&
			  avatar->claim.rights == JC_AVATAR_RIGHTS_PUBLIC;
	}
	return !is_same;
}

void state_close(struct line *line)
{
	struct jc_invitations *invitations = line->services.invitations;
	bool is_stale = is_changed(line);

	if (line->connection) {
		line_hang_up(line);
	}
	jc_invitations_stop(invitations);
	jc_avatar_store_destroy(line->services.avatar_store);
	line->services.avatar_store = NULL;
	jc_avatars_finish(&line->avatars);
	line_close(line);
	jc_invitations_destroy(invitations);
	if (is_stale) {
		scratch_remove(FOLDER);
	}
}
