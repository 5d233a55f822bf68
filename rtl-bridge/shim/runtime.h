// SPDX-License-Identifier: Apache-2.0 OR MIT
// What every verilated top shares: one context per instance, and hooks that turn whatever ends a
// simulation ($stop, $error, $fatal, $finish, assertions, fatals of the runtime itself) into C++
// exceptions, which the bridge hands to Rust as `Err`.
#pragma once

#include "rust/cxx.h"
#include "verilated.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace sb2sb {

struct Fault;             // shared struct, defined by the bridge (src/bridge/runtime.rs)
enum class FaultKind : std::uint8_t;

// The first fault of one entry into an instance, with the text printed during that entry.
struct Incident {
    bool pending = false;
    FaultKind kind{};
    std::string file;
    int line = 0;
    std::string hierarchy;
    std::string text;
    // Which item of a batch was being evaluated.
    std::uint64_t item = 0;
};

// Base of every instance. Owns the context that the verilated model lives in; a derived class owns
// the model and destroys it inside `leave`, because a model may only be touched while its own
// context is the thread's current one.
class Instance {
public:
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    virtual ~Instance() = default;

    // Whether a fault has left the model in a state from which it cannot go on.
    bool is_dead() const noexcept { return !dead_.empty(); }

protected:
    // `top` is the name of the top module, a literal; it names the instance in a fault.
    explicit Instance(const char* top);

    VerilatedContext* context() noexcept { return context_.get(); }

    // Runs `body(incident)` with this instance's context current, then throws if the design or the
    // runtime reported anything. Throwing waits until the evaluation has returned: an exception out of
    // $stop would cut it in the middle and lose writes. `body` may look at `incident.pending` to stop early.
    template <typename Body>
    void enter(Body&& body) {
        refuse_if_dead();
        Entry entry{*context_};
        try {
            std::forward<Body>(body)(entry.incident);
        } catch (...) {
            dead_ = "an exception that cut an evaluation short";
            conclude(entry.incident);
            throw;
        }
        conclude(entry.incident);
    }

    // Destroys a model with this instance's context current.
    template <typename Model>
    void leave(std::unique_ptr<Model>& model) noexcept {
        Entry entry{*context_};
        model.reset();
    }

private:
    // Makes a context and an incident current on this thread for as long as it lives.
    struct Entry {
        explicit Entry(VerilatedContext& context);
        ~Entry();
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;
        Incident incident;
    };

    void refuse_if_dead() const;
    void conclude(Incident& incident);

    const char* top_;
    std::unique_ptr<VerilatedContext> context_;
    // Why the instance is dead; empty while it lives.
    std::string dead_;
};

// The record behind the exception thrown last on this thread; clears it.
Fault take_fault();

// Release of the simulator that the runtime belongs to, as "5.006 2023-01-22".
rust::String simulator_version();

// Ports and byte arrays meet as on a little-endian bus: byte k of the array is [8*k +: 8] of the port.
// Verilator keeps a port of up to 64 bits in one integer and a wider one in an array of 32-bit words.
static_assert(sizeof(EData) == 4, "wide ports are arrays of 32-bit words");
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "ports are copied as they lie in memory, which needs a little-endian host"
#endif

template <std::size_t Words>
inline void load_bytes(VlWide<Words>& port, const std::uint8_t* bytes) noexcept {
    std::memcpy(&port[0], bytes, 4 * Words);
}

template <std::size_t Words, std::size_t Bytes>
inline void store_bytes(const VlWide<Words>& port, std::array<std::uint8_t, Bytes>& bytes) noexcept {
    static_assert(Bytes <= 4 * Words && Bytes > 4 * (Words - 1), "the array has the size of the port");
    std::memcpy(bytes.data(), &port[0], Bytes);
}

template <typename Port, std::size_t Bytes>
inline std::enable_if_t<std::is_integral_v<Port>> store_bytes(
    Port port, std::array<std::uint8_t, Bytes>& bytes) noexcept {
    static_assert(Bytes <= sizeof(Port), "the array has the size of the port");
    std::memcpy(bytes.data(), &port, Bytes);
}

}  // namespace sb2sb
