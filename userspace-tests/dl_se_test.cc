// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(dl_se, vectors, testing::ValuesIn(vectors_of("dl_se")), vector_name);

TEST(dl_se, of_a_task_is_on_its_cpu)
{
    kernel k{shape::v6_12, 2};
    const auto task = k.new_task(k.cpu(1).cfs_rq());
    const table cb{k.table()};

    EXPECT_FALSE(*cb.dl_se_is_server(task.dl()));
    EXPECT_EQ(*cb.dl_se_task(task.dl()), task.get());
    EXPECT_EQ(*cb.dl_se_rq(task.dl()), k.cpu(1).get());
}

// There is no task around a server, whatever lies there.
TEST(dl_se, of_a_server_has_a_cpu_and_no_task)
{
    kernel k{shape::v6_12, 2};
    const auto server = k.new_dl_server(k.cpu(1));
    const table cb{k.table()};

    EXPECT_TRUE(*cb.dl_se_is_server(server));
    EXPECT_EQ(*cb.dl_se_task(server), nullptr);
    EXPECT_EQ(*cb.dl_se_rq(server), k.cpu(1).get());
}

TEST(dl_se, no_server_is_where_there_are_none)
{
    kernel k{shape::v6_1};
    EXPECT_FALSE(sched_tp_has(k.table(), dl_se_is_server));
    EXPECT_THROW(k.new_dl_server(k.cpu(0)), mock::lacking);
}

TEST(dl_se, a_boosted_task_runs_with_what_it_is_lent)
{
    kernel k{shape::v7_3};
    const auto holder = k.new_task(k.cpu(0).cfs_rq());
    const auto waiter = k.new_task(k.cpu(0).cfs_rq());
    waiter.dl().set_dl_runtime(10);
    waiter.dl().set_dl_bw(20);
    waiter.dl().set_runtime(-3);
    const table cb{k.table()};
    EXPECT_EQ(*cb.dl_se_dl_runtime(holder.dl()), 0);

    holder.dl().set_lender(waiter.dl());
    EXPECT_EQ(*cb.dl_se_dl_runtime(holder.dl()), 10);
    EXPECT_EQ(*cb.dl_se_dl_bw(holder.dl()), 0);
    EXPECT_EQ(*cb.dl_se_runtime(holder.dl()), 0);
    EXPECT_EQ(*cb.dl_se_runtime(waiter.dl()), -3);
}

// Public fault 19: a bit read together with its neighbours.
TEST(dl_se, case_19_each_flag_is_its_own)
{
    kernel k{shape::v7_3};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.dl().set_yielded(true);
    const table cb{k.table()};

    EXPECT_TRUE(*cb.dl_se_yielded(task.dl()));
    EXPECT_FALSE(*cb.dl_se_throttled(task.dl()));
    EXPECT_FALSE(*cb.dl_se_non_contending(task.dl()));
    EXPECT_FALSE(*cb.dl_se_overrun(task.dl()));
}

} // namespace
} // namespace schedtp::tests
