/* Uploaded avatars on disk: STATE/avatars/OWNER/HASH.jsonl states whose avatar it is, by what right
 * it is shown, and its skeleton; STATE/avatars/files/HASH has the bytes, once for all owners. Calls
 * that take a state directory wait for the disk. */
#ifndef JC_AVATAR_RECORD_H
#define JC_AVATAR_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "avatars/avatar_file.h"
#include "base/log.h"
#include "space/skeleton_table.h"

#define JC_AVATAR_LICENCE 64 /* bytes of the name of a licence, with the NUL */

/* The owner of an avatar, and the right by which others see it. */
struct jc_avatar_claim {
	char subject[JC_MAX_SUBJECT]; /* "": of all clients of a server without keys */
	enum jc_avatar_rights rights;
	char licence[JC_AVATAR_LICENCE];
	int64_t used_ns; /* Unix time of the last use */
};

struct jc_avatar_record {
	struct jc_avatar_file file;
	struct jc_avatar_claim claim;
	struct jc_skeleton_asset
		*asset; /* owned, in no skeleton table yet; NULL after it was taken */
};

void jc_avatar_record_finish(struct jc_avatar_record *record);

/* Reads the bytes of a record, which names no path and no time. Returns 0, or a negative enum
 * jc_error with the diagnostic filled: JC_ERROR_UNSUPPORTED for an undamaged record that this
 * version cannot read. */
int jc_avatar_record_read(const char *bytes, size_t length, struct jc_avatar_record *out_record,
	struct jc_diagnostic *diagnostic);

/* The text of a record; the caller frees it. NULL: out of memory. */
char *jc_avatar_record_format(const struct jc_worn_avatar *worn, bool is_binary,
	const struct jc_avatar_claim *claim, const struct jc_skeleton_asset *asset);

/* Writes the file, unless it is there, and replaces the record, with the skeleton `asset`; sets
 * file.path and file.status. Returns 0, or a negative enum jc_error with the diagnostic filled. */
int jc_avatar_record_save(const char *state, const char *bytes,
	const struct jc_skeleton_asset *asset, struct jc_avatar_record *record,
	struct jc_diagnostic *diagnostic);

/* Removes the record and, where with_file is set, the file, unless another record names it: perhaps
 * one that this version cannot read. Returns as above. */
int jc_avatar_record_remove(const char *state, const char *subject, const char *hash,
	bool with_file, struct jc_diagnostic *diagnostic);

/* Sets the time of the record to the last use. */
void jc_avatar_record_touch(
	const char *state, const char *subject, const char *hash, int64_t used_ns);

/* Gives each complete record to `take`, which takes the asset and the file. Renames and logs
 * damaged records. Returns 0 or JC_ERROR_MEMORY. */
int jc_avatar_records_load(const char *state, const struct jc_log *log,
	int (*take)(void *context, struct jc_avatar_record *record), void *context);

/* Removes the files whose names `is_known` does not know, and no record has: a crash has left them.
 */
void jc_avatar_records_clean(
	const char *state, bool (*is_known)(void *context, const char *hash), void *context);

#endif
