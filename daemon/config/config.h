/* What the daemon is to do: the file, the environment and the command line made
 * one, the later ones winning. Texts as they were written: what a URI means is
 * found out where it is opened. */
#ifndef JC_CONFIG_H
#define JC_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "auth/keyring.h"
#include "jointcast/error.h"
#include "maxima.h"
#include "record/record_target.h"
#include "space/space_policy.h"

struct jc_config_skeleton {
	char *name; /* by which sources ask for it; NULL: nobody does */
	char *path;
	size_t index; /* of the humanoid in the file */
};

struct jc_config_source {
	char *uri;
	char *name;     /* of the body; NULL: as the URI has it */
	char *space;    /* likewise */
	char *skeleton; /* a jc_config_skeleton's name; NULL: those there are in turn */
};

/* A key whose tokens are believed. */
struct jc_config_key {
	char *id;
	enum jc_key_algorithm algorithm;
	char *path;
	bool revoked;
};

/* Whether and as whom it speaks TLS. */
struct jc_config_tls {
	struct sockaddr_storage listen; /* AF_UNSPEC: nowhere, unless a socket is handed over */
	char *certificate, *key;        /* PEM files; NULL: none */
	bool development;               /* instead of those: one of its own making */
};

/* For a proxy that speaks TLS to everybody else. */
struct jc_config_proxy {
	struct sockaddr_storage listen; /* where it reaches us; AF_UNSPEC: nowhere */
	bool forwarded;                 /* it says in X-Forwarded-For whom it passes on */
};

/* A space that is there from the start. */
struct jc_config_space {
	char *name;
	struct jc_space_policy policy;
};

/* A list of texts. */
struct jc_config_texts {
	size_t count;
	char *texts[JC_MAX_CONFIG_TEXTS];
};

/* Empty when all zeros. Everything that it points to is its own. */
struct jc_config {
	struct sockaddr_storage listen;
	struct sockaddr_storage admin; /* AF_UNSPEC: health and figures are told beside all else */
	struct jc_config_tls tls;
	struct jc_config_proxy proxy;
	char *web_root;
	char *state;                    /* directory for what outlives a run; NULL: nothing does */
	struct jc_config_texts hosts;   /* names it goes by, beside those of loopback */
	struct jc_config_texts origins; /* pages that may connect, beside its own */
	unsigned connections;           /* at a time, at most */
	unsigned connections_per_address; /* likewise */
	unsigned connections_per_subject; /* likewise, that have shown a token of it */
	unsigned bodies_per_person;       /* that one publishes, over all connections */
	/* Processor time of control messages, per cent of a core. */
	unsigned control_percent, control_percent_per_address, control_percent_per_client;
	unsigned rewind_seconds; /* that spaces are remembered; 0: not at all */
	unsigned rewind_bytes;   /* and in how much memory, each */
	char *audience;          /* that tokens must be meant for */
	size_t key_count;
	struct jc_config_key keys[JC_MAX_CONFIG_KEYS];
	size_t space_count, skeleton_count, source_count, sink_count, record_count;
	struct jc_spaces_policy policy; /* what spaces are that nothing else is said of */
	struct jc_config_space *spaces[JC_MAX_SPACES];
	struct jc_config_skeleton skeletons[JC_MAX_SKELETONS];
	struct jc_config_source sources[JC_MAX_SOURCES];
	char *sinks[JC_MAX_SINKS]; /* targets of VMC */
	char *records[JC_MAX_RECORDERS];
	struct jc_record_settings recording;
	struct jc_config_texts recorded_spaces;
};

/* All of these copy what they are given and return 0, JC_ERROR_INVALID,
 * JC_ERROR_LIMIT or JC_ERROR_MEMORY with the diagnostic filled; the
 * configuration is then as it was. */

#define JC_CONFIG_CONNECTIONS                 1024u
#define JC_CONFIG_CONNECTIONS_PER_ADDRESS     512u
#define JC_CONFIG_CONNECTIONS_PER_SUBJECT     64u
#define JC_CONFIG_BODIES_PER_PERSON           128u
#define JC_CONFIG_CONTROL_PERCENT             40u
#define JC_CONFIG_CONTROL_PERCENT_PER_ADDRESS 10u
#define JC_CONFIG_CONTROL_PERCENT_PER_CLIENT  2u
#define JC_CONFIG_REWIND_BYTES                (8u << 20)

/* The defaults: 127.0.0.1:9871, audience "jointcast", those numbers. */
int jc_config_init(
	struct jc_config *config, const char *web_root, struct jc_diagnostic *diagnostic);
void jc_config_finish(struct jc_config *config);

/* ADDR:PORT or [ADDR6]:PORT, numbers only; the second takes loopback alone, which is all
 * that may be listened on without TLS. */
int jc_config_parse_address(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic);
int jc_config_parse_loopback(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic);

/* Whether an address may be listened on: without TLS one of loopback; with it, by itself
 * or in a proxy, one of loopback, or any other where keys say who may come in. */
int jc_config_judge_plain(const struct sockaddr_storage *address, struct jc_diagnostic *diagnostic);
int jc_config_judge_tls(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic);
int jc_config_judge_proxy(const struct jc_config *config, const struct sockaddr_storage *address,
	struct jc_diagnostic *diagnostic);

int jc_config_set_certificate(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic);
int jc_config_set_key(struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic);
bool jc_config_has_certificate(const struct jc_config *config);

/* What no value shows by itself, once all are there: TLS that lacks a part. */
int jc_config_judge(const struct jc_config *config, struct jc_diagnostic *diagnostic);

/* The same, or "unix:PATH". */
int jc_config_parse_admin(
	const char *text, struct sockaddr_storage *out_address, struct jc_diagnostic *diagnostic);

int jc_config_set_web_root(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic);
/* A number of connections, 1 to JC_MAX_CONNECTIONS. */
int jc_config_parse_connections(
	const char *text, unsigned *out_count, struct jc_diagnostic *diagnostic);

int jc_config_set_state(
	struct jc_config *config, const char *path, struct jc_diagnostic *diagnostic);
int jc_config_set_audience(
	struct jc_config *config, const char *audience, struct jc_diagnostic *diagnostic);
int jc_config_add_text(
	struct jc_config_texts *texts, const char *text, struct jc_diagnostic *diagnostic);
int jc_config_add_key(struct jc_config *config, const struct jc_config_key *key,
	struct jc_diagnostic *diagnostic);
int jc_config_add_space(struct jc_config *config, const char *name,
	const struct jc_space_policy *policy, struct jc_diagnostic *diagnostic);
/* What a space of that name is to be. */
const struct jc_space_policy *jc_config_space_policy(
	const struct jc_config *config, const char *name);
/* text is FILE[#N]; name may be NULL. */
int jc_config_add_skeleton(struct jc_config *config, const char *name, const char *text,
	struct jc_diagnostic *diagnostic);
int jc_config_add_source(struct jc_config *config, const struct jc_config_source *source,
	struct jc_diagnostic *diagnostic);
int jc_config_add_sink(
	struct jc_config *config, const char *target, struct jc_diagnostic *diagnostic);
int jc_config_add_record(
	struct jc_config *config, const char *target, struct jc_diagnostic *diagnostic);

/* FILE[#N]: what follows the last '#' is an index if it is a number. Cuts text in
 * place. */
size_t jc_config_cut_index(char *text);

/* Takes JOINTCAST_LISTEN, _ADMIN, _WEB, _CONNECTIONS and _CONNECTIONS_PER_ADDRESS from the
 * environment, where set. */
int jc_config_read_environment(struct jc_config *config, struct jc_diagnostic *diagnostic);

#endif
