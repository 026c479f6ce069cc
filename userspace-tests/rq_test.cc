// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(rq, vectors, testing::ValuesIn(vectors_of("rq")), vector_name);

constexpr unsigned long absent = 77;

unsigned long current_capacity(const kernel& k, const ::rq* rq)
{
    return sched_tp_get(k.table(), rq_cpu_current_capacity, rq, absent);
}

TEST(rq, current_capacity_is_of_the_cpu_asked)
{
    constexpr unsigned int many = 512;
    kernel k{shape::v6_12, many};
    for (unsigned int n = 0; n < many; n++)
        k.cpu(n).set_capacity(n + 1);

    for (unsigned int n = 0; n < many; n++)
        EXPECT_EQ(current_capacity(k, k.cpu(n)), n + 1);
}

TEST(rq, current_capacity_follows_capacity_and_frequency)
{
    kernel k{shape::v6_12, 2};
    EXPECT_EQ(current_capacity(k, k.cpu(1)), 1024);
    k.cpu(1).set_capacity(446);
    EXPECT_EQ(current_capacity(k, k.cpu(1)), 446);
    k.cpu(1).set_frequency(512);
    EXPECT_EQ(current_capacity(k, k.cpu(1)), 223);
    EXPECT_EQ(current_capacity(k, k.cpu(0)), 1024);
}

TEST(rq, current_capacity_of_a_null_object_is_not_absent)
{
    const kernel k{shape::v6_12};
    EXPECT_EQ(current_capacity(k, nullptr), 0);
}

TEST(rq, current_capacity_without_smp_follows_the_frequency_only)
{
    kernel k{shape::v6_12_up};
    EXPECT_EQ(current_capacity(k, k.cpu(0)), 1024);
    k.cpu(0).set_frequency(256);
    EXPECT_EQ(current_capacity(k, k.cpu(0)), 256);
    EXPECT_THROW(k.cpu(0).set_capacity(512), mock::lacking);
    EXPECT_EQ(current_capacity(k, k.cpu(0)), 256);
}

TEST(rq, a_kernel_has_the_cpus_it_was_made_with)
{
    kernel k{shape::v6_12, 2};
    EXPECT_THROW(k.cpu(2), std::out_of_range);
    EXPECT_THROW((kernel{shape::v6_12_up, 0}), std::invalid_argument);
    EXPECT_THROW((kernel{shape::v6_12_up, 2}), mock::lacking);
}

TEST(rq, kernels_of_one_shape_exist_one_at_a_time)
{
    {
        kernel k{shape::v6_12};
        k.cpu(0).set_capacity(100);
        EXPECT_THROW(kernel{shape::v6_12}, std::logic_error);
        const kernel other{shape::v6_12_up};
        EXPECT_EQ(current_capacity(k, k.cpu(0)), 100);
    }
    kernel next{shape::v6_12};
    EXPECT_EQ(current_capacity(next, next.cpu(0)), 1024);
}

} // namespace
} // namespace schedtp::tests
