// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;

INSTANTIATE_TEST_SUITE_P(task, vectors, testing::ValuesIn(vectors_of("task")), vector_name);

constexpr unsigned int absent = 77;

class tasks : public testing::TestWithParam<shape> {
protected:
    kernel k{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(all, tasks, testing::ValuesIn(mock::all_shapes), shape_name);

// Case 20: tools broke when the state's member got another name. A probe does not name it.
TEST_P(tasks, state_is_read_without_knowing_the_member)
{
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.set_state(2);
    EXPECT_EQ(sched_tp_get(k.table(), task_state, task, absent), 2U);
    task.set_state(0x402);
    EXPECT_EQ(sched_tp_get(k.table(), task_state, task, absent), 0x402U);
}

std::string name_of(const kernel& k, const ::task_struct* task)
{
    unsigned char name[16];
    sched_tp_get(k.table(), task_comm, task, name, sizeof(name), absent);
    return reinterpret_cast<const char*>(name);
}

// Case 26: names that were looked up when the trace had ended, and were those of then.
TEST_P(tasks, name_is_that_of_its_time)
{
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    std::vector<std::string> recorded;
    const std::vector<std::string> names{
        "bash", "a b", "k=v", "line\nbreak", "\xff\xfe\x80", "", "123456789012345"};
    for (const auto& name : names) {
        task.set_comm(name);
        recorded.push_back(name_of(k, task));
    }
    EXPECT_EQ(recorded, names);

    task.set_comm("0123456789abcdefghij");
    EXPECT_EQ(name_of(k, task), "0123456789abcde");
}

TEST_P(tasks, name_fits_into_any_buffer)
{
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.set_comm("123456789012345");
    for (unsigned int size = 0; size <= 20; size++) {
        std::vector<unsigned char> name(size + 1, 0x5a);
        EXPECT_EQ(sched_tp_get(k.table(), task_comm, task, name.data(), size, absent), 15U);
        EXPECT_EQ(name[size], 0x5a) << size;
        if (size != 0) {
            EXPECT_EQ(std::string(reinterpret_cast<const char*>(name.data())),
                      std::string("123456789012345").substr(0, size - 1));
        }
    }
}

TEST_P(tasks, identity_is_what_the_single_getters_say)
{
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.set_pid(1234);
    task.set_tgid(1230);
    task.set_nvcsw(5);
    task.set_nivcsw(6);
    task.set_prio(-1);
    task.set_policy(6);
    task.set_flags(0x00200000);
    task.set_comm("sugov:0");

    sched_tp_task_identity id{};
    EXPECT_EQ(sched_tp_get(k.table(), task_identity, task, &id, sizeof(id), absent), sizeof(id));
    EXPECT_EQ(id.pid, 1234);
    EXPECT_EQ(id.tgid, 1230);
    EXPECT_EQ(id.nvcsw, 5U);
    EXPECT_EQ(id.nivcsw, 6U);
    EXPECT_EQ(id.prio, -1);
    EXPECT_EQ(id.policy, 6U);
    EXPECT_EQ(id.is_kthread, 1U);
    EXPECT_EQ(id.is_exiting, 0U);
    EXPECT_EQ(id.cpu, 0);
    EXPECT_STREQ(reinterpret_cast<const char*>(id.comm), "sugov:0");
    EXPECT_TRUE(sched_tp_valid(&id, task_identity, prio));
    EXPECT_EQ(sched_tp_valid(&id, task_identity, cgroup_id),
              sched_tp_has(k.table(), task_cgroup_id));
}

TEST(task, clamps_that_hold_are_those_asked_for_until_something_limits_them)
{
    kernel k{shape::v6_12};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.set_uclamp_min(200);
    task.set_uclamp_max(700);
    EXPECT_EQ(sched_tp_get(k.table(), task_uclamp_req_min, task, absent), 200U);
    EXPECT_EQ(sched_tp_get(k.table(), task_uclamp_eff_min, task, absent), 200UL);
    EXPECT_EQ(sched_tp_get(k.table(), task_uclamp_eff_max, task, absent), 700UL);

    kernel up{shape::v6_12_up};
    const auto other = up.new_task(up.cpu(0).cfs_rq());
    EXPECT_THROW(other.set_uclamp_min(1), mock::lacking);
    EXPECT_FALSE(sched_tp_has(up.table(), task_uclamp_req_min));
}

TEST(task, leads_to_its_cpu)
{
    kernel k{shape::v7_3, 3};
    const auto task = k.new_task(k.cpu(2).cfs_rq());
    EXPECT_EQ(sched_tp_get(k.table(), task_cpu, task, 77), 2);
    EXPECT_EQ(sched_tp_get(k.table(), task_rq, task, nullptr), k.cpu(2).get());
    EXPECT_EQ(sched_tp_get(k.table(), task_se, task, nullptr), task.se().get());
}

} // namespace
} // namespace schedtp::tests
