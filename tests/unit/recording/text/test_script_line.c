#include "recording/text/script_line.h"

#include "unit_test.h"

#include <stdio.h>

static struct ic_bytes bytes_of(const char *text)
{
	return (struct ic_bytes){ (const uint8_t *)text, strlen(text) };
}

// "thread pid/tid period event|rest", or "none".
static const char *sample_before(const char *line, const char *following)
{
	static char text[256];
	struct ic_script_sample sample;
	struct ic_bytes rest;

	if (!ic_script_sample_line(bytes_of(line), bytes_of(following), &sample, &rest))
		return "none";
	snprintf(text, sizeof(text), "%.*s %u/%u %u %.*s|%.*s", (int)sample.thread.size,
		 (const char *)sample.thread.data, sample.pid, sample.tid, (unsigned)sample.period,
		 (int)sample.event.size, (const char *)sample.event.data, (int)rest.size,
		 (const char *)rest.data);
	return text;
}

static const char *sample(const char *line)
{
	return sample_before(line, "");
}

TEST(lines_of_samples_have_what_perf_was_asked_for)
{
	assert_string_equal(sample("a 27735 44901.101467:     250000 cpu-clock: "),
			    "a 27735/27735 250000 cpu-clock|");
	assert_string_equal(sample("templates  7174/7175  46260.572668:     100010 cpu-clock:u: "),
			    "templates 7174/7175 100010 cpu-clock:u|");
	assert_string_equal(
		sample("  Web Content 12 3 [001] 1.000002: cycles:ppp:  1136 f+0x1 (/a)"),
		"Web Content 12 3/3 1 cycles:ppp|  1136 f+0x1 (/a)");
	assert_string_equal(
		sample("kworker/0:1-mm 12/12 [001] d.h. 1.000002:  7 sched:sched_switch: "),
		"kworker/0:1-mm 12/12 7 sched:sched_switch|");
	assert_string_equal(sample("a 12/13 100 cycles:"), "a 12/13 100 cycles|");
	assert_string_equal(sample("a 12 cycles:"), "a 12/12 1 cycles|");
	assert_string_equal(sample_before("busy 3       7 ", "\t  5 f\n"), "busy 3 7/7 1 |");
	assert_string_equal(sample(":-1    -1 [000] 17.862611: 250000 cpu-clock: "),
			    ":-1 4294967295/4294967295 250000 cpu-clock|");
	assert_string_equal(sample(":-1 4294967295/4294967295 1.5: 3 cycles:"),
			    ":-1 4294967295/4294967295 3 cycles|");
}

static uint64_t time_of(const char *line)
{
	struct ic_script_sample sample;
	struct ic_bytes rest;

	assert_true(ic_script_sample_line(bytes_of(line), bytes_of(""), &sample, &rest));
	return sample.time;
}

TEST(times_are_in_nanoseconds)
{
	assert_int_equal(time_of("a 12 44901.101467: cycles: "), 44901101467000);
	assert_int_equal(time_of("a 12 1.000000002: cycles: "), 1000000002); // --ns
	assert_int_equal(time_of("a 12 cycles:"), UINT64_MAX);
	assert_int_equal(time_of("a 12 0.000000: cycles: "), 0); // --reltime
	assert_string_equal(sample("a 12 99999999999.000001: cycles: "), "none");
	assert_string_equal(sample("a 12 1.0000000001: cycles: "), "none");
}

TEST(threads_may_have_no_name_and_names_may_end_in_numbers)
{
	assert_string_equal(sample("   70     0.000001:       5000 cycles: "),
			    " 70/70 5000 cycles|");
	assert_string_equal(sample("   70/71    cycles: "), " 70/71 1 cycles|");
	assert_string_equal(sample("my 3    70 cycles: "), "my 3 70/70 1 cycles|");
	assert_string_equal(sample("my 3    70       5000 cycles: "), "my 3 70/70 5000 cycles|");
	assert_string_equal(sample("my 3    70 [002] cycles: "), "my 3 70/70 1 cycles|");
	assert_string_equal(sample("a 70 4000000000 cycles: "), "a 70/70 4000000000 cycles|");
	assert_string_equal(sample("a 99999999999 1.5: cycles: "), "none"); // no thread has it
}

TEST(samples_may_have_no_event)
{
	static const char frame[] = "\t            3000 f (/a)\n";

	assert_string_equal(sample("my 3    70     0.000001: "), "my 3 70/70 1 |");
	assert_string_equal(sample("my 3    70     0.000001:       5000 "), "my 3 70/70 5000 |");
	assert_string_equal(sample("        my 3    70     0.000001:              3000 f (/a)"),
			    "my 3 70/70 1 |3000 f (/a)");
	assert_string_equal(sample("        my 3    70       5000      550000003000 f: (/a)"),
			    "my 3 70/70 5000 |550000003000 f: (/a)");
	assert_string_equal(sample("my 3    70 [002]  ffffffff81000000 f+0x1 ([k])"),
			    "my 3 70/70 1 |ffffffff81000000 f+0x1 ([k])");
	assert_string_equal(sample_before("my 3    70 ", frame), "my 3 70/70 1 |");
	assert_string_equal(sample_before("my 3    70 [002]       5000 ", frame),
			    "my 3 70/70 5000 |");
	assert_string_equal(sample_before("my 3    70/71    ", frame), "my 3 70/71 1 |");
	assert_string_equal(sample_before("   70       5000 ", frame), " 70/70 5000 |");
	assert_string_equal(sample("my 3    70 "), "none");
	assert_string_equal(sample_before("my 3    70 ", "no stack"), "none");
	assert_string_equal(sample_before("my 3 ", frame), "none");
	assert_string_equal(sample_before("      5000 ", frame), "none");
	assert_string_equal(sample_before(frame, frame), "none");
	assert_string_equal(sample("my 3    70     0.000001: and more"), "none");
}

