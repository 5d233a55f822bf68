// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "rtl-bridge/shim/runtime.h"

namespace sb2sb {

struct RtlDecoded;  // shared struct, defined by the bridge (src/bridge/decoder.rs)

// An instance of hdl/rtl/s3d3_decoder.sv, plain or instrumented. Rust owns it through a UniquePtr.
class Decoder : public Instance {
public:
    Decoder() : Instance{"s3d3_decoder"} {}

    // Mutant chosen from now on, 0 for none.
    virtual void set_mutant(std::uint16_t id) = 0;

    // Decodes words.size() / 64 words; `results` has as many entries.
    virtual void decode(rust::Slice<const std::uint8_t> words, std::uint8_t generation, std::uint8_t nc,
                        rust::Slice<RtlDecoded> results) = 0;

    // The same work with the results thrown away; how many words are valid.
    virtual std::uint64_t pure_loop(rust::Slice<const std::uint8_t> words, std::uint8_t generation,
                                    std::uint8_t nc) = 0;
};

std::unique_ptr<Decoder> new_decoder(bool instrumented);

}  // namespace sb2sb
