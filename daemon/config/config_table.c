/* One row for each key of the configuration, in the order of jointcastd.conf(5). */
#include "config/config_table.h"

#include <limits.h>
#include <string.h>

#include "config/nats_url.h"
#include "jointcast_private/text.h"
#include "sink/osc_target.h"
#include "source/source_uri.h"
#include "space/placement.h"

/* The format is the one that browsers send (RFC 6454, section 7). */
static int check_origin(const char *origin, struct jc_diagnostic *diagnostic)
{
	const char *host = strncmp(origin, "https://", 8) == 0  ? origin + 8
			   : strncmp(origin, "http://", 7) == 0 ? origin + 7
								: "";

	if (strncmp(origin, "nats://", 7) == 0 || strncmp(origin, "tls://", 6) == 0) {
		return jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
			"an origin of pages is https://HOST[:PORT]; for an origin of edges over "
			"NATS the option is --nats-origin");
	}
	return *host && !strpbrk(host, "/ ?#@")
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				 "an origin is https://HOST[:PORT], not '%s'", origin);
}

static int check_nats(const char *list, struct jc_diagnostic *diagnostic)
{
	struct jc_nats_urls urls;
	int status = jc_nats_urls_parse(list, &urls, diagnostic);

	if (status == JC_OK) {
		jc_nats_urls_finish(&urls);
	}
	return status;
}

static int check_role(const char *role, struct jc_diagnostic *diagnostic)
{
	return strcmp(role, "origin") == 0 || strcmp(role, "edge") == 0
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				 "a role is \"origin\" or \"edge\", not '%s'", role);
}

static int check_host_id(const char *name, struct jc_diagnostic *diagnostic)
{
	return jc_host_id_is_valid(name)
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				 "the name of a host has 1 to %u letters, digits, '_' and '-', "
				 "unlike '%s'",
				 JC_MAX_HOST_ID - 1, name);
}

static int check_host(const char *host, struct jc_diagnostic *diagnostic)
{
	return *host && !strpbrk(host, "/ ?#@:*")
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				 "a host is a name without a port, not '%s'", host);
}

static int check_space_name(const char *name, struct jc_diagnostic *diagnostic)
{
	return jc_source_space_name_is_valid(name) ? JC_OK
						   : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
							     "not a name for a space: '%s'", name);
}

static int check_body_name(const char *name, struct jc_diagnostic *diagnostic)
{
	return *name && strlen(name) < JC_MAX_BODY_NAME
		       ? JC_OK
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				 "a name has 1 to %u bytes, not '%s'", JC_MAX_BODY_NAME - 1, name);
}

/* Clients read it as JSON. */
static int check_prop_name(const char *name, struct jc_diagnostic *diagnostic)
{
	int status = check_body_name(name, diagnostic);

	return status != JC_OK || jc_utf8_is_valid(name, strlen(name))
		       ? status
		       : jc_diagnose(diagnostic, JC_ERROR_INVALID, NULL,
				 "the name of a prop is UTF-8, not '%s'", name);
}

static int check_place(const char *text, struct jc_diagnostic *diagnostic)
{
	struct jc_placement placement;

	return jc_placement_parse(text, &placement, diagnostic);
}

static int check_source_uri(const char *text, struct jc_diagnostic *diagnostic)
{
	struct jc_source_uri uri;

	return jc_source_uri_parse(text, &uri, diagnostic);
}

static int check_vmc_out(const char *text, struct jc_diagnostic *diagnostic)
{
	struct jc_osc_target target;

	return jc_osc_target_parse_vmc(text, &target, diagnostic);
}

static int check_osc_out(const char *text, struct jc_diagnostic *diagnostic)
{
	struct jc_osc_target target;

	return jc_osc_target_parse_trackers(text, &target, diagnostic);
}

static void init_space(const struct jc_config *config, void *element)
{
	((struct jc_config_space *)element)->policy = config->policy.space;
}

/* clang-format off */
#define LIST(list, length)                                                        \
	.array = offsetof(struct jc_config, list),                                \
	.count = offsetof(struct jc_config, length),                              \
	.item_size = sizeof(((struct jc_config *)0)->list[0]),                    \
	.maximum = sizeof(((struct jc_config *)0)->list) / sizeof(((struct jc_config *)0)->list[0])

