// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

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

} // namespace
} // namespace schedtp::tests
