/* All maxima of the daemon. Those of the library are in jointcast/limits.h. */
#ifndef JC_DAEMON_MAXIMA_H
#define JC_DAEMON_MAXIMA_H

#define JC_MAX_SOURCES      64u /* --source options */
#define JC_MAX_SINKS        16u /* --vmc-out options, and as many --osc-out options */
#define JC_MAX_VMC_SENDERS  8u  /* that send to one port at the same time */
#define JC_MAX_UDP_PEERS    8u  /* reported senders of one port */
#define JC_MAX_SOURCE_PEERS 16u /* peer= options of one source */
#define JC_MAX_RECORDERS    16u /* spaces recorded at the same time */

#define JC_MAX_INTAKE_CAPTURES 64u /* of one body between two ticks; more are ignored */

#define JC_MAX_REPLAYS            64u         /* at a time */
#define JC_MAX_REPLAY_ENTRIES     256u        /* listed recordings of a folder */
#define JC_MAX_REPLAY_CACHE       (16u << 20) /* cached bytes of the file of one replay */
#define JC_MAX_REPLAY_MARKERS     256u        /* sent to subscribers */
#define JC_MAX_REPLAY_RENAMES     16u         /* renamed bodies of one replay */
#define JC_MAX_REPLAY_SPEED       10.0
#define JC_MAX_REPLAY_OPENINGS    8u                  /* recordings being opened, */
#define JC_MAX_REPLAYS_PER_SECOND 4                   /* and opened by one connection, sustained */
#define JC_MAX_RECORDED_SKELETONS (2 * JC_MAX_BODIES) /* at the beginning of each file */

#define JC_MAX_MOTION_OPENINGS 2u           /* motion files being read, */
#define JC_MAX_MOTION_FRAMES   108000u      /* and frames of one: 30 min at 60 Hz */
#define JC_MAX_MOTION_UNPACKED (512u << 20) /* bytes of the chunks of a sent recording */
#define JC_MAX_MOTION_MESSAGES 2048u        /* of a motion in 0.1 s, */
#define JC_MAX_MOTION_BYTES    (4u << 20)   /* and their size */
#define JC_MAX_REWIND_SECONDS  300          /* length of a rewind buffer, */
#define JC_MAX_REWIND_BYTES    (64 << 20)   /* and its size */
#define JC_MAX_REWIND_BODIES   960u         /* JC_LIMIT_RECORDED_BODIES less one full space */

#define JC_MAX_RECORD_BACKLOG (64u << 20) /* bytes of a recording waiting for a slow disk */

#define JC_HASH_TEXT 65u /* SHA-256 as hex digits, with the NUL */

#define JC_MAX_AVATARS        4096u       /* files of bodies, of the configuration and of clients */
#define JC_MAX_AVATARS_OF_ONE 32u         /* uploaded by one subject */
#define JC_MAX_AVATAR_BYTES   (32u << 20) /* one file; the cap of proto/AVATARS.md */

#define JC_MAX_SKELETONS            64u        /* of the configuration */
#define JC_MAX_PROPS                64u        /* of the configuration, */
#define JC_MAX_PROPS_BYTES          (1u << 20) /* and their descriptors together */
#define JC_MAX_CONFIG_KEYS          16u        /* keys that verify tokens */
#define JC_MAX_CONFIG_TEXTS         32u        /* hosts, origins */
#define JC_MAX_SPACES               256u
#define JC_MAX_REWIND_SPACES        16u /* private spaces among them, of rewinds and motions, */
#define JC_MAX_REWIND_SPACES_OF_ONE 2u  /* and of one subject or address */
#define JC_MAX_VIEWS                8u  /* spaces that one client subscribes to */
#define JC_LEAST_TICK_HZ            10
#define JC_MAX_TICK_HZ              120
#define JC_MAX_BODIES               64u /* of one space */
#define JC_LEAST_LEAVE_AFTER_S      2   /* a body without motion is at rest after 1.5 seconds */
#define JC_MAX_LEAVE_AFTER_S        86400
#define JC_MAX_WHO                  72u    /* bytes of a subject or an address, with the NUL */
#define JC_MAX_SPACE_NAME           64u    /* bytes, with the NUL */
#define JC_MAX_BODY_NAME            64u    /* bytes, with the NUL */
#define JC_MAX_SHARED_VIEWS         13u    /* of one space: 140 KB each */
#define JC_MAX_STREAMS              8192u  /* of private views in one space: 10 KB each */
#define JC_MAX_NAMED_BODIES         64u    /* in one list of a subscriber */
#define JC_MAX_VIEWPOINTS           4u     /* of one subscriber */
#define JC_MAX_CHOSEN_TAG_BYTES     256u   /* of the tags that it chooses, with their NULs */
#define JC_MAX_IGNORED              64u    /* that one subscriber ignores, */
#define JC_MAX_IGNORES              16384u /* and of all in a space, on all hosts */
#define JC_MAX_SOURCE_SPEED         100.0
#define JC_MAX_SINK_HZ              120.0

