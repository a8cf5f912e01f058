/* Tests source URIs. */
#include <stdio.h>
#include <string.h>

#include "base/address.h"
#include "source/source_uri.h"
#include "unit_test.h"

static struct jc_source_uri parse(const char *text)
{
	struct jc_source_uri uri;
	struct jc_diagnostic diagnostic = { 0 };

	if (jc_source_uri_parse(text, &uri, &diagnostic) != JC_OK)
		fail_msg("%s: %s", text, diagnostic.what);
	return uri;
}

static void file_loops_in_the_lobby_at_original_speed_by_default(void **)
{
	struct jc_source_uri uri = parse("file:/tmp/a walk.bvh");

	assert_int_equal(uri.scheme, JC_SOURCE_FILE);
	assert_string_equal(uri.path, "/tmp/a walk.bvh");
	assert_true(uri.loop);
	assert_true(uri.speed == 1.0);
	assert_string_equal(uri.space, "lobby");
	assert_string_equal(uri.name, "");
}

static void options_follow_the_question_mark(void **)
{
	struct jc_source_uri uri = parse("demo:walk?speed=0.5&loop=0&space=hall-2&name=A B");

	assert_int_equal(uri.scheme, JC_SOURCE_DEMO);
	assert_string_equal(uri.path, "walk");
	assert_false(uri.loop);
	assert_true(uri.speed == 0.5);
	assert_string_equal(uri.space, "hall-2");
	assert_string_equal(uri.name, "A B");
	assert_true(parse("demo:walk?loop=0&loop").loop);
	assert_false(uri.mirror);
	assert_true(parse("demo:walk?mirror").mirror);
	assert_true(uri.twist == 0.0);
	assert_true(parse("demo:walk?twist=0.5").twist == 0.5);
	assert_false(parse("demo:walk?mirror=1&mirror=0").mirror);
	assert_int_equal(parse("file:two.mcap").motion, 0);
	assert_int_equal(parse("file:two.mcap?motion=1").motion, 1);
	assert_string_equal(parse("file:a.bvh").bones, "");
	assert_string_equal(parse("file:a.bvh?bones=maps/a b.txt&loop=0").bones, "maps/a b.txt");
}

static void names_of_bodies_have_escapes(void **)
{
	struct jc_source_uri uri;
	struct jc_diagnostic diagnostic;
	static const char *const damaged[] = { "%", "a%4", "%4x", "%x4", "%00", "%0A", "%7f",
		"50% off" };
	char text[64];

	assert_string_equal(parse("demo:walk?name=Ada%20%26%20B%3F%25&loop=0").name, "Ada & B?%");
	assert_string_equal(parse("vmc:39539?name=%e5%B0%8f").name, "\xe5\xb0\x8f");
	assert_string_equal(parse("replay:a.mcap?prefix=a%26").names.prefix, "a&");
	assert_string_equal(parse("replay:a.mcap?rename=%41:b%3D").names.renames[0].from, "A");
	assert_string_equal(parse("replay:a.mcap?rename=%41:b%3D").names.renames[0].to, "b=");
	assert_string_equal(parse("file:100%25.bvh").path, "100%25.bvh");
	assert_string_equal(parse("file:a.bvh?bones=%41").bones, "%41");
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		snprintf(text, sizeof(text), "demo:walk?name=%s", damaged[i]);
		assert_int_equal(jc_source_uri_parse(text, &uri, &diagnostic), JC_ERROR_INVALID);
		assert_non_null(strstr(diagnostic.what, "hexadecimal"));
	}
}

static void smooths_live_sources_on_request(void **)
{
	assert_true(parse("vmc:39539").smooth.min_cutoff == 0.0f);
	assert_true(parse("vmc:39539?smooth").smooth.min_cutoff == JC_ONE_EURO_DEFAULTS.min_cutoff);
	assert_true(parse("vmc:39539?smooth=0.5,0").smooth.min_cutoff == 0.5f);
	assert_true(parse("vmc:39539?smooth=2,0.25&name=Ada").smooth.beta == 0.25f);
}

static void accepts_any_character_in_a_path(void **)
{
	assert_string_equal(parse("file:100%20.bvh").path, "100%20.bvh");
	assert_string_equal(parse("file:why?.bvh?").path, "why?.bvh");
	assert_string_equal(parse("file:a:b#c&d").path, "a:b#c&d");
}

static void suits_and_phones_have_ports_and_peers(void **)
{
	struct jc_source_uri uri = parse("mocopi:12351?peer=192.0.2.1&peer=192.0.2.2&name=Ada");
	char text[JC_ADDRESS_TEXT];

	assert_int_equal(uri.scheme, JC_SOURCE_MOCOPI);
	assert_int_equal(uri.peers.count, 2);
	assert_string_equal(uri.peers.networks[1], "192.0.2.2");
	uri = parse("ifacialmocap:0.0.0.0:49983?allow=remote&phone=192.0.2.7&body=A%26B");
	assert_int_equal(uri.scheme, JC_SOURCE_IFACIALMOCAP);
	assert_string_equal(uri.body, "A&B");
	jc_address_format(&uri.phone, text);
	assert_string_equal(text, "192.0.2.7:49983");
	uri = parse("facemotion3d:49993?phone=127.0.0.1");
	assert_int_equal(uri.scheme, JC_SOURCE_FACEMOTION3D);
	jc_address_format(&uri.phone, text);
	assert_string_equal(text, "127.0.0.1:49993");
	assert_int_equal(parse("vmc:1").peers.count, 0);
}

