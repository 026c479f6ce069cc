// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
//
// Tables of kernels that are older, younger, poorer or foreign, to hand to probes:
//
//   table_copy table{k.table()};
//   table.resize(SCHED_TP_SIZE_WITH(cfs_rq_util_est)); // ends before se_util_est
//   k.hand_out(table);
//
// Each is a heap object of exactly the bytes that its size says, so that a
// sanitizer sees who reads a slot that is not there.
#ifndef SCHEDTP_MOCK_TABLE_COPY_HPP
#define SCHEDTP_MOCK_TABLE_COPY_HPP

#include <schedtp/callbacks.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace schedtp::mock {

class table_copy {
public:
    // All of a table, which must be as long as its size says. Not NULL.
    explicit table_copy(const sched_tp_callbacks* from)
    {
        allocate(from->size);
        std::memcpy(bytes_.get(), from, from->size);
    }

    // The table of a kernel with CONFIG_SCHED_TP_CALLBACKS=n: 8 bytes, no slot.
    static table_copy header_only()
    {
        const std::array<unsigned int, 2> header{SCHED_TP_HEADER_SIZE, SCHED_TP_VERSION};
        static_assert(sizeof header == SCHED_TP_HEADER_SIZE);
        table_copy made;
        made.allocate(sizeof header);
        std::memcpy(made.bytes_.get(), header.data(), sizeof header);
        return made;
    }

    // Any number of bytes from 0. What a longer table has more is slots of getters
    // yet to come: calling one aborts. Of a shorter one, the first bytes are left;
    // below 4 the memory keeps the 4 of size itself, which everyone must read.
    table_copy& resize(unsigned int size)
    {
        const auto old = std::move(bytes_);
        const unsigned int kept = std::min(size_, size);
        allocate(size);
        std::memcpy(bytes_.get(), old.get(), kept);
        for (unsigned int at = kept; at < size; at += SCHED_TP_SLOT_SIZE) {
            void (*const unknown)() = &std::abort;
            std::memcpy(bytes_.get() + at, &unknown, std::min(SCHED_TP_SLOT_SIZE, size - at));
        }
        return claim(size);
    }

    // Say another size, with the memory as it is: a table that lies.
    table_copy& claim(unsigned int size) noexcept
    {
        std::memcpy(bytes_.get() + offsetof(sched_tp_callbacks, size), &size, sizeof size);
        return *this;
    }

    // std::out_of_range if the table has no version.
    table_copy& set_version(unsigned int major, unsigned int minor)
    {
        const unsigned int version = major << 16 | minor;
        store(offsetof(sched_tp_callbacks, version), &version, sizeof version);
        return *this;
    }

    // As the kernel of an older minor version had it: only the slots of that time.
    table_copy& as_minor(unsigned int minor)
    {
        struct published {
            unsigned int since;
            unsigned int size;
        };
        static constexpr std::array slots{
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) published{since, SCHED_TP_SIZE_WITH(name)},
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \
    SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
        };
        unsigned int size = SCHED_TP_HEADER_SIZE;
        for (const auto& slot : slots)
            if (slot.since <= minor)
                size = slot.size;
        return resize(size).set_version(SCHED_TP_VERSION_MAJOR, minor);
    }

    // As a kernel of the next minor version may have it: `more` slots at the end.
    table_copy& as_future(unsigned int more)
    {
        return resize(size_ + more * SCHED_TP_SLOT_SIZE)
            .set_version(SCHED_TP_VERSION_MAJOR, SCHED_TP_VERSION_MINOR + 1);
    }

    // Make the slot NULL: a getter that this kernel, or its configuration, lacks.
    // std::out_of_range if the table ends before the slot does.
    table_copy& empty(sched_tp_getter slot)
    {
        void (*const none)() = nullptr;
        store(SCHED_TP_HEADER_SIZE + slot * SCHED_TP_SLOT_SIZE, &none, sizeof none);
        return *this;
    }

    // Valid until the copy is resized or destroyed.
    const sched_tp_callbacks* get() const noexcept
    {
        auto* table = reinterpret_cast<const sched_tp_callbacks*>(bytes_.get());
        // As in a kernel, the compiler cannot know how long it is, and warn of that.
        __asm__("" : "+r"(table));
        return table;
    }

    // What get() gives, to pass a copy wherever a table goes.
    operator const sched_tp_callbacks*() const noexcept
    {
        return get();
    }

private:
    table_copy() = default;

    void allocate(unsigned int size)
    {
        bytes_ = std::make_unique<std::byte[]>(std::max<std::size_t>(size, sizeof size));
        size_ = size;
    }

    void store(std::size_t at, const void* from, std::size_t bytes)
    {
        if (at + bytes > size_)
            throw std::out_of_range{"schedtp mock: the table is too short to have that"};
        std::memcpy(bytes_.get() + at, from, bytes);
    }

    std::unique_ptr<std::byte[]> bytes_;
    unsigned int size_{0}; // of the memory; what the table says may be a lie
};

} // namespace schedtp::mock

#endif // SCHEDTP_MOCK_TABLE_COPY_HPP
