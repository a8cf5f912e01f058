/* Registered skeletons on disk: one file each, with the descriptor and without meshes. All
 * calls wait for the disk. */
#ifndef JC_SKELETON_FILE_H
#define JC_SKELETON_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/log.h"
#include "space/skeleton_table.h"

/* The content of a file; subject and name as in the registrations. */
struct jc_skeleton_file {
	char subject[JC_MAX_SUBJECT];
	char name[JC_MAX_SKELETON_NAME];
	struct jc_skeleton_asset *asset; /* in no skeleton table yet */
	int64_t last_used_ns;            /* Unix time */
};

/* Reads the bytes of such a file; last_used_ns is left 0. The hash of the skeleton differs from the
 * one in the file where another version wrote a descriptor with other members. Returns 0, or a
 * negative enum jc_error with the diagnostic filled: JC_ERROR_UNSUPPORTED for an undamaged file
 * that this version cannot read. */
int jc_skeleton_file_read(const char *bytes, size_t length, struct jc_skeleton_file *out_file,
	struct jc_diagnostic *diagnostic);

/* Reads the descriptor of a skeleton with that hash. Another version may have written it, with
 * members that this one does not know or without some that it writes: then the hash of the text is
 * right, but not that of the skeleton. Returns as above. */
int jc_skeleton_file_read_descriptor(const char *text, size_t length, const char *hash,
	struct jc_skeleton_asset **out_asset, struct jc_diagnostic *diagnostic);

/* Replaces the file of that subject and name at once or not at all. */
int jc_skeleton_file_save(const char *state, const char *subject, const char *name,
	const struct jc_skeleton_asset *asset, struct jc_diagnostic *diagnostic);

/* Sets the file's time to the last use of its skeleton. Errors are ignored: the time only
 * decides the order of removal. */
void jc_skeleton_file_touch(
	const char *state, const char *subject, const char *name, int64_t last_used_ns);

/* None being there is fine. */
int jc_skeleton_file_remove(
	const char *state, const char *subject, const char *name, struct jc_diagnostic *diagnostic);

/* Reads at most that many complete files, the least recently used first. Renames and logs
 * damaged files, logs those of another version, and removes incomplete ones. The caller owns the
 * list and its skeleton assets. Returns 0 or JC_ERROR_MEMORY. */
int jc_skeleton_files_load(const char *state, size_t most, const struct jc_log *log,
	struct jc_skeleton_file **out_files, size_t *out_count);

#endif
