// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// A kernel for tests of probes: objects in any state, the tracepoints that carry
// them, and the real getters, compiled from kernel/sched/tp over stand-in structures.
//
//   using schedtp::mock::kernel;
//   using schedtp::mock::shape;
//
//   kernel k{shape::v6_12, 4};                      // four CPUs
//   const auto task = k.new_task(k.cpu(2).cfs_rq());
//   task.se().set_util_est(300 | 0x80000000u);      // the raw word, with its flag
//
//   k.sched_util_est_se.attach(my_probe, &my_data);
//   k.sched_util_est_se.fire(task.se());            // my_probe(&my_data, se, table)
//
// A shape is a kernel version and configuration, and lacks what that one lacks:
// see shapes.def. One thread at a time; one kernel of a shape at a time.
#ifndef SCHEDTP_MOCK_MOCK_HPP
#define SCHEDTP_MOCK_MOCK_HPP

#include <schedtp/callbacks.h>
#include <schedtp/mock/shape.h>
#include <schedtp/mock/table_copy.hpp>
#include <schedtp/mock/tracepoint.hpp>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedtp::mock {

enum class shape : unsigned int {
#define SCHEDTP_MOCK_SHAPE(name) name,
#include <schedtp/mock/shapes.def>
};

inline constexpr std::array all_shapes{
#define SCHEDTP_MOCK_SHAPE(name) shape::name,
#include <schedtp/mock/shapes.def>
};

// What shape.c offers of a shape; rarely needed beside class kernel.
inline const schedtp_mock_shape& description(shape which)
{
    static constexpr std::array descriptions{
#define SCHEDTP_MOCK_SHAPE(name) &schedtp_mock_##name,
#include <schedtp/mock/shapes.def>
    };
    return *descriptions.at(static_cast<unsigned int>(which));
}

// Thrown when a test asks a shape for what that kernel does not have.
class lacking : public std::logic_error {
public:
    lacking(const schedtp_mock_shape& shape, const std::string& what, const std::string& option)
        : logic_error{"schedtp mock: kernel " + std::string{shape.name} + " has no " + what +
                      ": that needs CONFIG_" + option}
    {
    }
};

// A kernel's object, as a pointer that its setters go with. Objects live as long as
// their kernel; a copy refers to the same object.
template <typename Object>
class object_ref {
public:
    object_ref(const schedtp_mock_shape& shape, Object* object) : shape_{&shape}, object_{object} {}

    Object* get() const noexcept { return object_; }

    // What get() gives, to pass an object to a tracepoint or a getter.
    operator Object*() const noexcept { return object_; }

protected:
    const schedtp_mock_shape& shape() const noexcept { return *shape_; }

private:
    const schedtp_mock_shape* shape_;
    Object* object_;
};

// The setters of fields.def, each in the class of its object.
#define SCHEDTP_MOCK_SETTER(object, field, type, needs)           \
    void set_##field(type value) const                            \
    {                                                             \
        if (shape().set_##object##_##field(get(), value) != 0)    \
            throw lacking{shape(), #object "'s " #field, #needs}; \
    }

// A cfs_rq, of a CPU or of a group on a CPU.
class cfs_rq_ref : public object_ref<::cfs_rq> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_SETTER_sched_entity(field, type, needs)
#define SCHEDTP_MOCK_SETTER_cfs_rq(field, type, needs) \
    SCHEDTP_MOCK_SETTER(cfs_rq, field, type, needs)
#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_SETTER_##object(field, type, needs)
#include <schedtp/mock/fields.def>
#undef SCHEDTP_MOCK_SETTER_cfs_rq
#undef SCHEDTP_MOCK_SETTER_sched_entity
};

// A sched_entity, of a task or of a group on a CPU.
class se_ref : public object_ref<::sched_entity> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_SETTER_cfs_rq(field, type, needs)
#define SCHEDTP_MOCK_SETTER_sched_entity(field, type, needs) \
    SCHEDTP_MOCK_SETTER(sched_entity, field, type, needs)
#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_SETTER_##object(field, type, needs)
#include <schedtp/mock/fields.def>
#undef SCHEDTP_MOCK_SETTER_sched_entity
#undef SCHEDTP_MOCK_SETTER_cfs_rq
};

#undef SCHEDTP_MOCK_SETTER

class task_ref : public object_ref<::task_struct> {
public:
    using object_ref::object_ref;

    se_ref se() const { return {shape(), shape().task_se(get())}; }
};

// A task group, as one CPU has it: its entity, and the queue that this owns.
struct group_ref {
    se_ref se;
    cfs_rq_ref cfs_rq;
};

