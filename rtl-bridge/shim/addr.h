// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "rtl-bridge/shim/runtime.h"

namespace sb2sb {

struct AddrStimulus;  // shared structs, defined by the bridge (src/bridge/addr.rs)
struct AddrResponse;

// An instance of hdl/rtl/soc_addr_decode.sv, plain or instrumented. Rust owns it through a UniquePtr.
class AddrDecoder : public Instance {
public:
    AddrDecoder() : Instance{"soc_addr_decode"} {}

    // Mutant chosen from now on, 0 for none.
    virtual void set_mutant(std::uint16_t id) = 0;

    // Decodes every stimulus; `responses` has as many entries.
    virtual void decode(rust::Slice<const AddrStimulus> stimuli, rust::Slice<AddrResponse> responses) = 0;
};

std::unique_ptr<AddrDecoder> new_addr_decoder(bool instrumented);

}  // namespace sb2sb
