// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// A bare tracepoint of the mock kernel: probes register as in a kernel module, and
// a test makes it fire.
#ifndef SCHEDTP_MOCK_TRACEPOINT_HPP
#define SCHEDTP_MOCK_TRACEPOINT_HPP

#include <schedtp/callbacks.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

namespace schedtp::mock {

class kernel;

template <typename Signature>
class tracepoint;

// Signature is void(ARGUMENTS), as tracepoints.def lists them.
template <typename... Args>
class tracepoint<void(Args...)> {
public:
    // A probe of another prototype does not compile.
    using probe_type = void (*)(void* data, Args..., const sched_tp_callbacks* table);

    tracepoint(const tracepoint&) = delete;
    tracepoint& operator=(const tracepoint&) = delete;

    // As sched_tp_register() of schedtp/tracepoints.h. The same probe may be attached
    // several times, each with other data. They are called in the order of attaching.
    //
    // 0; -EPROTONOSUPPORT if the table that the kernel hands out now is none that these
    // headers can read; -EOPNOTSUPP if this kernel has no such tracepoint; -EINVAL for no
    // probe; -EEXIST for a pair that is attached.
    int attach(probe_type probe, void* data = nullptr)
    {
        if (!sched_tp_accept(table_))
            return -EPROTONOSUPPORT;
        if (!there_)
            return -EOPNOTSUPP;
        if (!probe)
            return -EINVAL;
        if (contains({probe, data}))
            return -EEXIST;
        auto longer = *attached_;
        longer.emplace_back(probe, data);
        attached_ = std::make_shared<const list>(std::move(longer));
        return 0;
    }

    // What sched_tp_has_tracepoint() says in a module for this kernel.
    bool there() const noexcept { return there_; }

    // As sched_tp_unregister(). 0, or -ENOENT for a pair that is not attached. (Here a
    // kernel says so only if no probe at all is attached to the tracepoint, else 0.)
    int detach(probe_type probe, void* data = nullptr)
    {
        if (!contains({probe, data}))
            return -ENOENT;
        auto shorter = *attached_;
        std::erase(shorter, entry{probe, data});
        attached_ = std::make_shared<const list>(std::move(shorter));
        return 0;
    }

    // Calls the probes that were attached when it began. As with RCU in the kernel, one
    // that is detached meanwhile is still called this once, one attached is not yet.
    void fire(Args... args) const
    {
        const auto probes = attached_;
        for (const auto& [probe, data] : *probes)
            probe(data, args..., table_);
    }

private:
    using entry = std::pair<probe_type, void*>;
    using list = std::vector<entry>;

    friend class kernel;

    // Reads what the kernel hands out each time it fires.
    tracepoint(const sched_tp_callbacks* const& table, bool there) : table_{table}, there_{there} {}

    bool contains(const entry& wanted) const
    {
        return std::find(attached_->begin(), attached_->end(), wanted) != attached_->end();
    }

    const sched_tp_callbacks* const& table_;
    bool there_;
    std::shared_ptr<const list> attached_{std::make_shared<const list>()};
};

} // namespace schedtp::mock

#endif // SCHEDTP_MOCK_TRACEPOINT_HPP
