// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// Probes on the mock's tracepoints: what they are called with, and when.
#include "getters.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;
using mock::table_copy;

// One call of a probe: its arguments as words, and the table.
struct hit {
    std::vector<std::uintptr_t> words;
    const sched_tp_callbacks* table;
};
using hits = std::vector<hit>;

template <typename T>
std::uintptr_t word_of(T value)
{
    if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<std::uintptr_t>(value);
    else
        return static_cast<std::uintptr_t>(value);
}

// An argument that equals none of another seed; no probe here follows a pointer.
template <typename T>
T argument(std::uintptr_t seed)
{
    static std::array<std::max_align_t, 256> places;
    if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<T>(&places.at(seed));
    else if constexpr (std::is_same_v<T, bool>)
        return seed % 2 != 0;
    else
        return static_cast<T>(seed);
}

template <typename... Args>
std::vector<std::uintptr_t> words_of(Args... args)
{
    return {word_of(args)...};
}

// Fire with arguments of which no two are equal; gives their words.
template <typename... Args>
std::vector<std::uintptr_t> fire(const mock::tracepoint<void(Args...)>& tracepoint,
                                 std::uintptr_t seed)
{
    const auto next = [&seed] { return seed++; };
    // Braces, so that the order of the arguments is that of the seeds.
    const std::tuple<Args...> args{argument<Args>(next())...};
    return std::apply(
        [&](Args... each) {
            tracepoint.fire(each...);
            return words_of(each...);
        },
        args);
}

// For each tracepoint of the list: a probe with the parameters that the list says.
#define SCHED_TP_TRACEPOINT(name, params, args)                            \
    void probe_##name(void* data, params, const sched_tp_callbacks* table) \
    {                                                                      \
        static_cast<hits*>(data)->push_back({words_of(args), table});      \
    }                                                                      \
                                                                           \
    TEST(tracepoint, name##_passes_its_arguments_and_the_table)            \
    {                                                                      \
        kernel k{shape::v6_12};                                            \
        hits seen;                                                         \
        ASSERT_EQ(k.name.attach(&probe_##name, &seen), 0);                 \
        for (const std::uintptr_t seed : {1, 2, 101}) {                    \
            const auto expected = fire(k.name, seed);                      \
            ASSERT_FALSE(seen.empty());                                    \
            EXPECT_EQ(seen.back().words, expected);                        \
            EXPECT_EQ(seen.back().table, k.table());                       \
        }                                                                  \
        EXPECT_EQ(seen.size(), 3);                                         \
        ASSERT_EQ(k.name.detach(&probe_##name, &seen), 0);                 \
        fire(k.name, 1);                                                   \
        EXPECT_EQ(seen.size(), 3);                                         \
    }
#include <schedtp/tracepoints.def>

// What the rest is about, one tracepoint shows.
class registration : public testing::Test {
protected:
    kernel k{shape::v6_12};
    hits seen;
    hits also_seen;
};

TEST_F(registration, is_of_a_probe_and_its_data)
{
    EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), 0);
    EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), -EEXIST);
    EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &also_seen), 0);
    fire(k.pelt_cfs, 1);
    EXPECT_EQ(seen.size(), 1);
    EXPECT_EQ(also_seen.size(), 1);

    EXPECT_EQ(k.pelt_cfs.detach(&probe_pelt_cfs, &seen), 0);
    fire(k.pelt_cfs, 1);
    EXPECT_EQ(seen.size(), 1);
    EXPECT_EQ(also_seen.size(), 2);
}

TEST_F(registration, can_be_undone_once)
{
    EXPECT_EQ(k.pelt_cfs.detach(&probe_pelt_cfs, &seen), -ENOENT);
    EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), 0);
    EXPECT_EQ(k.pelt_cfs.detach(&probe_pelt_cfs, &also_seen), -ENOENT);
    EXPECT_EQ(k.pelt_cfs.detach(&probe_pelt_cfs, &seen), 0);
    EXPECT_EQ(k.pelt_cfs.detach(&probe_pelt_cfs, &seen), -ENOENT);
    EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), 0);
}

TEST_F(registration, is_of_one_tracepoint)
{
    ASSERT_EQ(k.pelt_rt.attach(&probe_pelt_rt, &seen), 0);
    fire(k.pelt_dl, 1);
    fire(k.pelt_irq, 1);
    EXPECT_TRUE(seen.empty());
    EXPECT_EQ(k.pelt_dl.detach(&probe_pelt_rt, &seen), -ENOENT);
}

TEST_F(registration, of_no_probe_is_invalid)
{
    EXPECT_EQ(k.pelt_cfs.attach(nullptr, &seen), -EINVAL);
    fire(k.pelt_cfs, 1);
}

// One probe serves kernels that have the tracepoint and kernels that have not.
TEST(tracepoint, that_a_kernel_lacks_takes_no_probe)
{
    kernel old{shape::v6_1};
    kernel later{shape::v6_12};
    hits seen;
    EXPECT_FALSE(old.sched_compute_energy.there());
    EXPECT_TRUE(old.pelt_hw.there());
    EXPECT_TRUE(later.sched_compute_energy.there());
    EXPECT_EQ(old.sched_compute_energy.attach(&probe_sched_compute_energy, &seen), -EOPNOTSUPP);
    EXPECT_EQ(old.sched_compute_energy.detach(&probe_sched_compute_energy, &seen), -ENOENT);
    fire(old.sched_compute_energy, 1);
    EXPECT_TRUE(seen.empty());
    EXPECT_EQ(later.sched_compute_energy.attach(&probe_sched_compute_energy, &seen), 0);
}

