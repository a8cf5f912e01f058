/* What the files of control messages share. */
#ifndef JC_CONTROL_PRIVATE_H
#define JC_CONTROL_PRIVATE_H

#include <jansson.h>

#include "auth/token.h"
#include "net/session.h"

/* Lets go of it; the text is the caller's to free, NULL when there is no memory. */
char *jc_control_text(json_t *message);

/* Sends and lets go of it; NULL (out of memory) sends nothing. */
void jc_control_send(struct jc_session *session, json_t *message);

/* A space that the session may know of; NULL: there is none of that name, or none that the
 * session may know of. Every name that comes from a client is looked up here, so that the
 * two cases are answered alike. */
struct jc_fanout *jc_control_find_space(const struct jc_session *session, const char *name);

/* Answers that there is no such space. */
void jc_control_unknown_space(struct jc_session *session, const char *type);

/* The space that a message names; NULL after the error was answered. */
struct jc_fanout *jc_control_named_space(
	struct jc_session *session, const json_t *message, const char *type);

/* Likewise; one that is not there yet is opened, where the session may do that and then
 * what takes that role in it. */
struct jc_fanout *jc_control_entered_space(
	struct jc_session *session, const json_t *message, enum jc_role role, const char *type);

/* The session's view of the space that a message names, which it has joined; likewise. */
struct jc_view *jc_control_joined_view(
	struct jc_session *session, const json_t *message, const char *type);

/* Once for each connection and skeleton. */
void jc_control_send_skeleton(struct jc_session *session, struct jc_skeleton_asset *asset);

#endif
