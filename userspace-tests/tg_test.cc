// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

#include <algorithm>
#include <array>
#include <climits>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(tg, vectors, testing::ValuesIn(vectors_of("tg")), vector_name);

constexpr std::array releases{shape::v6_1, shape::v6_12, shape::v7_3};

// In a buffer of that size and no more, so that ASan sees what is beyond.
std::string path_in(const kernel& k, const ::task_group* tg, unsigned int size)
{
    std::vector<unsigned char> buf(size, 'Z');
    const int length = sched_tp_get(k.table(), tg_path, tg, buf.data(), size, -1);
    if (size == 0)
        return "length " + std::to_string(length);
    const auto end = std::find(buf.begin(), buf.end(), 0);
    return std::string{buf.begin(), end} + " of " + std::to_string(length);
}

// What case 32 is about: a text getter bounds itself by the room that the caller has.
TEST(tg, path_fits_whatever_room_there_is)
{
    kernel k{shape::v7_3};
    const auto user = k.new_task_group(k.root_task_group(), "user", 10);
    const auto inner = k.new_task_group(user, "a b", 11);

    EXPECT_EQ(path_in(k, inner, 100), "/user/a b of 9");
    EXPECT_EQ(path_in(k, inner, 10), "/user/a b of 9");
    EXPECT_EQ(path_in(k, inner, 9), "/user/a  of 9");
    EXPECT_EQ(path_in(k, inner, 1), " of 9");
    EXPECT_EQ(path_in(k, inner, 0), "length 9");
    EXPECT_EQ(path_in(k, k.root_task_group(), 2), "/ of 1");
    EXPECT_EQ(path_in(k, k.new_autogroup(42), 100), "/autogroup-42 of 13");
    EXPECT_EQ(path_in(k, nullptr, 1), " of 0");
}

TEST(tg, path_of_any_length_in_any_room)
{
    kernel k{shape::v7_3};
    for (unsigned int name = 1; name <= 255; name += 127) {
        auto tg = k.root_task_group();
        std::string path;
        for (unsigned int depth = 0; depth < 8; depth++) {
            tg = k.new_task_group(tg, std::string(name, 'x'), depth + 2);
            path += "/" + std::string(name, 'x');
        }
        for (unsigned int size = 1; size <= path.size() + 2; size++)
            ASSERT_EQ(path_in(k, tg, size),
                      path.substr(0, size - 1) + " of " + std::to_string(path.size()));
    }
}

TEST(tg, path_is_absent_where_it_takes_a_lock_and_the_id_is_not)
{
    for (const auto release : releases) {
        kernel k{release};
        const auto group =
            k.new_group(k.cpu(0).cfs_rq(), k.new_task_group(k.root_task_group(), "user", 1234));
        EXPECT_EQ(sched_tp_has(k.table(), tg_path) != 0, release == shape::v7_3);
        EXPECT_EQ(sched_tp_has(k.table(), cfs_rq_path) != 0, release == shape::v7_3);
        const table view{k.table()};
        EXPECT_EQ(*view.tg_cgroup_id(group.tg), 1234u);
        EXPECT_EQ(*view.cfs_rq_cgroup_id(group.cfs_rq), 1234u);
        EXPECT_EQ(*view.cfs_rq_cgroup_id(k.cpu(0).cfs_rq()), 1u);
    }
}

TEST(tg, autogroup_has_a_number_and_no_cgroup)
{
    for (const auto release : releases) {
        kernel k{release};
        const table view{k.table()};
        const auto group = k.new_group(k.cpu(0).cfs_rq(), k.new_autogroup(42));
        EXPECT_TRUE(*view.tg_is_autogroup(group.tg));
        EXPECT_EQ(*view.tg_cgroup_id(group.tg), 0u);
        EXPECT_EQ(*view.cfs_rq_autogroup_id(group.cfs_rq), 42);
        EXPECT_EQ(*view.cfs_rq_autogroup_id(k.cpu(0).cfs_rq()), 0);
        EXPECT_FALSE(*view.tg_is_autogroup(k.root_task_group()));
    }
}

TEST(tg, queue_and_entity_are_of_the_cpu_asked)
{
    for (const auto release : releases) {
        kernel k{release, 3};
        const table view{k.table()};
        const auto tg = k.new_task_group(k.root_task_group(), "user", 7);
        const auto first = k.new_group(k.cpu(0).cfs_rq(), tg);
        const auto last = k.new_group(k.cpu(2).cfs_rq(), tg);

        EXPECT_EQ(*view.tg_cfs_rq(tg, 0), first.cfs_rq.get());
        EXPECT_EQ(*view.tg_cfs_rq(tg, 2), last.cfs_rq.get());
        EXPECT_EQ(*view.tg_se(tg, 0), first.se.get());
        EXPECT_EQ(*view.tg_se(tg, 2), last.se.get());
        EXPECT_EQ(*view.cfs_rq_tg(last.cfs_rq), tg.get());
        for (const int cpu : {-1, 1, 3, INT_MAX, INT_MIN}) {
            EXPECT_EQ(*view.tg_cfs_rq(tg, cpu), nullptr) << cpu;
            EXPECT_EQ(*view.tg_se(tg, cpu), nullptr) << cpu;
        }
        EXPECT_EQ(*view.tg_cfs_rq(k.root_task_group(), 1), k.cpu(1).cfs_rq().get());
        EXPECT_EQ(*view.tg_se(k.root_task_group(), 1), nullptr);
    }
}

TEST(tg, shares_are_scaled_down_and_a_quota_is_not)
{
    for (const auto release : releases) {
        kernel k{release};
        const table view{k.table()};
        const auto tg = k.new_task_group(k.root_task_group(), "user", 7);
        tg.set_shares(100ul * 1024);
        tg.set_quota(~0ull);
        tg.set_period(100000000);
        tg.set_burst(5);
        EXPECT_EQ(*view.tg_shares(tg), 100u);
        EXPECT_EQ(*view.tg_quota(tg), ~0ull);
        EXPECT_EQ(*view.tg_period(tg), 100000000u);
        EXPECT_EQ(*view.tg_burst(tg), 5u);
    }
}

TEST(tg, there_are_none_without_the_option)
{
    kernel k{shape::v6_12_up};
    EXPECT_FALSE(sched_tp_has(k.table(), tg_cgroup_id));
    EXPECT_FALSE(sched_tp_has(k.table(), tg_shares));
    EXPECT_THROW(k.root_task_group(), mock::lacking);
    EXPECT_THROW(k.new_autogroup(1), mock::lacking);
}

TEST(tg, root_group_has_no_other_queues)
{
    kernel k{shape::v6_12};
    EXPECT_THROW(k.new_group(k.cpu(0).cfs_rq(), k.root_task_group()), std::invalid_argument);
}

} // namespace
} // namespace schedtp::tests
