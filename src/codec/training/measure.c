/* Measures both codings on motions, without the rejoin packet of the first frame.
 *
 *   jc_measure [--each] [--hands] HZ FILE…   (a FILE may be demo:NAME, or noise:FILE)
 *
 * --each adds a line for each motion, --hands measures fingers in place of the body, of motions in
 * which half of them move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "jointcast/transform.h"

#define CLIPS_MOST    512
#define CODINGS       2
#define FINGERS_MOVE  0.0087f /* half a degree, radians */
#define FINGERS_LEAST (JC_SECTION_HANDS_COUNT / 2)

struct measuring {
	struct clip clips[CLIPS_MOST];
	size_t count;
	int rate; /* index */
	enum jc_section section;
	bool each;
};

/* Bytes and errors of a coding over clips. */
struct outcome {
	double bytes; /* a frame */
	double ends[3], model[3], local[3];
};

static void summarise(struct series *series, double out_values[3])
{
	out_values[0] = series_mean(series);
	out_values[1] = series_percentile(series, 0.99);
	out_values[2] = series_percentile(series, 1.0);
}

static bool fingers_move(const struct clip *clip)
{
	int moving = 0;

	for (int bone = JC_SECTION_HANDS_FIRST; bone < JC_BONE_COUNT; bone++) {
		size_t i = 0;

		while (i < clip->count && jc_quat_angle(clip->frames[0][bone],
						  clip->frames[i][bone]) <= FINGERS_MOVE) {
			i++;
		}
		moving += i < clip->count;
	}
	return moving >= FINGERS_LEAST;
}

static bool is_measured(const struct measuring *measuring, const struct clip *clip)
{
	return clip->rate == measuring->rate && clip->count > 1 &&
	       (measuring->section == JC_SECTION_BODY || fingers_move(clip));
}

static struct outcome measure(const struct measuring *measuring, size_t first, size_t end,
	unsigned coding, enum jc_precision precision)
{
	struct errors errors = { 0 };
	struct outcome outcome;

	for (size_t i = first; i < end; i++) {
		if (is_measured(measuring, &measuring->clips[i])) {
			errors_measure(&errors, &measuring->clips[i], coding, measuring->section,
				precision, SIZE_MAX);
		}
	}
	outcome.bytes = errors.bytes / errors.frames;
	summarise(&errors.ends, outcome.ends);
	summarise(&errors.model, outcome.model);
	summarise(&errors.local, outcome.local);
	errors_finish(&errors);
	return outcome;
}

static double percent(double of, double to)
{
	return 100.0 * to / of;
}

static void show(const char *name, const double values[3])
{
	printf("  %s %.4f %.4f %.4f", name, values[0], values[1], values[2]);
}

static void compare(const struct outcome *two, const struct outcome *three, bool is_body)
{
	printf("%5.1f %%, ends %.1f %.1f %.1f %%", percent(two->bytes, three->bytes),
		percent(two->ends[0], three->ends[0]), percent(two->ends[1], three->ends[1]),
		percent(two->ends[2], three->ends[2]));
	if (is_body) {
		printf(", turned %.1f %%", percent(two->model[1], three->model[1]));
	}
	puts("");
}

static void measure_each(const struct measuring *measuring, enum jc_precision precision)
{
	bool is_body = measuring->section == JC_SECTION_BODY;

	for (size_t i = 0; i < measuring->count; i++) {
		struct outcome two, three;

		if (!is_measured(measuring, &measuring->clips[i])) {
			continue;
		}
		two = measure(measuring, i, i + 1, JC_CODING_CHAIN, precision);
		three = measure(measuring, i, i + 1, JC_CODING_MODEL_CHAIN, precision);
		printf("  %-44s %6.2f %6.2f B, ", measuring->clips[i].name, two.bytes, three.bytes);
		compare(&two, &three, is_body);
	}
}

static void measure_all(const struct measuring *measuring)
{
	bool is_body = measuring->section == JC_SECTION_BODY;

	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		enum jc_precision precision = (enum jc_precision)p;
		struct outcome outcomes[CODINGS];

		for (unsigned i = 0; i < CODINGS; i++) {
			outcomes[i] = measure(
				measuring, 0, measuring->count, JC_CODING_CHAIN + i, precision);
			printf("%s, coding %u: %.2f B", jc_precision_name(precision),
				JC_CODING_CHAIN + i, outcomes[i].bytes);
			show("ends mm", outcomes[i].ends);
			if (is_body) {
				show("model", outcomes[i].model);
			}
			show("local", outcomes[i].local);
			puts("");
		}
		printf("%s: ", jc_precision_name(precision));
		compare(&outcomes[0], &outcomes[1], is_body);
		if (measuring->each) {
			measure_each(measuring, precision);
		}
	}
}

int main(int argc, char **argv)
{
	static struct measuring measuring = { .section = JC_SECTION_BODY };
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--hands") == 0) {
			measuring.section = JC_SECTION_HANDS;
		} else if (strcmp(argv[i], "--each") == 0) {
			measuring.each = true;
		} else {
			break;
		}
	}
	if (argc < i + 2) {
		fputs("usage: jc_measure [--each] [--hands] HZ FILE…\n", stderr);
		return 2;
	}
	while (measuring.rate < RATE_COUNT - 1 && rates[measuring.rate] != atoi(argv[i])) {
		measuring.rate++;
	}
	for (i++; i < argc; i++) {
		clips_load(argv[i], measuring.clips, &measuring.count, CLIPS_MOST);
	}
	measure_all(&measuring);
	return 0;
}
