// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "rtl-bridge/shim/runtime.h"

namespace sb2sb {

struct RingOp;  // shared structs, defined by the bridge (src/bridge/udma.rs)
struct RingEvent;
struct RingEngineState;
struct RingEnd;

// An instance of hdl/rtl/udma_group.sv, plain or instrumented, with a memory for each engine. Rust owns it
// through a UniquePtr.
class UdmaGroup : public Instance {
public:
    UdmaGroup() : Instance{"udma_group"} {}

    // Mutant chosen from now on, 0 for none.
    virtual void set_mutant(std::uint16_t id) = 0;

    // Runs a script: see the bridge.
    virtual RingEnd run(rust::Slice<const RingOp> ops, rust::Slice<const std::uint8_t> bytes, std::uint32_t quiet,
                        std::uint32_t longest, bool record) = 0;

    // What the last run left; valid until the next one.
    virtual rust::Slice<const RingEvent> events() const noexcept = 0;
    virtual rust::Slice<const std::uint8_t> bytes() const noexcept = 0;
    virtual rust::Slice<const std::uint32_t> values() const noexcept = 0;
    virtual rust::Slice<const RingEngineState> states() const noexcept = 0;
    virtual rust::Slice<const std::uint8_t> memory(std::uint8_t engine) const = 0;
};

std::unique_ptr<UdmaGroup> new_udma_group(bool instrumented);

}  // namespace sb2sb