#define JC_MAX_SANCTIONS                   4096u   /* in force at the same time */
#define JC_MAX_SANCTIONS_OF_SPACE          512u    /* of one space */
#define JC_MAX_ENDED_SANCTION_SECONDS      2592000 /* 30 days; hosts of a cluster know ended ones */
#define JC_MAX_SANCTION_SECONDS            315360000 /* ten years; longer ones hold until lifted */
#define JC_MAX_REASON                      256u      /* bytes, with the NUL */
#define JC_MAX_MODERATION_REQUESTS_WAITING 1024u     /* answers that wait for the disk */

#define JC_MAX_INVITATIONS         1024u    /* whose tokens may be valid, */
#define JC_MAX_INVITATIONS_OF_ONE  256u     /* and of one creator */
#define JC_MAX_INVITATION_SECONDS  31536000 /* until one expires: a year */
#define JC_MAX_INVITATION_USES     1000
#define JC_MAX_INVITATION_NOTE     128u  /* bytes, with the NUL */
#define JC_MAX_INVITATION_SECRET   129u  /* bytes of what a guest shows, with the NUL */
#define JC_MAX_INVITATION_BYTES    4096u /* body of a request */
#define JC_MAX_INVITATIONS_WAITING 1024u /* answers that wait for the disk */
#define JC_MAX_REDEMPTIONS         256u  /* at an edge, that wait for origins */
#define JC_MAX_PAIRINGS            64u   /* pairing codes at a time, */
#define JC_MAX_PAIRINGS_OF_ONE     16u   /* and of one creator */
/* Failed redemptions of an address in a burst; one is forgotten each time these seconds pass. */
#define JC_MAX_REDEMPTION_FAILURES    20
#define JC_REDEMPTION_FAILURE_SECONDS 15
/* Failed codes of all addresses; one is forgotten each second. */
#define JC_MAX_CODE_FAILURES_OF_ALL 200

#define JC_MAX_SKELETON_ASSETS                                                                     \
	8192u                        /* skeletons at a time, of all clients and the configuration  \
				      */
#define JC_MAX_KNOWN_SKELETONS 1024u /* skeletons already sent to one client */

#define JC_MAX_SUBJECT                  64u   /* bytes of the subject of a token, with the NUL */
#define JC_MAX_SKELETON_NAME            64u   /* bytes, with the NUL */
#define JC_MAX_REGISTERED               4096u /* skeletons, and the size of their descriptors */
#define JC_MAX_REGISTERED_BYTES         (32u << 20) /* in memory and on disk */
#define JC_MAX_REGISTERED_OF_ONE        256u        /* of one subject */
#define JC_MAX_REGISTERED_BYTES_OF_ONE  (4u << 20)  /* of one subject */
#define JC_MAX_UPLOAD_BYTES             (32u << 20) /* one file to register a skeleton from */
#define JC_MAX_UPLOAD_TEXT_BYTES        (8u << 20) /* one text file, which needs more memory to read */
#define JC_MAX_UPLOADS_BYTES            (64u << 20) /* of all uploads that wait to be read; */
#define JC_MAX_UPLOAD_TEXT_WEIGHT       4u          /* a text counts this many times; */
#define JC_MAX_UPLOADS_LARGE            (56u << 20) /* large uploads fill at most this part */
#define JC_MAX_UPLOAD_SMALL             (1u << 20)
#define JC_MAX_REGISTRATIONS_PER_SECOND 8 /* of one connection, sustained */

/* Registered skeletons of one connection without a token if the server has keys, */
#define JC_MAX_REGISTERED_OF_CONNECTION       16u
#define JC_MAX_REGISTERED_BYTES_OF_CONNECTION (512u << 10)
/* of all such connections of one address, */
#define JC_MAX_REGISTERED_OF_ADDRESS       64u
#define JC_MAX_REGISTERED_BYTES_OF_ADDRESS (2u << 20)
/* and of all such connections. */
#define JC_MAX_REGISTERED_OF_CONNECTIONS       1024u
#define JC_MAX_REGISTERED_BYTES_OF_CONNECTIONS (8u << 20)

