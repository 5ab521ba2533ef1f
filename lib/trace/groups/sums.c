#include "trace/groups/sums.h"

#include <stdio.h>
#include <string.h>

enum { BUCKETS = 2 * IC_TRACE_POWERS };

static uint64_t sign_of(const struct ic_trace_sum *sum)
{
	return sum->is_signed ? 1ull << 63 : 0;
}

uint64_t *ic_trace_sums_buckets(const struct ic_trace *trace, const struct ic_trace_sums *sums,
				uint32_t number)
{
	return trace->groups.has_buckets ? sums->buckets.items + (size_t)number * BUCKETS : NULL;
}

static bool add_sum(struct ic_trace *trace, struct ic_trace_sums *sums, uint32_t copy)
{
	uint64_t buckets = trace->groups.has_buckets ? sums->buckets.count + (uint64_t)BUCKETS : 0;

	if (!IC_ARRAY_RESERVE(&sums->buckets, buckets) ||
	    !IC_ARRAY_ADD(
		    &sums->list,
		    (struct ic_trace_sum){ .copy = copy, .is_signed = trace->groups.is_signed }))
		return false;
	if (buckets > 0)
		memset(sums->buckets.items + sums->buckets.count, 0, BUCKETS * sizeof(uint64_t));
	sums->buckets.count = (uint32_t)buckets;
	return true;
}

bool ic_trace_sums_find(struct ic_trace *trace, struct ic_trace_sums *sums,
			const struct ic_bytes *key, uint32_t copy, uint32_t *number)
{
	*number = ic_byte_map_find(&sums->by_key, key->data, (uint32_t)key->size);
	if (*number != IC_NONE || sums->list.count >= trace->shape.grouping.most)
		return true;
	uint32_t *found = ic_byte_map_at(&sums->by_key, key->data, (uint32_t)key->size);
	if (!found || !add_sum(trace, sums, copy))
		return false;
	*number = *found = sums->list.count - 1;
	return true;
}

static unsigned count_bits(uint64_t number)
{
	return number ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

static void raise_number(uint64_t *number, uint64_t to)
{
	*number = to > *number ? to : *number;
}

void ic_trace_sum_measure(struct ic_trace_sum *sum, uint64_t *buckets, uint64_t value)
{
	bool is_negative = sum->is_signed && value >> 63;

	sum->measured++;
	sum->low += (uint32_t)value;
	sum->high += sum->is_signed ? (uint64_t)((int64_t)value >> 32) : value >> 32;
	raise_number(&sum->most, value ^ sign_of(sum));
	raise_number(&sum->not_least, ~(value ^ sign_of(sum)));
	if (buckets)
		buckets[is_negative ? IC_TRACE_POWERS + count_bits(-value) : count_bits(value)]++;
}

void ic_trace_sum_add(struct ic_trace_sum *sum, uint64_t *buckets, const struct ic_trace_sum *other,
		      const uint64_t *other_buckets)
{
	sum->count += other->count;
	sum->measured += other->measured;
	sum->low += other->low;
	sum->high += other->high;
	raise_number(&sum->most, other->most);
	raise_number(&sum->not_least, other->not_least);
	for (size_t i = 0; buckets && i < BUCKETS; i++)
		buckets[i] += other_buckets[i];
}

void ic_trace_sums_reset(struct ic_trace_sums *sums)
{
	for (uint32_t i = 0; i < sums->list.count; i++)
		sums->list.items[i] =
			(struct ic_trace_sum){ .copy = sums->list.items[i].copy,
					       .is_signed = sums->list.items[i].is_signed };
	if (sums->buckets.count > 0)
		memset(sums->buckets.items, 0, sums->buckets.count * sizeof(uint64_t));
	sums->left_out = 0;
}

void ic_trace_sums_free(struct ic_trace_sums *sums)
{
	ic_byte_map_free(&sums->by_key);
	IC_ARRAY_FREE(&sums->list);
	IC_ARRAY_FREE(&sums->buckets);
	sums->left_out = 0;
}

uint64_t ic_trace_sum_least(const struct ic_trace_sum *sum)
{
	return ~sum->not_least ^ sign_of(sum);
}

uint64_t ic_trace_sum_most(const struct ic_trace_sum *sum)
{
	return sum->most ^ sign_of(sum);
}

long double ic_trace_sum_mean(const struct ic_trace_sum *sum)
{
	long double high = (long double)(int64_t)(sum->high + (sum->low >> 32));

	return (high * 0x1p32L + (long double)(uint32_t)sum->low) / (long double)sum->measured;
}

void ic_trace_sum_text(const struct ic_trace_sum *sum, char text[IC_TRACE_SUM_TEXT])
{
	uint64_t high = sum->high + (sum->low >> 32), low = (uint32_t)sum->low;
	bool is_negative = (int64_t)high < 0;
	size_t at = IC_TRACE_SUM_TEXT - 1;

	if (is_negative) {
		low = (uint32_t)-low;
		high = ~high + (low == 0);
	}
	char digits[IC_TRACE_SUM_TEXT];
	digits[at] = '\0';
	do { // a division by hand
		uint64_t rest = (high % 10) << 32 | low;
		digits[--at] = (char)('0' + rest % 10);
		high /= 10;
		low = rest / 10;
	} while (high > 0 || low > 0);
	snprintf(text, IC_TRACE_SUM_TEXT, "%s%s", is_negative ? "-" : "", digits + at);
}
