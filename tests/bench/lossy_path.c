/* Runs two commands in two network namespaces of their own, joined by an imperfect path: TCP of
 * the kernel at both ends, packets delayed and lost in between. For kernels without sch_netem.
 *
 * usage: lossy_path [key=value]… SERVER CLIENT        commands of the shell; needs root
 *   rtt=MS       round trip, half of it each way (40)
 *   loss=P       percent of the packets of each direction that are lost (0)
 *   fade=MS      losses come in fades of this mean length; 0: independent of each other (0)
 *   jitter=MS    mean of a further delay, exponential; packets keep their order (0)
 *   stall=MS     mean length of stalls, in which the path keeps all packets (0)
 *   every=MS     mean time between stalls (2000)
 *   seed=N       of the random numbers (1)
 *
 * The server listens at 127.0.0.1, the client reaches it there. Ends with the client. */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <math.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PACKET_BYTES 2048
#define PACKETS      4096 /* on their way in one direction, at most */
#define PRIORITY     (-15)

struct settings {
	double rtt, loss, fade, jitter, stall, every;
	uint64_t seed;
};

struct packet {
	double due; /* milliseconds */
	size_t length;
	uint8_t bytes[PACKET_BYTES];
};

/* One direction. Packets leave in the order in which they came. */
struct way {
	int from, to; /* TUN devices */
	uint64_t random;
	bool is_faded;
	double fade_changes, stall_begins, stall_ends;
	size_t first, count;
	struct packet packets[PACKETS];
};

static void die(const char *what)
{
	fprintf(stderr, "lossy_path: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* SplitMix64: above 0, at most 1. */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (double)(((z ^ (z >> 31)) >> 11) + 1) / 0x1p53;
}

static double exponential(uint64_t *state, double mean)
{
	return -mean * log(uniform(state));
}

static bool loses(struct way *way, const struct settings *settings, double now)
{
	double share = settings->loss / 100;

	if (settings->fade <= 0 || share <= 0) {
		return uniform(&way->random) <= share;
	}
	while (way->fade_changes <= now) {
		double clear = settings->fade * (1 - share) / share;

		way->is_faded = !way->is_faded;
		way->fade_changes +=
			exponential(&way->random, way->is_faded ? settings->fade : clear);
	}
	return way->is_faded;
}

static double delay_of(struct way *way, const struct settings *settings, double now)
{
	double delay = settings->rtt / 2;

	if (settings->jitter > 0) {
		delay += exponential(&way->random, settings->jitter);
	}
	while (settings->stall > 0 && way->stall_ends <= now) {
		way->stall_begins = way->stall_ends + exponential(&way->random, settings->every);
		way->stall_ends = way->stall_begins + exponential(&way->random, settings->stall);
	}
	return settings->stall > 0 && now >= way->stall_begins ? delay + way->stall_ends - now
							       : delay;
}

static void take(struct way *way, const struct settings *settings)
{
	struct packet *packet = &way->packets[(way->first + way->count) % PACKETS];
	ssize_t length = read(way->from, packet->bytes, sizeof(packet->bytes));
	double now = now_ms();

	if (length <= 0 || way->count == PACKETS || loses(way, settings, now)) {
		return;
	}
	packet->length = (size_t)length;
	packet->due = now + delay_of(way, settings, now);
	if (way->count > 0) {
		const struct packet *before =
			&way->packets[(way->first + way->count - 1) % PACKETS];

		packet->due = fmax(packet->due, before->due);
	}
	way->count++;
}

/* Writes the packets that are due. Returns when the next one is. */
static double deliver(struct way *way)
{
	while (way->count > 0) {
		const struct packet *packet = &way->packets[way->first];

		if (packet->due > now_ms()) {
			return packet->due;
		}
		/* A device that is gone loses the packet. */
		if (write(way->to, packet->bytes, packet->length) < 0 && errno != EIO) {
			die("cannot write a packet");
		}
		way->first = (way->first + 1) % PACKETS;
		way->count--;
	}
	return INFINITY;
}

/* Returns the exit status of the client. */
static int relay(struct way ways[2], const struct settings *settings, pid_t client)
{
	int status;

	while (waitpid(client, &status, WNOHANG) == 0) {
		double due = fmin(fmin(deliver(&ways[0]), deliver(&ways[1])), now_ms() + 100);
		double wait = fmax(due - now_ms(), 0);
		struct timespec timeout = { .tv_nsec = (long)(wait * 1e6) };
		struct pollfd polled[2] = { { .fd = ways[0].from, .events = POLLIN },
			{ .fd = ways[1].from, .events = POLLIN } };

		if (ppoll(polled, 2, &timeout, NULL) < 0 && errno != EINTR) {
			die("cannot poll");
		}
		for (int i = 0; i < 2; i++) {
			if (polled[i].revents & POLLIN) {
				take(&ways[i], settings);
			}
		}
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int open_device(void)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI, .ifr_name = "path0" };
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || ioctl(fd, TUNSETIFF, &request) < 0) {
		die("cannot make a TUN device");
	}
	return fd;
}

