/* The files of the state directory, as the daemon reads them at its next start. The first
 * byte selects the file: 's' sanctions, 'c' the calibration of a body, 'k' a registered skeleton,
 * 'a' the record of an uploaded avatar, in whose header "@" stands for the right hash. What is
 * accepted is the same when it is written and read once more. */
#include <assert.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "avatars/avatar_record.h"
#include "moderation/sanction_file.h"
#include "registry/skeleton_file.h"
#include "registry/skeleton_upload.h"
#include "source/calibration_store.h"
#include "support/scratch.h"
#include "target.h"

static void check_ended(const char *text, size_t size)
{
	assert(memchr(text, '\0', size));
}

static void check_sanctions(const struct jc_sanctions *sanctions)
{
	struct jc_diagnostic diagnostic;
	struct jc_sanctions again = { 0 };
	char *text = jc_sanction_file_format(sanctions, NULL, 0);

	assert(text && sanctions->count <= JC_MAX_SANCTIONS);
	int status = jc_sanction_file_parse(text, strlen(text), &again, &diagnostic);

	assert(status == JC_OK && again.count == sanctions->count);
	for (size_t i = 0; i < sanctions->count; i++) {
		const struct jc_sanction *one = &sanctions->list[i];
		const struct jc_sanction *other = &again.list[i];

		check_ended(one->space, sizeof(one->space));
		check_ended(one->who, sizeof(one->who));
		check_ended(one->by, sizeof(one->by));
		check_ended(one->reason, sizeof(one->reason));
		assert(one->kind < JC_SANCTION_KINDS && one->kind == other->kind);
		assert(one->since_s == other->since_s && one->until_s == other->until_s);
		assert(strcmp(one->space, other->space) == 0 && strcmp(one->who, other->who) == 0);
		assert(strcmp(one->by, other->by) == 0 && strcmp(one->reason, other->reason) == 0);
		/* Each can be found, so a ban holds. */
		assert(jc_sanctions_find(sanctions, one->space, one->kind, one->who) == one);
	}
	jc_sanctions_finish(&again);
	free(text);
}

/* Sanctions of unknown kinds are in the file that replaces this one. */
static void check_unknown(const struct jc_sanctions *sanctions, const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic;
	struct jc_sanctions again = { 0 };
	char *text = jc_sanction_file_format(sanctions, bytes, length);

	assert(text);
	int status = jc_sanction_file_parse(text, strlen(text), &again, &diagnostic);

	assert(status == JC_OK && again.count == sanctions->count);
	assert(again.unknown == sanctions->unknown);
	jc_sanctions_finish(&again);
	free(text);
}

static void read_sanctions(const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_sanctions sanctions = { 0 };

	struct jc_sanctions on_disk = { 0 };
	char path[PATH_MAX];
	int status = jc_sanction_file_parse(bytes, length, &sanctions, &diagnostic);

	scratch_write("sanctions.json", bytes, length);
	scratch_path("sanctions.json", path);
	assert(jc_sanction_file_read(path, &on_disk, &diagnostic) == status);
	assert(on_disk.count == sanctions.count && on_disk.unknown == sanctions.unknown);
	jc_sanctions_finish(&on_disk);
	if (status == JC_OK) {
		check_sanctions(&sanctions);
		check_unknown(&sanctions, bytes, length);
		jc_sanctions_expire(&sanctions, 1700000000);
		jc_sanctions_finish(&sanctions);
	} else {
		assert(diagnostic.what[0] && sanctions.count == 0 && !sanctions.list);
	}
}

static void check_calibration(
	const struct jc_calibration *calibration, const struct jc_calibration *again)
{
	assert(calibration->profile == again->profile && calibration->pose == again->pose);
	assert(calibration->height >= JC_CALIBRATION_HEIGHT_LEAST);
	assert(calibration->height <= JC_CALIBRATION_HEIGHT_MOST);
	for (int joint = 0; joint < JC_JOINT_COUNT; joint++) {
		const struct jc_calibration_mount *mount = &calibration->mounts[joint];
		struct jc_quat q = mount->rotation;

		assert(mount->is_set == again->mounts[joint].is_set);
		if (mount->is_set) {
			assert(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-3f);
			assert(isfinite(mount->translation.x) && isfinite(mount->translation.y) &&
				isfinite(mount->translation.z));
		}
	}
}

