/* GET /status: the state of the daemon as JSON, for operators and their tools. It holds no
 * pose, token or address. */
#ifndef JC_STATUS_JSON_H
#define JC_STATUS_JSON_H

#include <stdint.h>

struct jc_server;
struct jc_services;

/* One JSON object (jointcastd(8)); the caller frees it. NULL when there is no memory. */
char *jc_status_json(
	const struct jc_services *services, const struct jc_server *server, int64_t now_ns);

#endif