// A CPU: its rq, and what the architecture says of it.
class cpu_ref : public object_ref<::rq> {
public:
    cpu_ref(const schedtp_mock_shape& shape, ::rq* rq, unsigned long& capacity,
            unsigned long& frequency)
        : object_ref{shape, rq}, capacity_{&capacity}, frequency_{&frequency}
    {
    }

    // The root cfs_rq.
    cfs_rq_ref cfs_rq() const { return {shape(), shape().root_cfs_rq(get())}; }

    // Capacity at the highest frequency: 1 to 1024, as arch_scale_cpu_capacity() gives
    // it; 1024 at first. lacking{} without CONFIG_SMP, where it always is 1024.
    void set_capacity(unsigned long capacity) const
    {
        if (shape().config("SMP") != 1)
            throw lacking{shape(), "capacity of a CPU to set", "SMP"};
        *capacity_ = capacity;
    }

    // Current over highest frequency, in 1024ths: 0 to 1024, as arch_scale_freq_capacity()
    // gives it; 1024 at first.
    void set_frequency(unsigned long scale) const { *frequency_ = scale; }

private:
    unsigned long* capacity_;
    unsigned long* frequency_;
};

class kernel {
public:
    // std::invalid_argument for no CPU, lacking{} for more than one without CONFIG_SMP,
    // std::logic_error while another kernel of that shape exists.
    explicit kernel(mock::shape which, unsigned int nr_cpus = 1)
        : shape_{description(which)}, table_{shape_.table}, capacities_(nr_cpus, full_scale),
          frequencies_(nr_cpus, full_scale), scales_{nr_cpus, capacities_.data(),
                                                     frequencies_.data()}
    {
        if (nr_cpus == 0)
            throw std::invalid_argument{"schedtp mock: a kernel has at least one CPU"};
        if (nr_cpus > 1 && shape_.config("SMP") != 1)
            throw lacking{shape_, "second CPU", "SMP"};
        for (unsigned int n = 0; n < nr_cpus; n++)
            rqs_.push_back(keep(shape_.new_rq(static_cast<int>(n))));
        if (shape_.boot(&scales_) != 0)
            throw std::logic_error{"schedtp mock: another kernel " + std::string{shape_.name} +
                                   " exists: only one of a shape at a time"};
    }

    ~kernel() { shape_.shut_down(); }

    kernel(const kernel&) = delete;
    kernel& operator=(const kernel&) = delete;

    // CPU n, from 0; std::out_of_range if there is none.
    cpu_ref cpu(unsigned int n)
    {
        return {shape_, rqs_.at(n), capacities_.at(n), frequencies_.at(n)};
    }

    // A task, or a group with an empty queue, that is on a queue: a CPU's or a group's.
    task_ref new_task(cfs_rq_ref on) { return {shape_, keep(shape_.new_task(on))}; }

    group_ref new_group(cfs_rq_ref on)
    {
        const cfs_rq_ref own{shape_, keep(shape_.new_cfs_rq(shape_.rq_of(on)))};
        return {{shape_, keep(shape_.new_group_se(on, own))}, own};
    }

    // A root domain; lacking{} without CONFIG_SMP.
    ::root_domain* new_root_domain()
    {
        if (shape_.config("SMP") != 1)
            throw lacking{shape_, "root domain", "SMP"};
        return keep(shape_.new_root_domain());
    }

    // The table that the tracepoints pass: what sched_tp_get_callbacks() returns. Never
    // NULL and that of this shape, unless hand_out() said otherwise.
    const sched_tp_callbacks* table() const noexcept { return table_; }

    // Make the tracepoints pass another one from now on, NULL too. It stays the caller's
    // and must live as long as it is passed. Probes that are attached stay so.
    void hand_out(const sched_tp_callbacks* table) noexcept { table_ = table; }

private:
    static constexpr unsigned long full_scale = 1024;

    struct free_deleter {
        void operator()(void* object) const noexcept { std::free(object); }
    };

    // Take an object that a constructor of the shape made.
    template <typename Object>
    Object* keep(Object* made)
    {
        if (!made)
            throw std::bad_alloc{};
        objects_.emplace_back(made);
        return made;
    }

    const schedtp_mock_shape& shape_;
    const sched_tp_callbacks* table_;
    std::vector<unsigned long> capacities_;
    std::vector<unsigned long> frequencies_;
    schedtp_mock_scales scales_;
    std::vector<::rq*> rqs_;
    std::vector<std::unique_ptr<void, free_deleter>> objects_;

public:
    // The tracepoints, by their names in tracepoints.def.
#define SCHED_TP_TRACEPOINT(name, params, args) tracepoint<void(params)> name{table_};
#include <schedtp/tracepoints.def>
};

} // namespace schedtp::mock

#endif // SCHEDTP_MOCK_MOCK_HPP
