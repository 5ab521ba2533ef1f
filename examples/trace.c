// Prints the calls of a function for ten seconds, in all processes: trace FUNCTION FILE, as root.
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <inlinecall/extra/stored.h>
#include <inlinecall/extra/symbolizer.h>
#include <inlinecall/extra/trace.h>
#include <inlinecall/inlinecall.h>

static void print_hit(const struct ic_trace *trace, const struct ic_trace_hit *hit)
{
	struct ic_trace_copy copy;

	ic_trace_copy_get(trace, hit->copy, &copy);
	printf("%s %" PRIu32 " at 0x%" PRIx64 ":", hit->command, hit->pid, copy.addr);
	for (size_t i = 0; i < copy.argument_count; i++)
		printf(" %s=%s", copy.arguments[i].name ? copy.arguments[i].name : "_",
		       hit->values[i].text ? hit->values[i].text : hit->values[i].why);
	printf("\n");
}

static bool follow(struct ic_trace *trace, struct ic_error *err)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	struct ic_trace_hit hit;

	if (!trace || !ic_trace_start(trace, 0, err))
		return false;
	for (int i = 0; i < 500; i++) {
		while (ic_trace_next(trace, &hit))
			print_hit(trace, &hit);
		nanosleep(&pause, NULL);
	}
	return true;
}

int main(int argc, char **argv)
{
	const struct ic_sites_query query = { .function = argv[1], .out_of_line = true };
	struct ic_error err;

	if (argc != 3)
		return fputs("usage: trace FUNCTION FILE\n", stderr) < 0 ? 2 : 64;
	struct ic_image *image = ic_image_open(argv[2], NULL, &err);
	struct ic_index *index = image ? ic_index_build(image, NULL, &err) : NULL;
	struct ic_sites *sites = index ? ic_sites_find(index, &query, &err) : NULL;
	struct ic_stored *stored = sites ? ic_stored_open(image, &err) : NULL;
	const struct ic_parameters_options options = { .at_entry = ic_stored_correct,
						       .context = stored };
	struct ic_parameters *parameters = stored ? ic_parameters_open(image, index, &options, &err)
						  : NULL;
	struct ic_trace *trace = parameters ? ic_trace_new(image, sites, parameters, NULL, &err)
					    : NULL;
	bool ok = follow(trace, &err);

	if (!ok)
		fprintf(stderr, "%s\n", err.message);
	ic_trace_free(trace);
	ic_parameters_free(parameters);
	ic_stored_free(stored);
	ic_sites_free(sites);
	ic_index_free(index);
	ic_image_free(image);
	return ok ? 0 : 2;
}
