// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <algorithm>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(rd, vectors, testing::ValuesIn(vectors_of("rd")), vector_name);

constexpr unsigned int absent = 77;
constexpr unsigned int bits = 8 * sizeof(unsigned long);
constexpr unsigned long untouched = 0x5a5a5a5aUL;

// What a probe does that takes a mask of any size: ask, allocate, fill.
std::vector<unsigned long> span_of(const kernel& k, const ::root_domain* rd)
{
    std::vector<unsigned long> words(sched_tp_get(k.table(), rd_span, rd, nullptr, 0, absent));
    sched_tp_get(k.table(), rd_span, rd, words.data(), static_cast<unsigned int>(words.size()),
                 absent);
    return words;
}

std::vector<unsigned int> cpus_in(const std::vector<unsigned long>& words)
{
    std::vector<unsigned int> cpus;
    for (unsigned int cpu = 0; cpu < words.size() * bits; cpu++)
        if (words[cpu / bits] >> cpu % bits & 1)
            cpus.push_back(cpu);
    return cpus;
}

class masks : public testing::TestWithParam<unsigned int> {};

INSTANTIATE_TEST_SUITE_P(of, masks, testing::Values(1, 8, 63, 64, 65, 128, 449, 4096, 8192));

// Case 32: the mask was written past the end of what the probe had for it.
TEST_P(masks, never_run_past_the_callers_words)
{
    const unsigned int cpus = GetParam();
    kernel k{shape::v6_12, cpus};
    const auto rd = k.new_root_domain();
    std::vector<unsigned int> all(cpus);
    for (unsigned int cpu = 0; cpu < cpus; cpu++)
        all[cpu] = cpu;
    rd.set_span(all);

    const unsigned int needed = (cpus + bits - 1) / bits;
    for (unsigned int size = 0; size <= needed + 1; size += std::max(1U, needed / 4)) {
        std::vector<unsigned long> words(size + 1, untouched);
        EXPECT_EQ(sched_tp_get(k.table(), rd_span, rd, words.data(), size, absent), needed);
        EXPECT_EQ(words[size], untouched) << size << " words";
    }
    EXPECT_EQ(cpus_in(span_of(k, rd)), all);
}

// Case 33: above 64 CPUs the bits were looked for at the wrong place.
TEST(rd, span_has_the_cpus_beyond_the_first_word)
{
    for (const auto which : {shape::v6_1, shape::v6_12, shape::v7_3}) {
        kernel k{which, 4096};
        const auto rd = k.new_root_domain();
        for (const std::vector<unsigned int>& cpus : std::vector<std::vector<unsigned int>>{
                 {63}, {64}, {65}, {127}, {4095}, {0, 63, 64, 127, 128, 4095}}) {
            rd.set_span(cpus);
            EXPECT_EQ(cpus_in(span_of(k, rd)), cpus);
        }
        // Nothing of a CPU that this machine cannot have.
        rd.set_span({1, 4096, 8191});
        EXPECT_EQ(cpus_in(span_of(k, rd)), std::vector<unsigned int>{1});
    }
}

TEST(rd, masks_are_each_its_own)
{
    kernel k{shape::v7_3, 4};
    const auto rd = k.new_root_domain();
    rd.set_span({0, 1, 2, 3});
    rd.set_online({0, 1, 2});
    rd.set_rto_mask({1});
    rd.set_dlo_mask({2, 3});

    unsigned long words[1]{};
    sched_tp_get(k.table(), rd_span, rd, words, 1, absent);
    EXPECT_EQ(words[0], 0xfUL);
    sched_tp_get(k.table(), rd_online, rd, words, 1, absent);
    EXPECT_EQ(words[0], 0x7UL);
    sched_tp_get(k.table(), rd_rto_mask, rd, words, 1, absent);
    EXPECT_EQ(words[0], 0x2UL);
    sched_tp_get(k.table(), rd_dlo_mask, rd, words, 1, absent);
    EXPECT_EQ(words[0], 0xcUL);
    EXPECT_THROW(rd.set_span({8192}), std::out_of_range);
}

// The stored number differs between kernels, what a probe sees does not.
TEST(rd, flags_are_truth_values)
{
    kernel old{shape::v6_1};
    const auto rd = old.new_root_domain();
    rd.set_overutilized(2);
    rd.set_overloaded(1);
    EXPECT_EQ(static_cast<int>(sched_tp_get(old.table(), rd_overutilized, rd, false)), 1);
    EXPECT_TRUE(sched_tp_get(old.table(), rd_overloaded, rd, false));

    kernel up{shape::v6_12_up};
    EXPECT_FALSE(sched_tp_has(up.table(), rd_span));
    EXPECT_EQ(sched_tp_get(up.table(), rd_span, nullptr, nullptr, 0, absent), absent);
}

} // namespace
} // namespace schedtp::tests
