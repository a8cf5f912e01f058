/* Measures both codings on motions.
 *
 *   jc_measure [--each] HZ FILE…   (a FILE may be demo:NAME, or noise:FILE) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

#define CLIPS_MOST 512

static void show(const char *name, struct series *series)
{
	printf("  %s %.4f %.4f %.4f", name, series_mean(series), series_percentile(series, 0.99),
		series_percentile(series, 1.0));
}

static void measure_each(const struct clip *clip, enum jc_precision precision)
{
	double bytes[2];

	for (unsigned i = 0; i < 2; i++) {
		struct errors errors = { 0 };

		errors_measure(
			&errors, clip, JC_CODING_CHAIN + i, JC_SECTION_BODY, precision, SIZE_MAX);
		bytes[i] = errors.bytes / errors.frames;
		errors_finish(&errors);
	}
	printf("  %-44s %6.2f %6.2f B, %5.1f %%\n", clip->name, bytes[0], bytes[1],
		100.0 * bytes[1] / bytes[0]);
}

static void measure_all(const struct clip *clips, size_t count, int rate, bool each)
{
	for (int p = 0; p < JC_PRECISION_COUNT; p++) {
		enum jc_precision precision = (enum jc_precision)p;

		for (unsigned coding = JC_CODING_CHAIN; coding <= JC_CODING_MODEL_CHAIN; coding++) {
			struct errors errors = { 0 }, hands = { 0 };

			for (size_t i = 0; i < count; i++) {
				if (clips[i].rate == rate && clips[i].count > 1) {
					errors_measure(&errors, &clips[i], coding, JC_SECTION_BODY,
						precision, SIZE_MAX);
					errors_measure(&hands, &clips[i], coding, JC_SECTION_HANDS,
						precision, SIZE_MAX);
				}
			}
			printf("%s, coding %u: %.2f B, hands %.2f B", jc_precision_name(precision),
				coding, errors.bytes / errors.frames, hands.bytes / hands.frames);
			show("ends mm", &errors.ends);
			show("model", &errors.model);
			show("local", &errors.local);
			puts("");
			errors_finish(&errors);
		}
		for (size_t i = 0; each && i < count; i++) {
			if (clips[i].rate == rate && clips[i].count > 1) {
				measure_each(&clips[i], precision);
			}
		}
	}
}

int main(int argc, char **argv)
{
	static struct clip clips[CLIPS_MOST];
	bool each = argc > 1 && strcmp(argv[1], "--each") == 0;
	int first = each ? 2 : 1, rate = 0;
	size_t count = 0;

	if (argc < first + 2) {
		fputs("usage: jc_measure [--each] HZ FILE…\n", stderr);
		return 2;
	}
	while (rate < RATE_COUNT - 1 && rates[rate] != atoi(argv[first])) {
		rate++;
	}
	for (int i = first + 1; i < argc; i++) {
		clips_load(argv[i], clips, &count, CLIPS_MOST);
	}
	measure_all(clips, count, rate, each);
	return 0;
}
