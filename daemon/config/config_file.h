/* The configuration file, jointcastd.conf(5): sections with titles, read by
 * libconfuse. FILE.d/NAME.conf are read after FILE, in the order of their names;
 * what is said later wins, and a section with a title that was there replaces it. */
#ifndef JC_CONFIG_FILE_H
#define JC_CONFIG_FILE_H

#include "config/config.h"

/* Adds what the file says. Nothing is taken from a file with an error in it:
 * JC_ERROR_INVALID, and the diagnostic says what, the file and the line, and for
 * an unknown key the nearest there is. JC_ERROR_ABSENT: it cannot be read. */
int jc_config_file_read(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic);

#endif