TEST_F(registration, takes_no_table_of_another_kind)
{
    const auto* const own = k.table();
    for (const unsigned int major : {0u, SCHED_TP_VERSION_MAJOR + 1}) {
        table_copy foreign{own};
        foreign.set_version(major, 0);
        k.hand_out(foreign);
        EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), -EPROTONOSUPPORT) << major;
    }
    k.hand_out(nullptr);
    EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), -EPROTONOSUPPORT);
    fire(k.pelt_cfs, 1);
    EXPECT_TRUE(seen.empty());
}

TEST_F(registration, takes_a_table_of_any_size_with_a_header)
{
    const auto* const own = k.table();
    for (unsigned int size = 0; size <= sizeof(sched_tp_callbacks) + 24; size++) {
        table_copy copy{own};
        k.hand_out(copy.resize(size));
        const int expected = size < 8 ? -EPROTONOSUPPORT : 0;
        EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), expected) << size;
        k.pelt_cfs.detach(&probe_pelt_cfs, &seen);
    }
    table_copy copy{own};
    k.hand_out(copy.claim(0xffffffffu));
    EXPECT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), 0);
}

TEST_F(registration, passes_the_table_that_is_handed_out)
{
    ASSERT_EQ(k.pelt_cfs.attach(&probe_pelt_cfs, &seen), 0);
    const auto* const own = k.table();
    const auto header = table_copy::header_only();
    fire(k.pelt_cfs, 1);
    k.hand_out(header);
    fire(k.pelt_cfs, 1);
    k.hand_out(own);
    fire(k.pelt_cfs, 1);

    ASSERT_EQ(seen.size(), 3);
    EXPECT_EQ(seen[0].table, own);
    EXPECT_EQ(seen[1].table, header.get());
    EXPECT_EQ(seen[2].table, own);
}

// A probe that notes its number, to see an order; and what it is to do besides.
struct stage {
    kernel& k;
    std::vector<int> calls{};
};

template <int Number>
void note(void* data, ::cfs_rq* /*cfs_rq*/, const sched_tp_callbacks* /*table*/)
{
    static_cast<stage*>(data)->calls.push_back(Number);
}

TEST(firing, calls_in_the_order_of_attaching)
{
    kernel k{shape::v6_12};
    stage s{k};
    k.pelt_cfs.attach(&note<2>, &s);
    k.pelt_cfs.attach(&note<1>, &s);
    k.pelt_cfs.attach(&note<3>, &s);
    k.pelt_cfs.detach(&note<2>, &s);
    k.pelt_cfs.attach(&note<2>, &s);
    k.pelt_cfs.fire(k.cpu(0).cfs_rq());
    EXPECT_EQ(s.calls, (std::vector<int>{1, 3, 2}));
}

void detach_all(void* data, ::cfs_rq* /*cfs_rq*/, const sched_tp_callbacks* /*table*/)
{
    auto& s = *static_cast<stage*>(data);
    s.calls.push_back(0);
    s.k.pelt_cfs.detach(&detach_all, data);
    s.k.pelt_cfs.detach(&note<1>, data);
}

TEST(firing, outlives_detaching_from_a_probe)
{
    kernel k{shape::v6_12};
    stage s{k};
    k.pelt_cfs.attach(&detach_all, &s);
    k.pelt_cfs.attach(&note<1>, &s);
    k.pelt_cfs.fire(k.cpu(0).cfs_rq());
    EXPECT_EQ(s.calls, (std::vector<int>{0, 1}));
    k.pelt_cfs.fire(k.cpu(0).cfs_rq());
    EXPECT_EQ(s.calls, (std::vector<int>{0, 1}));
}

void attach_another(void* data, ::cfs_rq* /*cfs_rq*/, const sched_tp_callbacks* /*table*/)
{
    auto& s = *static_cast<stage*>(data);
    s.calls.push_back(0);
    s.k.pelt_cfs.attach(&note<1>, data);
}

TEST(firing, calls_what_a_probe_attaches_from_the_next_time_on)
{
    kernel k{shape::v6_12};
    stage s{k};
    k.pelt_cfs.attach(&attach_another, &s);
    k.pelt_cfs.fire(k.cpu(0).cfs_rq());
    EXPECT_EQ(s.calls, (std::vector<int>{0}));
    k.pelt_cfs.fire(k.cpu(0).cfs_rq());
    EXPECT_EQ(s.calls, (std::vector<int>{0, 0, 1}));
}

// The whole way, as a user's test goes it: object, tracepoint, table, value.
void sum_util_est(void* data, ::sched_entity* se, const sched_tp_callbacks* table)
{
    *static_cast<unsigned int*>(data) += sched_tp_get(table, se_util_est, se, 10000);
}

TEST(firing, lets_a_probe_read_through_the_table)
{
    kernel k{shape::v6_12};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.se().set_util_est(300 | 0x80000000u);
    unsigned int sum = 0;
    k.sched_util_est_se.attach(&sum_util_est, &sum);
    k.sched_util_est_se.fire(task.se());
    EXPECT_EQ(sum, 300);

    const auto header = table_copy::header_only();
    k.hand_out(header);
    k.sched_util_est_se.fire(task.se());
    EXPECT_EQ(sum, 10300);
}

bool overutilized_was;

void note_overutilized(void* /*data*/, ::root_domain* /*rd*/, bool overutilized,
                       const sched_tp_callbacks* /*table*/)
{
    overutilized_was = overutilized;
}

TEST(firing, passes_a_root_domain_where_there_is_one)
{
    kernel k{shape::v6_12};
    k.sched_overutilized.attach(&note_overutilized);
    k.sched_overutilized.fire(k.new_root_domain(), true);
    EXPECT_TRUE(overutilized_was);

    kernel up{shape::v6_12_up};
    EXPECT_THROW(up.new_root_domain(), mock::lacking);
}

} // namespace
} // namespace schedtp::tests
