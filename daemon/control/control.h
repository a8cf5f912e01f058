/* The control protocol (proto/PROTOCOL.md, "Messages"): JSON messages of WebSocket sessions. */
#ifndef JC_CONTROL_H
#define JC_CONTROL_H

#include "control/client.h"

/* For jc_server_options.session_ops. */
extern const struct jc_session_ops jc_control_ops;

/* For jc_server_options.control. Returns 0, JC_ERROR_UNSUPPORTED (no random bytes) or
 * JC_ERROR_MEMORY. jc_control_finish may be called in each case. */
int jc_control_init(struct jc_control *control, const struct jc_services *services);

/* After the server has ended. */
void jc_control_finish(struct jc_control *control);

#endif
