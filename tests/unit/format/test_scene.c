/* Tests three syntaxes of one scene, and invalid text. The texts themselves and the grammar of
 * ISO/IEC 14772-1, annex A, give the expected values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "jointcast/limits.h"
#include "jointcast_private/scene.h"
#include "unit_test.h"

#define VRML "#VRML V2.0 utf8\n"

static struct jc_scene *read_text(const char *text)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_scene *scene = NULL;

	if (jc_scene_read(text, strlen(text), &scene, NULL, &diagnostic)) {
		fail_msg("%s: %s", diagnostic.where, diagnostic.what);
	}
	return scene;
}

static void assert_refused(const char *text, int error, const char *what, const char *where)
{
	struct jc_diagnostic diagnostic = { .what = "" };
	struct jc_scene *scene = NULL;

	assert_int_equal(jc_scene_read(text, strlen(text), &scene, NULL, &diagnostic), error);
	if (!strstr(diagnostic.what, what)) {
		fail_msg("'%s' is not in '%s'", what, diagnostic.what);
	}
	assert_string_equal(diagnostic.where, where);
}

static void assert_numbers(
	const struct jc_scene_node *node, const char *name, size_t count, const double *expected)
{
	const struct jc_scene_field *field = jc_scene_field(node, name);

	assert_non_null(field);
	assert_int_equal(field->number_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_true(field->numbers[i] == expected[i]);
	}
}

static const struct jc_scene_node *only_child(const struct jc_scene_node *node, const char *name)
{
	struct jc_scene_node *const *nodes;

	assert_int_equal(jc_scene_nodes(node, name, &nodes), 1);
	return nodes[0];
}

/* The same scene in each syntax must read as the same value. */
static const char classic_body[] =
	"DEF Top Transform { translation 1 -2.5 3e1 children [ DEF Leaf Shape { } USE Leaf ] }\n"
	"Switch { whichChoice 0x10 flags [ TRUE FALSE ] names [ \"a b\" \"c \\\"d\\\"\" ] "
	"choice [ ] }\n"
	"DEF T TimeSensor { loop TRUE }\n"
	"ROUTE T.fraction_changed TO Top.set_translation\n";

static const char xml[] =
	"<?xml version='1.0'?><X3D><head><meta name='a' content='b'/></head><Scene>\n"
	"<Transform DEF='Top' translation='1 -2.5 3e1'><Shape DEF='Leaf'/><Shape USE='Leaf'/>"
	"</Transform>\n"
	"<Switch whichChoice='0x10' flags='true false' names='\"a b\" \"c \\\"d\\\"\"' "
	"choice=''/>\n"
	"<TimeSensor DEF='T' loop='true'/>\n"
	"<ROUTE fromNode='T' fromField='fraction_changed' toNode='Top' "
	"toField='set_translation'/>\n"
	"</Scene></X3D>";

static void check_common_scene(const char *text, enum jc_scene_syntax syntax)
{
	struct jc_scene *scene = read_text(text);
	const struct jc_scene_node *top = scene->roots[0];
	const struct jc_scene_node *other = scene->roots[1];
	const struct jc_scene_field *field;
	struct jc_scene_node *const *nodes;

	assert_int_equal(scene->syntax, syntax);
	assert_int_equal(scene->root_count, 3);
	assert_int_equal(scene->node_count, 4);
	assert_string_equal(top->type, "Transform");
	assert_string_equal(top->def, "Top");
	assert_numbers(top, "translation", 3, (double[]){ 1.0, -2.5, 30.0 });
	assert_int_equal(jc_scene_nodes(top, "children", &nodes), 2);
	assert_ptr_equal(nodes[0], nodes[1]);
	assert_int_equal(top->height, 2);
	assert_numbers(other, "whichChoice", 1, (double[]){ 16.0 });
	field = jc_scene_field(other, "flags");
	assert_int_equal(field->kind, JC_SCENE_BOOLEANS);
	assert_numbers(other, "flags", 2, (double[]){ 1.0, 0.0 });
	field = jc_scene_field(other, "names");
	assert_int_equal(field->string_count, 2);
	assert_string_equal(field->strings[0], "a b");
	assert_string_equal(field->strings[1], "c \"d\"");
	assert_int_equal(jc_scene_field(other, "choice")->kind,
		syntax == JC_SCENE_X3D_XML ? JC_SCENE_STRINGS : JC_SCENE_EMPTY);
	assert_int_equal(scene->route_count, 1);
	assert_ptr_equal(scene->routes[0].from, scene->roots[2]);
	assert_ptr_equal(scene->routes[0].to, top);
	assert_string_equal(scene->routes[0].from_field, "fraction_changed");
	assert_string_equal(scene->routes[0].to_field, "set_translation");
	jc_scene_destroy(scene);
}