const struct jc_config_section jc_config_sections[] = {
	{ "server",
		.help = "Where the daemon listens, and its directories." },
	{ "admin",
		.help = "A separate listener for the operator." },
	{ "tls",
		.help = "A listener with TLS." },
	{ "proxy",
		.help = "A listener without TLS, for a proxy on another machine that terminates TLS. "
			"Only the proxy may be able to reach it." },
	{ "cluster",
		.help = "Several machines for the same spaces, over NATS. An origin has the bodies of its "
			"spaces; edges serve its spaces to their own clients." },
	{ "auth",
		.help = "Access by JSON Web Tokens. Without keys, every client of this machine or of a "
			"proxy has access. PROTOCOL.md, \"Security\", describes the content of a token." },
	{ "auth.key", LIST(keys, key_count),
		.reload = JC_CONFIG_AT_RELOAD, .what = "keys",
		.help = "A key that signs tokens; the title is its *kid*, and not *invite*, the "
			"daemon's own key. Stands inside *auth*." },
	{ "limits",
		.help = "Maxima for clients, and their quotas. See also QUOTAS." },
	{ "spaces",
		.help = "Values for spaces that have no value of their own, and rules for spaces that "
			"clients open. The keys *watch*, *watch_fine*, *watch_standard*, *publish*, "
			"*record*, *motions*, *moderate*, *administer* and *open* are lists of permits: \"anyone\", \"nobody\", \"role:NAME\" (tokens "
			"with that role) and \"subject:NAME\" (tokens of that subject). For a client "
			"without any permit the space does not exist." },
	{ "space", LIST(spaces, space_count),
		.allocated = sizeof(struct jc_config_space), .init = init_space,
		.reload = JC_CONFIG_AT_RELOAD, .what = "spaces", .check_title = check_space_name,
		.help = "A space that is open from the start; the title is its name. *lobby* and the "
			"spaces of all sources are always open. Keys without a value here have the "
			"value of section *spaces*, which also describes them." },
	{ "skeleton", LIST(skeletons, skeleton_count),
		.reload = JC_CONFIG_AT_RELOAD, .what = "skeletons",
		.help = "A skeleton for bodies; sources refer to its title." },
	{ "avatars",
		.help = "Avatars that clients upload: files that show their bodies to all who may watch "
			"them (AVATARS.md). The uploader declares by what right others see the file; the "
			"daemon refuses a VRM whose own statement contradicts. Needs *state*." },
	{ "source", LIST(sources, source_count),
		.reload = JC_CONFIG_AT_RELOAD, .what = "sources", .check_title = check_body_name,
		.help = "A body and the source of its motion; the title is the name of the body." },
	{ "prop", LIST(props, prop_count),
		.reload = JC_CONFIG_AT_RELOAD, .what = "props", .check_title = check_prop_name,
		.help = "A thing in a space, such as a chair, whose virtual transforms (seats, handles) "
			"clients use; the title is its name. The message *props* describes it to all "
			"clients of the space." },
	{ "vmc_out", LIST(sinks, sink_count),
		.what = "vmc_out sections and --vmc-out options",
		.help = "A body that the daemon sends to a VMC program." },
	{ "osc_out", LIST(osc_sinks, osc_sink_count),
		.what = "osc_out sections and --osc-out options",
		.help = "A body that the daemon sends as OSC trackers to VRChat or another program." },
	{ "recording",
		.help = "Where and how spaces are recorded. Sources and publishers without consent are "
			"left out. Values are texts in double quotes, numbers too." },
	{ .path = NULL },
};

/* Offset and size of a field. */
#define IN(type, member) offsetof(struct type, member), sizeof(((struct type *)0)->member)
#define FIELD(member)    IN(jc_config, member)
#define PERMIT(role)     permits[__builtin_ctz(role)]

#define NUMBER(path, field, reload, least, ...)                                      \
	{ path, JC_CONFIG_NUMBER, field, reload, .minimum = (least), .maximum = __VA_ARGS__ }
#define RECORDING(key, member, ...)                                                        \
	{ "recording." key, JC_CONFIG_RECORDING, FIELD(recording.member), JC_CONFIG_AT_START, __VA_ARGS__ }
