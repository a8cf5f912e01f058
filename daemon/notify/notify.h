/* Notifications to the service manager, and the sockets that it hands over (sd_notify(3),
 * sd_listen_fds(3)). Without a manager, or without libsystemd, these functions do nothing. */
#ifndef JC_NOTIFY_H
#define JC_NOTIFY_H

#include <stdint.h>

#include "jointcast/error.h"
#include "net/listener.h"
#include "space/spaces.h"

struct jc_notify {
	int64_t watchdog_ns; /* between two watchdog notifications, half of the allowed time; 0: no
				watchdog */
	int64_t alive_ns;    /* when the next notification is due */
	int64_t status_ns;   /* when the next status line is due */
};

/* Reads WATCHDOG_USEC. */
void jc_notify_init(struct jc_notify *notify);

/* Takes the listening sockets that the service manager hands over, at most one of each kind.
 * Their names (FileDescriptorName= in systemd.socket(5)) are the kinds: "tls", "proxy", "admin";
 * any other name is the plain port. *out_count may be 0. JC_ERROR_INVALID for anything but a
 * listening stream socket. */
int jc_notify_take_ports(
	struct jc_port *out_ports, size_t *out_count, struct jc_diagnostic *diagnostic);

/* The daemon accepts connections from now on. */
void jc_notify_ready(void);

/* Called at each tick, so that the service manager notices a hanging loop: sends the watchdog
 * notification when it is due, and the status line once a second. */
void jc_notify_tick(struct jc_notify *notify, const struct jc_spaces *spaces, int64_t now_ns);

/* A reload begins; jc_notify_ready() ends it. */
void jc_notify_reloading(int64_t now_ns);

/* The daemon accepts no more connections. */
void jc_notify_stopping(void);

#endif
