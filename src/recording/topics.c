/* Topics and message schemas of recordings. Files contain the schemas, so that other programs can
 * read them. */
#include "topics.h"

#include "foxglove_schemas.h"

#define OBJECT(required, properties)                                                               \
	"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","       \
	"\"required\":[" required "],\"properties\":{" properties "}}"

#define TIME "\"time\":{\"type\":\"integer\",\"description\":\"server time, microseconds\"}"

static const char session[] = OBJECT("\"version\",\"space\",\"time\"",
	"\"version\":{\"const\":1},\"library\":{\"type\":\"string\"},"
	"\"space\":{\"type\":\"string\"},\"epoch\":{\"type\":\"string\"},"
	"\"tickHz\":{\"type\":\"integer\"},"
	"\"part\":{\"type\":\"integer\",\"description\":\"of a recording in several files\"},"
	"\"epochUnixNs\":{\"type\":\"string\",\"description\":\"log time of server time "
	"0\"}," TIME);

static const char clock_anchor[] = OBJECT("\"time\",\"unixNs\"",
	TIME ",\"unixNs\":{\"type\":\"string\",\"description\":\"the wall clock then\"}");

static const char skeleton[] = OBJECT("\"hash\",\"descriptor\"",
	TIME ",\"hash\":{\"type\":\"string\"},\"descriptor\":{\"type\":\"object\","
	     "\"description\":\"schema/descriptor.schema.json of jointcast\"}");

static const char roster[] = OBJECT("\"time\",\"bodies\"",
	TIME ",\"revision\":{\"type\":\"integer\"},\"bodies\":{\"type\":\"array\",\"items\":"
	     "{\"type\":\"object\",\"required\":[\"id\",\"name\",\"recorded\"],\"properties\":{"
	     "\"id\":{\"type\":\"integer\"},\"name\":{\"type\":\"string\"},"
	     "\"recorded\":{\"enum\":[\"nothing\",\"anonymous\",\"raw\"]},"
	     "\"kind\":{\"enum\":[\"body-frames\",\"poses\"]},\"profile\":{\"type\":\"string\"},"
	     "\"height\":{\"type\":\"number\"},\"skeleton\":{\"type\":\"string\"},"
	     "\"smooth\":{\"type\":\"object\",\"properties\":{\"minCutoff\":{\"type\":"
	     "\"number\"},\"beta\":{\"type\":\"number\"}}},"
	     "\"display\":{\"type\":\"string\"},\"meta\":{\"type\":\"object\"},"
	     "\"direct\":{\"type\":\"boolean\"},\"calibration\":{\"type\":\"object\"},"
	     "\"channels\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	     "\"placement\":{\"type\":\"object\",\"properties\":{\"position\":{\"type\":\"array\","
	     "\"items\":{\"type\":\"number\"}},\"yaw\":{\"type\":\"number\"}}},"
	     "\"seat\":{\"type\":\"object\",\"properties\":{\"height\":{\"type\":\"number\"}}}}}}");

static const char event[] = OBJECT("\"time\",\"event\"",
	TIME ",\"event\":{\"type\":\"string\"},\"text\":{\"type\":\"string\"},"
	     "\"body\":{\"type\":\"integer\"},\"count\":{\"type\":\"integer\"}");

static const char captures[] =
	"version u8 = 1, tick u32, then to the end of the message for each body: id u32, length "
	"u16, a capture of that many bytes. Little-endian. A capture is one message of a "
	"jointcast.v1 publisher: PUBLISHING.md of jointcast, \"Captures\".";

static const char streams[] = OBJECT("\"time\",\"table\",\"streams\"",
	TIME ",\"table\":{\"type\":\"integer\",\"description\":\"of coding 2\"},"
	     "\"modelTable\":{\"type\":\"integer\",\"description\":\"of coding 3\"},"
	     "\"streams\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":["
	     "\"stream\",\"body\",\"skeleton\",\"coding\",\"since\"],\"properties\":{"
	     "\"stream\":{\"type\":\"integer\"},\"body\":{\"type\":\"integer\"},"
	     "\"skeleton\":{\"type\":\"string\"},\"coding\":{\"enum\":[1,2,3]},"
	     "\"precision\":{\"enum\":[\"coarse\",\"standard\",\"fine\"]},"
	     "\"rate\":{\"enum\":[1,2,4]},"
	     "\"sections\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	     "\"virtual\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"description\":"
	     "\"indices of the virtual transforms of section 8\"},"
	     "\"finest\":{\"enum\":[\"coarse\",\"standard\"],\"description\":"
	     "\"the motion was rounded to it\"},"
	     "\"since\":{\"type\":\"integer\",\"description\":\"tick of its first packet\"}}}}");

static const char packets[] =
	"version u8 = 1, tick u32, then to the end of the message for each stream that was "
	"encoded: "
	"stream u32, flags u8 (1: a rejoin was asked for), length u16 and length u16 of the "
	"rejoin, "
	"then both packets as they stand in a bundle. Little-endian. BUNDLES.md of jointcast, "
	"\"Bundles\".";

const struct jc_recording_topic_info jc_recording_topics[JC_TOPIC_COUNT] = {
	[JC_TOPIC_SESSION] = { "session", "jointcast.Session", "json", "jsonschema", session },
	[JC_TOPIC_CLOCK] = { "clock", "jointcast.Clock", "json", "jsonschema", clock_anchor },
	[JC_TOPIC_SKELETON] = { "skeleton", "jointcast.Skeleton", "json", "jsonschema", skeleton },
	[JC_TOPIC_ROSTER] = { "roster", "jointcast.Roster", "json", "jsonschema", roster },
	[JC_TOPIC_EVENT] = { "event", "jointcast.Event", "json", "jsonschema", event },
	[JC_TOPIC_CAPTURES] = { "captures", "jointcast.Captures", "jointcast", "text", captures },
	[JC_TOPIC_TRANSFORMS] = { "transforms", "foxglove.FrameTransforms", "json", "jsonschema",
		jc_foxglove_frame_transforms },
	[JC_TOPIC_SCENE] = { "scene", "foxglove.SceneUpdate", "json", "jsonschema",
		jc_foxglove_scene_update },
	[JC_TOPIC_STREAMS] = { "streams", "jointcast.Streams", "json", "jsonschema", streams },
	[JC_TOPIC_PACKETS] = { "packets", "jointcast.Packets", "jointcast", "text", packets },
};
