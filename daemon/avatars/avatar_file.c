/* The address of an avatar is the hash of its bytes: a file that another program writes to while
 * the daemon runs no longer has that address. */
#include "avatars/avatar_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha256.h"

int jc_avatar_file_check(const char *bytes, size_t length, struct jc_avatar_file *out_file,
	struct jc_avatar_facts *out_facts, struct jc_diagnostic *diagnostic)
{
	struct jc_avatar_file file = { .worn = { .bytes = length } };
	struct jc_avatar_facts facts;
	int status = jc_avatar_check(bytes, length, NULL, &facts, diagnostic);

	if (status != JC_OK) {
		return status;
	}
	if (!jc_sha256_hex(bytes, length, file.worn.hash)) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	file.is_binary = memcmp(bytes, "glTF", 4) == 0;
	*out_file = file;
	if (out_facts) {
		*out_facts = facts;
	}
	return JC_OK;
}

int jc_avatar_file_read(const char *path, size_t index, struct jc_avatar_file *out_file,
	struct jc_diagnostic *diagnostic)
{
	struct jc_avatar_file file = { .path = NULL };
	struct stat status;
	char *bytes = NULL;
	size_t length = 0;

	if (stat(path, &status) != 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL, "cannot be opened: %s",
			strerror(errno));
	}
	int result =
		jc_file_read(path, jc_avatar_default_caps().bytes, &bytes, &length, diagnostic);

	if (result == JC_OK) {
		result = jc_avatar_file_check(bytes, length, &file, NULL, diagnostic);
	}
	free(bytes);
	if (result != JC_OK) {
		return result;
	}
	file.worn.index = (uint32_t)index;
	file.status = status;
	file.path = strdup(path);
	if (!file.path) {
		return jc_diagnose(diagnostic, JC_ERROR_MEMORY, NULL, "out of memory");
	}
	*out_file = file;
	return JC_OK;
}

void jc_avatar_file_finish(struct jc_avatar_file *file)
{
	free(file->path);
	*file = (struct jc_avatar_file){ .path = NULL };
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

int jc_avatar_file_open(const struct jc_avatar_file *file)
{
	struct stat status;
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, &status) != 0 || !is_same(&status, &file->status))) {
		close(fd);
		return -1;
	}
	if (fd >= 0) {
		/* The system reads ahead, so that the loop does not wait for the disk. */
		posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
	}
	return fd;
}
