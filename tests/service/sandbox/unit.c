/* Reads the [Service] section of a unit. systemd.exec(5), systemd.service(5) and
 * systemd.resource-control(5) describe the keys. */
#include "unit.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *format, ...)
{
	va_list arguments;

	fputs("sandbox: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(125);
}

static void add(struct unit_list *list, const char *text)
{
	if (list->count == UNIT_LIST) {
		die("more than %d words in a list", UNIT_LIST);
	}
	list->texts[list->count++] = strdup(text);
}

static void add_words(struct unit_list *list, const char *value)
{
	char *copy = strdup(value);

	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		add(list, word);
	}
	free(copy);
}

/* Keys whose only supported value is yes, with their member of struct unit. */
static const struct {
	const char *key;
	size_t offset;
} switches[] = {
	{ "NoNewPrivileges", offsetof(struct unit, no_new_privileges) },
	{ "RestrictSUIDSGID", offsetof(struct unit, no_suid) },
	{ "RestrictNamespaces", offsetof(struct unit, no_namespaces) },
	{ "RestrictRealtime", offsetof(struct unit, no_realtime) },
	{ "LockPersonality", offsetof(struct unit, no_personality) },
	{ "ProtectClock", offsetof(struct unit, no_clock) },
	{ "ProtectControlGroups", offsetof(struct unit, no_control_groups) },
	{ "ProtectKernelLogs", offsetof(struct unit, no_kernel_log) },
	{ "ProtectKernelModules", offsetof(struct unit, no_modules) },
	{ "ProtectKernelTunables", offsetof(struct unit, no_tunables) },
	{ "ProtectHome", offsetof(struct unit, no_home) },
	{ "PrivateDevices", offsetof(struct unit, own_devices) },
	{ "PrivateTmp", offsetof(struct unit, own_tmp) },
	{ "PrivateUsers", offsetof(struct unit, own_users) },
	{ "MemoryDenyWriteExecute", offsetof(struct unit, no_write_exec) },
};

/* Keys with one supported value, and what it sets. */
static const struct {
	const char *key, *value;
	size_t offset; /* of the member that is set; 0: none */
	int unshared;  /* namespace that is added */
} settings[] = {
	{ "ProtectSystem", "strict", offsetof(struct unit, read_only), 0 },
	{ "ProtectProc", "invisible", offsetof(struct unit, hidden_processes), 0 },
	{ "ProcSubset", "pid", offsetof(struct unit, only_processes), 0 },
	{ "NoExecPaths", "/", offsetof(struct unit, no_exec), 0 },
	{ "KeyringMode", "private", offsetof(struct unit, own_keyring), 0 },
	{ "SecureBits", "noroot-locked", offsetof(struct unit, no_root), 0 },
	{ "CapabilityBoundingSet", "", offsetof(struct unit, no_capabilities), 0 },
	{ "IPAddressDeny", "any", offsetof(struct unit, only_loopback), 0 },
	{ "ProtectHostname", "yes", offsetof(struct unit, no_hostname), CLONE_NEWUTS },
	{ "PrivateIPC", "yes", 0, CLONE_NEWIPC },
	{ "PrivateMounts", "yes", 0, CLONE_NEWNS },
	{ "AmbientCapabilities", "", 0, 0 },           /* the default is none */
	{ "IPAddressAllow", "localhost", 0, 0 },       /* the namespace has no interface but lo */
	{ "SystemCallArchitectures", "native", 0, 0 }, /* the default of libseccomp */
	{ "DevicePolicy", "closed", 0, 0 },            /* PrivateDevices permits no others */
	{ "RemoveIPC", "yes", 0, 0 }, /* a namespace of PrivateIPC leaves no objects */
	{ "StateDirectoryMode", "0700", 0, 0 },
	{ "Type", "notify", 0, 0 },
	{ "NotifyAccess", "main", 0, 0 },
	{ "Restart", "on-failure", 0, 0 },
};