static void vmc_address_is_loopback_unless_remote_is_allowed(void **)
{
	static const char *const same[][2] = { { "vmc:39539", "127.0.0.1:39539" },
		{ "vmc:127.0.0.2:1", "127.0.0.2:1" }, { "vmc:[::1]:39540", "[::1]:39540" },
		{ "vmc:0.0.0.0:39539?allow=remote", "0.0.0.0:39539" } };

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct jc_source_uri uri = parse(same[i][0]);
		char text[JC_ADDRESS_TEXT];

		jc_address_format(&uri.address, text);
		assert_int_equal(uri.scheme, JC_SOURCE_VMC);
		assert_string_equal(text, same[i][1]);
		assert_int_equal(uri.remote, i == 3);
	}
	struct jc_source_uri uri = parse("vmc:39539?space=hall&name=Ada&avatar=a b.vrm#1");

	assert_string_equal(uri.space, "hall");
	assert_string_equal(uri.name, "Ada");
	assert_string_equal(uri.avatar, "a b.vrm#1");
}

static void openxr_has_no_path(void **)
{
	assert_int_equal(parse("openxr:").scheme, JC_SOURCE_OPENXR);
	assert_int_equal(parse("openxr:").profile, -1);
	assert_true(parse("openxr:").height == 0.0);
	struct jc_source_uri uri = parse("openxr:?profile=slimevr&height=1.62&smooth&space=hall");

	assert_int_equal(uri.profile, JC_PROFILE_SLIMEVR);
	assert_true(uri.height == 1.62);
	assert_true(uri.smooth.min_cutoff > 0.0f);
	assert_string_equal(uri.space, "hall");
	assert_int_equal(parse("openxr:?profile=meta&profile=auto").profile, -1);
	assert_true(parse("openxr:").has_face);
	assert_true(parse("openxr:?face=1").has_face);
	assert_false(parse("openxr:?face=0").has_face);
}

static void openxr_trackers_have_roles_by_serial_or_name(void **)
{
	struct jc_source_uri uri =
		parse("openxr:?tracker=LHR-1:waist&tracker=Tracker (a:b):left_ankle&height=1.7");

	assert_int_equal(parse("openxr:").trackers.count, 0);
	assert_int_equal(uri.trackers.count, 2);
	assert_int_equal(jc_tracker_roles_find(&uri.trackers, "LHR-1"), 0);
	assert_int_equal(jc_tracker_roles_find(&uri.trackers, "Tracker (a:b)"),
		jc_tracker_role_find("left_ankle"));
	assert_int_equal(jc_tracker_roles_find(&uri.trackers, "LHR-2"), -1);
	assert_true(uri.height == 1.7);
}

#define SERIAL_64 "0123456789012345678901234567890123456789012345678901234567890123"

static void rejects_invalid_text(void **)
{
	static const char *const wrong[] = { "", "walk", ":", "file", "files:a", "f:a",
		"file:", "file:?loop", "demo:", "demo:walk?loop=2", "demo:walk?loop=yes",
		"file:two.mcap?motion=1.5", "file:two.mcap?motion=-1", "demo:walk?motion=1",
		"file:a.bvh?bones=", "file:a.bvh?bones", "demo:walk?bones=a.txt",
		"vmc:1?bones=a.txt", "demo:walk?mirror=left", "demo:walk?twist",
		"demo:walk?twist=1.1", "demo:walk?twist=-0.1", "demo:walk?speed",
		"demo:walk?speed=", "demo:walk?speed=0", "demo:walk?speed=-1",
		"demo:walk?speed=nan", "demo:walk?speed=inf", "demo:walk?speed=1x",
		"demo:walk?speed=101", "demo:walk?space=", "demo:walk?space=a b",
		"demo:walk?space=a/b", "demo:walk?name=", "demo:walk?fast", "demo:walk?fast=1",
		"demo:walk?allow=remote", "demo:walk?avatar=a.vrm",
		"vmc:39539?avatar=", "vmc:", "vmc:x", "vmc:65536", "vmc:-1", "vmc:localhost:39539",
		"vmc:0.0.0.0:39539", "vmc:192.168.0.7:39539", "vmc:[::]:1", "vmc:39539?loop=1",
		"vmc:39539?mirror", "vmc:39539?speed=2", "vmc:39539?allow=yes", "vmc:39539?allow",
		"vmc:39539?smooth=1", "vmc:39539?smooth=,1", "vmc:39539?smooth=0,1",
		"vmc:39539?smooth=1,-1", "vmc:39539?smooth=1,nan", "vmc:39539?smooth=1,2,3",
		"demo:walk?smooth", "openxr", "openxr:monado",
		"openxr:?profile=", "openxr:?profile=quest", "openxr:?profile",
		"openxr:?height=0.4", "openxr:?height=nan", "openxr:?face=2", "vmc:39539?face=0",
		"openxr:?loop=1", "openxr:?tracker", "openxr:?tracker=waist",
		"openxr:?tracker=:waist", "openxr:?tracker=a:", "openxr:?tracker=a:tail",
		"openxr:?tracker=a:waist&tracker=a:chest",
		"openxr:?tracker=a:left_foot&tracker=b:left_ankle", "vmc:39539?tracker=a:waist",
		"openxr:?tracker=" SERIAL_64 ":waist", "openxr:?avatar=a.vrm",
		"vmc:39539?profile=meta", "demo:walk?height=1.7", "mocopi:", "mocopi:0.0.0.0:12351",
		"mocopi:1?peer=x", "mocopi:1?body=a", "vmc:1?peer=192.0.2.1",
		"ifacialmocap:", "ifacialmocap:1?phone=192.0.2.1", "ifacialmocap:1?phone=x",
		"ifacialmocap:1?body=", "facemotion3d:0.0.0.0:1?phone=192.0.2.1",
		"facemotion3d:1?avatar=a",
		"vmc:11111111111111111111111111111111111111111111111111111111111111111111" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct jc_source_uri uri = { .speed = 42.0 };
		struct jc_diagnostic diagnostic = { 0 };

		if (jc_source_uri_parse(wrong[i], &uri, &diagnostic) != JC_ERROR_INVALID)
			fail_msg("'%s' was taken", wrong[i]);
		assert_true(diagnostic.what[0]);
		assert_true(uri.speed == 42.0);
	}
}

