// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rtl-bridge/shim/window.h"

#include "Vxt_window.h"
#include "Vxt_window_mut.h"
#include "rtl-bridge/src/bridge/window.rs.h"

namespace sb2sb {
namespace {

template <typename Model>
class WindowsOf final : public Windows {
    static constexpr bool INSTRUMENTED = std::is_same_v<Model, Vxt_window_mut>;

public:
    WindowsOf() {
        enter([this](Incident&) {
            model_ = std::make_unique<Model>(context());
            if constexpr (INSTRUMENTED) model_->mutant_sel_i = 0;
            model_->clk_i = 0;
            model_->rst_ni = 1;
            drive(*model_, WindowStimulus{});
            model_->eval();
        });
    }

    ~WindowsOf() override { leave(model_); }

    void set_mutant(std::uint16_t id) override {
        if constexpr (INSTRUMENTED) {
            model_->mutant_sel_i = id;
        } else if (id != 0) {
            throw std::invalid_argument("mutant " + std::to_string(id) + " needs the instrumented model");
        }
    }

    void reset(WindowResponse& response) override {
        enter([&](Incident&) {
            Model& model = *model_;
            drive(model, WindowStimulus{});
            model.clk_i = 0;
            model.rst_ni = 0;
            model.eval();
            model.clk_i = 1;
            model.eval();
            model.clk_i = 0;
            model.rst_ni = 1;
            model.eval();
            capture_combinational(model, response);
            capture_registered(model, response);
        });
    }

    // Outputs that follow the inputs are read before the edge, registered ones after it.
    void run(rust::Slice<const WindowStimulus> stimuli, rust::Slice<WindowResponse> responses) override {
        if (stimuli.size() != responses.size()) {
            throw std::invalid_argument("one response is needed for each cycle");
        }
        enter([&](Incident& incident) {
            Model& model = *model_;
            WindowResponse* response = responses.data();
            for (const WindowStimulus& stimulus : stimuli) {
                drive(model, stimulus);
                model.clk_i = 0;
                model.eval();
                capture_combinational(model, *response);
                model.clk_i = 1;
                model.eval();
                if (incident.pending) return;
                capture_registered(model, *response);
                ++response;
                ++incident.item;
            }
        });
    }

private:
    static void drive(Model& model, const WindowStimulus& in) {
        model.reg_valid_i = in.reg_valid;
        model.reg_write_i = in.reg_write;
        model.reg_addr_i = in.reg_addr;
        model.reg_wdata_i = in.reg_wdata;
        model.lookup_addr_i = in.lookup_addr;
        model.lookup_nx_i = in.lookup_nx;
        model.lookup_q7_i = in.lookup_q7;
        model.miss_pass_i = in.miss_pass;
    }

    static void capture_combinational(const Model& model, WindowResponse& out) {
        out.out_addr = model.out_addr_o;
        out.hit = model.hit_o;
        out.index = model.index_o;
        out.multi_hit = model.multi_hit_o;
    }

    static void capture_registered(const Model& model, WindowResponse& out) {
        out.reg_rdata = model.reg_rdata_o;
        out.reg_rvalid = model.reg_rvalid_o;
        out.reg_error = model.reg_error_o;
    }

    std::unique_ptr<Model> model_;
};

}  // namespace

std::unique_ptr<Windows> new_windows(bool instrumented) {
    if (instrumented) return std::make_unique<WindowsOf<Vxt_window_mut>>();
    return std::make_unique<WindowsOf<Vxt_window>>();
}

}  // namespace sb2sb
