/* The daemon's configuration: defaults, file, environment and command line in one struct;
 * of these, the later ones win. URIs are kept as text and parsed where they are opened. */
#ifndef JC_CONFIG_H
#define JC_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "auth/keyring.h"
#include "avatars/avatar_policy.h"
#include "base/log.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "record/record_target.h"
#include "space/space_policy.h"

struct jc_config_skeleton {
	char *name; /* sources refer to it; NULL: given on the command line, without a name */
	char *path;
	size_t index; /* of the humanoid in the file */
	char *bones;  /* the file of its bone map, or NULL */
	bool serve;   /* clients may fetch the file */
};

struct jc_config_source {
	char *name; /* of the body; NULL: the name in the URI */
	char *uri;
	char *space;    /* NULL: the space in the URI */
	char *skeleton; /* name of a jc_config_skeleton; NULL: all skeletons in turn */
};

/* A key that signs tokens. */
struct jc_config_key {
	char *id;
	enum jc_key_algorithm algorithm;
	char *path;
	bool revoked;
};

/* A thing in a space. */
struct jc_config_prop {
	char *name;
	char *path;
	char *space; /* NULL: the lobby */
	char *place; /* as jc_placement_parse takes it; NULL: at the origin */
};

/* A body that is sent to a VMC program, or as OSC trackers. */
struct jc_config_sink {
	char *name;   /* of the section; NULL: given on the command line */
	char *target; /* as jc_osc_target_parse_vmc() or jc_osc_target_parse_trackers() takes it */
};

struct jc_config_tls {
	struct sockaddr_storage listen; /* AF_UNSPEC: none, unless a socket is handed over */
	char *certificate, *key;        /* PEM files; NULL: none */
	bool development;               /* instead of those, a certificate made by the daemon */
};

/* For a proxy that terminates TLS. */
struct jc_config_proxy {
	struct sockaddr_storage listen; /* AF_UNSPEC: none */
	bool forwarded;                 /* X-Forwarded-For holds the client's address */
};

/* Several machines, over NATS. */
struct jc_config_cluster {
	char *nats;        /* list of URLs; NULL: this machine alone */
	char *role;        /* "origin" or "edge" */
	char *name;        /* of this host; NULL: random */
	char *credentials; /* files; NULL: none */
	char *ca;          /* NULL: the CAs of the system */
	char *certificate, *key;
	bool is_standby; /* an origin that serves only what no other one does */
	char *secret;    /* file that it shares with that one; NULL: a secret of its own */
};

/* A space that is open from the start. */
struct jc_config_space {
	char *name;
	struct jc_space_policy policy;
};

/* A list of texts, owned. */
struct jc_config_texts {
	size_t count;
	char *texts[JC_MAX_CONFIG_TEXTS];
};

/* All zeros: empty. Owns everything that it points to. */
struct jc_config {
	struct sockaddr_storage listen;
	bool reuse_port;               /* other processes have the same ports */
	struct sockaddr_storage admin; /* AF_UNSPEC: status and metrics are not served */
	struct jc_config_tls tls;
	struct jc_config_proxy proxy;
	struct jc_config_cluster cluster;
	char *web_root;
	char *state;                    /* directory for state between runs; NULL: none */
	struct jc_config_texts hosts;   /* accepted host names, beside those of loopback */
	struct jc_config_texts origins; /* accepted origins of pages, beside the daemon's own */
	/* Maxima at a time. */
	unsigned connections, connections_per_address, connections_per_subject;
	unsigned bodies_per_person; /* published over all connections of a person */
	/* Processor time of control messages, per cent of a core. */
	unsigned control_percent, control_percent_per_address, control_percent_per_client;
	unsigned rewind_seconds; /* length of each rewind buffer; 0: none */
	unsigned rewind_bytes;   /* maximum size of each */
	char *audience;          /* required in tokens */
	struct jc_avatar_policy avatars;
	size_t key_count, space_count, skeleton_count, source_count, prop_count, sink_count,
		osc_sink_count;
	struct jc_config_key keys[JC_MAX_CONFIG_KEYS];
	struct jc_spaces_policy policy; /* of spaces without a section */
	struct jc_config_space *spaces[JC_MAX_SPACES];
	struct jc_config_skeleton skeletons[JC_MAX_SKELETONS];
	struct jc_config_source sources[JC_MAX_SOURCES];
	struct jc_config_prop props[JC_MAX_PROPS];
	struct jc_config_sink sinks[JC_MAX_SINKS];
	struct jc_config_sink osc_sinks[JC_MAX_SINKS];
	struct jc_config_texts records; /* values of --record; at most JC_MAX_RECORDERS */
	struct jc_record_settings recording;
	struct jc_config_texts recorded_spaces;
};

