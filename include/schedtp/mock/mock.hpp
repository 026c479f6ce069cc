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
#include <cerrno>
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
                      (option.rfind("HAS_", 0) == 0 ? ": that came with another release"
                                                    : ": that needs CONFIG_" + option)}
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

// What fields.def says of an object, if it is that one, and nothing of others.
#define SCHEDTP_MOCK_IF_SAME(own, object, setter) \
    SCHEDTP_MOCK_CHOSEN(SCHEDTP_MOCK_SAME_##own##_##object setter, SCHEDTP_MOCK_NO_SETTER, )
#define SCHEDTP_MOCK_CHOSEN(...) SCHEDTP_MOCK_SECOND(__VA_ARGS__)
#define SCHEDTP_MOCK_SECOND(ignored, chosen, ...) chosen
#define SCHEDTP_MOCK_NO_SETTER(object, field, type, needs)
#define SCHEDTP_MOCK_SAME_cfs_rq_cfs_rq ,
#define SCHEDTP_MOCK_SAME_sched_entity_sched_entity ,
#define SCHEDTP_MOCK_SAME_task_group_task_group ,
#define SCHEDTP_MOCK_SAME_task_struct_task_struct ,
#define SCHEDTP_MOCK_SAME_root_domain_root_domain ,
#define SCHEDTP_MOCK_SAME_rq_rq ,
#define SCHEDTP_MOCK_SAME_rt_rq_rt_rq ,
#define SCHEDTP_MOCK_SAME_dl_rq_dl_rq ,
#define SCHEDTP_MOCK_SAME_sched_dl_entity_sched_dl_entity ,

// A cfs_rq, of a CPU or of a group on a CPU.
class cfs_rq_ref : public object_ref<::cfs_rq> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(cfs_rq, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>
};

// A sched_entity, of a task or of a group on a CPU.
class se_ref : public object_ref<::sched_entity> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(sched_entity, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>
};

// A task group, on all CPUs: of a cgroup, or an autogroup.
class task_group_ref : public object_ref<::task_group> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(task_group, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>
};

// A sched_dl_entity, of a task or of a server.
class dl_se_ref : public object_ref<::sched_dl_entity> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(sched_dl_entity, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>
};

class rt_rq_ref : public object_ref<::rt_rq> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(rt_rq, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>
};

class dl_rq_ref : public object_ref<::dl_rq> {
public:
    using object_ref::object_ref;

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(dl_rq, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>
};

class task_ref : public object_ref<::task_struct> {
public:
    using object_ref::object_ref;

    se_ref se() const { return {shape(), shape().task_se(get())}; }
    dl_se_ref dl() const { return {shape(), shape().task_dl(get())}; }

    // Any bytes; the kernel keeps the first 15.
    void set_comm(const std::string& name) const { shape().set_comm(get(), name.c_str()); }

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(task_struct, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>
};

class root_domain_ref : public object_ref<::root_domain> {
public:
    using object_ref::object_ref;

    // The CPUs of a mask, and no others. std::out_of_range beyond the biggest kernels'.
    void set_span(const std::vector<unsigned int>& cpus) const { set(SCHEDTP_MOCK_RD_SPAN, cpus); }
    void set_online(const std::vector<unsigned int>& cpus) const
    {
        set(SCHEDTP_MOCK_RD_ONLINE, cpus);
    }
    void set_rto_mask(const std::vector<unsigned int>& cpus) const
    {
        set(SCHEDTP_MOCK_RD_RTO_MASK, cpus);
    }
    void set_dlo_mask(const std::vector<unsigned int>& cpus) const
    {
        set(SCHEDTP_MOCK_RD_DLO_MASK, cpus);
    }

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(root_domain, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>

private:
    void set(schedtp_mock_rd_mask which, const std::vector<unsigned int>& cpus) const
    {
        constexpr unsigned int bits = 8 * sizeof(unsigned long);
        for (const auto cpu : cpus)
            if (cpu >= SCHEDTP_MOCK_NR_CPUS)
                throw std::out_of_range{"schedtp mock: a mask has no CPU " + std::to_string(cpu)};
        auto* const words = shape().rd_mask(get(), which);
        for (unsigned int word = 0; word < SCHEDTP_MOCK_NR_CPUS / bits; word++)
            words[word] = 0;
        for (const auto cpu : cpus)
            words[cpu / bits] |= 1UL << cpu % bits;
    }
};

// A task group, as one CPU has it: its entity, and the queue that this owns.
struct group_ref {
    se_ref se;
    cfs_rq_ref cfs_rq;
    task_group_ref tg;
};

// A CPU: its rq, and what the architecture says of it.
class cpu_ref : public object_ref<::rq> {
public:
    cpu_ref(const schedtp_mock_shape& shape, ::rq* rq, unsigned long& capacity,
            unsigned long& frequency, unsigned long& pressure)
        : object_ref{shape, rq}, capacity_{&capacity}, frequency_{&frequency}, pressure_{&pressure}
    {
    }

    // The root cfs_rq.
    cfs_rq_ref cfs_rq() const { return {shape(), shape().root_cfs_rq(get())}; }

    rt_rq_ref rt_rq() const { return {shape(), shape().rt_rq(get())}; }
    dl_rq_ref dl_rq() const { return {shape(), shape().dl_rq(get())}; }

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
    SCHEDTP_MOCK_IF_SAME(rq, object, SCHEDTP_MOCK_SETTER)(object, field, type, needs)
#include <schedtp/mock/fields.def>

    // Capacity at the highest frequency: 1 to 1024, as arch_scale_cpu_capacity() gives
    // it; 1024 at first. lacking{} without CONFIG_SMP, where it always is 1024.
    void set_capacity(unsigned long capacity) const
    {
        if (shape().config("SMP") != 1)
            throw lacking{shape(), "capacity of a CPU to set", "SMP"};
        *capacity_ = capacity;
        shape().set_capacity(get(), capacity);
    }

    // Current over highest frequency, in 1024ths: 0 to 1024, as arch_scale_freq_capacity()
    // gives it; 1024 at first.
    void set_frequency(unsigned long scale) const
    {
        *frequency_ = scale;
    }

    // Capacity lacking because cpufreq caps the frequency, 0 at first. lacking{} where
    // the scheduler does not ask for it.
    void set_cpufreq_pressure(unsigned long pressure) const
    {
        if (shape().config("SMP") != 1)
            throw lacking{shape(), "capacity of a CPU to set", "SMP"};
        if (shape().config("HAS_CPUFREQ_PRESSURE") != 1)
            throw lacking{shape(), "cpufreq pressure", "HAS_CPUFREQ_PRESSURE"};
        *pressure_ = pressure;
    }

private:
    unsigned long* capacity_;
    unsigned long* frequency_;
    unsigned long* pressure_;
};

#undef SCHEDTP_MOCK_CHOSEN
#undef SCHEDTP_MOCK_IF_SAME
#undef SCHEDTP_MOCK_NO_SETTER
#undef SCHEDTP_MOCK_SAME_cfs_rq_cfs_rq
#undef SCHEDTP_MOCK_SAME_root_domain_root_domain
#undef SCHEDTP_MOCK_SAME_dl_rq_dl_rq
#undef SCHEDTP_MOCK_SAME_rt_rq_rt_rq
#undef SCHEDTP_MOCK_SAME_sched_dl_entity_sched_dl_entity
#undef SCHEDTP_MOCK_SAME_sched_entity_sched_entity
#undef SCHEDTP_MOCK_SAME_task_group_task_group
#undef SCHEDTP_MOCK_SAME_task_struct_task_struct
#undef SCHEDTP_MOCK_SECOND
#undef SCHEDTP_MOCK_SETTER

class kernel {
public:
    // std::invalid_argument for no CPU, lacking{} for more than one without CONFIG_SMP,
    // std::logic_error while another kernel of that shape exists.
    explicit kernel(mock::shape which, unsigned int nr_cpus = 1)
        : shape_{description(which)}, table_{shape_.table}, capacities_(nr_cpus, full_scale),
          frequencies_(nr_cpus, full_scale), pressures_(nr_cpus),
          rqs_(nr_cpus), machine_{nr_cpus,
                                  capacities_.data(),
                                  frequencies_.data(),
                                  rqs_.data(),
                                  pressures_.data(),
                                  0,
                                  0,
                                  0}
    {
        if (nr_cpus == 0)
            throw std::invalid_argument{"schedtp mock: a kernel has at least one CPU"};
        if (nr_cpus > 1 && shape_.config("SMP") != 1)
            throw lacking{shape_, "second CPU", "SMP"};
        for (unsigned int n = 0; n < nr_cpus; n++)
            rqs_[n] = keep(shape_.new_rq(static_cast<int>(n)));
        const int error = shape_.boot(&machine_);
        if (error == -ENOMEM)
            throw std::bad_alloc{};
        if (error != 0)
            throw std::logic_error{"schedtp mock: another kernel " + std::string{shape_.name} +
                                   " exists: only one of a shape at a time"};
    }

    ~kernel() { shape_.shut_down(); }

    kernel(const kernel&) = delete;
    kernel& operator=(const kernel&) = delete;

    // CPU n, from 0; std::out_of_range if there is none.
    cpu_ref cpu(unsigned int n)
    {
        return {shape_, rqs_.at(n), capacities_.at(n), frequencies_.at(n), pressures_.at(n)};
    }

    // The group of the queues of all CPUs, "/" with the id 1; lacking{} for this and any
    // other group without CONFIG_CGROUP_SCHED.
    task_group_ref root_task_group() const
    {
        if (shape_.config("CGROUP_SCHED") != 1)
            throw lacking{shape_, "task group", "CGROUP_SCHED"};
        return {shape_, shape_.root_task_group()};
    }

    // The group of a cgroup within another's, or of a session.
    task_group_ref new_task_group(task_group_ref parent, const std::string& name,
                                  unsigned long long cgroup_id)
    {
        return {shape_, keep(shape_.new_task_group(parent, name.c_str(), cgroup_id))};
    }

    task_group_ref new_autogroup(unsigned long id)
    {
        if (shape_.config("SCHED_AUTOGROUP") != 1)
            throw lacking{shape_, "autogroup", "SCHED_AUTOGROUP"};
        return {shape_, keep(shape_.new_autogroup(id))};
    }

    // A task, or a group with an empty queue, that is on a queue: a CPU's or a group's.
    // The group is tg, which has one queue a CPU, or one of its own.
    // lacking{} for a group without CONFIG_FAIR_GROUP_SCHED.
    task_ref new_task(cfs_rq_ref on) { return {shape_, keep(shape_.new_task(on))}; }

    group_ref new_group(cfs_rq_ref on, task_group_ref tg)
    {
        if (tg == shape_.root_task_group())
            throw std::invalid_argument{"schedtp mock: the root group's queues are the CPUs'"};
        const cfs_rq_ref own{shape_, keep(shape_.new_group(on, tg))};
        return {{shape_, shape_.group_se(own)}, own, tg};
    }

    group_ref new_group(cfs_rq_ref on)
    {
        if (shape_.config("FAIR_GROUP_SCHED") != 1)
            throw lacking{shape_, "group", "FAIR_GROUP_SCHED"};
        return new_group(on, new_task_group(root_task_group(), "group", 2));
    }

    // A server of a CPU, which gives other classes time; lacking{} before there were any.
    dl_se_ref new_dl_server(cpu_ref of)
    {
        if (shape_.config("HAS_DL_SERVER") != 1)
            throw lacking{shape_, "deadline server", "HAS_DL_SERVER"};
        return {shape_, keep(shape_.new_dl_server(of))};
    }

    // A root domain; lacking{} without CONFIG_SMP.
    root_domain_ref new_root_domain()
    {
        if (shape_.config("SMP") != 1)
            throw lacking{shape_, "root domain", "SMP"};
        return {shape_, keep(shape_.new_root_domain())};
    }

    // Whether placement goes by estimated utilisation, at first yes; whether it is energy
    // aware, and whether clamps were ever used, at first no. lacking{} where that cannot be.
    void set_util_est(bool on)
    {
        need("SMP", "estimated utilisation");
        machine_.no_util_est = !on;
    }

    void set_energy_aware(bool on)
    {
        need("SMP", "energy aware scheduling");
        need("ENERGY_MODEL", "energy aware scheduling");
        need("CPU_FREQ_GOV_SCHEDUTIL", "energy aware scheduling");
        machine_.energy_aware = on;
    }

    void set_uclamp_used(bool on)
    {
        need("UCLAMP_TASK", "utilisation clamps");
        machine_.uclamp_used = on;
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

    void need(const char* option, const char* what) const
    {
        if (shape_.config(option) != 1)
            throw lacking{shape_, what, option};
    }

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
    std::vector<unsigned long> pressures_;
    std::vector<::rq*> rqs_;
    schedtp_mock_machine machine_;
    std::vector<std::unique_ptr<void, free_deleter>> objects_;

public:
    // The tracepoints, by their names in tracepoints.def. One that the shape lacks takes
    // no probe.
#define SCHED_TP_TRACEPOINT(name, params, args) \
    tracepoint<void(params)> name{table_, shape_.has_tracepoint(#name) != 0};
#include <schedtp/tracepoints.def>
};

} // namespace schedtp::mock

#endif // SCHEDTP_MOCK_MOCK_HPP
