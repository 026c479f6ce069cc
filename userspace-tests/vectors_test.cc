// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// The vectors of kunit/ on the mock's objects, and that none is missing.
#include "getters.hpp"

#include <algorithm>
#include <set>

namespace schedtp::tests {
namespace {

TEST_P(vectors, holds)
{
    const auto& shape = mock::description(GetParam().shape);
    const auto vector = vector_of(GetParam());

    // A vector that this shape compiles is of a getter that it has.
    ASSERT_TRUE(getter_lines.at(vector.getter).has(shape.table));
    unsigned long long expected = 0;
    const auto result = shape.run_vector(GetParam().index, shape.table, &expected);
    EXPECT_EQ(result, expected);
}

class vector_list : public testing::TestWithParam<mock::shape> {};

INSTANTIATE_TEST_SUITE_P(all, vector_list, testing::ValuesIn(mock::all_shapes), shape_name);

TEST_P(vector_list, covers_every_getter_that_the_shape_has)
{
    const auto& shape = mock::description(GetParam());
    std::set<sched_tp_getter> covered;
    for (unsigned int index = 0; index < shape.nr_vectors; index++)
        covered.insert(shape.vector(index).getter);

    for (const auto& getter : getter_lines)
        EXPECT_EQ(covered.count(getter.id) != 0, getter.has(shape.table) != 0) << getter.name;
}

TEST(vector_list, is_run_whole_by_the_files_of_the_subjects)
{
    std::multiset<std::string> run;
    const auto& program = *testing::UnitTest::GetInstance();
    for (int s = 0; s < program.total_test_suite_count(); s++) {
        const auto& suite = *program.GetTestSuite(s);
        if (!std::string_view{suite.name()}.ends_with("/vectors"))
            continue;
        for (int t = 0; t < suite.total_test_count(); t++) {
            const std::string name = suite.GetTestInfo(t)->name();
            run.insert(name.substr(name.find('/') + 1));
        }
    }

    std::multiset<std::string> all;
    for (const auto& which : all_vectors())
        all.insert(name_of(which));
    EXPECT_EQ(run, all);
}

} // namespace
} // namespace schedtp::tests
