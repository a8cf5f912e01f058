/* Files that must be private: secrets of HS256 and the private key of TLS. */
#ifndef JC_SECRET_FILES_H
#define JC_SECRET_FILES_H

#include "base/log.h"
#include "config/config.h"

/* One warning for each of them that every user can read or write, or that its group can
 * write. A group may read: that is how a certificate is shared (group ssl-cert), and how
 * systemd hands credentials over (mode 0440). */
void jc_secret_files_warn(const struct jc_config *config, const struct jc_log *log);

#endif