#define JC_MAX_LISTENERS 8u /* ports */
#define JC_MIN_DISK_BYTES                                                                          \
	(64u << 20) /* free space where the daemon writes; with less it is not ready */

#define JC_MAX_CONNECTIONS         16384u /* the largest value of the configuration */
#define JC_MAX_ADMIN_CONNECTIONS   16u    /* beside those */
#define JC_MAX_RETURNS_PER_SECOND  200u   /* paced reconnections after going_away */
#define JC_MAX_LEARNING_SECONDS    3      /* after an edge connects, until it knows all spaces */
#define JC_MAX_DRAIN_SECONDS       10u    /* from SIGTERM until the last client has moved */
#define JC_MAX_REQUEST_BYTES       8192u  /* request line and headers */
#define JC_MAX_REQUEST_HEADERS     64u
#define JC_MAX_REQUEST_SECONDS     5            /* from accept to the end of the headers */
#define JC_MAX_BODY_SECONDS        30           /* to receive a request body */
#define JC_MAX_BODIES_BYTES        (64u << 20)  /* of all request bodies being received, */
#define JC_MAX_BODIES_BYTES_OF_ONE (32u << 20)  /* and of one address */
#define JC_MAX_ANSWER_SECONDS      30           /* for a route to answer */
#define JC_MAX_RESPONSE_SECONDS    60           /* to send a whole response; of a file, longer */
#define JC_MAX_RESPONSE_TURN       (256u << 10) /* bytes, then other events of the loop come */
#define JC_LEAST_RESPONSE_RATE     65536        /* at this rate, bytes a second */
#define JC_MAX_LINGER_SECONDS      2          /* from the last byte sent to the peer's last byte */
#define JC_MAX_SILENCE_SECONDS     60         /* without any frame of the peer, pongs included */
#define JC_MAX_HELLO_SECONDS       10         /* from the handshake to an accepted hello */
#define JC_PING_AFTER_SECONDS      20         /* of silence */
#define JC_MAX_PAGE_BYTES          (1u << 20) /* one HTML file, which is read whole */

#define JC_MAX_MESSAGE_BYTES 65536u /* one message from a client */
#define JC_MAX_MESSAGE_DEPTH 16u    /* nesting of its JSON */
#define JC_MAX_ROSTERS_PER_SECOND                                                                  \
	8 /* complete rosters for one client, sustained; twice that in a burst */
#define JC_MAX_BYTES_PER_SECOND  (8 << 20)   /* read from one client, sustained; more waits */
#define JC_MAX_BYTES_PER_ADDRESS (64 << 20)  /* from all clients of one address */
#define JC_MAX_ERRORS            16          /* answered errors, then the connection closes; */
#define JC_ERROR_SECONDS         60          /* one is forgotten each time this passes */
#define JC_MAX_LOST_PER_SECOND   1           /* answered captures without a publication */
#define JC_MAX_QUEUED_MESSAGES   128u        /* control messages waiting for one client */
#define JC_MAX_QUEUED_BYTES      (17u << 20) /* enough for all skeletons that can exist, */
#define JC_MAX_QUEUED_OWN_BYTES  (2u << 20)  /* of these, texts for this client alone */
#define JC_MAX_QUEUED_BYTES_OF_ADDRESS                                                             \
	(32u << 20) /* for all clients of an address, and of all addresses; */
#define JC_MAX_QUEUED_BYTES_OF_ALL (256u << 20) /* a shared text counts once for each address */
#define JC_MAX_UNREAD_BYTES        65536u       /* of one client while it waits for its turn */

#define JC_MAX_CHANNEL_BYTES        4096u /* of the names of the channels of one body */
#define JC_MAX_META_KEYS            16u   /* keys of the metadata of one body */
#define JC_MAX_META_KEY_BYTES       32u
#define JC_MAX_META_BYTES           1024u
#define JC_MAX_STAND_METRES         10000.0 /* from the origin of a space */
#define JC_MAX_SEAT_METRES          3.0
#define JC_MAX_PUBLISHES_PER_SECOND 8 /* of one client, sustained; as many changes */

#define JC_MAX_PUBLICATIONS 8u /* bodies that one client publishes */
#define JC_MAX_CAPTURES_PER_SECOND                                                                 \
	1000 /* of all bodies of a client, sustained; twice that in a burst */
#define JC_MAX_CAPTURE_BYTES_PER_SECOND (1 << 20) /* sustained */
#define JC_MAX_CAPTURE_AGE_MS           150       /* older captures count as this old */

#define JC_CREDIT_US         150000 /* sent but not acknowledged, beside one round trip */
#define JC_MAX_ROUND_TRIP_US 1000000