static void read_calibration(const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_calibration_record record, again;
	int status = jc_calibration_record_read(bytes, length, &record, &diagnostic);

	assert(jc_calibration_store_load(scratch_folder(), "nobody", &again, &diagnostic) == JC_OK);
	assert(!again.has_current && !again.has_before);
	scratch_make_folder("calibration");
	scratch_write("calibration/Ada.json", bytes, length);
	assert(jc_calibration_store_load(scratch_folder(), "Ada", &again, &diagnostic) == status);
	if (status != JC_OK) {
		assert(diagnostic.what[0]);
		return;
	}
	status = jc_calibration_store_save(scratch_folder(), "Ada", &record, &diagnostic);
	assert(status == JC_OK);
	status = jc_calibration_store_load(scratch_folder(), "Ada", &again, &diagnostic);
	assert(status == JC_OK && record.has_current == again.has_current);
	assert(record.has_before == again.has_before);
	assert(record.before_is_none == again.before_is_none);
	assert(jc_tracker_roles_equal(&record.trackers, &again.trackers));
	assert(jc_tracker_roles_equal(&record.trackers_before, &again.trackers_before));
	if (record.has_current) {
		check_calibration(&record.current, &again.current);
	}
	if (record.has_before && !record.before_is_none) {
		check_calibration(&record.before, &again.before);
	}
	/* One undo gives the previous calibration, two give none. */
	jc_calibration_record_push(&again, &record.current, &record.trackers_before);
	assert(jc_calibration_record_undo(&again) && again.has_current == record.has_current);
	assert(jc_tracker_roles_equal(&record.trackers, &again.trackers));
	assert(!jc_calibration_record_undo(&again));
}

/* The number of skeletons in the folder; no other than the expected one is allowed. */
static size_t count_skeletons(const struct jc_skeleton_file *expected)
{
	static struct jc_log log;
	struct jc_skeleton_file *files = NULL;
	size_t count = 0;

	if (log.fd == 0) {
		jc_log_init(&log, open("/dev/null", O_WRONLY | O_CLOEXEC), NULL);
	}
	int status = jc_skeleton_files_load(scratch_folder(), 2, &log, &files, &count);

	assert(status == JC_OK && count <= 1);
	for (size_t i = 0; i < count; i++) {
		assert(expected && strcmp(files[i].asset->hash, expected->asset->hash) == 0);
		assert(strcmp(files[i].subject, expected->subject) == 0);
		assert(strcmp(files[i].name, expected->name) == 0);
		jc_skeleton_asset_destroy(files[i].asset);
	}
	free(files);
	return count;
}

static void check_skeleton(const struct jc_skeleton_file *file)
{
	struct jc_diagnostic diagnostic;

	check_ended(file->subject, sizeof(file->subject));
	check_ended(file->name, sizeof(file->name));
	assert(file->name[0] && file->asset && file->asset->descriptor_length > 0);
	scratch_remove("skeletons");
	int status = jc_skeleton_file_save(
		scratch_folder(), file->subject, file->name, file->asset, &diagnostic);

	/* A name of the greatest length that takes three characters a byte may have no room. */
	assert(status == JC_OK || status == JC_ERROR_LIMIT || status == JC_ERROR_INVALID);
	if (status == JC_OK) {
		jc_skeleton_file_touch(scratch_folder(), file->subject, file->name, 1);
		assert(count_skeletons(file) == 1);
		status = jc_skeleton_file_remove(
			scratch_folder(), file->subject, file->name, &diagnostic);
		assert(status == JC_OK && count_skeletons(NULL) == 0);
	}
}

