// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "rtl-bridge/shim/runtime.h"

namespace sb2sb {

struct EvtSemStimulus;  // shared structs, defined by the bridge (src/bridge/evt_sem.rs)
struct EvtSemResponse;

// An instance of hdl/rtl/evt_sem.sv, plain or instrumented. Rust owns it through a UniquePtr.
class EvtSem : public Instance {
public:
    EvtSem() : Instance{"evt_sem"} {}

    // Mutant chosen from now on, 0 for none.
    virtual void set_mutant(std::uint16_t id) = 0;

    // Resets the block with these straps and lets it show what it holds then, with idle inputs.
    virtual void reset(std::uint8_t generation, bool signed_compare, EvtSemResponse& response) = 0;

    // Puts the error counters to values that only a very long run would reach.
    virtual void preset_counters(std::uint32_t semaphore, std::uint32_t event, std::uint32_t access_violation,
                                 std::uint32_t decode_hole) = 0;

    // One clock cycle for each stimulus; `responses` has as many entries.
    virtual void run(rust::Slice<const EvtSemStimulus> stimuli, rust::Slice<EvtSemResponse> responses) = 0;

    // The same work with the responses thrown away; how many records were granted.
    virtual std::uint64_t pure_loop(rust::Slice<const EvtSemStimulus> stimuli) = 0;
};

std::unique_ptr<EvtSem> new_evt_sem(bool instrumented);

}  // namespace sb2sb
