// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "rtl-bridge/shim/runtime.h"

namespace sb2sb {

struct WindowStimulus;  // shared structs, defined by the bridge (src/bridge/window.rs)
struct WindowResponse;

// An instance of hdl/rtl/xt_window.sv, plain or instrumented. Rust owns it through a UniquePtr.
class Windows : public Instance {
public:
    Windows() : Instance{"xt_window"} {}

    // Mutant chosen from now on, 0 for none.
    virtual void set_mutant(std::uint16_t id) = 0;

    // Resets the block and lets it show what it holds then, with idle inputs.
    virtual void reset(WindowResponse& response) = 0;

    // One clock cycle for each stimulus; `responses` has as many entries.
    virtual void run(rust::Slice<const WindowStimulus> stimuli, rust::Slice<WindowResponse> responses) = 0;
};

std::unique_ptr<Windows> new_windows(bool instrumented);

}  // namespace sb2sb
