/* The sandbox settings of a unit, as the harness applies them. An unknown key of [Service] is
 * an error, so that unit and harness stay equal. */
#ifndef JC_TEST_UNIT_H
#define JC_TEST_UNIT_H

#include <stdbool.h>
#include <sys/resource.h>

#define UNIT_LIST 64

struct unit_list {
	int count;
	char *texts[UNIT_LIST];
};

struct unit {
	char state[64];             /* StateDirectory */
	char runtime[64];           /* RuntimeDirectory; "": none */
	int user;                   /* of DynamicUser; 0: none */
	unsigned mask;              /* UMask */
	int unshared;               /* CLONE_NEW… */
	rlim_t descriptors, core;   /* LimitNOFILE, LimitCORE */
	rlim_t tasks;               /* TasksMax, of the user that the service has to itself */
	struct unit_list families;  /* RestrictAddressFamilies */
	struct unit_list calls;     /* SystemCallFilter */
	struct unit_list not_calls; /* the same behind a '~' */
	struct unit_list exec;      /* ExecPaths but for the program */
	bool only_loopback;         /* IPAddressDeny=any, Allow=localhost */
	bool no_capabilities;       /* CapabilityBoundingSet and AmbientCapabilities empty */
	bool no_root;               /* SecureBits=noroot-locked */
	bool no_new_privileges;
	bool no_suid, no_namespaces, no_realtime, no_personality, no_write_exec;
	bool no_clock, no_hostname, no_kernel_log, no_modules, no_tunables, no_control_groups;
	bool read_only, no_home, own_tmp, own_devices, own_users, own_keyring;
	bool hidden_processes, only_processes; /* of /proc */
	bool no_exec;
	int refusal; /* SystemCallErrorNumber */
};

/* Ends the program with a line that states the error. */
void unit_read(struct unit *unit, const char *path, const char *program);

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
