/* A phone with iFacialMocap or Facemotion3d as a source: one UDP port, one face, which has a body
 * of its own or is lent to another one. */
#ifndef JC_PHONE_SOURCE_H
#define JC_PHONE_SOURCE_H

#include <sys/socket.h>

#include "base/address.h"
#include "base/log.h"
#include "jointcast/error.h"
#include "jointcast/one_euro.h"
#include "source/source.h"
#include "source/source_uri.h"

enum jc_phone_app {
	JC_PHONE_IFACIALMOCAP,
	JC_PHONE_FACEMOTION3D,
};

struct jc_phone_source_options {
	enum jc_phone_app app;
	struct sockaddr_storage address; /* port 0: any free port */
	struct jc_source_peers peers;    /* that may send */
	/* The phone that is asked to send; AF_UNSPEC: none, it sends by itself. */
	struct sockaddr_storage phone;
	struct jc_one_euro_options smooth; /* all 0: no smoothing */
	float height;                      /* of the person, metres; 0: 1.7 */
	const char *body;         /* borrowed for the call: whose face it is; "": its own body's */
	const char *space;        /* borrowed for the call */
	const struct jc_log *log; /* borrowed */
	int64_t epoch_ns;         /* CLOCK_MONOTONIC at server time 0 */
	/* Finds the source of a body by its name, NULL if no body has it. May find the phone
	 * itself.
	 */
	struct jc_source *(*find)(void *context, const char *space, const char *name);
	void *context;
};

/* Opens the port; the source reads it when it is sampled. The first sender owns the face until it
 * is silent for JC_CONTINUITY_HOLD_NS. With a body of its own, the head turns from its direction in
 * the first frame after a silence, and the rest of the body is estimated. Returns 0 or a negative
 * error with the diagnostic filled. */
int jc_phone_source_create(const struct jc_phone_source_options *options,
	struct jc_source **out_source, struct jc_diagnostic *diagnostic);

/* Takes a packet as if it had arrived at now_ns. */
void jc_phone_source_take(struct jc_source *source, const struct sockaddr_storage *from,
	const void *bytes, size_t length, int64_t now_ns);

/* Address of the opened port, such as "127.0.0.1:49983". */
void jc_phone_source_address(const struct jc_source *source, char out_text[JC_ADDRESS_TEXT]);

const char *jc_phone_app_name(enum jc_phone_app app); /* "ifacialmocap" */

#endif
