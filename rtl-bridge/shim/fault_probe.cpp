// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rtl-bridge/shim/fault_probe.h"

#include "Vfault_probe.h"

namespace sb2sb {

FaultProbe::FaultProbe() : Instance{"fault_probe"} {
    enter([this](Incident&) {
        model_ = std::make_unique<Vfault_probe>(context());
        model_->clk_i = 0;
        model_->command_i = 0;
        model_->value_i = 0;
        model_->eval();
    });
}

FaultProbe::~FaultProbe() { leave(model_); }

std::uint32_t FaultProbe::step(std::uint8_t command, rust::Slice<const std::uint32_t> values) {
    enter([&](Incident& incident) {
        model_->command_i = command & 0xF;
        for (const std::uint32_t value : values) {
            model_->value_i = value;
            model_->clk_i = 0;
            model_->eval();
            model_->clk_i = 1;
            model_->eval();
            if (incident.pending) return;
            ++incident.item;
        }
    });
    return model_->value_o;
}

std::uint32_t FaultProbe::value() const noexcept { return model_->value_o; }

std::unique_ptr<FaultProbe> new_fault_probe() { return std::make_unique<FaultProbe>(); }

}  // namespace sb2sb
