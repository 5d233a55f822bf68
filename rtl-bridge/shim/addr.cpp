// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rtl-bridge/shim/addr.h"

#include "Vsoc_addr_decode.h"
#include "Vsoc_addr_decode_mut.h"
#include "rtl-bridge/src/bridge/addr.rs.h"

namespace sb2sb {
namespace {

template <typename Model>
class AddrDecoderOf final : public AddrDecoder {
    static constexpr bool INSTRUMENTED = std::is_same_v<Model, Vsoc_addr_decode_mut>;

public:
    AddrDecoderOf() {
        enter([this](Incident&) {
            model_ = std::make_unique<Model>(context());
            if constexpr (INSTRUMENTED) model_->mutant_sel_i = 0;
        });
    }

    ~AddrDecoderOf() override { leave(model_); }

    void set_mutant(std::uint16_t id) override {
        if constexpr (INSTRUMENTED) {
            model_->mutant_sel_i = id;
        } else if (id != 0) {
            throw std::invalid_argument("mutant " + std::to_string(id) + " needs the instrumented model");
        }
    }

    void decode(rust::Slice<const AddrStimulus> stimuli, rust::Slice<AddrResponse> responses) override {
        if (stimuli.size() != responses.size()) {
            throw std::invalid_argument("one response is needed for each address");
        }
        enter([&](Incident& incident) {
            Model& model = *model_;
            AddrResponse* response = responses.data();
            for (const AddrStimulus& in : stimuli) {
                model.addr_i = in.addr;
                model.view_i = in.view;
                model.me_chip_i = in.me_chip;
                model.me_die_i = in.me_die;
                model.nbr_en_i = in.nbr_en;
                model.generation_i = in.generation;
                model.engine_base_i = in.engine_base;
                model.tpb_base_i = in.tpb_base;
                model.eval();
                if (incident.pending) return;
                ++incident.item;
                capture(model, *response++);
            }
        });
    }

private:
    static void capture(const Model& model, AddrResponse& to) {
        to.local = model.local_o;
        to.region_offset = model.region_offset_o;
        to.tpb_offset = model.tpb_offset_o;
        to.cls_fatal = model.cls_fatal_o;
        to.view = model.view_o;
        to.die = model.die_o;
        to.cayman_id = model.cayman_id_o;
        to.cayman_id_valid = model.cayman_id_valid_o;
        to.reserved = model.reserved_o;
        to.relaxed_ordering = model.relaxed_ordering_o;
        to.ok_to_fail = model.ok_to_fail_o;
        to.high_bits = model.high_bits_o;
        to.neighbor_rsvd = model.neighbor_rsvd_o;
        to.exit_seng = model.exit_seng_o;
        to.exit_die = model.exit_die_o;
        to.neighbor_route = model.neighbor_route_o;
        to.peb = model.peb_o;
        to.illegal = model.illegal_o;
        to.verdict = model.verdict_o;
        to.route = model.route_o;
        to.route_die = model.route_die_o;
        to.route_id = model.route_id_o;
        to.route_exit_seng = model.route_exit_seng_o;
        to.region = model.region_o;
        to.region_instance = model.region_instance_o;
        to.region_hole = model.region_hole_o;
        to.tpb_hit = model.tpb_hit_o;
        to.tpb = model.tpb_o;
        to.is_sbuf = model.is_sbuf_o;
        to.cls_is_tpb = model.cls_is_tpb_o;
        to.cls_is_die_0 = model.cls_is_die_0_o;
        to.cls_engine_idx = model.cls_engine_idx_o;
    }

    std::unique_ptr<Model> model_;
};

}  // namespace

std::unique_ptr<AddrDecoder> new_addr_decoder(bool instrumented) {
    if (instrumented) return std::make_unique<AddrDecoderOf<Vsoc_addr_decode_mut>>();
    return std::make_unique<AddrDecoderOf<Vsoc_addr_decode>>();
}

}  // namespace sb2sb
