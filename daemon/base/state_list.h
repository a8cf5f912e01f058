/* State files that contain one list: replaced as a whole, with the members that a newer version of
 * the daemon added, and read strictly. */
#ifndef JC_STATE_LIST_H
#define JC_STATE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "jointcast/error.h"

struct json_t; /* jansson */

#define JC_STATE_LIST_KEY 256 /* bytes of the key of an entry, with the NUL */

/* A kind of list. `list` is the list in memory. */
struct jc_state_list {
	const char *format;       /* of the file, and the member with the list: "sanctions" */
	size_t file_bytes;        /* maximum of a file */
	const char *const *known; /* members of an entry that this version writes; ends with NULL */
	/* Returns entry i as an object; NULL: out of memory. */
	struct json_t *(*pack)(const void *list, size_t i);
	/* Writes the key that identifies an entry in two files. False: the entry is invalid. */
	bool (*find_key)(const struct json_t *entry, char out_key[JC_STATE_LIST_KEY]);
	/* Whether only a newer version knows what the entry means: it stays in the file as it is.
	 * NULL: no entry is. */
	bool (*is_newer)(const struct json_t *entry);
	/* Adds entry i of a file; a newer one is at most counted. Returns 0, or a negative enum
	 * jc_error with the diagnostic filled. */
	int (*add)(
		void *list, const struct json_t *entry, size_t i, struct jc_diagnostic *diagnostic);
	/* Frees all entries. */
	void (*finish)(void *list);
};

/* The text of a file that replaces an earlier one (NULL: none): newer entries of the earlier file,
 * and members of it and of its entries that this version does not know, are kept, unless its
 * version is higher. NULL: out of memory. The caller frees the text. */
char *jc_state_list_format(const struct jc_state_list *kind, const void *list, size_t count,
	const char *earlier, size_t length);

/* Replaces the file at once or not at all, and keeps such entries and members. Returns 0,
 * JC_ERROR_UNSUPPORTED for a file of a higher version, which stays, or another negative enum
 * jc_error, with the diagnostic filled. */
int jc_state_list_write(const struct jc_state_list *kind, const char *path, const void *list,
	size_t count, struct jc_diagnostic *diagnostic);

/* Parses the text into an empty list, which stays empty on an error. Returns 0, or a negative
 * enum jc_error with the diagnostic filled. */
int jc_state_list_parse(const struct jc_state_list *kind, const char *bytes, size_t length,
	void *list, struct jc_diagnostic *diagnostic);

/* Reads the file into an empty list; a missing file is fine. Returns 0, or a negative enum
 * jc_error with the diagnostic filled. */
int jc_state_list_read(const struct jc_state_list *kind, const char *path, void *list,
	struct jc_diagnostic *diagnostic);

#endif
