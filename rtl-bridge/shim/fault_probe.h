// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include "rtl-bridge/shim/runtime.h"

class Vfault_probe;

namespace sb2sb {

// An instance of tests/hdl/fault_probe.sv. Rust owns it through a UniquePtr.
class FaultProbe final : public Instance {
public:
    FaultProbe();
    ~FaultProbe() override;

    // One clock cycle for each of `values` with the command held; the value register after the last.
    std::uint32_t step(std::uint8_t command, rust::Slice<const std::uint32_t> values);

    // The value register, without evaluating anything.
    std::uint32_t value() const noexcept;

private:
    std::unique_ptr<Vfault_probe> model_;
};

std::unique_ptr<FaultProbe> new_fault_probe();

}  // namespace sb2sb