#define SPACE_PERMIT(path, role)                                                           \
	{ path, JC_CONFIG_PERMIT, IN(jc_config_space, policy.PERMIT(role)), RELOAD, .help = NULL }
#define START  JC_CONFIG_AT_START
#define RELOAD JC_CONFIG_AT_RELOAD
#define LOWER  JC_CONFIG_LOWER_RELOAD

const struct jc_config_entry jc_config_entries[] = {
	{ "server.listen", JC_CONFIG_LOOPBACK, FIELD(listen), START,
		.initial = "127.0.0.1:9871", .variables = { "JOINTCAST_LISTEN" },
		.help = "Loopback address and port. Not used if the service manager hands over a "
			"socket." },
	{ "server.reuse_port", JC_CONFIG_FLAG, FIELD(reuse_port), START, .initial = "false",
		.variables = { "JOINTCAST_REUSE_PORT" },
		.help = "Other processes of the same user open the same ports (SO_REUSEPORT), and the "
			"kernel spreads connections over them: edges on one machine, or daemons with "
			"the same spaces. Then SIGTERM drains: clients move to the others one after "
			"another, and motion goes on meanwhile." },
	{ "server.state", JC_CONFIG_TEXT, FIELD(state), START,
		.variables = { "STATE_DIRECTORY", "JOINTCAST_STATE" },
		.help = "Directory for state that remains between runs: calibrations, registered "
			"skeletons, sanctions of moderators (*sanctions.json*), invitations "
			"(*invitations.json*, *invite.key*; the daemon does not start if it cannot "
			"read these files) and the development certificate. "
			"systemd sets *STATE_DIRECTORY*." },
	{ "server.web", JC_CONFIG_TEXT, FIELD(web_root), RELOAD,
		.variables = { "JOINTCAST_WEB" },
		.help = "Directory of the viewer." },
	{ "server.hosts", JC_CONFIG_TEXTS, FIELD(hosts), RELOAD, .check = check_host,
		.help = "List of host names, without port, that a proxy serves. If there are keys in "
			"section *auth*, then for requests that name one of them without a port, "
			"as nginx sends with $host, the port of the page's origin is not "
			"compared. Without keys, and for loopback names always, the port is "
			"compared: the proxy must send name and port ($http_host), unless the "
			"page has the default port of its scheme." },
	{ "server.origins", JC_CONFIG_TEXTS, FIELD(origins), RELOAD, .check = check_origin,
		.help = "List of origins of other sites whose pages may connect, such as "
			"https://HOST[:PORT]. Section *ORIGINS* lists pages that need no entry." },
	{ "admin.listen", JC_CONFIG_ADMIN, FIELD(admin), START,
		.variables = { "JOINTCAST_ADMIN" },
		.help = "Loopback address and port, or unix:PATH, that serves */status*, */metrics* and "
			"*/readyz*. Without it nothing serves them. A proxy must not forward to it. The "
			"installed file has 127.0.0.1:9872, the default of *jointcast-status*(1)." },
	{ "tls.listen", JC_CONFIG_ADDRESS, FIELD(tls.listen), START,
		.variables = { "JOINTCAST_TLS_LISTEN" },
		.help = "Address and port. An address that is not loopback needs a key in section "
			"*auth*." },
	{ "tls.certificate", JC_CONFIG_TEXT, FIELD(tls.certificate), RELOAD,
		.variables = { "JOINTCAST_CERTIFICATE" },
		.help = "PEM file with the certificate and its chain." },
	{ "tls.key", JC_CONFIG_TEXT, FIELD(tls.key), RELOAD,
		.variables = { "JOINTCAST_KEY" },
		.help = "PEM file with the private key of the certificate. The daemon logs a warning if "
			"other users can read or write the file." },
	{ "tls.development", JC_CONFIG_FLAG, FIELD(tls.development), RELOAD, .initial = "false",
		.help = "Instead of those, the daemon makes its own certificate and keeps it in "
			"*state*." },
	{ "proxy.listen", JC_CONFIG_ADDRESS, FIELD(proxy.listen), START,
		.variables = { "JOINTCAST_PROXY_LISTEN" },
		.help = "Address and port. An address that is not loopback needs a key in section "
			"*auth*." },
	{ "proxy.forwarded", JC_CONFIG_FLAG, FIELD(proxy.forwarded), RELOAD, .initial = "false",
		.help = "The proxy appends the address of its client to *X-Forwarded-For*. The daemon "
			"takes the last address of that header as the address of the client, for limits "
			"and bans. nginx does so with \"proxy_set_header X-Forwarded-For "
			"$proxy_add_x_forwarded_for\", HAProxy with \"option forwardfor\", and Caddy by "
			"default. Never use it with a proxy that passes on the header of its client "
			"unchanged." },
	{ "cluster.nats", JC_CONFIG_TEXT, FIELD(cluster.nats), START, .check = check_nats,
		.variables = { "JOINTCAST_NATS" },
		.help = "URLs of NATS servers, separated by commas: nats://HOST[:PORT] or "
			"tls://HOST[:PORT], also with USER:PASSWORD@ or TOKEN@ before the host. One tls:// "
			"means TLS for all. The log and the status never contain a password." },
	{ "cluster.role", JC_CONFIG_TEXT, FIELD(cluster.role), START, .check = check_role,
		.variables = { "JOINTCAST_ROLE" },
		.help = "\"origin\": offers its spaces to edges. \"edge\": serves the spaces of all "
			"origins, and has no sources, props and recordings of its own." },
	{ "cluster.name", JC_CONFIG_TEXT, FIELD(cluster.name), START, .check = check_host_id,
		.variables = { "JOINTCAST_HOST" },
		.help = "Name of this host among origins and edges: 1 to 63 letters, digits, _ and -, "
			"different on each host. That of an edge stands in its subjects on NATS, so its "
			"user there needs it. Default: random." },
	{ "cluster.credentials", JC_CONFIG_TEXT, FIELD(cluster.credentials), START,
		.help = "Credentials file of NATS (.creds), with a JWT and its seed; read at each "
			"connection." },
	{ "cluster.ca", JC_CONFIG_TEXT, FIELD(cluster.ca), START,
		.help = "PEM file with the certificates of the CA of the NATS servers. Default: the CAs of "
			"the system." },
	{ "cluster.certificate", JC_CONFIG_TEXT, FIELD(cluster.certificate), START,
		.help = "PEM file with the certificate that identifies this host to the NATS servers." },
	{ "cluster.key", JC_CONFIG_TEXT, FIELD(cluster.key), START,
		.help = "PEM file with its private key." },
	{ "cluster.standby", JC_CONFIG_FLAG, FIELD(cluster.is_standby), START,
		.initial = "false",
		.help = "This origin serves a space to edges only while no other origin does. It takes a "
			"space over about 2 seconds after the announcements of its origin stop, with its "
			"own sources. A sanction that a moderator makes or lifts at either of the two "
			"holds at both; of two changes the later one counts. For this, both keep ended "
			"sanctions for 30 days in *sanctions.json*, without the reason." },
	{ "cluster.secret", JC_CONFIG_TEXT, FIELD(cluster.secret), START,
		.help = "File of 32 random bytes, the same at an origin and its standby, in place of "
			"*invite.key* in the state directory: after a failover guests stay admitted, and "
			"persons with tokens who ignore each other stay so. \"head -c 32 /dev/urandom\" "
			"makes one." },
	{ "auth.audience", JC_CONFIG_TEXT, FIELD(audience), RELOAD, .initial = "jointcast",
		.variables = { "JOINTCAST_AUDIENCE" },
		.help = "Audience that a token must have." },
	{ "auth.key.algorithm", JC_CONFIG_ALGORITHM, IN(jc_config_key, algorithm), RELOAD,
		.is_required = true,
		.help = "HS256, RS256 or ES256. A token with another algorithm is rejected." },
	{ "auth.key.file", JC_CONFIG_TEXT, IN(jc_config_key, path), RELOAD, .is_required = true,
		.help = "File with a secret of at least 32 bytes (HS256) or a public key in PEM. "
			"\"jointcast token --new-key\" makes one (*jointcast-token*(1)). The daemon logs "
			"a warning if other users can read or write a secret." },
	{ "auth.key.revoked", JC_CONFIG_FLAG, IN(jc_config_key, revoked), RELOAD,
		.initial = "false", .help = "Rejects all tokens of this key." },
	NUMBER("limits.connections", FIELD(connections), LOWER, 1, JC_MAX_CONNECTIONS,
		.initial = "1024", .variables = { "JOINTCAST_CONNECTIONS" },
		.help = "Connections at a time. Each needs a file descriptor: more than 3840 need a "
			"higher *LimitNOFILE=* in a drop-in of the service."),
	NUMBER("limits.connections_per_address", FIELD(connections_per_address), RELOAD, 1,
		JC_MAX_CONNECTIONS, .initial = "512",
		.variables = { "JOINTCAST_CONNECTIONS_PER_ADDRESS" },
		.help = "Connections of one address at a time. An IPv6 network of 64 bits counts as one "
			"address. All clients of a proxy have one address unless *forwarded* is set."),
	NUMBER("limits.connections_per_subject", FIELD(connections_per_subject), RELOAD, 1,
		JC_MAX_CONNECTIONS, .initial = "64",
		.help = "Connections at a time with tokens of one subject."),
	NUMBER("limits.bodies_per_person", FIELD(bodies_per_person), RELOAD, 1, JC_MAX_CONNECTIONS,
		.initial = "128",
		.help = "Bodies that one subject, or one address without a token, publishes over all "
			"its connections."),
	NUMBER("limits.control_percent", FIELD(control_percent), RELOAD, 1, 100, .initial = "40",
		.unit = "per cent of a core",
		.help = "Processor time for control messages of all clients and for the answers. "
			"Messages beyond it wait unread; addresses with little use come first. Motion "
			"does not count here, see QUOTAS."),
	NUMBER("limits.control_percent_per_address", FIELD(control_percent_per_address), RELOAD, 1,
		100, .initial = "10", .unit = "per cent of a core",
		.help = "The same for one address."),
	NUMBER("limits.control_percent_per_client", FIELD(control_percent_per_client), RELOAD, 1,
		100, .initial = "2", .unit = "per cent of a core",
		.help = "The same for one connection."),
	NUMBER("limits.rewind_seconds", FIELD(rewind_seconds), RELOAD, 0, JC_MAX_REWIND_SECONDS,
		.initial = "0", .unit = "seconds",
		.help = "Length of the rewind buffer of each space, so that clients can replay what has "
			"just happened; 0: none. It holds poses of persons with consent to recording. If a "
			"person withdraws the consent, or a moderator hides the body, the body is "
			"removed from the buffer and from running replays of it at once, together with "
			"earlier bodies of the same publisher that have left; other bodies remain. "
			"Bodies that have left the space stay in the buffer as long as others."),
	NUMBER("limits.rewind_bytes", FIELD(rewind_bytes), RELOAD, 65536, JC_MAX_REWIND_BYTES,
		.initial = "8388608", .unit = "bytes",
		.help = "Memory of one rewind buffer. With little memory the buffer is shorter."),
	{ "spaces.open", JC_CONFIG_PERMIT, FIELD(policy.open), RELOAD,
		.help = "Permits to open a space by joining it or publishing into it. Default: no client." },
	NUMBER("spaces.most", FIELD(policy.most), RELOAD, 1, JC_MAX_SPACES - 1, .initial = "64",
		.help = "Spaces opened by clients, at a time."),
	NUMBER("spaces.most_of_one", FIELD(policy.most_of_one), RELOAD, 1, JC_MAX_SPACES - 1,
		.initial = "8", .help = "The same for one subject or address."),
	NUMBER("spaces.linger", FIELD(policy.linger_s), RELOAD, 1, 86400, .initial = "60",
		.unit = "seconds", .help = "Time until an empty space that a client opened closes."),
	NUMBER("spaces.hz", FIELD(policy.space.hz), RELOAD, JC_LEAST_TICK_HZ, JC_MAX_TICK_HZ,
		.initial = "60", .unit = "ticks per second",
		.help = "Tick rate. A space that is open keeps its rate until the next start."),
	NUMBER("spaces.bodies", FIELD(policy.space.bodies), RELOAD, 1, JC_MAX_BODIES,
		.initial = "64", .help = "Bodies in a space at a time."),
	NUMBER("spaces.subscribers", FIELD(policy.space.subscribers), RELOAD, 1, JC_MAX_CONNECTIONS,
		.initial = "16384", .help = "Clients in a space at a time."),
	NUMBER("spaces.streams", FIELD(policy.space.streams), RELOAD, 1, JC_MAX_STREAMS,
		.initial = "1024",
		.help = "Streams of private views in a space, at a time: a body on a skeleton at one "
			"level of detail, 10 kB each. Beyond that, bodies are sent on the built-in "
			"skeleton, and subscribers apply their own."),
	NUMBER("spaces.leave_after", FIELD(policy.space.leave_after_s), RELOAD,
		JC_LEAST_LEAVE_AFTER_S, JC_MAX_LEAVE_AFTER_S, .initial = "30", .unit = "seconds",
		.help = "Time without motion after which the body of a source *openxr:* or *vmc:* "
			"leaves the space. Until then it holds its pose for half a second, goes to rest "
			"within one second, and stays there. When motion returns, the body enters "
			"again, with a new id."),
	{ "spaces.contacts", JC_CONFIG_FLAG, FIELD(policy.space.contacts), RELOAD,
		.initial = "true",
		.help = "Feet that stand and hands that touch do so as well on skeletons of other "
			"proportions than those of the source. Clients may switch it off and on for "
			"themselves. A space that is open keeps its value until the next start." },
	{ "spaces.watch", JC_CONFIG_PERMIT, FIELD(policy.space.PERMIT(JC_ROLE_WATCH)), RELOAD,
		.initial = "role:watch", .help = "Permits to join and subscribe." },
	{ "spaces.watch_fine", JC_CONFIG_PERMIT, FIELD(policy.space.fine), RELOAD,
		.initial = "anyone",
		.help = "Permits to receive motion as precisely as it was captured. See PRECISION." },
	{ "spaces.watch_standard", JC_CONFIG_PERMIT, FIELD(policy.space.standard), RELOAD,
		.initial = "anyone",
		.help = "Permits to receive motion at precision \"standard\" (0.25 degrees, 1 mm). A "
			"client with neither permit receives precision \"coarse\" (1 degree, 4 mm)." },
	{ "spaces.publish", JC_CONFIG_PERMIT, FIELD(policy.space.PERMIT(JC_ROLE_PUBLISH)), RELOAD,
		.initial = "role:publish", .help = "Permits to publish bodies and register skeletons." },
	{ "spaces.record", JC_CONFIG_PERMIT, FIELD(policy.space.PERMIT(JC_ROLE_RECORD)), RELOAD,
		.initial = "role:record", .help = "Permits to start and stop recordings." },
	{ "spaces.motions", JC_CONFIG_PERMIT, FIELD(policy.space.motions), RELOAD,
		.initial = "role:record",
		.help = "Permits clients that may watch to send a motion file, which plays to them "
			"alone. Reading one takes processor time and memory of this machine; the "
			"recordings of the space stay closed to them." },
	{ "spaces.moderate", JC_CONFIG_PERMIT, FIELD(policy.space.PERMIT(JC_ROLE_MODERATE)), RELOAD,
		.initial = "role:moderate", .help = "Permits to mute, hide, kick and ban." },
	{ "spaces.administer", JC_CONFIG_PERMIT, FIELD(policy.space.PERMIT(JC_ROLE_ADMINISTER)),
		RELOAD, .initial = "role:administer",
		.help = "Permits to open and close spaces and to read the status." },
	NUMBER("space.hz", IN(jc_config_space, policy.hz), RELOAD, JC_LEAST_TICK_HZ, JC_MAX_TICK_HZ),
	NUMBER("space.bodies", IN(jc_config_space, policy.bodies), RELOAD, 1, JC_MAX_BODIES),
	NUMBER("space.subscribers", IN(jc_config_space, policy.subscribers), RELOAD, 1,
		JC_MAX_CONNECTIONS),
	NUMBER("space.streams", IN(jc_config_space, policy.streams), RELOAD, 1, JC_MAX_STREAMS),
	NUMBER("space.leave_after", IN(jc_config_space, policy.leave_after_s), RELOAD,
		JC_LEAST_LEAVE_AFTER_S, JC_MAX_LEAVE_AFTER_S),
	{ "space.contacts", JC_CONFIG_FLAG, IN(jc_config_space, policy.contacts), RELOAD, .help = NULL },
	SPACE_PERMIT("space.watch", JC_ROLE_WATCH),
	{ "space.watch_fine", JC_CONFIG_PERMIT, IN(jc_config_space, policy.fine), RELOAD, .help = NULL },
	{ "space.watch_standard", JC_CONFIG_PERMIT, IN(jc_config_space, policy.standard), RELOAD, .help = NULL },
	SPACE_PERMIT("space.publish", JC_ROLE_PUBLISH),
	SPACE_PERMIT("space.record", JC_ROLE_RECORD),
	{ "space.motions", JC_CONFIG_PERMIT, IN(jc_config_space, policy.motions), RELOAD, .help = NULL },
	SPACE_PERMIT("space.moderate", JC_ROLE_MODERATE),
	SPACE_PERMIT("space.administer", JC_ROLE_ADMINISTER),
	{ "skeleton.file", JC_CONFIG_SKELETON, IN(jc_config_skeleton, path), RELOAD,
		.is_required = true,
		.help = "File (VRM, glTF, H-Anim or a descriptor); #N after the name selects the N-th "
			"humanoid in it." },
	{ "skeleton.bones", JC_CONFIG_TEXT, IN(jc_config_skeleton, bones), RELOAD,
		.help = "Bone map of the file, for joints that are not recognised: *jointcast "
			"inspect --bones-template FILE* prints one. Default: none." },
	{ "skeleton.serve", JC_CONFIG_FLAG, IN(jc_config_skeleton, serve), RELOAD,
		.initial = "false",
		.help = "Clients that may watch a body on this skeleton may fetch the file, to show the "
			"body as that avatar. The file is a VRM or glTF file with all its data inside; "
			"AVATARS.md states what it may contain. If it cannot be served, the daemon logs "
			"the reason as a warning. Files of option *--skeleton* are served only as long "
			"as no other machine can connect: all addresses are loopback addresses, there "
			"is no *proxy* section, no *hosts*, and no socket of the service manager." },
	{ "avatars.upload", JC_CONFIG_FLAG, FIELD(avatars.upload), RELOAD, .initial = "false",
		.help = "Clients with role publish may upload avatars. Without keys every client may, "
			"except pages that may only watch and publish (ORIGINS), and all of them own all "
			"files." },
	NUMBER("avatars.max_bytes", FIELD(avatars.max_bytes), RELOAD, 1024, JC_MAX_AVATAR_BYTES,
		.initial = "33554432", .unit = "bytes", .help = "Size of one file."),
	NUMBER("avatars.quota_bytes", FIELD(avatars.quota_bytes), RELOAD, 1024, UINT_MAX,
		.initial = "67108864", .unit = "bytes",
		.help = "Size of all files of one subject, at most 32 files. Beyond it uploads are "
			"refused until the subject removes a file."),
	NUMBER("avatars.total_bytes", FIELD(avatars.total_bytes), RELOAD, 1024, UINT_MAX,
		.initial = "1073741824", .unit = "bytes", .help = "Size of the files of all subjects."),
	NUMBER("avatars.keep_days", FIELD(avatars.keep_days), RELOAD, 1, 3650, .initial = "30",
		.unit = "days",
		.help = "A file that no body wears for that long is removed."),
	{ "source.uri", JC_CONFIG_TEXT, IN(jc_config_source, uri), RELOAD,
		.is_required = true, .check = check_source_uri,
		.help = "Source of the motion, in the form of option *--source* of *jointcastd*(8)." },
	{ "source.space", JC_CONFIG_TEXT, IN(jc_config_source, space), RELOAD,
		.check = check_space_name,
		.help = "Space that the body enters. Default: the space in the URI, else *lobby*." },
	{ "source.skeleton", JC_CONFIG_TEXT, IN(jc_config_source, skeleton), RELOAD,
		.help = "Title of the section *skeleton* that the body uses. Default: each of these "
			"sections in turn, or the built-in skeleton if there is none." },
	{ "prop.file", JC_CONFIG_TEXT, IN(jc_config_prop, path), RELOAD, .is_required = true,
		.help = "glTF file (.glb or .gltf) with virtual transforms (KHR_virtual_transform). A "
			"reload reads it again. Clients receive its nodes and virtual transforms, no "
			"mesh." },
	{ "prop.space", JC_CONFIG_TEXT, IN(jc_config_prop, space), RELOAD, .check = check_space_name,
		.help = "Space of the prop, which is always open. Default: *lobby*." },
	{ "prop.place", JC_CONFIG_TEXT, IN(jc_config_prop, place), RELOAD, .check = check_place,
		.help = "Place in the space: \"X Y Z\" in metres, or \"X Y Z YAW\" with the angle about "
			"+Y in degrees. Default: the origin." },
	{ "vmc_out.target", JC_CONFIG_TEXT, IN(jc_config_sink, target), START,
		.is_required = true, .check = check_vmc_out,
		.help = "Target in the form of option *--vmc-out* of *jointcastd*(8)." },
	{ "osc_out.target", JC_CONFIG_TEXT, IN(jc_config_sink, target), START,
		.is_required = true, .check = check_osc_out,
		.help = "Target in the form of option *--osc-out* of *jointcastd*(8)." },
	{ "recording.folder", JC_CONFIG_FOLDER, FIELD(recording.folder), START, .is_required = true,
		.help = "Directory of the recordings; the daemon makes it if it is missing. It may be a "
			"symbolic link. Clients list and replay only regular files in it, never the "
			"target of a symbolic link in it." },
	{ "recording.spaces", JC_CONFIG_TEXTS, FIELD(recorded_spaces), START,
		.check = check_space_name,
		.help = "List of spaces that are recorded from the start." },
	RECORDING("raw", raw, .initial = "false",
		.help = "Also records body frames of sources that agreed to it. Body frames reveal bone "
			"lengths, poses do not."),
	RECORDING("scene", scene, .initial = "true",
		.help = "Also records the bodies for Foxglove: ten times a second the transforms of "
			"bones, and a scene of capsules. At 60 captures a second, files of body frames "
			"become half as large again and those of poses up to 80 % larger; at 30, 90 % and "
			"up to 170 % larger. *jointcast convert --scene* adds both later."),
	RECORDING("packets", packets, .initial = "false",
		.help = "Also records the sent packets, byte for byte, so that a replay can be compared "
			"with them. Streams of bodies that are present when the recording begins start "
			"again, which costs each subscriber one larger packet."),
	RECORDING("sync", sync, .initial = "second",
		.help = "When the data is flushed to the disk: \"second\": every second, \"close\": at "
			"the end of each file, \"never\": left to the system."),
	RECORDING("split_seconds", split_s, .initial = "3600", .unit = "seconds",
		.help = "Maximum duration of a file, from 10 to 86400; 0: no limit."),
	RECORDING("split_bytes", split_bytes, .initial = "1073741824", .unit = "bytes",
		.help = "Maximum size of a file, at least 65536."),
	RECORDING("keep_days", keep_days, .initial = "0", .unit = "days",
		.help = "Older files are removed; 0: never."),
	RECORDING("keep_bytes", keep_bytes, .initial = "0", .unit = "bytes",
		.help = "Maximum size of all files together; beyond it the oldest files are removed; 0: "
			"no limit."),
	{ .path = NULL },
};
/* clang-format on */

const char *jc_config_entry_key(const struct jc_config_entry *entry)
{
	return strrchr(entry->path, '.') + 1;
}

const struct jc_config_section *jc_config_entry_section(const struct jc_config_entry *entry)
{
	const struct jc_config_section *section = jc_config_sections;
	size_t length = (size_t)(jc_config_entry_key(entry) - entry->path) - 1;

	while (strlen(section->path) != length || memcmp(section->path, entry->path, length) != 0) {
		section++;
	}
	return section;
}

bool jc_config_entry_is_list(const struct jc_config_entry *entry)
{
	return entry->type == JC_CONFIG_TEXTS || entry->type == JC_CONFIG_PERMIT;
}

const struct jc_config_entry *jc_config_entry_find(const char *path)
{
	const struct jc_config_entry *entry = jc_config_entries;

	while (entry->path && strcmp(entry->path, path) != 0) {
		entry++;
	}
	return entry->path ? entry : NULL;
}
