/* PUT /motions/SPACE?name=FILE: plays a motion file to the client that sends it, in a private
 * space (proto/MODULES.md, "Motions of one's own"). */
#ifndef JC_MOTION_ROUTES_H
#define JC_MOTION_ROUTES_H

#include "http/exchange.h"

int jc_motion_admit(struct jc_exchange *exchange, const char **out_reason);
void jc_motion_serve(struct jc_exchange *exchange);

#endif
