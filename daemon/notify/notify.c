/* libsystemd does the talking. */
#include "notify/notify.h"

#ifdef JC_HAVE_SYSTEMD
#include <stdlib.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#define STATUS_NS INT64_C(1000000000)

void jc_notify_init(struct jc_notify *notify)
{
	uint64_t allowed_us;

	*notify = (struct jc_notify){ 0 };
	if (sd_watchdog_enabled(1, &allowed_us) > 0) {
		notify->watchdog_ns = (int64_t)(allowed_us / 2) * 1000;
	}
}

int jc_notify_take_listener(int *out_fd, struct jc_diagnostic *diagnostic)
{
	int count = sd_listen_fds(1);

	*out_fd = -1;
	if (count <= 0) {
		return JC_OK;
	}
	if (count > 1) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"%d sockets were handed over, and one is what is listened on", count);
	}
	if (sd_is_socket_inet(SD_LISTEN_FDS_START, AF_UNSPEC, SOCK_STREAM, 1, 0) <= 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"the socket that was handed over does not listen for TCP");
	}
	*out_fd = SD_LISTEN_FDS_START;
	return JC_OK;
}

void jc_notify_ready(void)
{
	sd_notify(0, "READY=1");
}

static void tell_status(const struct jc_spaces *spaces)
{
	size_t bodies = 0;
	size_t views = 0;

	for (size_t i = 0; i < spaces->count; i++) {
		bodies += jc_space_body_count(spaces->fanouts[i]->space);
		views += spaces->fanouts[i]->view_count;
	}
	sd_notifyf(0, "STATUS=%zu spaces, %zu bodies, watched %zu times", spaces->count, bodies,
		views);
}

void jc_notify_tick(struct jc_notify *notify, const struct jc_spaces *spaces, int64_t now_ns)
{
	if (notify->watchdog_ns > 0 && now_ns >= notify->alive_ns) {
		notify->alive_ns = now_ns + notify->watchdog_ns;
		sd_notify(0, "WATCHDOG=1");
	}
	if (now_ns >= notify->status_ns) {
		notify->status_ns = now_ns + STATUS_NS;
		tell_status(spaces);
	}
}

void jc_notify_reloading(int64_t now_ns)
{
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)(now_ns / 1000));
}

void jc_notify_stopping(void)
{
	sd_notify(0, "STOPPING=1");
}

#else

void jc_notify_init(struct jc_notify *notify)
{
	*notify = (struct jc_notify){ 0 };
}

int jc_notify_take_listener(int *out_fd, struct jc_diagnostic *diagnostic)
{
	(void)diagnostic;
	*out_fd = -1;
	return JC_OK;
}

void jc_notify_ready(void)
{
}

void jc_notify_tick(struct jc_notify *notify, const struct jc_spaces *spaces, int64_t now_ns)
{
	(void)notify;
	(void)spaces;
	(void)now_ns;
}

void jc_notify_reloading(int64_t now_ns)
{
	(void)now_ns;
}

void jc_notify_stopping(void)
{
}

#endif
