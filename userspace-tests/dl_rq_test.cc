// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(dl_rq, vectors, testing::ValuesIn(vectors_of("dl_rq")), vector_name);

TEST(dl_rq, bandwidth_is_a_fraction_and_a_capacity)
{
    kernel k{shape::v6_12, 2};
    k.cpu(1).dl_rq().set_running_bw(1ULL << 18);
    k.cpu(1).dl_rq().set_this_bw(1ULL << 19);
    const table cb{k.table()};
    const auto* const dl_rq = *cb.rq_dl(k.cpu(1));

    EXPECT_EQ(*cb.dl_rq_running_bw(dl_rq), 1ULL << 18);
    EXPECT_EQ(*cb.dl_rq_this_bw(dl_rq), 1ULL << 19);
    EXPECT_EQ(*cb.dl_rq_bw_util(dl_rq), 256);
}

} // namespace
} // namespace schedtp::tests
