/* Makes two filters of system calls from a unit, as systemd does: one permits the calls that the
 * unit lists, the other refuses calls by name or by argument. A call must pass both. */
#include "filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define NAMES 1024

struct filter {
	scmp_filter_ctx allowed, refused;
	int refusal;
};

struct names {
	int count;
	char *texts[NAMES];
};

/* Adds a system call, or all calls of a group and of the groups in it. */
static void add_calls(struct names *names, const char *name)
{
	char command[128], line[256];

	if (*name != '@') {
		if (names->count == NAMES) {
			die("more than %d system calls", NAMES);
		}
		names->texts[names->count++] = strdup(name);
		return;
	}
	snprintf(command, sizeof(command), "systemd-analyze syscall-filter --no-pager %s", name);
	FILE *output = popen(command, "r");

	while (output && fgets(line, sizeof(line), output)) {
		char word[128];

		if (sscanf(line, " %127s", word) == 1 && *word != '#' && strcmp(word, name) != 0) {
			add_calls(names, word);
		}
	}
	if (!output || pclose(output) != 0) {
		die("systemd-analyze does not know %s", name);
	}
}

static bool is_among(const struct names *names, const char *text)
{
	for (int i = 0; i < names->count; i++) {
		if (strcmp(names->texts[i], text) == 0) {
			return true;
		}
	}
	return false;
}

static scmp_filter_ctx begin(uint32_t default_action)
{
	scmp_filter_ctx context = seccomp_init(default_action);

	if (!context) {
		die("cannot create a filter of system calls");
	}
	/* NoNewPrivileges= of the unit sets this flag; the filter must not. */
	seccomp_attr_set(context, SCMP_FLTATR_CTL_NNP, 0);
	return context;
}

static void allow_named(struct filter *filter, const struct unit *unit)
{
	static struct names allowed, denied;

	filter->allowed = begin(SCMP_ACT_ERRNO((uint32_t)unit->refusal));
	add_calls(&allowed, "@default");
	for (int i = 0; i < unit->calls.count; i++) {
		add_calls(&allowed, unit->calls.texts[i]);
	}
	for (int i = 0; i < unit->not_calls.count; i++) {
		add_calls(&denied, unit->not_calls.texts[i]);
	}
	for (int i = 0; i < allowed.count; i++) {
		int number = seccomp_syscall_resolve_name(allowed.texts[i]);

		if (number != __NR_SCMP_ERROR && !is_among(&denied, allowed.texts[i])) {
			seccomp_rule_add(filter->allowed, SCMP_ACT_ALLOW, number, 0);
		}
	}
}

static void refuse(scmp_filter_ctx context, int error, const char *name)
{
	int number = seccomp_syscall_resolve_name(name);

	if (number != __NR_SCMP_ERROR) {
		seccomp_rule_add(context, SCMP_ACT_ERRNO((uint32_t)error), number, 0);
	}
}

static void refuse_if(
	scmp_filter_ctx context, int error, const char *name, struct scmp_arg_cmp comparison)
{
	seccomp_rule_add_array(context, SCMP_ACT_ERRNO((uint32_t)error),
		seccomp_syscall_resolve_name(name), 1, &comparison);
}

static void refuse_group(scmp_filter_ctx context, const char *group)
{
	struct names names = { 0 };

	add_calls(&names, group);
	for (int i = 0; i < names.count; i++) {
		refuse(context, EPERM, names.texts[i]);
	}
}

static int family(const char *name)
{
	return strcmp(name, "AF_UNIX") == 0    ? AF_UNIX
	       : strcmp(name, "AF_INET") == 0  ? AF_INET
	       : strcmp(name, "AF_INET6") == 0 ? AF_INET6
					       : -1;
}

