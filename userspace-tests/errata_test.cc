// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

namespace schedtp::tests {
namespace {

INSTANTIATE_TEST_SUITE_P(errata, vectors, testing::ValuesIn(vectors_of("errata")), vector_name);

class errata : public testing::TestWithParam<mock::shape> {};

INSTANTIATE_TEST_SUITE_P(all, errata, testing::ValuesIn(mock::all_shapes), shape_name);

TEST_P(errata, is_there_in_every_kernel)
{
    const mock::kernel k{GetParam()};
    EXPECT_TRUE(sched_tp_has(k.table(), errata));
    EXPECT_EQ(sched_tp_get(k.table(), errata, ~0ull), 0);
}

} // namespace
} // namespace schedtp::tests
