/* What the service manager is told, and the socket that it hands over
 * (sd_notify(3), sd_listen_fds(3)). Without a manager, or built without
 * libsystemd, nothing is told and nothing is handed over. */
#ifndef JC_NOTIFY_H
#define JC_NOTIFY_H

#include <stdint.h>

#include "jointcast/error.h"
#include "net/listener.h"
#include "space/spaces.h"

struct jc_notify {
	int64_t watchdog_ns; /* between two signs of life, half of what is allowed; 0: none asked */
	int64_t alive_ns;    /* when the next is due */
	int64_t status_ns;   /* when the next line of status is due */
};

/* Reads WATCHDOG_USEC. */
void jc_notify_init(struct jc_notify *notify);

/* The listening sockets that were handed over: one of each kind at most, told apart by
 * their names (FileDescriptorName= in systemd.socket(5)): "tls", "admin", and any other
 * is the plain one. *out_count is 0 where there are none. One that is no listening stream
 * socket is an error: JC_ERROR_INVALID. */
int jc_notify_take_ports(
	struct jc_port *out_ports, size_t *out_count, struct jc_diagnostic *diagnostic);

/* Connections are taken from now on. */
void jc_notify_ready(void);

/* From the tick, so that a loop which hangs is found out: a sign of life when it
 * is due, and the line of status once a second. */
void jc_notify_tick(struct jc_notify *notify, const struct jc_spaces *spaces, int64_t now_ns);

/* The configuration is being read again; jc_notify_ready ends it. */
void jc_notify_reloading(int64_t now_ns);

/* No connections are taken any more. */
void jc_notify_stopping(void);

#endif
