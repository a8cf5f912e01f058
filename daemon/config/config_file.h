/* Reads the configuration file (jointcastd.conf(5)) and the files FILE.d/NAME.conf after it, in
 * the order of their names: later values replace earlier ones, and a section replaces one
 * with the same title in an earlier file. Within a file each section exists once. */
#ifndef JC_CONFIG_FILE_H
#define JC_CONFIG_FILE_H

#include "config/config.h"

/* Adds the content of the file to the configuration. Errors: JC_ERROR_INVALID with the file
 * and the line, for an unknown key with the most similar one; JC_ERROR_LIMIT for too many
 * sections; JC_ERROR_ABSENT if the file cannot be read. After an error the configuration may
 * contain part of the file and is of use only to jc_config_finish(). */
int jc_config_file_read(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic);

#endif
