// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// The tables of every kind of kernel, read through the C accessors.
#include "getters.hpp"

#include <algorithm>
#include <iterator>

namespace schedtp::tests {
namespace {

using mock::kernel;
using mock::shape;
using mock::table_copy;

class table : public testing::TestWithParam<shape> {
protected:
    kernel k{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(all, table, testing::ValuesIn(mock::all_shapes), shape_name);

// Cut at the first `separator`: what is before it, and what comes after.
std::string_view cut(std::string_view& text, std::string_view separator)
{
    const auto end = text.find(separator);
    const auto part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
    return part;
}

// Whether a shape has what the list's column `needs` says: A && B || C.
bool configured(shape which, std::string_view needs)
{
    if (needs.empty())
        return true;
    while (!needs.empty()) {
        auto all = cut(needs, " || ");
        bool on = true;
        while (!all.empty()) {
            const std::string option{cut(all, " && ")};
            const int state = mock::description(which).config(option.c_str());
            EXPECT_NE(state, -1) << "options.def does not have " << option;
            on = on && state == 1;
        }
        if (on)
            return true;
    }
    return false;
}

TEST_P(table, has_the_slots_that_the_list_says)
{
    for (const auto& getter : getter_lines)
        EXPECT_EQ(getter.has(k.table()) != 0, configured(GetParam(), getter.needs)) << getter.name;
}

TEST_P(table, says_its_size_and_version)
{
    EXPECT_EQ(k.table()->size, sizeof(sched_tp_callbacks));
    EXPECT_EQ(k.table()->version, SCHED_TP_VERSION);
    EXPECT_EQ(sched_tp_accept(k.table()), k.table());
}

TEST_P(table, of_any_size_has_the_slots_that_end_within)
{
    for (unsigned int size = 0; size <= sizeof(sched_tp_callbacks) + 24; size++) {
        table_copy copy{k.table()};
        copy.resize(size);
        ASSERT_EQ(copy.get()->size, size);

        const auto* const accepted = sched_tp_accept(copy);
        EXPECT_EQ(accepted != nullptr, size >= 8) << size;
        for (const auto& getter : getter_lines) {
            const bool expected = getter.end <= size && getter.has(k.table());
            EXPECT_EQ(getter.has(copy), expected) << getter.name << " of " << size;
            EXPECT_EQ(getter.has(accepted), expected) << getter.name << " of " << size;
        }
    }
}

TEST_P(table, that_claims_any_size_has_what_the_kernel_gave_it)
{
    table_copy copy{k.table()};
    copy.claim(0xffffffffu);
    ASSERT_NE(sched_tp_accept(copy), nullptr);
    for (const auto& getter : getter_lines)
        EXPECT_EQ(getter.has(copy), getter.has(k.table())) << getter.name;
}

TEST_P(table, of_this_minor_version_is_this_table)
{
    table_copy copy{k.table()};
    copy.as_minor(SCHED_TP_VERSION_MINOR);
    EXPECT_EQ(copy.get()->size, k.table()->size);
    EXPECT_EQ(copy.get()->version, k.table()->version);
}

TEST_P(table, of_a_minor_version_to_come_is_read_as_far_as_known)
{
    table_copy copy{k.table()};
    copy.as_future(3);
    EXPECT_EQ(copy.get()->size, sizeof(sched_tp_callbacks) + 3 * sizeof(void (*)()));
    ASSERT_NE(sched_tp_accept(copy), nullptr);
    for (const auto& getter : getter_lines)
        EXPECT_EQ(getter.has(copy), getter.has(k.table())) << getter.name;
}

TEST_P(table, of_another_major_version_is_not_accepted)
{
    for (const unsigned int major : {0u, SCHED_TP_VERSION_MAJOR + 1, 0xffffu}) {
        table_copy copy{k.table()};
        copy.set_version(major, 0);
        const auto* const accepted = sched_tp_accept(copy);
        EXPECT_EQ(accepted, nullptr) << major;
        for (const auto& getter : getter_lines)
            EXPECT_FALSE(getter.has(accepted)) << getter.name;
    }
}

TEST_P(table, with_any_minor_version_is_accepted)
{
    for (const unsigned int minor : {0u, 1u, 0xffffu}) {
        table_copy copy{k.table()};
        copy.set_version(SCHED_TP_VERSION_MAJOR, minor);
        EXPECT_EQ(sched_tp_accept(copy), copy.get()) << minor;
    }
}

TEST_P(table, lacks_a_slot_that_is_null_and_no_other)
{
    for (const auto& emptied : getter_lines) {
        table_copy copy{k.table()};
        copy.empty(emptied.id);
        for (const auto& getter : getter_lines)
            EXPECT_EQ(getter.has(copy), getter.id != emptied.id && getter.has(k.table()))
                << getter.name << " without " << emptied.name;
    }
}

TEST(table, that_is_null_has_nothing)
{
    EXPECT_EQ(sched_tp_accept(nullptr), nullptr);
    for (const auto& getter : getter_lines)
        EXPECT_FALSE(getter.has(nullptr)) << getter.name;
}

TEST(table, of_a_kernel_without_the_option_has_a_header_and_nothing)
{
    const auto header = table_copy::header_only();
    EXPECT_EQ(header.get()->size, 8);
    EXPECT_EQ(sched_tp_accept(header), header.get());
    for (const auto& getter : getter_lines)
        EXPECT_FALSE(getter.has(header)) << getter.name;
}

// Call a getter with an object and zeros for the rest, or where it takes none with zeros.
template <typename Ret, typename Object, typename... Rest>
void call_on(void* object, Ret (*slot)(Object*, Rest...))
{
    static_cast<void>(slot(static_cast<Object*>(object), Rest{}...));
}

template <typename Ret, typename... Numbers>
void call_on(void* /*object*/, Ret (*slot)(Numbers...))
{
    static_cast<void>(slot(Numbers{}...));
}

void call_each_on(void* object, const sched_tp_callbacks* cb)
{
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \
    if (sched_tp_has(cb, name))                       \
        call_on(object, cb->name);
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \
    SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
}

// Case 64: probes that were handed NULL, or an object that had nothing in it any more,
// brought the machine down. None here follows a pointer that is not there.
TEST_P(table, takes_null_and_objects_without_content)
{
    call_each_on(nullptr, k.table());

    // Whatever the object, and whatever it is a part of: zero all around.
    std::vector<unsigned long long> zeros(16384);
    call_each_on(&zeros[zeros.size() / 2], k.table());
    EXPECT_EQ(std::count(zeros.begin(), zeros.end(), 0U), std::ssize(zeros));
}

// A value 0, a NULL object and an absent getter, told apart by every getter.
TEST(table, tells_0_from_absent)
{
    kernel k{shape::v6_12};
    k.cpu(0).set_frequency(0);
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    const auto header = table_copy::header_only();

    EXPECT_EQ(sched_tp_get(k.table(), errata, 9), 0);
    EXPECT_EQ(sched_tp_get(k.table(), cfs_rq_util_est, k.cpu(0).cfs_rq(), 9), 0);
    EXPECT_EQ(sched_tp_get(k.table(), se_util_est, task.se(), 9), 0);
    EXPECT_EQ(sched_tp_get(k.table(), rq_cpu_current_capacity, k.cpu(0), 9), 0);

    EXPECT_EQ(sched_tp_get(header, errata, 9), 9);
    EXPECT_EQ(sched_tp_get(header, cfs_rq_util_est, k.cpu(0).cfs_rq(), 9), 9);
    EXPECT_EQ(sched_tp_get(header, se_util_est, task.se(), 9), 9);
    EXPECT_EQ(sched_tp_get(header, rq_cpu_current_capacity, k.cpu(0), 9), 9);
}

// Called with a pointer that the getter returns: who gets which slot is seen.
TEST(table, calls_the_slot_of_the_name)
{
    kernel k{shape::v6_12};
    k.cpu(0).set_capacity(111);
    k.cpu(0).cfs_rq().set_util_est(222);
    const auto task = k.new_task(k.cpu(0).cfs_rq());
    task.se().set_util_est(333);

    EXPECT_EQ(sched_tp_get(k.table(), rq_cpu_current_capacity, k.cpu(0), 9), 111);
    EXPECT_EQ(sched_tp_get(k.table(), cfs_rq_util_est, k.cpu(0).cfs_rq(), 9), 222);
    EXPECT_EQ(sched_tp_get(k.table(), se_util_est, task.se(), 9), 333);
}

TEST(table_copy, refuses_to_write_beyond_its_end)
{
    const kernel k{shape::v6_12};
    table_copy copy{k.table()};
    copy.resize(7);
    EXPECT_THROW(copy.set_version(2, 0), std::out_of_range);
    copy.resize(SCHED_TP_SIZE_WITH(errata));
    EXPECT_NO_THROW(copy.empty(SCHED_TP_GETTER_errata));
    EXPECT_THROW(copy.empty(SCHED_TP_GETTER_cfs_rq_util_est), std::out_of_range);
}

} // namespace
} // namespace schedtp::tests
