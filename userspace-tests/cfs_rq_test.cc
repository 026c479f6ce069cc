// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(cfs_rq, vectors, testing::ValuesIn(vectors_of("cfs_rq")), vector_name);

constexpr unsigned int absent = 77;

unsigned int util_est(const kernel& k, const ::cfs_rq* cfs_rq)
{
    return sched_tp_get(k.table(), cfs_rq_util_est, cfs_rq, absent);
}

TEST(cfs_rq, util_est_is_of_the_queue_asked)
{
    kernel k{shape::v6_12, 3};
    const auto group = k.new_group(k.cpu(2).cfs_rq());
    for (unsigned int n = 0; n < 3; n++)
        k.cpu(n).cfs_rq().set_util_est(100 * (n + 1));

    EXPECT_EQ(util_est(k, k.cpu(0).cfs_rq()), 100);
    EXPECT_EQ(util_est(k, k.cpu(1).cfs_rq()), 200);
    EXPECT_EQ(util_est(k, k.cpu(2).cfs_rq()), 300);
    EXPECT_EQ(util_est(k, group.cfs_rq), 0);
}

TEST(cfs_rq, util_est_follows_the_object)
{
    kernel k{shape::v6_12};
    EXPECT_EQ(util_est(k, k.cpu(0).cfs_rq()), 0);
    k.cpu(0).cfs_rq().set_util_est(2500);
    EXPECT_EQ(util_est(k, k.cpu(0).cfs_rq()), 2500);
}

TEST(cfs_rq, util_est_of_a_null_object_is_not_absent)
{
    const kernel k{shape::v6_12};
    EXPECT_EQ(util_est(k, nullptr), 0);
}

TEST(cfs_rq, util_est_is_absent_without_smp)
{
    kernel k{shape::v6_12_up};
    EXPECT_FALSE(sched_tp_has(k.table(), cfs_rq_util_est));
    EXPECT_EQ(util_est(k, k.cpu(0).cfs_rq()), absent);
    EXPECT_EQ(util_est(k, nullptr), absent);
}

TEST(cfs_rq, util_est_cannot_be_set_without_smp)
{
    kernel k{shape::v6_12_up};
    try {
        k.cpu(0).cfs_rq().set_util_est(1);
        FAIL() << "stored in a field that is not there";
    } catch (const mock::lacking& error) {
        EXPECT_STREQ(error.what(), "schedtp mock: kernel v6_12_up has no cfs_rq's util_est: "
                                   "that needs CONFIG_SMP");
    }
}

// Cases 11 and 13: the counters have another name and another place in every release, and
// in this mock other fields ahead of them. A probe knows nothing of that.
class of_every_shape : public testing::TestWithParam<shape> {};

INSTANTIATE_TEST_SUITE_P(cfs_rq, of_every_shape, testing::ValuesIn(mock::all_shapes), shape_name);

TEST_P(of_every_shape, three_runnable_tasks_are_three)
{
    kernel k{GetParam()};
    const auto queue = k.cpu(0).cfs_rq();
    queue.set_nr_queued(3);
    queue.set_h_nr_queued(3);
    queue.set_h_nr_runnable(3);

    const table view{k.table()};
    EXPECT_EQ(*view.cfs_rq_nr_queued(queue), 3u);
    EXPECT_EQ(*view.cfs_rq_h_nr_queued(queue), 3u);
    EXPECT_EQ(*view.cfs_rq_h_nr_runnable(queue), 3u);
    EXPECT_EQ(*view.cfs_rq_h_nr_idle(queue), 0u);
}

