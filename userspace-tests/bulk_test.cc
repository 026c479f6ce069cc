// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// Getters that give many values in one call, for callers and kernels of other minor
// versions, whose structs are shorter or longer.
#include "getters.hpp"

#include <cstring>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

constexpr unsigned int absent = 77;

class bulk : public testing::TestWithParam<shape> {
protected:
    kernel k{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(all, bulk, testing::ValuesIn(mock::all_shapes), shape_name);

// A struct of any size gets so many bytes and not one more; the members it has whole are
// those of the full one, and what is beyond the kernel's is 0.
TEST_P(bulk, of_every_size)
{
    const auto rq = k.cpu(0);
    sched_tp_rq_view whole{};
    sched_tp_get(k.table(), rq_view, rq, &whole, sizeof(whole), absent);

    for (unsigned int size = 0; size <= sizeof(whole) + 16; size++) {
        alignas(8) unsigned char bytes[sizeof(whole) + 32];
        std::memset(bytes, 0x5a, sizeof(bytes));
        EXPECT_EQ(sched_tp_get(k.table(), rq_view, rq, reinterpret_cast<sched_tp_rq_view*>(bytes),
                               size, absent),
                  sizeof(whole));
        for (unsigned int at = 8; at < sizeof(bytes); at++) {
            const unsigned char known =
                at < sizeof(whole) ? reinterpret_cast<const unsigned char*>(&whole)[at] : 0;
            ASSERT_EQ(bytes[at], at < size ? known : 0x5a) << "byte " << at << " of " << size;
        }
        if (size < 8)
            continue;
        unsigned long long valid = 0;
        std::memcpy(&valid, bytes, sizeof(valid));
#define SCHEDTP_TEST_MEMBER(tag, type, name, dim)                                     \
    EXPECT_EQ(valid >> SCHED_TP_BIT_##tag##_##name & 1,                               \
              static_cast<unsigned long long>(size >= SCHED_TP_BULK_END(tag, name) && \
                                              sched_tp_valid(&whole, tag, name)))     \
        << #name " of " << size;
        SCHED_TP_RQ_VIEW_FIELDS(SCHEDTP_TEST_MEMBER)
#undef SCHEDTP_TEST_MEMBER
    }
}

TEST_P(bulk, of_no_object_is_zero_and_not_valid)
{
    sched_tp_task_identity id;
    std::memset(&id, 0x5a, sizeof(id));
    EXPECT_EQ(sched_tp_get(k.table(), task_identity, nullptr, &id, sizeof(id), absent), sizeof(id));
    EXPECT_EQ(id.valid, 0U);
    EXPECT_EQ(id.pid, 0);
    EXPECT_EQ(id.comm[0], 0);
    EXPECT_EQ(sched_tp_get(k.table(), task_identity, nullptr, nullptr, sizeof(id), absent),
              sizeof(id));
}

TEST(bulk_pelt, absent_is_told_from_zero)
{
    kernel k{shape::v6_12, 2};
    const auto cfs_rq = k.cpu(1).cfs_rq();
    cfs_rq.set_util_est(300);

    sched_tp_pelt pelt{};
    sched_tp_get(k.table(), cfs_rq_pelt, cfs_rq, &pelt, sizeof(pelt), absent);
    EXPECT_TRUE(sched_tp_valid(&pelt, pelt, util_est));
    EXPECT_EQ(pelt.util_est, 300U);
    EXPECT_TRUE(sched_tp_valid(&pelt, pelt, util_avg));
    EXPECT_EQ(pelt.util_avg, 0U);
    EXPECT_FALSE(sched_tp_valid(&pelt, pelt, is_task));
    EXPECT_EQ(pelt.cpu, 1);
    EXPECT_EQ(pelt.is_root, 1U);

    kernel up{shape::v6_12_up};
    EXPECT_FALSE(sched_tp_has(up.table(), cfs_rq_pelt));
}

} // namespace
} // namespace schedtp::tests
