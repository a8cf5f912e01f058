/* The options of the link, as libnats takes them. Private to the link. */
#ifndef JC_NATS_SETTINGS_H
#define JC_NATS_SETTINGS_H

#include <nats/nats.h>

#include "cluster/nats_link.h"

/* Returns as jc_nats_link_create does. */
int jc_nats_options_read(const struct jc_nats_options *from, natsOptions **out_options,
	struct jc_diagnostic *diagnostic);

/* The text of the last error of the calling thread, without the line of libnats that made it; may
 * be empty. */
const char *jc_nats_last_error(void);

#endif
