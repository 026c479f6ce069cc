// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// The list of getters, and the vectors of kunit/, as test parameters.
#ifndef SCHEDTP_TESTS_GETTERS_HPP
#define SCHEDTP_TESTS_GETTERS_HPP

#include <schedtp/mock/mock.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace schedtp::mock {

inline void PrintTo(shape which, std::ostream* out)
{
    *out << description(which).name;
}

} // namespace schedtp::mock

namespace schedtp::tests {

struct getter_line {
    sched_tp_getter id;
    const char* name;
    unsigned int offset; // of its slot
    unsigned int end;    // a table that has it has at least so many bytes
    std::string_view needs;
    int (*has)(const sched_tp_callbacks* cb);
};

inline constexpr std::array getter_lines{
#define SCHED_TP_GETTER_VOID(since, ret, name, needs)                                \
    getter_line{SCHED_TP_GETTER_##name,   #name, offsetof(sched_tp_callbacks, name), \
                SCHED_TP_SIZE_WITH(name), needs, sched_tp_has_##name},
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \
    SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
};

// A vector of a shape, named SHAPE_GETTER_CASE.
struct vector_case {
    mock::shape shape;
    unsigned int index;
};

inline schedtp_mock_vector vector_of(const vector_case& which)
{
    return mock::description(which.shape).vector(which.index);
}

inline std::string name_of(const vector_case& which)
{
    const auto vector = vector_of(which);
    return std::string{mock::description(which.shape).name} + "_" +
           getter_lines.at(vector.getter).name + "_" + vector.name;
}

inline void PrintTo(const vector_case& which, std::ostream* out)
{
    *out << name_of(which);
}

inline std::vector<vector_case> all_vectors()
{
    std::vector<vector_case> all;
    for (const auto shape : mock::all_shapes)
        for (unsigned int index = 0; index < mock::description(shape).nr_vectors; index++)
            all.push_back({shape, index});
    return all;
}

// The vectors of a subject: of the getter of that name, and of those that start with it.
inline std::vector<vector_case> vectors_of(const std::string& subject)
{
    std::vector<vector_case> chosen;
    for (const auto& candidate : all_vectors()) {
        const std::string_view getter = getter_lines.at(vector_of(candidate).getter).name;
        if (getter == subject || getter.substr(0, subject.size() + 1) == subject + "_")
            chosen.push_back(candidate);
    }
    return chosen;
}

// The tests of vectors_test.cc, which the file of each subject runs on its vectors:
//
//   INSTANTIATE_TEST_SUITE_P(se, vectors, testing::ValuesIn(vectors_of("se")), vector_name);
class vectors : public testing::TestWithParam<vector_case> {};

inline std::string vector_name(const testing::TestParamInfo<vector_case>& info)
{
    return name_of(info.param);
}

inline std::string shape_name(const testing::TestParamInfo<mock::shape>& info)
{
    return mock::description(info.param).name;
}

} // namespace schedtp::tests

#endif // SCHEDTP_TESTS_GETTERS_HPP
