/* Texts of Foxglove's schemas. */
#include "foxglove_schemas.h"

#define FIELDS(fields)        "\"type\":\"object\",\"properties\":{" fields "}}"
#define OBJECT(fields)        "{" FIELDS(fields)
#define MESSAGE(name, fields) "{\"title\":\"" name "\"," FIELDS(fields)
#define FIELD(name, schema)   "\"" name "\":" schema
#define LIST(name, items)     FIELD(name, "{\"type\":\"array\",\"items\":" items "}")
#define NUMBER(name)          FIELD(name, "{\"type\":\"number\"}")
#define TEXT(name)            FIELD(name, "{\"type\":\"string\"}")
#define SWITCH(name)          FIELD(name, "{\"type\":\"boolean\"}")
#define CHOICE(title, value)  "{\"title\":\"" title "\",\"const\":" value "}"
#define CHOICES(name, ...)    FIELD(name, "{\"oneOf\":[" __VA_ARGS__ "]}")

#define NSEC FIELD("nsec", "{\"type\":\"integer\",\"minimum\":0,\"maximum\":999999999}")
#define TIMESTAMP                                                                                  \
	FIELD("timestamp",                                                                         \
		MESSAGE("time", FIELD("sec", "{\"type\":\"integer\",\"minimum\":0}") "," NSEC))
#define LIFETIME                                                                                   \
	FIELD("lifetime", MESSAGE("duration", FIELD("sec", "{\"type\":\"integer\"}") "," NSEC))
#define VECTOR   OBJECT(NUMBER("x") "," NUMBER("y") "," NUMBER("z"))
#define ROTATION OBJECT(NUMBER("x") "," NUMBER("y") "," NUMBER("z") "," NUMBER("w"))
#define RGBA     OBJECT(NUMBER("r") "," NUMBER("g") "," NUMBER("b") "," NUMBER("a"))
#define COLOR    FIELD("color", RGBA)
#define COLORS   LIST("colors", RGBA)
#define POSE     FIELD("pose", OBJECT(FIELD("position", VECTOR) "," FIELD("orientation", ROTATION)))
#define SIZE     FIELD("size", VECTOR)
#define POINTS   LIST("points", VECTOR)
#define INDICES  LIST("indices", "{\"type\":\"integer\",\"minimum\":0}")

#define ARROW                                                                                      \
	OBJECT(POSE "," NUMBER("shaft_length") "," NUMBER("shaft_diameter") "," NUMBER(            \
		"head_length") "," NUMBER("head_diameter") "," COLOR)
#define SOLID    OBJECT(POSE "," SIZE "," COLOR)
#define CYLINDER OBJECT(POSE "," SIZE "," NUMBER("bottom_scale") "," NUMBER("top_scale") "," COLOR)
#define LINE                                                                                       \
	OBJECT(CHOICES("type",                                                                     \
		CHOICE("LINE_STRIP", "0") "," CHOICE("LINE_LOOP", "1") "," CHOICE(                 \
			"LINE_LIST", "2")) "," POSE                                                \
					   "," NUMBER("thickness") "," SWITCH(                     \
						   "scale_invariant") "," POINTS "," COLOR         \
								      "," COLORS "," INDICES)
#define TRIANGLES OBJECT(POSE "," POINTS "," COLOR "," COLORS "," INDICES)
#define LABEL                                                                                      \
	OBJECT(POSE "," SWITCH("billboard") "," NUMBER("font_size") "," SWITCH(                    \
		"scale_invariant") "," COLOR "," TEXT("text"))
#define MODEL                                                                                      \
	OBJECT(POSE "," FIELD("scale", VECTOR) "," COLOR "," SWITCH("override_color") "," TEXT(    \
		"url") "," TEXT("media_type") "," FIELD("data",                                    \
		"{\"type\":\"string\",\"contentEncoding\":\"base64\"}"))

#define DELETION                                                                                   \
	OBJECT(TIMESTAMP "," CHOICES(                                                              \
		"type", CHOICE("MATCHING_ID", "0") "," CHOICE("ALL", "1")) "," TEXT("id"))
#define ENTITY_HEAD                                                                                \
	TIMESTAMP "," TEXT("frame_id") "," TEXT("id") "," LIFETIME "," SWITCH(                     \
		"frame_locked") "," LIST("metadata", OBJECT(TEXT("key") "," TEXT("value")))
#define ENTITY                                                                                     \
	OBJECT(ENTITY_HEAD "," LIST("arrows", ARROW) "," LIST("cubes", SOLID) "," LIST(            \
		"spheres", SOLID) "," LIST("cylinders", CYLINDER) "," LIST("lines",                \
		LINE) "," LIST("triangles", TRIANGLES) "," LIST("texts", LABEL) "," LIST("models", \
		MODEL))

const char jc_foxglove_frame_transforms[] = MESSAGE("foxglove.FrameTransforms",
	LIST("transforms",
		OBJECT(TIMESTAMP "," TEXT("parent_frame_id") "," TEXT("child_frame_id") "," FIELD(
			"translation", VECTOR) "," FIELD("rotation", ROTATION))));

const char jc_foxglove_scene_update[] =
	MESSAGE("foxglove.SceneUpdate", LIST("deletions", DELETION) "," LIST("entities", ENTITY));