static void limits_lengths(void **)
{
	char text[PATH_MAX + 100] = "file:";
	struct jc_source_uri uri;
	struct jc_diagnostic diagnostic;

	memset(text + 5, 'a', PATH_MAX);
	assert_int_equal(jc_source_uri_parse(text, &uri, &diagnostic), JC_ERROR_LIMIT);
	memcpy(text, "demo:walk?name=", 15);
	text[15 + 63] = '\0';
	assert_int_equal(jc_source_uri_parse(text, &uri, &diagnostic), JC_OK);
	text[15 + 63] = 'a';
	text[15 + 64] = '\0';
	assert_int_equal(jc_source_uri_parse(text, &uri, &diagnostic), JC_ERROR_INVALID);
}

static void replay_accepts_times_and_names(void **)
{
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source_uri uri;

	assert_int_equal(jc_source_uri_parse("replay:a.mcap", &uri, &diagnostic), JC_OK);
	assert_int_equal(uri.scheme, JC_SOURCE_REPLAY);
	assert_string_equal(uri.path, "a.mcap");
	assert_false(uri.loop);
	assert_false(uri.is_paused);
	assert_true(uri.from == 0.0 && uri.until > 1e6);
	assert_int_equal(jc_source_uri_parse("replay:a.mcap?loop&paused&speed=0.1&from=2.5&until=7&"
					     "prefix=then-&rename=a b:c:d&rename=e:f&space=attic",
				 &uri, &diagnostic),
		JC_OK);
	assert_true(uri.loop && uri.is_paused);
	assert_true(uri.speed == 0.1 && uri.from == 2.5 && uri.until == 7.0);
	assert_string_equal(uri.names.prefix, "then-");
	assert_int_equal(uri.names.rename_count, 2);
	assert_string_equal(uri.names.renames[0].from, "a b");
	assert_string_equal(uri.names.renames[0].to, "c:d");
	assert_string_equal(uri.space, "attic");
}

static void replay_rejects_options_of_single_bodies(void **)
{
	static const char *const wrong[] = { "replay:", "replay:a?speed=11", "replay:a?speed=0.05",
		"replay:a?from=-1", "replay:a?until=x", "replay:a?rename=a", "replay:a?rename=:b",
		"replay:a?rename=a:", "replay:a?mirror", "replay:a?motion=0", "replay:a?name=b",
		"replay:a?smooth", "file:a?from=1", "demo:walk?paused" };
	struct jc_diagnostic diagnostic = { 0 };
	struct jc_source_uri uri;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(
			jc_source_uri_parse(wrong[i], &uri, &diagnostic), JC_ERROR_INVALID);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replay_accepts_times_and_names),
		cmocka_unit_test(replay_rejects_options_of_single_bodies),
		cmocka_unit_test(file_loops_in_the_lobby_at_original_speed_by_default),
		cmocka_unit_test(options_follow_the_question_mark),
		cmocka_unit_test(names_of_bodies_have_escapes),
		cmocka_unit_test(smooths_live_sources_on_request),
		cmocka_unit_test(accepts_any_character_in_a_path),
		cmocka_unit_test(suits_and_phones_have_ports_and_peers),
		cmocka_unit_test(vmc_address_is_loopback_unless_remote_is_allowed),
		cmocka_unit_test(openxr_has_no_path),
		cmocka_unit_test(openxr_trackers_have_roles_by_serial_or_name),
		cmocka_unit_test(rejects_invalid_text),
		cmocka_unit_test(limits_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
