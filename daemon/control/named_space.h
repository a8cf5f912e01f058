/* The space that a message names. */
#ifndef JC_NAMED_SPACE_H
#define JC_NAMED_SPACE_H

#include <jansson.h>

#include "auth/token.h"

struct jc_client;
struct jc_fanout;
struct jc_view;

/* A space by name; NULL: no such space, or the client may not know of it. Every name from a
 * client is looked up here, so that both cases get the same answer. */
struct jc_fanout *jc_named_space_find(const struct jc_client *client, const char *name);

/* Answers `unknown-space`. */
void jc_named_space_refuse(struct jc_client *client, const char *type);

/* The space that a message names; NULL: the client got an error. */
struct jc_fanout *jc_named_space_read(
	struct jc_client *client, const json_t *message, const char *type);

/* The same; opens the space if it does not exist and the client may open it and has that
 * role in it. */
struct jc_fanout *jc_named_space_enter(
	struct jc_client *client, const json_t *message, enum jc_role role, const char *type);

/* The client's view of the space that a message names; NULL: the client got an error. */
struct jc_view *jc_named_space_joined_view(
	struct jc_client *client, const json_t *message, const char *type);

/* The client's view of a space; NULL: it has not joined the space. */
struct jc_view *jc_named_space_view(struct jc_client *client, const struct jc_fanout *fanout);

#endif
