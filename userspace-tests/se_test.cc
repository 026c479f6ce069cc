// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

#include <optional>
#include <type_traits>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(se, vectors, testing::ValuesIn(vectors_of("se")), vector_name);

constexpr unsigned int absent = 77;
constexpr unsigned int unchanged = 0x80000000u; // UTIL_AVG_UNCHANGED

// As std::optional, which compares and prints.
template <typename T>
std::optional<T> said(const schedtp::optional<T>& answer)
{
    return answer ? std::optional<T>{*answer} : std::nullopt;
}

unsigned int util_est(const kernel& k, const ::sched_entity* se)
{
    return sched_tp_get(k.table(), se_util_est, se, absent);
}

TEST(se, util_est_is_of_the_task_asked_without_the_flag)
{
    kernel k{shape::v6_12};
    const auto busy = k.new_task(k.cpu(0).cfs_rq());
    const auto idle = k.new_task(k.cpu(0).cfs_rq());
    busy.se().set_util_est(300 | unchanged);
    idle.se().set_util_est(12);

    EXPECT_EQ(util_est(k, busy.se()), 300);
    EXPECT_EQ(util_est(k, idle.se()), 12);
}

TEST(se, util_est_of_a_group_is_0_whatever_its_queues_have)
{
    kernel k{shape::v6_12};
    const auto outer = k.new_group(k.cpu(0).cfs_rq());
    const auto inner = k.new_group(outer.cfs_rq);
    const auto task = k.new_task(inner.cfs_rq);
    k.cpu(0).cfs_rq().set_util_est(400);
    outer.cfs_rq.set_util_est(500);
    inner.cfs_rq.set_util_est(600);
    task.se().set_util_est(300);

    EXPECT_EQ(util_est(k, outer.se), 0);
    EXPECT_EQ(util_est(k, inner.se), 0);
    EXPECT_EQ(util_est(k, task.se()), 300);
}

TEST(se, util_est_of_a_null_object_is_not_absent)
{
    const kernel k{shape::v6_12};
    EXPECT_EQ(util_est(k, nullptr), 0);
}

TEST(se, util_est_is_absent_without_smp)
{
    kernel k{shape::v6_12_up};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    EXPECT_FALSE(sched_tp_has(k.table(), se_util_est));
    EXPECT_EQ(util_est(k, task.se()), absent);
    EXPECT_EQ(util_est(k, nullptr), absent);
}

TEST(se, util_est_cannot_be_set_without_smp)
{
    kernel k{shape::v6_12_up};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    EXPECT_THROW(task.se().set_util_est(1), mock::lacking);
    EXPECT_THROW(k.new_group(k.cpu(0).cfs_rq()), mock::lacking);
}

// Public faults 1 and 2: the flag printed as 2^31, and one number printed as two.
TEST(se, case_1_and_2_an_estimate_is_one_number_below_the_flag_on_every_release)
{
    for (const auto which : {shape::v6_1, shape::v6_12, shape::v7_3}) {
        kernel k{which};
        const auto task = k.new_task(k.cpu(0).cfs_rq());
        task.se().set_util_est(300 | unchanged);
        const table cb{k.table()};

        EXPECT_EQ(said(cb.se_util_est(task.se())), 300);
        EXPECT_EQ(said(cb.se_util_est_unchanged(task.se())), true);
        // Its two parts, where there are two, and no copies of it where not.
        const bool parts = which == shape::v6_1;
        EXPECT_EQ(said(cb.se_util_est_enqueued(task.se())),
                  parts ? std::optional{300u} : std::nullopt);
        EXPECT_EQ(said(cb.se_util_est_ewma(task.se())), parts ? std::optional{0u} : std::nullopt);
    }
}

// Public fault 14: an entity's queue followed where there is none.
TEST(se, case_14_without_group_scheduling_an_entity_is_on_the_queue_of_its_cpu)
{
    for (const auto which : {shape::v6_1_up, shape::v6_12_up, shape::v7_3_up}) {
        kernel k{which};
        const auto task = k.new_task(k.cpu(0).cfs_rq());
        const table cb{k.table()};

        EXPECT_EQ(said(cb.se_cpu(task.se())), 0);
        EXPECT_EQ(said(cb.se_cfs_rq(task.se())), k.cpu(0).cfs_rq().get());
        EXPECT_EQ(said(cb.se_is_task(task.se())), true);
        EXPECT_EQ(said(cb.se_task(task.se())), task.get());
        EXPECT_EQ(said(cb.se_group_cfs_rq(task.se())), std::nullopt);
        EXPECT_EQ(said(cb.se_parent(task.se())), std::nullopt);
    }
}

