/* Texts of an origin to a client of an edge: what they change at the edge, and which the client
 * gets. */
#ifndef JC_FORWARDED_ANSWER_H
#define JC_FORWARDED_ANSWER_H

#include <stddef.h>

struct jc_edge_session;
struct jc_forwarded_client;

/* The session may be lost afterwards. */
void jc_forwarded_answer_take(struct jc_forwarded_client *forwarded,
	struct jc_edge_session *session, const char *text, size_t length);

#endif
