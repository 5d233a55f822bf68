// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rtl-bridge/shim/decoder.h"

#include "Vs3d3_decoder.h"
#include "Vs3d3_decoder_mut.h"
#include "rtl-bridge/src/bridge/decoder.rs.h"

#include <algorithm>
#include <type_traits>

namespace sb2sb {
namespace {

// [isa-word §0]: the stride of instructions.
constexpr std::size_t WORD_BYTES = 64;

// Index d of a pattern at [16*d +: 16].
template <typename Element>
std::array<Element, 3> triple(QData port) {
    return {static_cast<Element>(port), static_cast<Element>(port >> 16), static_cast<Element>(port >> 32)};
}

template <typename Model>
class DecoderOf final : public Decoder {
    static constexpr bool INSTRUMENTED = std::is_same_v<Model, Vs3d3_decoder_mut>;

public:
    DecoderOf() {
        enter([this](Incident&) {
            model_ = std::make_unique<Model>(context());
            if constexpr (INSTRUMENTED) model_->mutant_sel_i = 0;
        });
    }

    ~DecoderOf() override { leave(model_); }

    void set_mutant(std::uint16_t id) override {
        if constexpr (INSTRUMENTED) {
            model_->mutant_sel_i = id;
        } else if (id != 0) {
            throw std::invalid_argument("mutant " + std::to_string(id) + " needs the instrumented model");
        }
    }

    void decode(rust::Slice<const std::uint8_t> words, std::uint8_t generation, std::uint8_t nc,
                rust::Slice<RtlDecoded> results) override {
        if (words.size() != results.size() * WORD_BYTES) {
            throw std::invalid_argument("one result is needed for each 64-byte word");
        }
        RtlDecoded* result = results.data();
        each(words, generation, nc, [&result](const Model& model) { capture(model, *result++); });
    }

    std::uint64_t pure_loop(rust::Slice<const std::uint8_t> words, std::uint8_t generation,
                            std::uint8_t nc) override {
        std::uint64_t valid = 0;
        RtlDecoded result;
        each(words, generation, nc, [&](const Model& model) {
            capture(model, result);
            // The result counts as used, or the compiler would drop the reads.
            asm volatile("" : : "r"(&result) : "memory");
            valid += result.valid;
        });
        return valid;
    }

private:
    template <typename Sink>
    void each(rust::Slice<const std::uint8_t> words, std::uint8_t generation, std::uint8_t nc, Sink&& sink) {
        enter([&](Incident& incident) {
            Model& model = *model_;
            model.generation_i = generation;
            model.nc_i = nc;
            const std::uint8_t* const end = words.data() + words.size();
            for (const std::uint8_t* word = words.data(); word != end; word += WORD_BYTES) {
                load_bytes(model.word_i, word);
                model.eval();
                if (incident.pending) return;
                ++incident.item;
                sink(model);
            }
        });
    }

    static void capture(const Model& model, RtlDecoded& to) {
        to.src_nelem = model.src_nelem_o;
        to.events_semaphore_value = model.events_semaphore_value_o;
        to.src_start_addr = model.src_start_addr_o;
        to.dst_start_addr = model.dst_start_addr_o;
        to.src_step_elem = triple<std::int16_t>(model.src_step_elem_o);
        to.src_num_elem = triple<std::uint16_t>(model.src_num_elem_o);
        to.dst_step_elem = triple<std::int16_t>(model.dst_step_elem_o);
        to.dst_num_elem = triple<std::uint16_t>(model.dst_num_elem_o);
        to.fail = model.fail_o;
        to.header_opcode = model.header_opcode_o;
        to.header_inst_word_len = model.header_inst_word_len_o;
        to.header_debug_cmd = model.header_debug_cmd_o;
        to.header_debug_hint = model.header_debug_hint_o;
        to.events_wait_mode = model.events_wait_mode_o;
        to.events_wait_idx = model.events_wait_idx_o;
        to.events_update_mode = model.events_update_mode_o;
        to.events_update_idx = model.events_update_idx_o;
        to.in_dtype = model.in_dtype_o;
        to.out_dtype = model.out_dtype_o;
        store_bytes(model.reserved0_o, to.reserved0);
        to.lnc_size_fmt = model.lnc_size_fmt_o;
        to.num_active_channels = model.num_active_channels_o;
        store_bytes(model.reserved1_o, to.reserved1);
        to.first_failure = model.first_failure_o;
        to.valid = model.valid_o;
    }

    std::unique_ptr<Model> model_;
};

}  // namespace

std::unique_ptr<Decoder> new_decoder(bool instrumented) {
    if (instrumented) return std::make_unique<DecoderOf<Vs3d3_decoder_mut>>();
    return std::make_unique<DecoderOf<Vs3d3_decoder>>();
}

}  // namespace sb2sb