static void refuse_families(scmp_filter_ctx context, const struct unit_list *families)
{
	bool is_allowed[AF_MAX] = { false };

	for (int i = 0; i < families->count; i++) {
		if (family(families->texts[i]) < 0) {
			die("does not know the family %s", families->texts[i]);
		}
		is_allowed[family(families->texts[i])] = true;
	}
	for (unsigned i = 0; i < AF_MAX; i++) {
		if (!is_allowed[i]) {
			refuse_if(context, EAFNOSUPPORT, "socket", SCMP_A0(SCMP_CMP_EQ, i, 0));
		}
	}
	refuse_if(context, EAFNOSUPPORT, "socket", SCMP_A0(SCMP_CMP_GE, AF_MAX, 0));
}

static void refuse_write_exec(scmp_filter_ctx context)
{
	const uint64_t both = PROT_WRITE | PROT_EXEC;

	refuse_if(context, EPERM, "mmap", SCMP_A2(SCMP_CMP_MASKED_EQ, both, both));
	refuse_if(context, EPERM, "mprotect", SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
	refuse_if(
		context, EPERM, "pkey_mprotect", SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
	refuse_if(context, EPERM, "shmat", SCMP_A2(SCMP_CMP_MASKED_EQ, SHM_EXEC, SHM_EXEC));
}

static void refuse_namespaces(scmp_filter_ctx context)
{
	static const uint64_t flags[] = { CLONE_NEWCGROUP, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS,
		CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWUTS };

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		refuse_if(
			context, EPERM, "unshare", SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
		refuse_if(context, EPERM, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
	}
	refuse(context, EPERM, "setns");
	refuse(context, ENOSYS, "clone3"); /* a filter cannot read its flags */
}

static void refuse_suid(scmp_filter_ctx context)
{
	static const struct {
		const char *name;
		unsigned mode; /* index of the argument `mode` */
	} calls[] = { { "chmod", 1 }, { "fchmod", 1 }, { "fchmodat", 2 }, { "mkdir", 1 },
		{ "mkdirat", 2 }, { "mknod", 1 }, { "mknodat", 2 }, { "creat", 1 }, { "open", 2 },
		{ "openat", 3 } };

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		refuse_if(context, EPERM, calls[i].name,
			SCMP_CMP(calls[i].mode, SCMP_CMP_MASKED_EQ, S_ISUID, S_ISUID));
		refuse_if(context, EPERM, calls[i].name,
			SCMP_CMP(calls[i].mode, SCMP_CMP_MASKED_EQ, S_ISGID, S_ISGID));
	}
}

static void refuse_rest(struct filter *filter, const struct unit *unit)
{
	scmp_filter_ctx context = filter->refused = begin(SCMP_ACT_ALLOW);

	if (unit->families.count > 0) {
		refuse_families(context, &unit->families);
	}
	if (unit->no_write_exec) {
		refuse_write_exec(context);
	}
	if (unit->no_namespaces) {
		refuse_namespaces(context);
	}
	if (unit->no_suid) {
		refuse_suid(context);
	}
	if (unit->no_realtime) {
		refuse_if(
			context, EPERM, "sched_setscheduler", SCMP_A1(SCMP_CMP_NE, SCHED_OTHER, 0));
	}
	if (unit->no_personality) {
		refuse_if(context, EPERM, "personality", SCMP_A0(SCMP_CMP_NE, 0, 0));
	}
	if (unit->no_clock) {
		refuse_group(context, "@clock");
	}
	if (unit->no_modules) {
		refuse_group(context, "@module");
	}
	if (unit->no_hostname) {
		refuse(context, EPERM, "sethostname");
		refuse(context, EPERM, "setdomainname");
	}
	if (unit->no_kernel_log) {
		refuse(context, EPERM, "syslog");
	}
}

struct filter *filter_make(const struct unit *unit)
{
	static struct filter filter;

	allow_named(&filter, unit);
	refuse_rest(&filter, unit);
	return &filter;
}

void filter_load(const struct filter *filter)
{
	/* The allow list comes last: it could refuse the call that loads another filter. */
	if (seccomp_load(filter->refused) != 0 || seccomp_load(filter->allowed) != 0) {
		die("cannot load a filter of system calls");
	}
}
