/* Roles of a client in spaces: from its token, the permits of the space and sanctions.
 * Without keys every client has every role, except pages of loopback origins: these watch and
 * publish. */
#ifndef JC_ADMISSION_H
#define JC_ADMISSION_H

#include <stdbool.h>

#include "auth/token.h"
#include "jointcast/stream.h"
#include "maxima.h"
#include "moderation/sanctions.h"

struct jc_client;
struct jc_fanout;

/* Why a page of a loopback origin may not do more. */
#define JC_LOCAL_PAGE_REFUSAL                                                                      \
	"a page of a loopback origin may only watch and publish, unless server.origins lists it"

/* Whether the client has a role in a space; else it gets the error. */
bool jc_admission_allows(
	struct jc_client *client, enum jc_role role, const char *space, const char *type);

/* Whether the client may publish or calibrate a body of that name in a space; else it gets
 * the error. */
bool jc_admission_allows_body(
	struct jc_client *client, const char *space, const char *name, const char *type);

/* The same two checks without an answer; body NULL: only the role. */
bool jc_admission_may(
	const struct jc_client *client, enum jc_role role, const char *space, const char *body);

/* Whether the client is a page of a loopback origin that the configuration does not list: it may
 * watch and publish, whatever the permits allow. */
bool jc_admission_is_local_page(const struct jc_client *client);

/* The finest precision at which the client receives the motion of a space. */
enum jc_precision jc_admission_precision(const struct jc_client *client, const char *space);

/* Whether the space limits that precision for some clients. */
bool jc_admission_limits_precision(const struct jc_client *client, const char *space);

/* Whether the client may open a space with a message that needs that role in it. */
bool jc_admission_may_open(const struct jc_client *client, enum jc_role role, const char *space);

/* The identity that limits and sanctions name: "subject ada", or without a token "address
 * 127.0.0.1". */
void jc_admission_who(const struct jc_client *client, char out_who[JC_MAX_WHO]);

/* The address in the same form, "address 127.0.0.1", also where there is a token. Of IPv6
 * it is the whole /64, which providers assign to one customer. */
void jc_admission_where(const struct jc_client *client, char out_where[JC_MAX_WHO]);

/* An identity of these forms for the log, which has no address of a person: "subject ada", "body
 * Ada", or for all addresses "an address". */
const char *jc_admission_log_name(const char *who);

/* Whether `welcome` lists the space: the client has a role in it and no ban. */
bool jc_admission_shows(const struct jc_client *client, const char *space);

/* Whether the client may learn that a space exists: it has a role, banned or not. A rewind
 * space is known only to the subject or address that opened it. */
bool jc_admission_knows(const struct jc_client *client, struct jc_fanout *fanout);

/* The sanction of that kind that holds for the client in a space, or for its body of that
 * name (body NULL: the client alone). NULL: no sanction. */
const struct jc_sanction *jc_admission_sanction(const struct jc_client *client, const char *space,
	enum jc_sanction_kind kind, const char *body);

#endif