TEST(other_lines_are_no_samples)
{
	static const char *const lines[] = { "",
					     "a",
					     "12",
					     "a 12",
					     "a 12 13",
					     "a b 1.5: cycles:",
					     "  401136 main+0x12 (/bin/a)",
					     "main;f;g 12",
					     "12 1.5: cycles:",
					     "a 99999999999999999999999/1 1.5: cycles:" };

	for (size_t i = 0; i < COUNT_OF(lines); i++)
		assert_string_equal(sample(lines[i]), "none");
}

// "addr name (file+offset)", or "none".
static const char *frame(const char *line)
{
	static char text[256];
	struct ic_script_frame frame;

	if (!ic_script_frame_line(bytes_of(line), &frame))
		return "none";
	int size = snprintf(text, sizeof(text), "%lx %.*s (%.*s", (unsigned long)frame.addr,
			    (int)frame.name.size, (const char *)frame.name.data,
			    (int)frame.file.size, (const char *)frame.file.data);
	snprintf(text + size, sizeof(text) - (size_t)size, frame.has_offset ? "+%lx)" : ")",
		 (unsigned long)frame.file_offset);
	return text;
}

TEST(frames_have_a_name_and_a_file_if_perf_knows_them)
{
	assert_string_equal(frame("\t          401136 main+0x12 (/bin/a)"), "401136 main (/bin/a)");
	assert_string_equal(frame(" 1136 ns::f(int, char) const+0x1a (/a (deleted))"),
			    "1136 ns::f(int, char) const (/a (deleted))");
	assert_string_equal(frame("  1136 f (inlined)"), "1136 f (inlined)");
	assert_string_equal(frame("  0 [unknown] ([unknown])"), "0  ()");
	assert_string_equal(frame("  7f00 [unknown] (/a b.so+0x12)"), "7f00  (/a b.so+12)");
	assert_string_equal(frame("f1000010 do_it+0x10 ([kernel.kallsyms])"),
			    "f1000010 do_it ([kernel.kallsyms])");
	assert_string_equal(frame("  1136 main"), "1136 main ()");
	assert_string_equal(frame("  1136"), "1136  ()");
	assert_string_equal(frame("  main"), "none");
	assert_string_equal(frame("  11361136113611361 f"), "none");
	assert_string_equal(frame(""), "none");
}

TEST(places_in_the_source_are_told_from_frames)
{
	assert_true(ic_script_is_source_line(bytes_of("  busy.c:12")));
	assert_true(ic_script_is_source_line(bytes_of("  busy[1136]")));
	assert_false(ic_script_is_source_line(bytes_of("  busy.c:")));
	assert_false(ic_script_is_source_line(bytes_of("  busy")));
	assert_false(ic_script_is_source_line(bytes_of("  12")));
	assert_false(ic_script_is_source_line(bytes_of("\t1136 f (/a:1)")));
}

static const char *mapping(const char *line)
{
	static char text[256];
	struct ic_script_mapping mapping;

	if (!ic_script_mapping_line(bytes_of(line), &mapping))
		return "none";
	snprintf(text, sizeof(text), "%u %lx(%lx) @ %lx %d %.*s", mapping.pid,
		 (unsigned long)mapping.start, (unsigned long)mapping.size,
		 (unsigned long)mapping.offset, mapping.is_code, (int)mapping.path.size,
		 (const char *)mapping.path.data);
	return text;
}

TEST(mappings_have_a_range_and_a_path)
{
	assert_string_equal(mapping("a 7 1.5: PERF_RECORD_MMAP2 7/7: [0x56072000(0x1000) @ 0x1000 "
				    "fe:00 11796605 2880648388]: r-xp /tmp/w/a b"),
			    "7 56072000(1000) @ 1000 1 /tmp/w/a b");
	assert_string_equal(mapping("a 7 PERF_RECORD_MMAP 7/8: [0x1000(0x20) @ 0]: x //anon"),
			    "7 1000(20) @ 0 1 //anon");
	assert_string_equal(
		mapping("a 7 PERF_RECORD_MMAP2 7/8: [0x1000(0x20) @ 0 <abcd>]: r--p /a"),
		"7 1000(20) @ 0 0 /a");
	assert_string_equal(
		mapping("swapper 0 0.0: PERF_RECORD_MMAP -1/0: [0x8100(0x12) @ 0x8100]: x "
			"[kernel.kallsyms]_text"),
		"4294967295 8100(12) @ 8100 1 [kernel.kallsyms]_text");
	assert_string_equal(mapping("a 7 PERF_RECORD_MMAP2 7/8: [0x1000(0x20) @ 0]: r-xp "),
			    "none");
	assert_string_equal(mapping("a 7 PERF_RECORD_MMAP2 7/8: [0x1000(0x20"), "none");
	assert_string_equal(mapping("a 7 PERF_RECORD_COMM: a:7/7"), "none");
}

UNIT_TESTS(recording_text_script_line)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_samples_have_what_perf_was_asked_for),
		cmocka_unit_test(times_are_in_nanoseconds),
		cmocka_unit_test(threads_may_have_no_name_and_names_may_end_in_numbers),
		cmocka_unit_test(samples_may_have_no_event),
		cmocka_unit_test(other_lines_are_no_samples),
		cmocka_unit_test(places_in_the_source_are_told_from_frames),
		cmocka_unit_test(frames_have_a_name_and_a_file_if_perf_knows_them),
		cmocka_unit_test(mappings_have_a_range_and_a_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
