// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// The table of getters for C++17 and later: what callbacks.h offers, with types.
//
//   void probe(const sched_entity* se, const sched_tp_callbacks* cb)
//   {
//       const schedtp::table kernel{cb};
//       if (const auto util = kernel.se_util_est(se))
//           record(*util);                 // 0 is a value like any other
//   }
//
// Freestanding: nothing of std::, no exception, no heap, no static object.
#ifndef SCHEDTP_CALLBACKS_HPP
#define SCHEDTP_CALLBACKS_HPP

#include "callbacks.h"

namespace schedtp {

// What a getter says, or nothing where the table does not have the getter.
// An object that is NULL is no such case: its getter answers with a value.
template <typename T>
class optional {
public:
    using value_type = T;

    constexpr optional() noexcept = default;
    constexpr optional(T value) noexcept : value_{value}, present_{true} {}

    constexpr explicit operator bool() const noexcept { return present_; }
    constexpr bool has_value() const noexcept { return present_; }

    // The value. Only if there is one: else it is T{}, which means nothing.
    constexpr T operator*() const noexcept { return value_; }

    constexpr T value_or(T absent) const noexcept { return present_ ? value_ : absent; }

private:
    T value_{};
    bool present_{false};
};

// Two bool side by side are one word to clang, which it takes apart again with more code
// than the call takes. So a bool is an int here, until somebody asks.
template <>
class optional<bool> {
public:
    using value_type = bool;

    constexpr optional() noexcept = default;
    constexpr optional(bool value) noexcept : value_{value} {}

    constexpr explicit operator bool() const noexcept { return has_value(); }
    constexpr bool has_value() const noexcept { return value_ >= 0; }
    constexpr bool operator*() const noexcept { return value_ > 0; }
    constexpr bool value_or(bool absent) const noexcept { return has_value() ? **this : absent; }

private:
    int value_{-1};
};

// The getters as a type: table::has(getter::se_util_est).
enum class getter : unsigned int {
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) name = SCHED_TP_GETTER_##name,
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) name = SCHED_TP_GETTER_##name,
#include "getters.def"
};

// A view of the table that a probe was handed. One pointer, passed by value.
class table {
public:
    // A table that is NULL, has no header or another major version has no getter.
    explicit table(const sched_tp_callbacks* cb) noexcept : cb_{sched_tp_accept(cb)} {}

    // False for a table of which nothing can be read at all.
    explicit operator bool() const noexcept { return cb_ != nullptr; }

    // Bytes and version of the table; 0 if there is none.
    unsigned int size() const noexcept { return cb_ ? cb_->size : 0; }
    unsigned int version() const noexcept { return cb_ ? cb_->version : 0; }

    // The table as it was handed in, to give to C code; nullptr if not accepted.
    const sched_tp_callbacks* get() const noexcept { return cb_; }

    bool has(getter which) const noexcept
    {
        switch (which) {
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \
    case getter::name:                                \
        return sched_tp_has_##name(cb_) != 0;
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \
    SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include "getters.def"
        }
        return false;
    }

    // A method for each getter, of its name and with its arguments.
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \
    optional<ret> name() const noexcept               \
    {                                                 \
        if (sched_tp_has_##name(cb_))                 \
            return optional<ret>{(cb_->name)()};      \
        return {};                                    \
    }
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \
    optional<ret> name(params) const noexcept                  \
    {                                                          \
        if (sched_tp_has_##name(cb_))                          \
            return optional<ret>{(cb_->name)(args)};           \
        return {};                                             \
    }
#include "getters.def"

private:
    const sched_tp_callbacks* cb_;
};

} // namespace schedtp

#endif // SCHEDTP_CALLBACKS_HPP