/* lo stays down, so that the addresses of 127.0.0.0/8 belong to the path: the daemon listens
 * without TLS on no others. */
static void set_up(int own)
{
	char command[256];

	snprintf(command, sizeof(command),
		"ip link set path0 up && echo 1 >/proc/sys/net/ipv4/conf/path0/route_localnet && "
		"ip addr add 127.0.0.%d/32 peer 127.0.0.%d/32 dev path0",
		own, 3 - own);
	if (system(command) != 0) {
		errno = EINVAL;
		die("cannot set up the path");
	}
}

static void send_device(int channel, int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS,
			      .cmsg_len = CMSG_LEN(sizeof(int)) } };
	struct iovec byte = { .iov_base = "", .iov_len = 1 };
	struct msghdr message = { .msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };

	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	if (sendmsg(channel, &message, 0) != 1) {
		die("cannot pass the device on");
	}
}

static int receive_device(int channel)
{
	char bytes[CMSG_SPACE(sizeof(int))], byte;
	struct iovec vector = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = { .msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = bytes,
		.msg_controllen = sizeof(bytes) };
	int fd;

	if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message)) {
		exit(1); /* the child printed the reason */
	}
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

/* Starts a command in a namespace of its own. Returns its process; the device through out_fd. */
static pid_t start(int own, const char *command, int *out_fd)
{
	int channel[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) < 0) {
		die("cannot make a channel");
	}
	pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (unshare(CLONE_NEWNET) < 0) {
			die("cannot make a network namespace");
		}
		int fd = open_device();

		set_up(own);
		send_device(channel[1], fd);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		die("cannot run the shell");
	}
	close(channel[1]);
	*out_fd = receive_device(channel[0]);
	close(channel[0]);
	return child;
}

static bool read_setting(struct settings *settings, const char *text)
{
	const struct {
		const char *name;
		double *value;
	} numbers[] = { { "rtt=", &settings->rtt }, { "loss=", &settings->loss },
		{ "fade=", &settings->fade }, { "jitter=", &settings->jitter },
		{ "stall=", &settings->stall }, { "every=", &settings->every } };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strncmp(text, numbers[i].name, strlen(numbers[i].name)) == 0) {
			*numbers[i].value = strtod(text + strlen(numbers[i].name), NULL);
			return true;
		}
	}
	if (strncmp(text, "seed=", 5) == 0) {
		settings->seed = strtoull(text + 5, NULL, 10);
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct settings settings = { .rtt = 40, .every = 2000, .seed = 1 };
	static struct way ways[2];
	int i = 1;

	while (i < argc && read_setting(&settings, argv[i])) {
		i++;
	}
	if (argc - i != 2) {
		fprintf(stderr, "usage: lossy_path [key=value]… SERVER CLIENT\n");
		return 2;
	}
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* of no interest where it fails */

	int devices[2];
	pid_t server = start(1, argv[i], &devices[0]);
	pid_t client = start(2, argv[i + 1], &devices[1]);

	for (int w = 0; w < 2; w++) {
		ways[w].from = devices[w];
		ways[w].to = devices[1 - w];
		ways[w].random = settings.seed * 2 + (uint64_t)w;
		ways[w].is_faded = true; /* the first change clears it */
		ways[w].fade_changes = ways[w].stall_ends = now_ms();
	}
	int status = relay(ways, &settings, client);

	kill(server, SIGTERM);
	waitpid(server, NULL, 0);
	return status;
}