#define JC_MAX_KEYFRAMES_PER_SECOND 4u /* requested by one client */

#define JC_MAX_NATS_SUBJECT       320u       /* bytes of a subject, with the NUL */
#define JC_MAX_NATS_SUBSCRIPTIONS 4096u      /* of one connection, */
#define JC_MAX_NATS_REQUESTS      1024u      /* and requests that wait for an answer */
#define JC_MAX_NATS_MESSAGE       (1u << 20) /* bytes of one message, if the server takes as much */
#define JC_MAX_NATS_ARRIVED       (16u << 20) /* received, and not read by the loop yet */
#define JC_MAX_NATS_LEAVING       (8u << 20)  /* published, and not yet sent; */
#define JC_MAX_NATS_LEAVING_PART  (7u << 20)  /* frames fill at most this part, */
#define JC_MAX_NATS_LEAVING_SPARE (4u << 20)  /* and what can come later this one */
#define JC_MAX_NATS_TURN          (1u << 20)  /* bytes, then other events of the loop come */
#define JC_MAX_HOST_ID            64u /* bytes of the name of an origin or edge, with the NUL */
#define JC_MAX_PARTS_BYTES        (4u << 20) /* of a message in parts, */
#define JC_MAX_PARTS              4096u      /* of one message, */
#define JC_MAX_PARTS_UNFINISHED   8u         /* and such messages of one subject, unfinished, */
#define JC_MAX_PARTS_SECONDS      5          /* for that long */
#define JC_PART_BYTES             65536u     /* of one part, if the server takes as much */

#define JC_MAX_EDGES                    64u /* of one origin: with sessions, or interested in one space */
#define JC_MAX_RELAYED_SESSIONS         16384u /* of all edges, */
#define JC_MAX_RELAYED_SESSIONS_OF_EDGE 4096u  /* and of one */
#define JC_MAX_SESSION_REFUSALS_PER_SECOND                                                         \
	100 /* answers to messages of unknown sessions of an edge */
#define JC_MAX_RELAYED_UNREAD_BYTES         (256u << 10) /* of one that waits for its turn, */
#define JC_MAX_RELAYED_UNREAD_BYTES_OF_EDGE (32u << 20)  /* and of all of an edge */
#define JC_MAX_FORWARDED_ANSWERS            64u          /* that one session of an edge waits for */
#define JC_MAX_FORWARDED_HELD               64u          /* texts that wait for a skeleton */
#define JC_MAX_FORWARDED_SKELETONS          64u          /* that one session of an edge has sent */
#define JC_MAX_EXPORTED_VIEWS               8u           /* of one space, for all edges */
#define JC_MAX_INTEREST_SECONDS             6    /* how long an edge wants them without a word */
#define JC_MAX_EDGE_REQUESTS_PER_SECOND     1000 /* of one edge for one space, sustained, */
#define JC_MAX_EDGE_STATES_PER_SECOND       200  /* and of these, complete states; a long one, */
#define JC_MAX_EDGE_STATE_BYTES             8192u /* once more for each of these bytes of the roster, */
#define JC_MAX_EDGE_STATE_COUNT             10 /* counts as many at most */
/* Files of avatars that an edge keeps, */
#define JC_MAX_CACHED_AVATARS         256u
#define JC_MAX_CACHED_AVATAR_BYTES    (256u << 20)
#define JC_MAX_UNWORN_SECONDS         60     /* after the last body wore one; */
#define JC_MAX_AVATAR_FETCHES         64u    /* that it fetches, or waits to, */
#define JC_MAX_AVATAR_FETCHES_RUNNING 8u     /* at a time, */
#define JC_MAX_AVATAR_WAITERS         256u   /* and requests that wait for one */
#define JC_MAX_REPLY_SUBJECT          128u   /* bytes of a subject for an answer, with the NUL */
#define JC_MAX_INCARNATION            17u    /* bytes of that of a process, with the NUL */
#define JC_MAX_VERSION_TEXT           32u    /* bytes of the version of a process, with the NUL */
#define JC_MAX_PROCESSES              256u   /* of a cluster, in its status, */
#define JC_MAX_REPORT_BYTES           16384u /* of the answer of one, */
#define JC_MAX_STATUS_REQUEST         256u   /* and of the request */
#define JC_MAX_REPORTS_PER_SECOND     20     /* answers of one process, sustained */
#define JC_MAX_STATUS_WAITERS         32u    /* that share the answers of a round, */
#define JC_STATUS_WAITS_MS            300    /* which is that long */
#define JC_MAX_RIVALS                 1024u  /* claims of other origins on spaces */

#endif