/* Keys for the service manager, without effect on the sandbox. */
static const char *const ignored[] = { "ExecStart", "ExecReload", "WatchdogSec", "RestartSec",
	"TimeoutStartSec", "TimeoutStopSec", "LoadCredential", "RuntimeDirectoryMode",
	"MemoryMax" };

static bool is_setting(struct unit *unit, const char *key, const char *value)
{
	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		if (strcmp(switches[i].key, key) == 0 && strcmp(value, "yes") == 0) {
			*(bool *)((char *)unit + switches[i].offset) = true;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (strcmp(settings[i].key, key) == 0 && strcmp(settings[i].value, value) == 0) {
			if (settings[i].offset) {
				*(bool *)((char *)unit + settings[i].offset) = true;
			}
			unit->unshared |= settings[i].unshared;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		if (strcmp(ignored[i], key) == 0) {
			return true;
		}
	}
	return false;
}

static void take_exec_paths(struct unit *unit, const char *value, const char *program)
{
	const char *name = strrchr(program, '/');

	add_words(&unit->exec, value);
	for (int i = 0; i < unit->exec.count; i++) {
		size_t length = strlen(unit->exec.texts[i]);

		if (length > strlen(name) &&
			strcmp(unit->exec.texts[i] + length - strlen(name), name) == 0) {
			unit->exec.texts[i] = unit->exec.texts[--unit->exec.count];
			return;
		}
	}
	die("ExecPaths do not name %s", name + 1);
}

static void take(struct unit *unit, const char *key, const char *value, const char *program)
{
	if (is_setting(unit, key, value)) {
		return;
	}
	if (strcmp(key, "DynamicUser") == 0 && strcmp(value, "yes") == 0) {
		unit->user = 61200; /* in the range of systemd for dynamic users */
	} else if (strcmp(key, "StateDirectory") == 0) {
		snprintf(unit->state, sizeof(unit->state), "%s", value);
	} else if (strcmp(key, "RuntimeDirectory") == 0) {
		snprintf(unit->runtime, sizeof(unit->runtime), "%s", value);
	} else if (strcmp(key, "UMask") == 0) {
		unit->mask = (unsigned)strtoul(value, NULL, 8);
	} else if (strcmp(key, "LimitNOFILE") == 0) {
		unit->descriptors = strtoul(value, NULL, 10);
	} else if (strcmp(key, "TasksMax") == 0) {
		unit->tasks = strtoul(value, NULL, 10);
	} else if (strcmp(key, "LimitCORE") == 0) {
		unit->core = strtoul(value, NULL, 10);
	} else if (strcmp(key, "RestrictAddressFamilies") == 0) {
		add_words(&unit->families, value);
	} else if (strcmp(key, "SystemCallFilter") == 0) {
		add_words(*value == '~' ? &unit->not_calls : &unit->calls, value + (*value == '~'));
	} else if (strcmp(key, "SystemCallErrorNumber") == 0 && strcmp(value, "EPERM") == 0) {
		unit->refusal = EPERM;
	} else if (strcmp(key, "ExecPaths") == 0) {
		take_exec_paths(unit, value, program);
	} else {
		die("does not know how to apply %s=%s", key, value);
	}
}

void unit_read(struct unit *unit, const char *path, const char *program)
{
	FILE *file = fopen(path, "r");
	char line[1024];
	bool is_service = false;

	if (!file) {
		die("%s: %s", path, strerror(errno));
	}
	*unit = (struct unit){ .core = RLIM_INFINITY };
	while (fgets(line, sizeof(line), file)) {
		char *value = strchr(line, '=');

		line[strcspn(line, "\n")] = '\0';
		if (*line == '[') {
			is_service = strcmp(line, "[Service]") == 0;
		} else if (is_service && *line && *line != '#' && value) {
			*value = '\0';
			take(unit, line, value + 1, program);
		}
	}
	fclose(file);
}