// Case 12: two groups of two tasks on one CPU. What a group has is not what the CPU has,
// and at the root's own level are two entities.
TEST(cfs_rq, counts_of_groups_and_of_the_cpu)
{
    kernel k{shape::v7_3, 2};
    const auto root = k.cpu(1).cfs_rq();
    root.set_nr_queued(2);
    root.set_h_nr_queued(4);
    for (const auto& group : {k.new_group(root), k.new_group(root)}) {
        group.cfs_rq.set_nr_queued(2);
        group.cfs_rq.set_h_nr_queued(2);

        const table view{k.table()};
        EXPECT_EQ(*view.cfs_rq_h_nr_queued(group.cfs_rq), 2u);
        EXPECT_EQ(*view.cfs_rq_nr_queued(group.cfs_rq), 2u);
        EXPECT_FALSE(*view.cfs_rq_is_root(group.cfs_rq));
        EXPECT_EQ(*view.cfs_rq_cpu(group.cfs_rq), 1);
        EXPECT_EQ(*view.cfs_rq_rq(group.cfs_rq), k.cpu(1).get());
    }

    const table view{k.table()};
    EXPECT_EQ(*view.cfs_rq_h_nr_queued(root), 4u);
    EXPECT_EQ(*view.cfs_rq_nr_queued(root), 2u);
    EXPECT_TRUE(*view.cfs_rq_is_root(root));
    EXPECT_EQ(*view.cfs_rq_h_nr_queued(k.cpu(0).cfs_rq()), 0u);
}

// Case 13: names of the kernel's fields that were renamed are none of the getters'.
TEST(cfs_rq, getters_are_not_named_after_fields_that_come_and_go)
{
    for (const std::string_view field :
         {"nr_running", "h_nr_running", "idle_h_nr_running", "h_nr_delayed", "avg_load"})
        for (const auto& getter : getter_lines)
            EXPECT_NE(getter.name, "cfs_rq_" + std::string{field});
}

TEST(cfs_rq, without_groups_every_queue_is_a_root)
{
    kernel k{shape::v6_12_up};
    const table view{k.table()};
    const auto queue = k.cpu(0).cfs_rq();
    EXPECT_TRUE(*view.cfs_rq_is_root(queue));
    EXPECT_EQ(*view.cfs_rq_cpu(queue), 0);
    EXPECT_EQ(*view.cfs_rq_rq(queue), k.cpu(0).get());
    EXPECT_FALSE(sched_tp_has(k.table(), cfs_rq_cgroup_id));
    EXPECT_FALSE(sched_tp_has(k.table(), cfs_rq_throttled));
}

TEST(cfs_rq, virtual_time_is_what_the_release_has)
{
    EXPECT_TRUE(sched_tp_has(kernel{shape::v6_1}.table(), cfs_rq_min_vruntime));
    EXPECT_FALSE(sched_tp_has(kernel{shape::v6_1}.table(), cfs_rq_avg_vruntime));
    for (const auto release : {shape::v6_12, shape::v7_3}) {
        EXPECT_FALSE(sched_tp_has(kernel{release}.table(), cfs_rq_min_vruntime));
        EXPECT_TRUE(sched_tp_has(kernel{release}.table(), cfs_rq_avg_vruntime));
        EXPECT_TRUE(sched_tp_has(kernel{release}.table(), cfs_rq_zero_vruntime));
    }
}

TEST(cfs_rq, throttling)
{
    for (const auto release : {shape::v6_1, shape::v6_12, shape::v7_3}) {
        kernel k{release};
        const table view{k.table()};
        const auto queue = k.new_group(k.cpu(0).cfs_rq()).cfs_rq;
        EXPECT_FALSE(*view.cfs_rq_throttled(queue));
        queue.set_throttled(true);
        queue.set_throttle_count(2);
        queue.set_runtime_enabled(true);
        queue.set_runtime_remaining(-500);
        EXPECT_TRUE(*view.cfs_rq_throttled(queue));
        EXPECT_EQ(*view.cfs_rq_throttle_count(queue), 2);
        EXPECT_TRUE(*view.cfs_rq_runtime_enabled(queue));
        EXPECT_EQ(*view.cfs_rq_runtime_remaining(queue), -500);
    }
}

} // namespace
} // namespace schedtp::tests