static void read_skeleton_file(const char *bytes, size_t length)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_skeleton_file file = { .asset = NULL };
	int status = jc_skeleton_file_read(bytes, length, &file, &diagnostic);

	scratch_remove("skeletons");
	scratch_make_folder("skeletons");
	scratch_make_folder("skeletons/@local");
	scratch_write("skeletons/@local/x.jsonl", bytes, length);
	scratch_write("skeletons/@local/y.jsonl.new", bytes, length);
	scratch_write("skeletons/@local/z", bytes, length);
	size_t count = count_skeletons(status == JC_OK ? &file : NULL);

	if (status != JC_OK) {
		assert(diagnostic.what[0] && count == 0);
		return;
	}
	assert(count == (strcmp(file.name, "x") == 0 && !file.subject[0]));
	check_skeleton(&file);
	jc_skeleton_asset_destroy(file.asset);
}

static int refuse_record(void *context, struct jc_avatar_record *record)
{
	(void)context;
	(void)record;
	abort(); /* there is no file of the avatar */
}

static void read_avatar_record(const char *bytes, size_t length)
{
	const struct jc_log log = { .fd = -1 };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_avatar_record record = { .asset = NULL };
	struct jc_avatar_record again = { .asset = NULL };
	int status = jc_avatar_record_read(bytes, length, &record, &diagnostic);

	scratch_remove("avatars");
	scratch_make_folder("avatars");
	scratch_make_folder("avatars/@local");
	scratch_write("avatars/@local/x.jsonl", bytes, length);
	assert(jc_avatar_records_load(scratch_folder(), &log, refuse_record, NULL) == JC_OK);
	if (status != JC_OK) {
		assert(diagnostic.what[0] && !record.asset);
		return;
	}
	check_ended(record.claim.subject, sizeof(record.claim.subject));
	check_ended(record.claim.licence, sizeof(record.claim.licence));
	assert(strlen(record.file.worn.hash) == JC_HASH_TEXT - 1 && record.file.worn.bytes > 0);
	char *text = jc_avatar_record_format(
		&record.file.worn, record.file.is_binary, &record.claim, record.asset);

	assert(text);
	status = jc_avatar_record_read(text, strlen(text), &again, &diagnostic);
	/* The head of the longest texts, escaped, may be too long. */
	assert(status == JC_OK || status == JC_ERROR_INVALID);
	if (status == JC_OK) {
		assert(memcmp(&again.file.worn, &record.file.worn, sizeof(again.file.worn)) == 0);
		assert(again.claim.rights == record.claim.rights);
		assert(strcmp(again.claim.subject, record.claim.subject) == 0);
		assert(strcmp(again.claim.licence, record.claim.licence) == 0);
		assert(strcmp(again.asset->hash, record.asset->hash) == 0);
	}
	free(text);
	jc_avatar_record_finish(&again);
	jc_avatar_record_finish(&record);
}

/* Puts the hash of what follows the first line in the place of the '@' of that. */
static void read_with_skeleton(
	const char *bytes, size_t length, void (*read)(const char *bytes, size_t length))
{
	const char *end = memchr(bytes, '\n', length);
	const char *mark = end ? memchr(bytes, '@', (size_t)(end - bytes)) : NULL;
	struct jc_diagnostic diagnostic;
	struct jc_skeleton_asset *asset;

	if (!mark || jc_skeleton_upload_read(end + 1, length - (size_t)(end + 1 - bytes), 0, &asset,
			     NULL, &diagnostic) != JC_OK) {
		read(bytes, length);
		return;
	}
	size_t hash = strlen(asset->hash);
	size_t before = (size_t)(mark - bytes);
	char *file = malloc(length - 1 + hash);

	assert(file);
	memcpy(file, bytes, before);
	memcpy(file + before, asset->hash, hash);
	memcpy(file + before + hash, mark + 1, length - before - 1);
	jc_skeleton_asset_destroy(asset);
	read(file, length - 1 + hash);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data + 1;

	if (size == 0) {
		return 0;
	}
	switch (data[0]) {
	case 's':
		read_sanctions(bytes, size - 1);
		break;
	case 'c':
		read_calibration(bytes, size - 1);
		break;
	case 'k':
		read_with_skeleton(bytes, size - 1, read_skeleton_file);
		break;
	case 'a':
		read_with_skeleton(bytes, size - 1, read_avatar_record);
		break;
	default:
		break;
	}
	return 0;
}
