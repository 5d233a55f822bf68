// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rtl-bridge/shim/evt_sem.h"

#include "Vevt_sem.h"
#include "Vevt_sem_mut.h"
#include "rtl-bridge/src/bridge/evt_sem.rs.h"

namespace sb2sb {
namespace {

template <typename Model>
class EvtSemOf final : public EvtSem {
    static constexpr bool INSTRUMENTED = std::is_same_v<Model, Vevt_sem_mut>;

public:
    EvtSemOf() {
        enter([this](Incident&) {
            model_ = std::make_unique<Model>(context());
            if constexpr (INSTRUMENTED) model_->mutant_sel_i = 0;
            model_->clk_i = 0;
            model_->rst_ni = 1;
            drive(*model_, EvtSemStimulus{});
            model_->generation_i = 0;
            model_->signed_compare_i = 0;
            model_->eval();
        });
    }

    ~EvtSemOf() override { leave(model_); }

    void set_mutant(std::uint16_t id) override {
        if constexpr (INSTRUMENTED) {
            model_->mutant_sel_i = id;
        } else if (id != 0) {
            throw std::invalid_argument("mutant " + std::to_string(id) + " needs the instrumented model");
        }
    }

    void reset(std::uint8_t generation, bool signed_compare, EvtSemResponse& response) override {
        enter([&](Incident&) {
            Model& model = *model_;
            model.generation_i = generation;
            model.signed_compare_i = signed_compare;
            drive(model, EvtSemStimulus{});
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

    void preset_counters(std::uint32_t semaphore, std::uint32_t event, std::uint32_t access_violation,
                         std::uint32_t decode_hole) override {
        enter([&](Incident&) {
            // The counters are outputs of the top, so their registers are in reach.
            model_->sem_error_count_o = semaphore;
            model_->event_error_count_o = event;
            model_->access_violation_count_o = access_violation;
            model_->decode_hole_count_o = decode_hole;
            model_->eval();
        });
    }

    void run(rust::Slice<const EvtSemStimulus> stimuli, rust::Slice<EvtSemResponse> responses) override {
        if (stimuli.size() != responses.size()) {
            throw std::invalid_argument("one response is needed for each cycle");
        }
        EvtSemResponse* response = responses.data();
        each(stimuli, [&response]() -> EvtSemResponse& { return *response++; });
    }

    std::uint64_t pure_loop(rust::Slice<const EvtSemStimulus> stimuli) override {
        std::uint64_t granted = 0;
        auto response = std::make_unique<EvtSemResponse>();
        each(stimuli, [&]() -> EvtSemResponse& {
            // The last response counts as used, or the compiler would drop the reads.
            asm volatile("" : : "r"(response.get()) : "memory");
            for (unsigned bits = response->grant; bits != 0; bits &= bits - 1) ++granted;
            return *response;
        });
        return granted;
    }

private:
    // Outputs that follow the inputs are read before the edge, registered ones after it.
    template <typename Place>
    void each(rust::Slice<const EvtSemStimulus> stimuli, Place&& place) {
        enter([&](Incident& incident) {
            Model& model = *model_;
            const EvtSemStimulus* const end = stimuli.data() + stimuli.size();
            for (const EvtSemStimulus* stimulus = stimuli.data(); stimulus != end; ++stimulus) {
                drive(model, *stimulus);
                model.clk_i = 0;
                model.eval();
                EvtSemResponse& response = place();
                capture_combinational(model, response);
                model.clk_i = 1;
                model.eval();
                if (incident.pending) return;
                capture_registered(model, response);
                ++incident.item;
            }
        });
    }

    template <std::size_t Words>
    static void wide(VlWide<Words>& port, const std::array<std::uint32_t, Words>& values) {
        std::memcpy(&port[0], values.data(), sizeof values);
    }

    template <std::size_t Words>
    static void wide(std::array<std::uint32_t, Words>& values, const VlWide<Words>& port) {
        std::memcpy(values.data(), &port[0], sizeof values);
    }

    static void drive(Model& model, const EvtSemStimulus& in) {
        model.bus_valid_i = in.bus_valid;
        model.bus_write_i = in.bus_write;
        model.bus_addr_i = in.bus_addr;
        model.bus_size_i = in.bus_size;
        model.bus_wdata_i = in.bus_wdata;
        model.ctl_valid_i = in.ctl_valid;
        model.ctl_write_i = in.ctl_write;
        model.ctl_addr_i = in.ctl_addr;
        model.ctl_wdata_i = in.ctl_wdata;
        model.eng_valid_i = in.eng_valid;
        model.eng_wait_mode_i = in.eng_wait_mode;
        model.eng_wait_idx_i = in.eng_wait_idx;
        model.eng_update_mode_i = in.eng_update_mode;
        model.eng_update_idx_i = in.eng_update_idx;
        wide(model.eng_wait_value_i, in.eng_wait_value);
        wide(model.eng_update_value_i, in.eng_update_value);
        model.nb_valid_i = in.nb_valid;
        model.nb_code_i = in.nb_code;
        model.nb_idx_i = in.nb_idx;
        wide(model.nb_value_i, in.nb_value);
    }

    static void capture_combinational(const Model& model, EvtSemResponse& out) {
        out.bus_ready = model.bus_ready_o;
        out.grant = model.eng_grant_o;
        out.error = model.eng_error_o;
        out.nb_error = model.nb_error_o;
        wide(out.nb_result, model.nb_result_o);
    }

    static void capture_registered(const Model& model, EvtSemResponse& out) {
        out.bus_rvalid = model.bus_rvalid_o;
        out.bus_error = model.bus_error_o;
        out.bus_rdata = model.bus_rdata_o;
        out.ctl_rvalid = model.ctl_rvalid_o;
        out.ctl_error = model.ctl_error_o;
        out.ctl_rdata = model.ctl_rdata_o;
        out.ntf_valid = model.ntf_valid_o;
        wide(out.ntf_word0, model.ntf_word0_o);
        wide(out.ntf_word1, model.ntf_word1_o);
        out.sem_error_count = model.sem_error_count_o;
        out.event_error_count = model.event_error_count_o;
        out.access_violation_count = model.access_violation_count_o;
        out.decode_hole_count = model.decode_hole_count_o;
        out.sem_error = model.sem_error_o;
        out.event_error = model.event_error_o;
        wide(out.probe_sem, model.probe_sem_o);
        wide(out.probe_evt, model.probe_evt_o);
    }

    std::unique_ptr<Model> model_;
};

}  // namespace

std::unique_ptr<EvtSem> new_evt_sem(bool instrumented) {
    if (instrumented) return std::make_unique<EvtSemOf<Vevt_sem_mut>>();
    return std::make_unique<EvtSemOf<Vevt_sem>>();
}

}  // namespace sb2sb
