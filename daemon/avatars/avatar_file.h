/* An avatar file that the daemon serves: read and checked once, then sent from the disk unchanged.
 * A file that changed since is not sent. */
#ifndef JC_AVATAR_FILE_H
#define JC_AVATAR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "jointcast/avatar.h"
#include "jointcast/error.h"
#include "space/space.h"

struct jc_avatar_file {
	struct jc_worn_avatar worn; /* hash, bytes, index */
	bool is_binary;             /* .glb or .vrm, else .gltf */
	char *path;                 /* owned */
	struct stat status;         /* before it was read */
};

/* Checks the bytes of an avatar within the caps, and hashes them. Pure: runs on any thread.
 * out_facts may be NULL. Returns 0 or a negative enum jc_error with the diagnostic filled. */
int jc_avatar_file_check(const char *bytes, size_t length, struct jc_avatar_file *out_file,
	struct jc_avatar_facts *out_facts, struct jc_diagnostic *diagnostic);

/* Reads and checks the file; `index`: of the humanoid in it. Runs on any thread. Returns as above.
 */
int jc_avatar_file_read(const char *path, size_t index, struct jc_avatar_file *out_file,
	struct jc_diagnostic *diagnostic);

void jc_avatar_file_finish(struct jc_avatar_file *file); /* all zeros is fine */

/* Opens the file to send it; the caller closes the descriptor. -1: it is gone or has changed. */
int jc_avatar_file_open(const struct jc_avatar_file *file);

#endif