/* Functions that return a status return 0, JC_ERROR_INVALID, JC_ERROR_LIMIT or
 * JC_ERROR_MEMORY, and fill the diagnostic on errors. They copy their arguments. */

/* Sets the defaults of the table (config_table.h) and the viewer's directory. */
int jc_config_init(
	struct jc_config *config, const char *web_root, struct jc_diagnostic *diagnostic);
void jc_config_finish(struct jc_config *config);

/* Reads, checks and stores the value of a key in a section without title, such as
 * "tls.listen". A list gets one more element. */
int jc_config_set(struct jc_config *config, const char *path, const char *text,
	struct jc_diagnostic *diagnostic);
/* The same, without storing the value. */
int jc_config_check_value(const char *path, const char *text, struct jc_diagnostic *diagnostic);

/* Reads the variables that the table names from the environment, where they are set and not
 * empty. On an error the diagnostic's `where` is the variable. */
int jc_config_read_environment(struct jc_config *config, struct jc_diagnostic *diagnostic);

/* Adds a text to a list of at most `maximum`; `what` names the elements in the error. */
int jc_config_add_text(struct jc_config_texts *texts, size_t maximum, const char *what,
	const char *text, struct jc_diagnostic *diagnostic);
void jc_config_free_texts(struct jc_config_texts *texts);
/* Adds an element without a title to the list of a section with titles, such as "source.uri"
 * with a URI; the text is checked when it is used. */
int jc_config_add(struct jc_config *config, const char *path, const char *text,
	struct jc_diagnostic *diagnostic);

/* The policy of the space with that name. */
const struct jc_space_policy *jc_config_space_policy(
	const struct jc_config *config, const char *name);

/* FILE[#N]: a number after the last '#' is the index, which is cut off the text. */
size_t jc_config_cut_index(char *text);

typedef void jc_config_on_restart(void *context, const char *path);

/* Moves what a reload may change from `next` to `config`; `next` gets the values that were in
 * use. Calls on_restart with each key that has changed and keeps its value until the next
 * start. */
void jc_config_take_over(struct jc_config *config, struct jc_config *next,
	jc_config_on_restart *on_restart, void *context);

/* Checks of several values together (config_check.c). */

/* Whether the daemon forwards the spaces of origins, and has none of its own. */
bool jc_config_is_edge(const struct jc_config *config);

bool jc_config_has_certificate(const struct jc_config *config);
/* Whether the daemon may listen on an address: without TLS on loopback only; with TLS, its
 * own or that of a proxy, on any address if the configuration has keys. */
int jc_config_check_plain(const struct sockaddr_storage *address, struct jc_diagnostic *diagnostic);
int jc_config_check_tls(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic);
int jc_config_check_proxy(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic);
/* The whole configuration, after all values have been read. */
int jc_config_check(const struct jc_config *config, struct jc_diagnostic *diagnostic);

/* Lets clients fetch the files of --skeleton, which are not made for that, only where no other
 * machine can: every listener is a loopback address, none is for a proxy, no host name of a proxy
 * is served, and the service manager hands over no socket. */
void jc_config_offer_skeletons(struct jc_config *config);

/* Logs a warning for each secret (HS256 keys, private keys of TLS, credentials of NATS) that other
 * users can read or write or its group can write. The group may read: certificates are shared that
 * way (group ssl-cert), and systemd passes credentials so (mode 0440). */
void jc_config_warn_of_secrets(const struct jc_config *config, const struct jc_log *log);

#endif
