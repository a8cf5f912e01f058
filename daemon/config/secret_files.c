/* A mode is a warning, not an error: the daemon of a trial on one's own machine starts. */
#include "config/secret_files.h"

#include <sys/stat.h>

static void judge(const char *path, const struct jc_log *log)
{
	struct stat status;

	/* A file that cannot be opened is an error of whoever reads it. */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
		return;
	}
	if (status.st_mode & (S_IROTH | S_IWOTH | S_IWGRP)) {
		jc_log_write(log, JC_LOG_WARNING,
			"'%s' is secret, and other users can %s it: chmod 600 '%s'", path,
			status.st_mode & S_IROTH ? "read" : "write", path);
	}
}

void jc_secret_files_warn(const struct jc_config *config, const struct jc_log *log)
{
	for (size_t i = 0; i < config->key_count; i++) {
		if (config->keys[i].algorithm == JC_KEY_HS256) {
			judge(config->keys[i].path, log);
		}
	}
	if (config->tls.key && !config->tls.development) {
		judge(config->tls.key, log);
	}
}
