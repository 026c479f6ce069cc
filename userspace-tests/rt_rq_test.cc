// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(rt_rq, vectors, testing::ValuesIn(vectors_of("rt_rq")), vector_name);

TEST(rt_rq, is_reached_from_its_cpu)
{
    kernel k{shape::v7_3, 2};
    k.cpu(1).rt_rq().set_nr_running(3);
    k.cpu(1).rt_rq().set_highest_prio(49);
    const table cb{k.table()};

    EXPECT_EQ(*cb.rt_rq_nr_running(*cb.rq_rt(k.cpu(1))), 3);
    EXPECT_EQ(*cb.rt_rq_highest_prio(*cb.rq_rt(k.cpu(1))), 49);
    EXPECT_EQ(*cb.rt_rq_nr_running(*cb.rq_rt(k.cpu(0))), 0);
}

TEST(rt_rq, has_a_budget_in_old_releases_and_with_groups)
{
    EXPECT_TRUE(sched_tp_has(kernel{shape::v6_1}.table(), rt_rq_throttled));
    EXPECT_TRUE(sched_tp_has(kernel{shape::v6_12}.table(), rt_rq_throttled));
    EXPECT_FALSE(sched_tp_has(kernel{shape::v7_3}.table(), rt_rq_throttled));
    EXPECT_FALSE(sched_tp_has(kernel{shape::v6_12_up}.table(), rt_rq_runtime));
}

} // namespace
} // namespace schedtp::tests
