// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

#include <limits>
#include <type_traits>

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

// The shapes that account capacity.
std::vector<shape> smp_shapes()
{
    std::vector<shape> chosen;
    for (const auto which : mock::all_shapes)
        if (mock::description(which).config("SMP") == 1)
            chosen.push_back(which);
    return chosen;
}

// Case 5 of the known faults, and case 9: an architecture without a frequency scale, or
// one that an #ifdef forgot. No architecture is named in what these need.
TEST(rq, capacity_is_there_on_every_architecture)
{
    for (const auto& getter : getter_lines) {
        const std::string_view name = getter.name;
        if (name == "rq_cpu_current_capacity" || name == "rq_freq_scale") {
            EXPECT_EQ(getter.needs, "") << name;
        }
        if (name == "rq_cpu_capacity" || name == "rq_cpu_capacity_orig" ||
            name == "rq_cpu_actual_capacity") {
            EXPECT_EQ(getter.needs, "SMP") << name;
        }
    }
    for (const auto which : mock::all_shapes) {
        kernel k{which};
        EXPECT_TRUE(sched_tp_has(k.table(), rq_cpu_current_capacity));
        k.cpu(0).set_frequency(256);
        EXPECT_EQ(sched_tp_get(k.table(), rq_freq_scale, k.cpu(0), absent), 256);
    }
}

// Case 7: the field behind it went away between two of these releases.
TEST(rq, capacity_orig_is_one_getter_on_every_release)
{
    for (const auto which : smp_shapes()) {
        kernel k{which, 2};
        k.cpu(1).set_capacity(446);
        k.cpu(1).set_cpu_capacity(300);
        EXPECT_EQ(sched_tp_get(k.table(), rq_cpu_capacity_orig, k.cpu(0), absent), 1024);
        EXPECT_EQ(sched_tp_get(k.table(), rq_cpu_capacity_orig, k.cpu(1), absent), 446);
        EXPECT_EQ(sched_tp_get(k.table(), rq_cpu_capacity, k.cpu(1), absent), 300);
    }
}

// Case 12: two groups of two tasks on one CPU, and a task that is in none. What the CPU has
// is asked of the rq, and no queue's count is mistaken for it.
TEST(rq, nr_running_is_of_the_cpu_and_not_of_a_queue)
{
    for (const auto which : {shape::v6_1, shape::v6_12, shape::v7_3}) {
        kernel k{which, 2};
        const auto cpu = k.cpu(1);
        cpu.set_nr_running(5); // the fifth is no fair task
        cpu.cfs_rq().set_nr_queued(2);
        cpu.cfs_rq().set_h_nr_queued(4);
        const table view{k.table()};
        for (const auto& group : {k.new_group(cpu.cfs_rq()), k.new_group(cpu.cfs_rq())}) {
            group.cfs_rq.set_h_nr_queued(2);
            EXPECT_EQ(*view.cfs_rq_h_nr_queued(group.cfs_rq), 2u);
            EXPECT_EQ(*view.rq_nr_running(*view.cfs_rq_rq(group.cfs_rq)), 5u);
        }
        EXPECT_EQ(*view.rq_nr_running(cpu), 5u);
        EXPECT_EQ(*view.cfs_rq_h_nr_queued(*view.rq_cfs(cpu)), 4u);
        EXPECT_EQ(*view.rq_nr_running(k.cpu(0)), 0u);
    }
}

// Case 17: what is printed as a number of 32 bits is a truth value here.
TEST(rq, overutilized_is_a_truth_value)
{
    static_assert(
        std::is_same_v<decltype(sched_tp_callbacks::rq_overutilized), bool (*)(const ::rq*)>);
    for (const auto which : {shape::v6_1, shape::v6_12, shape::v7_3}) {
        kernel k{which};
        const auto overutilized = [&k] {
            return sched_tp_get(k.table(), rq_overutilized, k.cpu(0), false);
        };
        k.cpu(0).set_cfs_util_avg(900);
        EXPECT_FALSE(overutilized());
        k.set_energy_aware(true);
        EXPECT_TRUE(overutilized());
        k.cpu(0).set_uclamp_max(512);
        EXPECT_TRUE(overutilized());
        k.set_uclamp_used(true);
        EXPECT_FALSE(overutilized());
    }
}

