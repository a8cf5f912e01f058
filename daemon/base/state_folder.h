/* A folder of the state directory with one folder for each owner and a file for each of its things:
 * STATE/FOLDER/OWNER/NAME.jsonl. The time of a file is that of the last use of the thing. All calls
 * wait for the disk. */
#ifndef JC_STATE_FOLDER_H
#define JC_STATE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "jointcast/error.h"

/* Subject "": a client without a token. False: the path is too long. */
bool jc_state_folder_path(const char *state, const char *folder, const char *subject,
	const char *name, char out_path[PATH_MAX]);

/* Makes the folders of such a path. */
int jc_state_folder_make(
	const char *state, const char *folder, const char *path, struct jc_diagnostic *diagnostic);

/* Sets the time of a file, Unix time. Errors are ignored. */
void jc_state_folder_touch(const char *path, int64_t last_used_ns);
int64_t jc_state_folder_time(const char *path); /* 0: there is no such file */

/* Removes a file, and the folder of its owner if that is empty then; none being there is fine. */
int jc_state_folder_remove(const char *path, struct jc_diagnostic *diagnostic);

/* Calls `each` with every file, until it returns an error, which is returned then. Removes
 * incomplete files and empty folders of owners. */
int jc_state_folder_walk(const char *state, const char *folder,
	int (*each)(void *context, const char *path), void *context);

/* Renames a damaged file, so that an operator can examine it. One that only another version can
 * read stays, so that a later start of that version finds it. what: "skeleton". */
void jc_state_folder_set_aside(const char *path, const char *what, bool is_damaged,
	const struct jc_diagnostic *diagnostic, const struct jc_log *log);

#endif
