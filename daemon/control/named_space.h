/* The space that a message names. */
#ifndef JC_NAMED_SPACE_H
#define JC_NAMED_SPACE_H

#include <jansson.h>

#include "auth/token.h"

struct jc_client;
struct jc_fanout;
struct jc_view;

/* A space that the session may know of; NULL: there is none of that name, or none that the
 * session may know of. Every name that comes from a client is looked up here, so that the
 * two cases are answered alike. */
struct jc_fanout *jc_named_space_find(const struct jc_client *client, const char *name);

/* Answers that there is no such space. */
void jc_named_space_refuse(struct jc_client *client, const char *type);

/* The space that a message names; NULL after the error was answered. */
struct jc_fanout *jc_named_space_read(
	struct jc_client *client, const json_t *message, const char *type);

/* Likewise; one that is not there yet is opened, where the session may do that and then
 * what takes that role in it. */
struct jc_fanout *jc_named_space_enter(
	struct jc_client *client, const json_t *message, enum jc_role role, const char *type);

/* The session's view of the space that a message names, which it has joined; likewise. */
struct jc_view *jc_named_space_joined_view(
	struct jc_client *client, const json_t *message, const char *type);

/* The client's view of a space; NULL: it has not joined the space. */
struct jc_view *jc_named_space_view(struct jc_client *client, const struct jc_fanout *fanout);

#endif