static void three_syntaxes_give_the_same_scene(void **)
{
	char text[1024];

	snprintf(text, sizeof(text), VRML "%s", classic_body);
	check_common_scene(text, JC_SCENE_VRML97);
	snprintf(text, sizeof(text),
		"\xef\xbb\xbf#X3D V3.3 utf8\r\nPROFILE Immersive\r\nCOMPONENT HAnim:1\r\n"
		"META \"a\" \"b\"\r\n%s",
		classic_body);
	check_common_scene(text, JC_SCENE_X3D_CLASSIC);
	check_common_scene(xml, JC_SCENE_X3D_XML);
}

static size_t pack(const char *text, unsigned char *out_bytes, size_t capacity)
{
	z_stream stream = { .next_in = (unsigned char *)text,
		.avail_in = (unsigned)strlen(text),
		.next_out = out_bytes,
		.avail_out = (unsigned)capacity };

	assert_int_equal(
		deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	return stream.total_out;
}

static void reads_gzip_files_and_rejects_truncated_ones(void **)
{
	unsigned char bytes[1024];
	size_t first = pack(VRML "Group { }\n", bytes, sizeof(bytes));
	size_t all = first + pack("Group { }", bytes + first, sizeof(bytes) - first);
	struct jc_diagnostic diagnostic;
	struct jc_scene *scene;

	assert_true(jc_scene_is(bytes, all));
	assert_int_equal(jc_scene_read(bytes, all, &scene, NULL, &diagnostic), JC_OK);
	assert_int_equal(scene->root_count, 2); /* two members are one file */
	jc_scene_destroy(scene);
	assert_int_equal(
		jc_scene_read(bytes, first - 9, &scene, NULL, &diagnostic), JC_ERROR_TRUNCATED);
	assert_string_equal(diagnostic.where, "gzip");
	bytes[12] ^= 0xff;
	assert_int_equal(jc_scene_read(bytes, first, &scene, NULL, &diagnostic), JC_ERROR_SYNTAX);
}

static void gzip_bomb_stops_at_the_maximum(void **)
{
	const size_t block = (size_t)1 << 20;
	unsigned char *zeros = calloc(1, block);
	unsigned char *bytes = malloc(block);
	z_stream stream = { .next_out = bytes, .avail_out = (unsigned)block };
	struct jc_diagnostic diagnostic;
	struct jc_scene *scene;

	assert_non_null(zeros);
	assert_non_null(bytes);
	assert_int_equal(
		deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	for (size_t i = 0; i <= JC_LIMIT_FILE_BYTES / block; i++) {
		stream.next_in = zeros;
		stream.avail_in = (unsigned)block;
		assert_int_equal(deflate(&stream, Z_NO_FLUSH), Z_OK);
	}
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	assert_int_equal(
		jc_scene_read(bytes, stream.total_out, &scene, NULL, &diagnostic), JC_ERROR_LIMIT);
	free(zeros);
	free(bytes);
}

static void prototypes_provide_defaults_and_body(void **)
{
	struct jc_scene *scene = read_text(
		VRML "PROTO Joint [ exposedField SFString name \"none\" field MFFloat ulimit [ 1, "
		     "2 3 ]\n"
		     "  eventIn MFNode addChildren exposedField MFNode children [ ] ]\n"
		     "{ Transform { children IS children addChildren IS addChildren } Group { } }\n"
		     "EXTERNPROTO Far [ field SFInt32 x ] \"far.wrl#Far\"\n"
		     "Joint { name \"a\" children Far { x 3 } } Joint { }");
	const struct jc_scene_node *joint = scene->roots[0];

	assert_int_equal(scene->root_count, 2);
	assert_non_null(joint->proto);
	assert_string_equal(joint->proto->name, "Joint");
	assert_string_equal(joint->proto->body->type, "Transform");
	assert_null(jc_scene_field(joint->proto->body, "children"));
	assert_true(joint->proto->is_connected);
	assert_string_equal(jc_scene_string(joint, "name", ""), "a");
	assert_string_equal(jc_scene_string(scene->roots[1], "name", ""), "none");
	assert_numbers(scene->roots[1], "ulimit", 3, (double[]){ 1.0, 2.0, 3.0 });
	assert_non_null(only_child(joint, "children")->proto);
	assert_null(only_child(joint, "children")->proto->body);
	jc_scene_destroy(scene);
}

/* A field may be declared without a value in XML; an event sets nothing. */
static void prototypes_connect_by_fields_of_their_own(void **)
{
	static const struct {
		const char *text;
		bool is_connected;
	} cases[] = {
		{ VRML "PROTO P [ field SFVec3f c 0 0 0 ] { Transform { center IS c } } P { }",
			true },
		{ VRML "PROTO P [ eventIn SFVec3f c ] { Transform { center IS c } } P { }", false },
		{ VRML "PROTO P [ field SFVec3f c 0 0 0 ] { PROTO Q [ field SFVec3f d 0 0 0 ] {\n"
		       "Transform { center IS d } } Q { } } P { }",
			false },
		{ "<X3D><Scene><ProtoDeclare name='P'><ProtoInterface><field name='c' "
		  "type='SFVec3f' accessType='inputOutput'/></ProtoInterface><ProtoBody><Transform>"
		  "<IS><connect nodeField='center' protoField='c'/></IS></Transform></ProtoBody>"
		  "</ProtoDeclare><ProtoInstance name='P'/></Scene></X3D>",
			true },
		{ "<X3D><Scene><ProtoDeclare name='P'><ProtoInterface><field name='c' "
		  "type='SFVec3f' accessType='inputOnly'/></ProtoInterface><ProtoBody><Transform>"
		  "<IS><connect nodeField='set_center' protoField='c'/></IS></Transform>"
		  "</ProtoBody></ProtoDeclare><ProtoInstance name='P'/></Scene></X3D>",
			false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct jc_scene *scene = read_text(cases[i].text);

		assert_int_equal(scene->roots[0]->proto->is_connected, cases[i].is_connected);
		jc_scene_destroy(scene);
	}
}

static void reads_prototypes_in_xml(void **)
{
	struct jc_scene *scene = read_text(
		"<X3D><Scene><ProtoDeclare name='Joint'><ProtoInterface>"
		"<field name='name' type='SFString' accessType='inputOutput' value='none'/>"
		"<field name='children' type='MFNode' accessType='inputOutput'><Group/></field>"
		"</ProtoInterface><ProtoBody><Transform><IS><connect nodeField='children' "
		"protoField='children'/></IS></Transform><ROUTE fromNode='A' fromField='a' "
		"toNode='B' toField='b'/></ProtoBody></ProtoDeclare>"
		"<ProtoInstance name='Joint' DEF='J'><fieldValue name='name' value='7'/>"
		"<fieldValue name='children'><Shape/><Sphere/></fieldValue></ProtoInstance>"
		"<ProtoInstance name='Joint'/></Scene></X3D>");
	struct jc_scene_node *const *nodes;

	assert_int_equal(scene->root_count, 2);
	assert_string_equal(scene->roots[0]->proto->body->type, "Transform");
	assert_true(scene->roots[0]->proto->is_connected);
	/* An attribute that looks like a number may be a text. */
	assert_string_equal(jc_scene_string(scene->roots[0], "name", ""), "7");
	assert_int_equal(jc_scene_nodes(scene->roots[0], "children", &nodes), 2);
	assert_string_equal(nodes[1]->type, "Sphere");
	assert_string_equal(jc_scene_string(scene->roots[1], "name", ""), "none");
	assert_string_equal(only_child(scene->roots[1], "children")->type, "Group");
	jc_scene_destroy(scene);
}

static void reads_nodes_with_unknown_types(void **)
{
	struct jc_scene *scene = read_text(VRML
		"DEF 1_odd-name Unheard_of { strange +.5e+1,-1. nested [ Other{}NULL Other{} ]\n"
		"  field SFString own \"x#y\" eventOut SFTime t # \"not a string\n }\n"
		"Script { url \"javascript: function f() { return \\\"}\\\"; }\" field SFNode n "
		"USE "
		"1_odd-name }");
	struct jc_scene_node *const *nodes;

	assert_string_equal(scene->roots[0]->def, "1_odd-name");
	assert_numbers(scene->roots[0], "strange", 2, (double[]){ 5.0, -1.0 });
	assert_int_equal(jc_scene_nodes(scene->roots[0], "nested", &nodes), 2);
	assert_string_equal(jc_scene_string(scene->roots[0], "own", ""), "x#y");
	assert_ptr_equal(only_child(scene->roots[1], "n"), scene->roots[0]);
	jc_scene_destroy(scene);
}

static void container_field_selects_the_field_of_a_node(void **)
{
	struct jc_scene *scene = read_text(
		"<x:X3D xmlns:x='x'><x:Scene><HAnimHumanoid>"
		"<HAnimJoint DEF='a' containerField='skeleton'><HAnimJoint/></HAnimJoint>"
		"<HAnimJoint USE='a' containerField='joints'/><MetadataSet><MetadataString/>"
		"</MetadataSet><HAnimMotion/></HAnimHumanoid></x:Scene></x:X3D>");
	const struct jc_scene_node *humanoid = scene->roots[0];

	assert_string_equal(
		only_child(only_child(humanoid, "skeleton"), "children")->type, "HAnimJoint");
	assert_ptr_equal(only_child(humanoid, "joints"), only_child(humanoid, "skeleton"));
	assert_string_equal(
		only_child(only_child(humanoid, "metadata"), "value")->type, "MetadataString");
	assert_string_equal(only_child(humanoid, "motions")->type, "HAnimMotion");
	jc_scene_destroy(scene);
}

static void keeps_long_arrays_only_of_interpolators_and_hanim(void **)
{
	char list[2048] = "";
	char text[8192];
	struct jc_scene *scene;

	for (int i = 0; i < 200; i++) {
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%d ", i);
	}
	snprintf(text, sizeof(text),
		VRML "Coordinate { point [ %s] } OrientationInterpolator { keyValue [ %s] } "
		     "HAnimJoint { skinCoordIndex [ %s] }",
		list, list, list);
	scene = read_text(text);
	assert_int_equal(jc_scene_field(scene->roots[0], "point")->number_count, 0);
	assert_int_equal(jc_scene_field(scene->roots[0], "point")->omitted, 200);
	assert_int_equal(jc_scene_field(scene->roots[1], "keyValue")->number_count, 200);
	assert_true(jc_scene_field(scene->roots[1], "keyValue")->numbers[199] == 199.0);
	assert_int_equal(jc_scene_field(scene->roots[2], "skinCoordIndex")->omitted, 0);
	jc_scene_destroy(scene);
}

static void reads_units_of_length(void **)
{
	struct jc_scene *scene = read_text("#X3D V3.3 utf8\nUNIT angle degree 0.017\n"
					   "UNIT length inch 0.0254\nGroup { }");

	assert_true(scene->metres_per_unit == 0.0254);
	jc_scene_destroy(scene);
	scene = read_text("<X3D><head><unit category='length' name='inch' "
			  "conversionFactor='0.0254'/></head><Scene/></X3D>");
	assert_true(scene->metres_per_unit == 0.0254);
	jc_scene_destroy(scene);
}

static void reports_routes_without_a_target(void **)
{
	static const char text[] = VRML "DEF A Group { }\nROUTE A.x TO B.y\nROUTE A.x TO A.y\n";
	struct jc_lint lint = { 0 };
	struct jc_diagnostic diagnostic;
	struct jc_scene *scene;

	assert_int_equal(jc_scene_read(text, strlen(text), &scene, &lint, &diagnostic), JC_OK);
	assert_int_equal(scene->route_count, 1);
	assert_int_equal(lint.count, 1);
	assert_string_equal(lint.entries[0].code, "scene-route");
	assert_non_null(strstr(lint.entries[0].text, "line 3"));
	jc_scene_destroy(scene);
}

static void rejects_broken_scenes_naming_the_line(void **)
{
	assert_refused(VRML "\nGroup { children USE Later }\nDEF Later Group { }", JC_ERROR_INVALID,
		"'Later'", "line 3");
	assert_refused(VRML "DEF G Group { children [ USE G ] }", JC_ERROR_INVALID,
		"'G' contains itself", "line 2");
	assert_refused(VRML "PROTO A [ ] { Group { children\nA { } } }", JC_ERROR_INVALID,
		"'A' contains itself", "line 3");
	assert_refused(VRML "Group {", JC_ERROR_TRUNCATED, "ends", "line 2");
	assert_refused(VRML "Group { children [ Shape { } ", JC_ERROR_TRUNCATED, "ends", "line 2");
	assert_refused(
		VRML "WorldInfo { title \"open\n }", JC_ERROR_SYNTAX, "not closed", "line 2");
	assert_refused(VRML "T { x 1.#IND }", JC_ERROR_SYNTAX, "malformed number", "line 2");
	assert_refused(VRML "T { x 12abc }", JC_ERROR_SYNTAX, "malformed number", "line 2");
	assert_refused(VRML "T { x 1e999 }", JC_ERROR_INVALID, "'x' is not finite", "line 2");
	assert_refused(VRML "T { x [ 1 \"a\" ] }", JC_ERROR_SYNTAX, "expected", "line 2");
	assert_refused(VRML "Group { } }", JC_ERROR_SYNTAX, "'}'", "line 2");
	assert_refused(
		"#VRML V1.0 ascii\nSeparator { }", JC_ERROR_UNSUPPORTED, "VRML 1.0", "line 1");
	assert_refused("nothing", JC_ERROR_SYNTAX, "neither VRML nor X3D", "line 1");
	assert_refused("", JC_ERROR_TRUNCATED, "empty", "");
	assert_refused("<X3D><Scene>\n<Group>\n</Scene></X3D>", JC_ERROR_SYNTAX, "XML", "line 3");
	assert_refused(
		"<X3D><Scene>\n<Group USE='x'/></Scene></X3D>", JC_ERROR_INVALID, "'x'", "line 2");
	assert_refused("<html/>", JC_ERROR_SYNTAX, "not X3D", "line 1");
	assert_refused("<X3D><Scene><Group>", JC_ERROR_TRUNCATED, "XML", "line 1");
}

/* count copies of a piece between head and tail. */
static char *repeat(const char *head, const char *piece, size_t count, const char *tail)
{
	size_t length = strlen(piece);
	char *text = malloc(strlen(head) + length * count + strlen(tail) + 1);
	char *at = text;

	assert_non_null(text);
	at = stpcpy(at, head);
	for (size_t i = 0; i < count; i++) {
		at = stpcpy(at, piece);
	}
	stpcpy(at, tail);
	return text;
}

static void limits_nesting(void **)
{
	static const struct {
		const char *head, *piece;
	} deep[] = {
		{ VRML, "Group { children [ " },
		{ VRML, "PROTO P [ ] { " },
		{ "<X3D><Scene>", "<Group>" },
		{ "<X3D><Scene>", "<ProtoDeclare name='p'><ProtoBody>" },
	};

	for (size_t i = 0; i < sizeof(deep) / sizeof(*deep); i++) {
		char *text = repeat(deep[i].head, deep[i].piece, 100000, "");
		struct jc_diagnostic diagnostic;
		struct jc_scene *scene;

		assert_int_equal(jc_scene_read(text, strlen(text), &scene, NULL, &diagnostic),
			JC_ERROR_LIMIT);
		free(text);
	}
}

/* Each node holds the one before twice: 2^600 paths, and 600 levels that no
 * nesting of the text shows. G511, on line 513, would be the 512th level of
 * nodes below the file. */
static void use_cannot_exceed_the_limit_of_depth(void **)
{
	size_t size = (size_t)64 * 700;
	char *text = malloc(size);
	size_t length = (size_t)sprintf(text, VRML "DEF G0 Group { }\n");
	struct jc_diagnostic diagnostic;
	struct jc_scene *scene;

	for (int i = 1; i < 600; i++) {
		length += (size_t)snprintf(text + length, size - length,
			"DEF G%d Group { children [ USE G%d USE G%d ] }\n", i, i - 1, i - 1);
	}
	assert_int_equal(jc_scene_read(text, length, &scene, NULL, &diagnostic), JC_ERROR_LIMIT);
	assert_string_equal(diagnostic.where, "line 513");
	free(text);
}

/* 40000 nodes with 40000 names: a second or two if any of it were quadratic. */
static void parse_time_is_linear_in_the_text_of_names(void **)
{
	enum { COUNT = 40000 };
	size_t size = (size_t)COUNT * 64;
	char *text = malloc(size);
	size_t length = (size_t)sprintf(text, VRML);
	struct jc_scene *scene;

	for (int i = 0; i < COUNT; i++) {
		length += (size_t)snprintf(text + length, size - length,
			"DEF N%d T%d { f%d 1 g USE N%d }\n", i, i, i, i / 2 == i ? 0 : i / 2);
		if (i == 0) {
			length = (size_t)sprintf(text, VRML "DEF N0 T0 { }\n");
		}
	}
	scene = read_text(text);
	assert_int_equal(scene->node_count, COUNT);
	jc_scene_destroy(scene);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_syntaxes_give_the_same_scene),
		cmocka_unit_test(reads_gzip_files_and_rejects_truncated_ones),
		cmocka_unit_test(gzip_bomb_stops_at_the_maximum),
		cmocka_unit_test(prototypes_provide_defaults_and_body),
		cmocka_unit_test(prototypes_connect_by_fields_of_their_own),
		cmocka_unit_test(reads_prototypes_in_xml),
		cmocka_unit_test(reads_nodes_with_unknown_types),
		cmocka_unit_test(container_field_selects_the_field_of_a_node),
		cmocka_unit_test(keeps_long_arrays_only_of_interpolators_and_hanim),
		cmocka_unit_test(reads_units_of_length),
		cmocka_unit_test(reports_routes_without_a_target),
		cmocka_unit_test(rejects_broken_scenes_naming_the_line),
		cmocka_unit_test(limits_nesting),
		cmocka_unit_test(use_cannot_exceed_the_limit_of_depth),
		cmocka_unit_test(parse_time_is_linear_in_the_text_of_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
