// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// The same tables through the C++ view.
#include "getters.hpp"

#include <schedtp/callbacks.hpp>

#include <type_traits>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;
using mock::table_copy;

static_assert(std::is_trivially_copyable_v<schedtp::table>);
static_assert(sizeof(schedtp::table) == sizeof(void*));
static_assert(!std::is_convertible_v<schedtp::optional<unsigned int>, unsigned int>);

constexpr getter of(const getter_line& line)
{
    return static_cast<getter>(line.id);
}

class view : public testing::TestWithParam<shape> {
protected:
    kernel k{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(all, view, testing::ValuesIn(mock::all_shapes), shape_name);

TEST_P(view, of_any_size_has_what_the_accessors_say)
{
    for (unsigned int size = 0; size <= sizeof(sched_tp_callbacks) + 24; size++) {
        table_copy copy{k.table()};
        copy.resize(size);
        const schedtp::table table{copy};

        EXPECT_EQ(static_cast<bool>(table), size >= 8) << size;
        EXPECT_EQ(table.get(), size >= 8 ? copy.get() : nullptr) << size;
        EXPECT_EQ(table.size(), size >= 8 ? size : 0) << size;
        EXPECT_EQ(table.version(), size >= 8 ? SCHED_TP_VERSION : 0) << size;
        for (const auto& getter : getter_lines)
            EXPECT_EQ(table.has(of(getter)), getter.end <= size && getter.has(k.table()))
                << getter.name << " of " << size;
    }
}

TEST_P(view, calls_no_slot_beyond_the_end)
{
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    for (unsigned int size = 0; size <= sizeof(sched_tp_callbacks); size++) {
        table_copy copy{k.table()};
        copy.resize(size);
        const schedtp::table table{copy};

        EXPECT_EQ(table.errata().has_value(), table.has(getter::errata)) << size;
        EXPECT_EQ(table.cfs_rq_util_est(k.cpu(0).cfs_rq()).has_value(),
                  table.has(getter::cfs_rq_util_est))
            << size;
        EXPECT_EQ(table.se_util_est(task.se()).has_value(), table.has(getter::se_util_est)) << size;
        EXPECT_EQ(table.rq_cpu_current_capacity(k.cpu(0)).has_value(),
                  table.has(getter::rq_cpu_current_capacity))
            << size;
    }
}

TEST_P(view, lacks_a_slot_that_is_null_and_no_other)
{
    for (const auto& emptied : getter_lines) {
        table_copy copy{k.table()};
        copy.empty(emptied.id);
        for (const auto& getter : getter_lines)
            EXPECT_EQ(schedtp::table{copy}.has(of(getter)),
                      getter.id != emptied.id && getter.has(k.table()))
                << getter.name << " without " << emptied.name;
    }
}

void expect_nothing(schedtp::table table)
{
    EXPECT_FALSE(table);
    EXPECT_EQ(table.get(), nullptr);
    EXPECT_EQ(table.size(), 0);
    EXPECT_EQ(table.version(), 0);
    for (const auto& getter : getter_lines)
        EXPECT_FALSE(table.has(of(getter))) << getter.name;
    EXPECT_FALSE(table.errata());
    EXPECT_FALSE(table.cfs_rq_util_est(nullptr));
    EXPECT_FALSE(table.se_util_est(nullptr));
    EXPECT_FALSE(table.rq_cpu_current_capacity(nullptr));
}

TEST_P(view, of_another_major_version_has_nothing)
{
    table_copy copy{k.table()};
    expect_nothing(schedtp::table{copy.set_version(SCHED_TP_VERSION_MAJOR + 1, 0)});
}

TEST(view, of_a_null_table_has_nothing)
{
    expect_nothing(schedtp::table{nullptr});
}

TEST(view, of_a_table_that_claims_any_size_has_the_getters)
{
    const kernel k{shape::v6_12};
    table_copy copy{k.table()};
    copy.claim(0xffffffffu);
    const schedtp::table table{copy};
    for (const auto& getter : getter_lines)
        EXPECT_EQ(table.has(of(getter)), getter.has(k.table()) != 0) << getter.name;
}

TEST(view, has_no_getter_of_a_number_it_does_not_know)
{
    const kernel k{shape::v6_12};
    EXPECT_FALSE(schedtp::table{k.table()}.has(static_cast<getter>(SCHED_TP_NR_GETTERS)));
}

TEST(view, of_a_header_is_readable_and_lacks_all)
{
    const auto header = table_copy::header_only();
    const schedtp::table table{header};
    EXPECT_TRUE(table);
    EXPECT_EQ(table.size(), 8);
    EXPECT_FALSE(table.errata());
}

TEST(view, gives_the_value_of_the_getter_of_the_name)
{
    kernel k{shape::v6_12};
    k.cpu(0).set_capacity(111);
    k.cpu(0).cfs_rq().set_util_est(222);
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.se().set_util_est(333);
    const schedtp::table table{k.table()};

    EXPECT_EQ(*table.rq_cpu_current_capacity(k.cpu(0)), 111);
    EXPECT_EQ(*table.cfs_rq_util_est(k.cpu(0).cfs_rq()), 222);
    EXPECT_EQ(*table.se_util_est(task.se()), 333);
}

TEST(view, tells_0_from_absent)
{
    kernel k{shape::v6_12};
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    const auto header = table_copy::header_only();

    const auto zero = schedtp::table{k.table()}.se_util_est(task.se());
    EXPECT_TRUE(zero);
    EXPECT_TRUE(zero.has_value());
    EXPECT_EQ(*zero, 0);
    EXPECT_EQ(zero.value_or(9), 0);

    const auto null_object = schedtp::table{k.table()}.se_util_est(nullptr);
    EXPECT_TRUE(null_object);
    EXPECT_EQ(null_object.value_or(9), 0);

    const auto absent = schedtp::table{header}.se_util_est(task.se());
    EXPECT_FALSE(absent);
    EXPECT_FALSE(absent.has_value());
    EXPECT_EQ(*absent, 0);
    EXPECT_EQ(absent.value_or(9), 9);
}

} // namespace
} // namespace schedtp::tests
