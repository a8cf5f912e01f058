/* Tests the search for the runtime's manifest, by the rules of the Khronos loader, and the
 * messages about faulty ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source/openxr/xr_manifest.h"
#include "unit_test.h"

#define PATH_BYTES 256
#define WHOLE                                                                                      \
	"{\"file_format_version\":\"1.0.0\",\"runtime\":{\"name\":\"%s\",\"library_path\":\"%s\"}" \
	"}"

static char folder[PATH_BYTES];

static const char *path_of(const char *name)
{
	static char path[2 * PATH_BYTES];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void set(const char *variable, const char *name)
{
	setenv(variable, path_of(name), 1);
}

static void write_text(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void write_manifest(const char *name, const char *runtime, const char *library)
{
	char text[2 * PATH_BYTES];

	snprintf(text, sizeof(text), WHOLE, runtime, library);
	write_text(name, text);
}

static void make_folders(const char *name)
{
	char path[2 * PATH_BYTES];

	for (const char *end = strchr(name, '/'); end; end = strchr(end + 1, '/')) {
		snprintf(path, sizeof(path), "%s/%.*s", folder, (int)(end - name), name);
		mkdir(path, 0700);
	}
}

/* The variables name folders that do not exist. */
static int begin(void **)
{
	char made[] = "/tmp/manifest-XXXXXX";
	char *canonical;

	assert_non_null(mkdtemp(made));
	canonical = realpath(made, NULL);
	assert_non_null(canonical);
	assert_in_range(strlen(canonical), 1, sizeof(folder) - 1);
	strcpy(folder, canonical);
	free(canonical);
	unsetenv("XR_RUNTIME_JSON");
	unsetenv("XDG_CONFIG_HOME");
	set("HOME", "home");
	set("XDG_CONFIG_DIRS", "a");
	return 0;
}

static int end(void **)
{
	char command[PATH_BYTES + 16];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static void find_runtime(const char *expected)
{
	struct jc_xr_manifest manifest;
	struct jc_diagnostic diagnostic = { 0 };

	assert_int_equal(jc_xr_manifest_read(&manifest, &diagnostic), JC_OK);
	assert_string_equal(manifest.runtime, expected);
}

static void put(const char *name)
{
	make_folders(name);
	write_manifest(name, name, "libx.so");
}

static void looks_in_the_folders_in_the_order_of_the_loader(void **)
{
	char list[4 * PATH_BYTES];

	snprintf(list, sizeof(list), ":%s/a::%s/b:", folder, folder);
	setenv("XDG_CONFIG_DIRS", list, 1);
	put("b/openxr/1/active_runtime.json");
	find_runtime("b/openxr/1/active_runtime.json");
	put("a/openxr/1/active_runtime.json");
	find_runtime("a/openxr/1/active_runtime.json");
	put("home/.config/openxr/1/active_runtime.json");
	find_runtime("home/.config/openxr/1/active_runtime.json");
	set("XDG_CONFIG_HOME", "own");
	find_runtime("a/openxr/1/active_runtime.json");
	put("own/openxr/1/active_runtime.json");
	find_runtime("own/openxr/1/active_runtime.json");
	write_manifest("other.json", "other", "libx.so");
	set("XR_RUNTIME_JSON", "other.json");
	find_runtime("other");
}

/* Names by the loader's platform_utils.hpp; the kernel has its own word for the architecture. */
static void prefers_the_file_of_this_architecture_in_each_folder(void **)
{
	struct utsname machine;
	char own[PATH_BYTES], list[4 * PATH_BYTES];

	assert_int_equal(uname(&machine), 0);
	if (sizeof(void *) != 8 || (strcmp(machine.machine, "x86_64") != 0 &&
					   strcmp(machine.machine, "aarch64") != 0)) {
		skip();
	}
	snprintf(list, sizeof(list), "%s/a:%s/b", folder, folder);
	setenv("XDG_CONFIG_DIRS", list, 1);
	snprintf(own, sizeof(own), "b/openxr/1/active_runtime.%s.json", machine.machine);
	put("b/openxr/1/active_runtime.other.json");
	put(own);
	find_runtime(own);
	put("b/openxr/1/active_runtime.json");
	find_runtime(own);
	put("a/openxr/1/active_runtime.json");
	find_runtime("a/openxr/1/active_runtime.json");
	own[0] = 'a';
	put(own);
	find_runtime(own);
}

static void resolves_a_path_against_the_folder_of_the_manifest(void **)
{
	static const struct {
		const char *written, *resolved;
	} cases[] = {
		{ "libx.so", "libx.so" },
		{ "/opt/libx.so", "/opt/libx.so" },
		{ "../lib/libx.so", "FOLDER/../lib/libx.so" },
		{ "./libx.so", "FOLDER/./libx.so" },
	};
	struct jc_xr_manifest manifest;

	set("XR_RUNTIME_JSON", "m.json");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *resolved = cases[i].resolved;

		write_manifest("m.json", "r", cases[i].written);
		assert_int_equal(jc_xr_manifest_read(&manifest, NULL), JC_OK);
		assert_string_equal(manifest.library,
			strncmp(resolved, "FOLDER/", 7) == 0 ? path_of(resolved + 7) : resolved);
	}
}

/* WiVRn makes ~/.config/openxr/1/active_runtime.json a link to its manifest. */
static void resolves_a_path_against_the_folder_that_a_link_leads_to(void **)
{
	struct jc_xr_manifest manifest;
	char target[2 * PATH_BYTES];

	make_folders("home/.config/openxr/1/");
	make_folders("usr/share/openxr/1/");
	write_manifest("usr/share/openxr/1/wivrn.json", "WiVRn", "../../../lib/libx.so");
	strcpy(target, path_of("usr/share/openxr/1/wivrn.json"));
	assert_int_equal(symlink(target, path_of("home/.config/openxr/1/active_runtime.json")), 0);
	assert_int_equal(jc_xr_manifest_read(&manifest, NULL), JC_OK);
	assert_string_equal(manifest.library, path_of("usr/share/openxr/1/../../../lib/libx.so"));
	assert_string_equal(manifest.path, path_of("home/.config/openxr/1/active_runtime.json"));
}