TEST(se, a_groups_entity_has_a_cpu_and_queues_and_no_task)
{
    kernel k{shape::v7_3, 2};
    const auto group = k.new_group(k.cpu(1).cfs_rq());
    const auto task = k.new_task(group.cfs_rq);
    const table cb{k.table()};

    EXPECT_EQ(said(cb.se_is_task(group.se)), false);
    EXPECT_EQ(said(cb.se_task(group.se)), nullptr);
    EXPECT_EQ(said(cb.se_cfs_rq(group.se)), k.cpu(1).cfs_rq().get());
    EXPECT_EQ(said(cb.se_group_cfs_rq(group.se)), group.cfs_rq.get());
    EXPECT_EQ(said(cb.se_cpu(group.se)), 1);

    EXPECT_EQ(said(cb.se_task(task.se())), task.get());
    EXPECT_EQ(said(cb.se_cfs_rq(task.se())), group.cfs_rq.get());
    EXPECT_EQ(said(cb.se_group_cfs_rq(task.se())), nullptr);
    EXPECT_EQ(said(cb.se_cpu(task.se())), 1);
}

// Public fault 16: averages without the time that they are of.
TEST(se, case_16_averages_come_with_their_time)
{
    kernel k{shape::v6_12};
    const auto early = k.new_task(k.cpu(0).cfs_rq());
    const auto late = k.new_task(k.cpu(0).cfs_rq());
    const auto detached = k.new_task(k.cpu(0).cfs_rq());
    early.se().set_util_avg(512);
    early.se().set_last_update_time(1024ull << 32);
    late.se().set_util_avg(500);
    late.se().set_last_update_time((1024ull << 32) + 1024);
    const table cb{k.table()};

    EXPECT_EQ(*cb.se_last_update_time(late.se()) - *cb.se_last_update_time(early.se()), 1024);
    EXPECT_EQ(said(cb.se_last_update_time(detached.se())), 0);
}

// Public fault 19: a bit read together with its neighbours.
TEST(se, case_19_flags_are_true_or_false)
{
    kernel k{shape::v6_12};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    const table cb{k.table()};
    static_assert(
        std::is_same_v<decltype(cb.se_sched_delayed(task.se())), schedtp::optional<bool>>);
    static_assert(std::is_same_v<decltype(cb.dl_se_throttled(nullptr)), schedtp::optional<bool>>);

    EXPECT_EQ(said(cb.se_sched_delayed(task.se())), false);
    task.se().set_on_rq(true);
    EXPECT_EQ(said(cb.se_on_rq(task.se())), true);
    EXPECT_EQ(said(cb.se_sched_delayed(task.se())), false);
    task.se().set_sched_delayed(true);
    EXPECT_EQ(said(cb.se_sched_delayed(task.se())), true);
}

TEST(se, weights_are_scaled_down)
{
    kernel k{shape::v6_12};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.se().set_load_weight(1024UL * 1024);
    EXPECT_EQ(said(table{k.table()}.se_load_weight(task.se())), 1024);
}

TEST(se, what_other_releases_have_is_absent_and_cannot_be_set)
{
    kernel k{shape::v6_1};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    const table cb{k.table()};
    EXPECT_EQ(said(cb.se_sched_delayed(task.se())), std::nullopt);
    EXPECT_EQ(said(cb.se_deadline(task.se())), std::nullopt);
    EXPECT_EQ(said(cb.se_vprot(task.se())), std::nullopt);
    EXPECT_EQ(said(cb.se_h_weight(task.se())), std::nullopt);
    EXPECT_THROW(task.se().set_sched_delayed(true), mock::lacking);
    EXPECT_THROW(task.se().set_deadline(1), mock::lacking);
}

} // namespace
} // namespace schedtp::tests
