/* A configuration that is read again while the daemon runs: judged whole, then
 * taken over at once; a bad one changes nothing. */
#ifndef JC_RELOAD_H
#define JC_RELOAD_H

#include "base/log.h"
#include "config/config.h"
#include "net/gate.h"
#include "options.h"
#include "space/spaces.h"

/* What it works on; borrowed. */
struct jc_reload {
	const struct jc_log *log;
	const struct jc_options *options; /* where the configuration comes from */
	const char *web_root;             /* where no configuration says */
	struct jc_config *config;         /* in use */
	struct jc_gate *gate;
	struct jc_spaces *spaces;
};

/* Keys, audience, hosts, origins, limits, the viewer's directory and new spaces
 * count from now on; whose token is of a key that is gone or revoked is sent away
 * soon. What takes a start, the log names. Returns 0, or a negative enum jc_error
 * after logging why all stays as it was. */
int jc_reload(const struct jc_reload *reload);

#endif
