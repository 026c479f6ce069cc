// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(se, vectors, testing::ValuesIn(vectors_of("se")), vector_name);

constexpr unsigned int absent = 77;
constexpr unsigned int unchanged = 0x80000000u; // UTIL_AVG_UNCHANGED

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
    const auto group = k.new_group(k.cpu(0).cfs_rq());
    EXPECT_THROW(task.se().set_util_est(1), mock::lacking);
    EXPECT_THROW(group.se.set_util_est(1), mock::lacking);
}

} // namespace
} // namespace schedtp::tests