static void assert_fault(int status, const char *what)
{
	struct jc_xr_manifest manifest;
	struct jc_diagnostic diagnostic = { 0 };
	char expected[2 * PATH_BYTES];
	const char *mark = strstr(what, "FOLDER");

	snprintf(expected, sizeof(expected), "%.*s%s%s", mark ? (int)(mark - what) : 0, what,
		mark ? folder : "", mark ? mark + strlen("FOLDER") : what);
	assert_int_equal(jc_xr_manifest_read(&manifest, &diagnostic), status);
	assert_string_equal(diagnostic.what, expected);
}

static void names_the_fault_of_a_manifest(void **)
{
	set("XR_RUNTIME_JSON", "m.json");
	assert_fault(
		JC_ERROR_INVALID, "'FOLDER/m.json' cannot be opened: No such file or directory");
	write_text("m.json", "{\n\"runtime\": oops\n}");
	assert_fault(JC_ERROR_SYNTAX, "'FOLDER/m.json' is not valid JSON (line 2, column 15)");
	write_text("m.json", "{\"runtime\":{\"library_path\":\"x\"}}");
	assert_fault(JC_ERROR_INVALID, "'FOLDER/m.json' has no file_format_version \"1.0.0\"");
	write_text(
		"m.json", "{\"file_format_version\":\"1.0.0\",\"runtime\":{\"library_path\":7}}");
	assert_fault(JC_ERROR_INVALID, "'FOLDER/m.json' has no runtime.library_path");
	write_text("m.json", "[]");
	assert_fault(JC_ERROR_INVALID, "'FOLDER/m.json' has no file_format_version \"1.0.0\"");
	set("XR_RUNTIME_JSON", "");
	assert_fault(JC_ERROR_INVALID, "'FOLDER/' not a regular file");
}

static void names_the_folders_without_a_manifest(void **)
{
	struct jc_xr_manifest manifest;
	struct jc_diagnostic diagnostic = { 0 };
	char expected[4 * PATH_BYTES];
	char list[20 * PATH_BYTES] = "/a";

	if (access("/etc/openxr", F_OK) == 0) {
		skip();
	}
	snprintf(expected, sizeof(expected),
		"no openxr/1/active_runtime.json in %s/home/.config, %s/a, /etc", folder, folder);
	assert_int_equal(jc_xr_manifest_read(&manifest, &diagnostic), JC_ERROR_ABSENT);
	assert_string_equal(diagnostic.what, expected);
	unsetenv("HOME");
	for (int i = 0; i < 100; i++) {
		strcat(list, ":/folder");
	}
	setenv("XDG_CONFIG_DIRS", list, 1);
	assert_int_equal(jc_xr_manifest_read(&manifest, &diagnostic), JC_ERROR_ABSENT);
	assert_memory_equal(
		diagnostic.what, "no openxr/1/active_runtime.json in /a, /folder, /folder", 54);
	assert_non_null(strstr(diagnostic.what, "/folder and further folders"));
}

static void shows_the_end_of_a_long_path(void **)
{
	struct jc_xr_manifest manifest;
	struct jc_diagnostic diagnostic = { 0 };
	char path[PATH_BYTES] = "/";

	/* 2-byte characters, so that the cut falls into one for one of both lengths. */
	for (int i = 0; i < 2; i++) {
		strcat(path, "x");
		for (int j = 0; j < 50; j++) {
			strcat(path, "\xc3\xa9");
		}
		setenv("XR_RUNTIME_JSON", path, 1);
		assert_int_equal(jc_xr_manifest_read(&manifest, &diagnostic), JC_ERROR_INVALID);
		assert_null(strchr(diagnostic.what, '?'));
		assert_non_null(strstr(diagnostic.what, "\xc3\xa9' cannot be opened"));
		strcpy(path, "/x");
	}
}

static void checks_whether_a_library_is_a_runtime(void **)
{
	struct jc_xr_manifest manifest = { .library = "libc.so.6" };
	struct jc_diagnostic diagnostic = { 0 };

	assert_int_equal(jc_xr_manifest_check_library(&manifest, &diagnostic), JC_ERROR_INVALID);
	assert_string_equal(diagnostic.what, "'libc.so.6' is no OpenXR runtime");
	strcpy(manifest.library, "/nonexistent/libx.so");
	assert_int_equal(jc_xr_manifest_check_library(&manifest, &diagnostic), JC_ERROR_ABSENT);
	assert_string_equal(diagnostic.what, "the library '/nonexistent/libx.so' does not exist");
	write_text("text.so", "no library");
	strcpy(manifest.library, path_of("text.so"));
	assert_int_equal(jc_xr_manifest_check_library(&manifest, &diagnostic), JC_ERROR_INVALID);
	assert_non_null(strstr(diagnostic.what, "/text.so: file too short"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(looks_in_the_folders_in_the_order_of_the_loader),
		TEST(prefers_the_file_of_this_architecture_in_each_folder),
		TEST(resolves_a_path_against_the_folder_of_the_manifest),
		TEST(resolves_a_path_against_the_folder_that_a_link_leads_to),
		TEST(names_the_fault_of_a_manifest),
		TEST(names_the_folders_without_a_manifest),
		TEST(shows_the_end_of_a_long_path),
		TEST(checks_whether_a_library_is_a_runtime),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