TEST(rq, of_a_number_that_is_no_cpu_there_is_none)
{
    kernel k{shape::v6_12, 3};
    for (const int cpu : {-1, 3, 1000000, std::numeric_limits<int>::max()})
        EXPECT_EQ(sched_tp_get(k.table(), rq_of_cpu, cpu, k.cpu(0)), nullptr) << cpu;
    for (int cpu = 0; cpu < 3; cpu++) {
        const ::rq* const rq = sched_tp_get(k.table(), rq_of_cpu, cpu, nullptr);
        EXPECT_EQ(rq, k.cpu(static_cast<unsigned int>(cpu)).get());
        EXPECT_EQ(sched_tp_get(k.table(), rq_cpu, rq, -1), cpu);
    }
}

TEST(rq, utilisation_is_of_all_classes)
{
    kernel k{shape::v6_12};
    const auto cpu = k.cpu(0);
    const auto util = [&] { return sched_tp_get(k.table(), rq_util, cpu, absent); };
    cpu.set_cfs_util_avg(300);
    cpu.set_rt_util_avg(100);
    cpu.set_dl_util_avg(24);
    EXPECT_EQ(util(), 424);
    cpu.cfs_rq().set_util_est(400);
    EXPECT_EQ(util(), 524);
    k.set_util_est(false);
    EXPECT_EQ(util(), 424);
    cpu.set_irq_util_avg(512); // tasks have the other half
    EXPECT_EQ(util(), 724);
}

TEST(rq, actual_capacity_knows_the_pressures_of_its_release)
{
    for (const auto which : {shape::v6_1, shape::v6_12, shape::v7_3}) {
        kernel k{which};
        const auto cpu = k.cpu(0);
        const auto capacity = [&] {
            return sched_tp_get(k.table(), rq_cpu_actual_capacity, cpu, absent);
        };
        cpu.set_hw_load_avg(24);
        EXPECT_EQ(capacity(), 1000);
        if (which == shape::v6_1) {
            EXPECT_THROW(cpu.set_cpufreq_pressure(124), mock::lacking);
        } else {
            cpu.set_cpufreq_pressure(124);
            EXPECT_EQ(capacity(), 900);
        }
    }
}

TEST(rq, what_a_release_lacks_is_named)
{
    kernel k{shape::v6_1};
    try {
        k.cpu(0).set_cpufreq_pressure(1);
        FAIL() << "stored where nobody asks";
    } catch (const mock::lacking& error) {
        EXPECT_STREQ(error.what(), "schedtp mock: kernel v6_1 has no cpufreq pressure: "
                                   "that came with another release");
    }
    kernel bare{shape::v7_3_up};
    EXPECT_THROW(bare.set_energy_aware(true), mock::lacking);
    EXPECT_THROW(bare.set_uclamp_used(true), mock::lacking);
    EXPECT_THROW(bare.cpu(0).set_uclamp_max(1), mock::lacking);
    kernel up{shape::v6_12_up};
    EXPECT_THROW(up.set_util_est(false), mock::lacking);
    EXPECT_THROW(up.cpu(0).set_cpufreq_pressure(1), mock::lacking);
    EXPECT_THROW(up.cpu(0).set_cpu_capacity(1), mock::lacking);
}

// As the scheduler sets a CPU up: nothing runs, nothing is clamped, all is there.
TEST(rq, a_new_cpu_is_whole_and_idle)
{
    for (const auto which : {shape::v6_1, shape::v6_12, shape::v7_3}) {
        kernel k{which};
        const auto cpu = k.cpu(0);
        EXPECT_EQ(sched_tp_get(k.table(), rq_cpu_capacity, cpu, absent), 1024);
        EXPECT_EQ(sched_tp_get(k.table(), rq_uclamp_min, cpu, absent), 0);
        EXPECT_EQ(sched_tp_get(k.table(), rq_uclamp_max, cpu, absent), 1024);
        EXPECT_TRUE(sched_tp_get(k.table(), rq_uclamp_idle, cpu, false));
        EXPECT_EQ(sched_tp_get(k.table(), rq_uclamp_util, SCHED_TP_ARGS(cpu, 2000), absent), 2000);
        EXPECT_EQ(sched_tp_get(k.table(), rq_nr_running, cpu, 77u), 0);
        cpu.set_core_cookie(5); // a core of its own
        EXPECT_EQ(sched_tp_get(k.table(), rq_core_cookie, cpu, absent), 5);
    }
}

} // namespace
} // namespace schedtp::tests
