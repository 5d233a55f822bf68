// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "rtl-bridge/shim/udma.h"

#include "Vudma_group.h"
#include "Vudma_group_mut.h"
#include "rtl-bridge/shim/udma_memory.h"
#include "rtl-bridge/src/bridge/udma.rs.h"

namespace sb2sb {
namespace {

constexpr unsigned ENGINES = 4;
constexpr unsigned QUEUES = 2;
constexpr unsigned PROBE_BITS = 512 * QUEUES + 334;
// Consecutive cycles in which all engines are settled, before it is believed.
constexpr unsigned QUIET = 3;
// A register access may have to wait for the division of a doorbell, never longer.
constexpr unsigned PATIENCE = 256;

// Ports, in the order of RingOp::port.
enum : unsigned { FETCH, READ, WRITE, COMPLETE, PORTS };

// Rules of docs/idma-contract.md that a monitor checks; RingEvent::length of a violation.
enum : std::uint32_t {
    RULE_HELD = 1,      // a request stays as it is until it is taken
    RULE_ONE = 2,       // one access in flight
    RULE_ID = 3,        // the id counts up by one
    RULE_SIZE = 4,      // count and length are in range
    RULE_LINE = 5,      // a data access stays in its line
    RULE_STROBE = 6,    // strobes are those of the bytes, other lanes are 0
    RULE_ALIGNED = 7,   // a completion is aligned, its unused bits are 0
    RULE_RESPONSE = 8,  // a register access is answered in the next cycle, writes with 0
    RULE_JOIN = 9,      // accesses of one descriptor follow each other
};

// `width` bits (1 to 64) of a wide port, from bit `low` on.
template <std::size_t Words>
std::uint64_t bits(const VlWide<Words>& port, unsigned low, unsigned width) {
    std::uint64_t value = 0;
    const unsigned first = low / 32;
    const unsigned shift = low % 32;
    value = std::uint64_t{port[first]} >> shift;
    if (shift + width > 32) value |= std::uint64_t{port[first + 1]} << (32 - shift);
    if (shift + width > 64) value |= std::uint64_t{port[first + 2]} << (64 - shift);
    return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

template <std::size_t Words>
std::uint8_t* lanes(VlWide<Words>& port, unsigned byte) {
    return reinterpret_cast<std::uint8_t*>(&port[0]) + byte;
}

template <std::size_t Words>
const std::uint8_t* lanes(const VlWide<Words>& port, unsigned byte) {
    return reinterpret_cast<const std::uint8_t*>(&port[0]) + byte;
}

template <typename Port>
void set_field(Port& port, unsigned low, unsigned width, std::uint32_t value) {
    const std::uint32_t mask = (width == 32 ? 0 : (1U << width)) - 1U;
    port = static_cast<Port>((port & ~(mask << low)) | ((value & mask) << low));
}

constexpr std::uint32_t field(std::uint32_t port, unsigned low, unsigned width) {
    return (port >> low) & ((1U << width) - 1U);
}

// A request as the engine shows it.
struct Request {
    std::uint64_t address = 0;
    std::uint32_t length = 0;  // bytes, or descriptors
    std::uint32_t strobes = 0;
    std::uint8_t id = 0;
    std::uint8_t queue = 0;
    bool s2m = false;
    bool last = false;

    bool operator==(const Request& other) const {
        return address == other.address && length == other.length && strobes == other.strobes && id == other.id &&
               queue == other.queue && s2m == other.s2m && last == other.last;
    }
};

// Accesses of one descriptor that are being joined.
struct Joined {
    bool is_open = false;
    std::uint64_t address = 0;
    std::uint8_t queue = 0;
    std::vector<std::uint8_t> bytes;
};

struct Engine {
    RingMemory memory;
    std::array<RingPort, PORTS> ports;
    std::array<Request, PORTS> waiting;
    std::array<bool, PORTS> is_waiting{};
    std::array<std::uint8_t, PORTS> next_id{};
    // Of the access that is being answered.
    std::array<Request, PORTS> taken;
    std::array<Joined, PORTS> joined;
};

template <typename Model>
class UdmaGroupOf final : public UdmaGroup {
    static constexpr bool INSTRUMENTED = std::is_same_v<Model, Vudma_group_mut>;

public:
    UdmaGroupOf() {
        enter([this](Incident&) {
            model_ = std::make_unique<Model>(context());
            Model& model = *model_;
            if constexpr (INSTRUMENTED) model.mutant_sel_i = 0;
            model.clk_i = 0;
            model.rst_ni = 1;
            model.generation_i = 0;
            model.reg_valid_i = 0;
            idle();
            model.eval();
        });
    }

    ~UdmaGroupOf() override { leave(model_); }

    void set_mutant(std::uint16_t id) override {
        if constexpr (INSTRUMENTED) {
            model_->mutant_sel_i = id;
        } else if (id != 0) {
            throw std::invalid_argument("mutant " + std::to_string(id) + " needs the instrumented model");
        }
    }

    RingEnd run(rust::Slice<const RingOp> ops, rust::Slice<const std::uint8_t> bytes, std::uint32_t quiet,
                std::uint32_t longest, bool record) override {
        for (const RingOp& op : ops) check(op, bytes);
        quiet_limit_ = quiet;
        longest_ = longest;
        record_ = record;
        cycles_ = 0;
        packets_ = 0;
        op_ = 0;
        events_.clear();
        bytes_.clear();
        values_.clear();
        states_.clear();
        for (Engine& engine : engines_) {
            for (Joined& joined : engine.joined) joined.is_open = false;
            engine.is_waiting.fill(false);
        }
        RingEnd end{};
        enter([&](Incident& incident) {
            incident_ = &incident;
            for (const RingOp& op : ops) {
                incident.item = op_;
                if (!step(op, bytes)) end.hung = true;
                if (end.hung || incident.pending) break;
                ++op_;
            }
            if (end.hung) show();
        });
        end.done = op_;
        end.cycles = cycles_;
        end.packets = packets_;
        return end;
    }

    rust::Slice<const RingEvent> events() const noexcept override { return {events_.data(), events_.size()}; }
    rust::Slice<const std::uint8_t> bytes() const noexcept override { return {bytes_.data(), bytes_.size()}; }
    rust::Slice<const std::uint32_t> values() const noexcept override { return {values_.data(), values_.size()}; }
    rust::Slice<const RingEngineState> states() const noexcept override {
        return {states_.data(), states_.size()};
    }
    rust::Slice<const std::uint8_t> memory(std::uint8_t engine) const override {
        const auto& bytes = engines_.at(engine).memory.bytes();
        return {bytes.data(), bytes.size()};
    }

private:
    static void check(const RingOp& op, rust::Slice<const std::uint8_t> bytes) {
        if (op.engine >= ENGINES) throw std::invalid_argument("an engine of a script does not exist");
        if (op.kind == RingOpKind::Fault && op.port >= PORTS) {
            throw std::invalid_argument("a port of a script does not exist");
        }
        if (op.kind == RingOpKind::Poke && std::uint64_t{op.start} + op.data > bytes.size()) {
            throw std::invalid_argument("a script has fewer bytes than it writes");
        }
    }

    // One step; false if the watchdog struck.
    bool step(const RingOp& op, rust::Slice<const std::uint8_t> bytes) {
        if (op.settled && !settle()) return false;
        Engine& engine = engines_[op.engine];
        switch (op.kind) {
        case RingOpKind::Reset: reset(op.what); break;
        case RingOpKind::Write: return access(op, true);
        case RingOpKind::Read: return access(op, false);
        case RingOpKind::Settle:
            if (!settle()) return false;
            show();
            break;
        case RingOpKind::Poke: engine.memory.write(op.address, bytes.data() + op.start, op.data); break;
        case RingOpKind::Inject:
            model_->inj_valid_i = static_cast<std::uint8_t>(1U << op.engine);
            set_field(model_->inj_group_i, 2 * op.engine, 2, op.port);
            set_field(model_->inj_bit_i, 5 * op.engine, 5, op.what);
            cycle();
            model_->inj_valid_i = 0;
            break;
        case RingOpKind::Fault:
            if (op.what > 1) {
                for (RingPort& port : engine.ports) port.forget_faults();
            } else {
                engine.ports[op.port].fail(op.data, op.what != 0);
            }
            break;
        case RingOpKind::Stall:
            for (unsigned p = 0; p < PORTS; ++p) {
                engine.ports[p].stall(op.what, op.port, (op.address & 1) != 0, op.data + p);
            }
            break;
        case RingOpKind::Idle:
            for (std::uint32_t i = 0; i < op.data && i < longest_ && !incident_->pending; ++i) cycle();
            break;
        }
        return true;
    }

    void reset(std::uint8_t generation) {
        Model& model = *model_;
        for (unsigned e = 0; e < ENGINES; ++e) {
            close_all(e);
            Engine& engine = engines_[e];
            engine.memory.reset();
            for (RingPort& port : engine.ports) port.reset();
            engine.is_waiting.fill(false);
            // Ids count from wherever the engine begins.
            knows_id_[e].fill(false);
        }
        loose_ = false;
        model.generation_i = generation;
        model.reg_valid_i = 0;
        idle();
        model.clk_i = 0;
        model.rst_ni = 0;
        model.eval();
        model.clk_i = 1;
        model.eval();
        model.clk_i = 0;
        model.rst_ni = 1;
        model.eval();
        ++cycles_;
    }

    void idle() {
        Model& model = *model_;
        model.inj_valid_i = 0;
        model.inj_group_i = 0;
        model.inj_bit_i = 0;
        model.df_ready_i = 0;
        model.dr_ready_i = 0;
        model.dw_ready_i = 0;
        model.cw_ready_i = 0;
        model.df_rvalid_i = 0;
        model.dr_rvalid_i = 0;
        model.dw_bvalid_i = 0;
        model.cw_bvalid_i = 0;
    }

    bool access(const RingOp& op, bool is_write) {
        Model& model = *model_;
        if (!op.settled) loose_ = true;
        model.reg_valid_i = 1;
        model.reg_write_i = is_write;
        model.reg_addr_i = op.address & 0xFFFFFF;
        model.reg_wdata_i = op.data;
        for (unsigned waited = 0; waited < PATIENCE; ++waited) {
            cycle();
            if (incident_->pending) return true;
            if (!was_reg_ready_) continue;
            model.reg_valid_i = 0;
            if (record_ && !(model.reg_rvalid_o && (!is_write || model.reg_rdata_o == 0))) {
                violation(op.engine, RULE_RESPONSE);
            }
            if (!is_write) values_.push_back(model.reg_rdata_o);
            return true;
        }
        model.reg_valid_i = 0;
        return false;
    }

    // Cycles until nothing can happen any more.
    bool settle() {
        unsigned quiet = 0;
        std::uint32_t since = 0;
        for (std::uint32_t spent = 0; spent < longest_; ++spent) {
            cycle();
            if (incident_->pending) return true;
            quiet = model_->settled_o == (1U << ENGINES) - 1 ? quiet + 1 : 0;
            if (quiet == QUIET) {
                for (unsigned e = 0; e < ENGINES; ++e) close_all(e);
                return true;
            }
            since = busy_ ? 0 : since + 1;
            if (since > quiet_limit_) return false;
        }
        return false;
    }

    // One clock cycle. Outputs are read before the edge, except those that tell what happened at it.
    void cycle() {
        Model& model = *model_;
        busy_ = false;
        drive();
        model.clk_i = 0;
        model.eval();
        was_reg_ready_ = model.reg_ready_o;
        sample();
        model.clk_i = 1;
        model.eval();
        ++cycles_;
        if (record_) errors();
    }

    // Readiness and responses of this cycle.
    void drive() {
        Model& model = *model_;
        std::array<std::uint8_t, PORTS> ready{};
        std::array<std::uint8_t, PORTS> valid{};
        std::array<std::uint8_t, PORTS> error{};
        for (unsigned e = 0; e < ENGINES; ++e) {
            Engine& engine = engines_[e];
            for (unsigned p = 0; p < PORTS; ++p) {
                RingPort& port = engine.ports[p];
                const std::uint8_t bit = static_cast<std::uint8_t>(1U << e);
                if (port.is_ready()) ready[p] |= bit;
                if (const RingPort::Owed* owed = port.answer()) {
                    valid[p] |= bit;
                    busy_ = true;
                    if (respond(e, p, *owed)) error[p] |= bit;
                    port.done();
                } else if (port.sends_stranger()) {
                    valid[p] |= bit;
                    error[p] |= bit;
                    set_id(e, p, port.stranger(engine.taken[p].id));
                }
            }
        }
        model.df_ready_i = ready[FETCH];
        model.dr_ready_i = ready[READ];
        model.dw_ready_i = ready[WRITE];
        model.cw_ready_i = ready[COMPLETE];
        model.df_rvalid_i = valid[FETCH];
        model.dr_rvalid_i = valid[READ];
        model.dw_bvalid_i = valid[WRITE];
        model.cw_bvalid_i = valid[COMPLETE];
        model.df_rerror_i = error[FETCH];
        model.dr_rerror_i = error[READ];
        model.dw_berror_i = error[WRITE];
        model.cw_berror_i = error[COMPLETE];
    }

    void set_id(unsigned e, unsigned p, std::uint8_t id) {
        Model& model = *model_;
        switch (p) {
        case FETCH: set_field(model.df_rid_i, 8 * e, 8, id); break;
        case READ: set_field(model.dr_rid_i, 8 * e, 8, id); break;
        case WRITE: set_field(model.dw_bid_i, 8 * e, 8, id); break;
        default: set_field(model.cw_bid_i, 8 * e, 8, id); break;
        }
    }

    // Puts a response on its port; whether it is an error.
    bool respond(unsigned e, unsigned p, const RingPort::Owed& owed) {
        Model& model = *model_;
        Engine& engine = engines_[e];
        const bool fails = owed.beat == owed.failing;
        set_id(e, p, owed.id);
        // An answer to an access that the engine gave up says nothing about the present one.
        const bool is_current = owed.id == engine.taken[p].id;
        if (p == FETCH) {
            engine.memory.read(owed.address + 16U * owed.beat, lanes(model.df_rdata_i, 16 * e), 16);
        } else if (p == READ) {
            std::uint8_t* line = lanes(model.dr_rdata_i, 32 * e);
            std::memset(line, 0xA5, 32);
            std::uint8_t* to = line + owed.address % 32;
            engine.memory.read(owed.address, to, owed.length);
            if (is_current) joined_part(e, p, fails, to, owed.length);
        } else if (p == WRITE && is_current) {
            joined_part(e, p, fails, pending_[e].data(), owed.length);
        }
        return fails;
    }

    // Requests that are taken at the coming edge, and packets that are complete.
    void sample() {
        Model& model = *model_;
        const std::array<std::uint8_t, PORTS> valid{
            static_cast<std::uint8_t>(model.df_valid_o), static_cast<std::uint8_t>(model.dr_valid_o),
            static_cast<std::uint8_t>(model.dw_valid_o), static_cast<std::uint8_t>(model.cw_valid_o)};
        const std::array<std::uint8_t, PORTS> ready{
            static_cast<std::uint8_t>(model.df_ready_i), static_cast<std::uint8_t>(model.dr_ready_i),
            static_cast<std::uint8_t>(model.dw_ready_i), static_cast<std::uint8_t>(model.cw_ready_i)};
        for (unsigned p = 0; p < PORTS; ++p) {
            for (unsigned e = 0; e < ENGINES; ++e) {
                Engine& engine = engines_[e];
                const bool shows = (valid[p] >> e & 1) != 0;
                if (!shows && !engine.is_waiting[p]) continue;
                if (!shows) {
                    if (record_) violation(e, RULE_HELD);
                    engine.is_waiting[p] = false;
                    continue;
                }
                busy_ = true;
                const Request request = requested(e, p);
                if (record_ && engine.is_waiting[p] && !(request == engine.waiting[p])) violation(e, RULE_HELD);
                const bool taken = (ready[p] >> e & 1) != 0;
                engine.is_waiting[p] = !taken;
                engine.waiting[p] = request;
                if (taken) take(e, p, request);
            }
        }
        if (model.note_valid_o == 0) return;
        for (unsigned e = 0; e < ENGINES; ++e) {
            if ((model.note_valid_o >> e & 1) == 0) continue;
            const bool s2m = (model.note_s2m_o >> e & 1) != 0;
            if (!s2m) ++packets_;
            if (record_) {
                const auto queue = static_cast<std::uint8_t>(field(model.note_queue_o, 4 * e, 4));
                event({0, op_, 0, 0, RingEventKind::Packet, static_cast<std::uint8_t>(e), queue, s2m, false});
            }
        }
    }

    Request requested(unsigned e, unsigned p) const {
        const Model& model = *model_;
        Request request;
        switch (p) {
        case FETCH:
            request.address = bits(model.df_addr_o, 64 * e, 64);
            request.length = field(model.df_count_o, 4 * e, 4);
            request.id = static_cast<std::uint8_t>(field(model.df_id_o, 8 * e, 8));
            request.queue = static_cast<std::uint8_t>(field(model.df_queue_o, 4 * e, 4));
            request.s2m = (model.df_s2m_o >> e & 1) != 0;
            break;
        case READ:
            request.address = bits(model.dr_addr_o, 64 * e, 64);
            request.length = field(model.dr_len_o, 6 * e, 6);
            request.id = static_cast<std::uint8_t>(field(model.dr_id_o, 8 * e, 8));
            request.queue = static_cast<std::uint8_t>(field(model.dr_queue_o, 4 * e, 4));
            request.last = (model.dr_last_o >> e & 1) != 0;
            break;
        case WRITE:
            request.address = bits(model.dw_addr_o, 64 * e, 64);
            request.length = field(model.dw_len_o, 6 * e, 6);
            request.strobes = static_cast<std::uint32_t>(bits(model.dw_strb_o, 32 * e, 32));
            request.id = static_cast<std::uint8_t>(field(model.dw_id_o, 8 * e, 8));
            request.queue = static_cast<std::uint8_t>(field(model.dw_queue_o, 4 * e, 4));
            request.s2m = true;
            request.last = (model.dw_last_o >> e & 1) != 0;
            break;
        default:
            request.address = bits(model.cw_addr_o, 64 * e, 64);
            request.length = field(model.cw_len_o, 5 * e, 5);
            request.id = static_cast<std::uint8_t>(field(model.cw_id_o, 8 * e, 8));
            request.queue = static_cast<std::uint8_t>(field(model.cw_queue_o, 4 * e, 4));
            request.s2m = (model.cw_s2m_o >> e & 1) != 0;
            break;
        }
        return request;
    }

    void take(unsigned e, unsigned p, const Request& request) {
        Model& model = *model_;
        Engine& engine = engines_[e];
        RingPort& port = engine.ports[p];
        if (record_) {
            // What is behind a failing descriptor of a burst is dropped, so another burst may begin.
            if (port.owes() && !loose_ && p != FETCH) violation(e, RULE_ONE);
            if (knows_id_[e][p] && request.id != engine.next_id[p]) violation(e, RULE_ID);
            knows_id_[e][p] = true;
            engine.next_id[p] = static_cast<std::uint8_t>(request.id + 1);
        }
        engine.taken[p] = request;
        const std::uint32_t lane = request.address % 32;
        std::uint8_t beats = 1;
        if (p == FETCH) {
            if (request.length == 0 || request.length > 8) {
                violation(e, RULE_SIZE);
                return;
            }
            beats = static_cast<std::uint8_t>(request.length);
        } else if (p == COMPLETE) {
            if (request.length == 0 || request.length > 16 || request.length % 4 != 0) {
                violation(e, RULE_SIZE);
                return;
            }
        } else if (request.length == 0 || lane + request.length > 32) {
            violation(e, request.length == 0 ? RULE_SIZE : RULE_LINE);
            return;
        }
        if (p == FETCH) port.drop();
        const RingPort::Owed& owed = port.take(request.address, request.length, request.id, beats);
        const bool fails = owed.failing == 0;
        const bool is_silent = fails && owed.is_silent;
        if (p == FETCH) {
            if (record_) record_event(e, RingEventKind::Fetch, request, nullptr, 0);
        } else if (p == COMPLETE) {
            const std::uint8_t* data = lanes(model.cw_data_o, 16 * e);
            if (record_) {
                bool clean = request.address % 4 == 0;
                for (std::uint32_t i = request.length; i < 16; ++i) clean = clean && data[i] == 0;
                if (!clean) violation(e, RULE_ALIGNED);
                record_event(e, RingEventKind::Completion, request, data, request.length);
            }
            if (!fails) engine.memory.write(request.address, data, request.length);
        } else {
            if (p == WRITE) {
                const std::uint8_t* data = lanes(model.dw_data_o, 32 * e);
                std::memcpy(pending_[e].data(), data + lane, request.length);
                if (record_ && !strobes_fit(request, data)) violation(e, RULE_STROBE);
                if (!fails) engine.memory.write(request.address, data + lane, request.length);
            }
            // A part that a failed read cut short ends here.
            if (p == READ && !engine.joined[READ].is_open) close(e, WRITE, loose_);
            Joined& joined = engine.joined[p];
            if (joined.is_open && record_ && !loose_ &&
                (joined.queue != request.queue || joined.address + joined.bytes.size() != request.address)) {
                violation(e, RULE_JOIN);
            }
            if (joined.is_open && loose_ && joined.address + joined.bytes.size() != request.address) close(e, p, true);
            if (!joined.is_open) {
                joined.is_open = true;
                joined.address = request.address;
                joined.queue = request.queue;
                joined.bytes.clear();
            }
            if (is_silent) close(e, p, false);
        }
    }

    static bool strobes_fit(const Request& request, const std::uint8_t* data) {
        const std::uint32_t lane = request.address % 32;
        const std::uint64_t expected = ((std::uint64_t{1} << request.length) - 1) << lane;
        if (request.strobes != static_cast<std::uint32_t>(expected)) return false;
        for (std::uint32_t i = 0; i < 32; ++i) {
            if ((expected >> i & 1) == 0 && data[i] != 0) return false;
        }
        return true;
    }

    // A data access was answered.
    void joined_part(unsigned e, unsigned p, bool fails, const std::uint8_t* data, std::uint32_t length) {
        if (!record_) return;
        Joined& joined = engines_[e].joined[p];
        if (!joined.is_open) return;
        if (!fails) joined.bytes.insert(joined.bytes.end(), data, data + length);
        if (fails || engines_[e].taken[p].last) close(e, p, false);
    }

    void close(unsigned e, unsigned p, bool cut) {
        Joined& joined = engines_[e].joined[p];
        if (!joined.is_open) return;
        joined.is_open = false;
        if (!record_) return;
        Request request;
        request.address = joined.address;
        request.length = static_cast<std::uint32_t>(joined.bytes.size());
        request.queue = joined.queue;
        request.s2m = p == WRITE;
        const RingEventKind kind = p == READ ? RingEventKind::Read : RingEventKind::Write;
        record_event(e, kind, request, joined.bytes.data(), joined.bytes.size());
        events_.back().cut = cut;
    }

    void close_all(unsigned e) {
        close(e, READ, true);
        close(e, WRITE, loose_);
    }

    void record_event(unsigned e, RingEventKind kind, const Request& request, const std::uint8_t* data,
                      std::size_t count) {
        const auto start = static_cast<std::uint32_t>(bytes_.size());
        if (count > 0) bytes_.insert(bytes_.end(), data, data + count);
        event({request.address, op_, request.length, start, kind, static_cast<std::uint8_t>(e), request.queue,
               request.s2m, false});
    }

    void violation(unsigned e, std::uint32_t rule) {
        if (!record_) return;
        event({0, op_, rule, 0, RingEventKind::Violation, static_cast<std::uint8_t>(e), 0, false, false});
    }

    void event(const RingEvent& event) { events_.push_back(event); }

    // Error bits raised at the last edge.
    void errors() {
        for (unsigned e = 0; e < ENGINES; ++e) {
            const unsigned base = PROBE_BITS * e + 512 * QUEUES;
            const std::uint64_t raised = bits(model_->probe_o, base + 269, 64);
            if (raised == 0) continue;
            for (unsigned s2m = 0; s2m < 2; ++s2m) {
                const auto part = static_cast<std::uint32_t>(raised >> (32 * s2m));
                if (part == 0) continue;
                event({0, op_, part, 0, RingEventKind::Error, static_cast<std::uint8_t>(e), 0, s2m != 0, false});
            }
        }
    }

    void show() {
        if (!record_) return;
        for (unsigned e = 0; e < ENGINES; ++e) {
            RingEngineState state{};
            state.digest = engines_[e].memory.digest();
            for (unsigned part = 0; part < 2 * QUEUES; ++part) {
                const unsigned base = PROBE_BITS * e + 256 * part;
                RingQueueState& queue = state.queues[part];
                queue.head = pointer(base);
                queue.tail = pointer(base + 26);
                queue.current = pointer(base + 52);
                queue.completed = pointer(base + 78);
                queue.data_tail = part % 2 == 0 ? pointer(base + 173) : 0;
                queue.posted = static_cast<std::uint32_t>(bits(model_->probe_o, base + 104, 25));
                queue.in_flight = static_cast<std::uint16_t>(bits(model_->probe_o, base + 129, 9));
                queue.level = static_cast<std::uint8_t>(bits(model_->probe_o, base + 138, 8));
                queue.halted = bits(model_->probe_o, base + 146, 1) != 0;
            }
            const unsigned base = PROBE_BITS * e + 512 * QUEUES;
            state.state = {static_cast<std::uint8_t>(bits(model_->probe_o, base, 2)),
                           static_cast<std::uint8_t>(bits(model_->probe_o, base + 2, 2))};
            state.step = static_cast<std::uint8_t>(bits(model_->probe_o, base + 4, 3));
            state.packet_queue = static_cast<std::uint8_t>(bits(model_->probe_o, base + 7, 4));
            state.settled = (model_->settled_o >> e & 1) != 0;
            states_.push_back(state);
        }
    }

    // {ring id, offset} as in a pointer register [idma-ring §2.3].
    std::uint32_t pointer(unsigned low) const {
        const auto value = static_cast<std::uint32_t>(bits(model_->probe_o, low, 26));
        return (value >> 24) << 30 | (value & 0xFFFFFF);
    }

    std::unique_ptr<Model> model_;
    std::array<Engine, ENGINES> engines_;
    std::array<std::array<bool, PORTS>, ENGINES> knows_id_{};
    std::array<std::array<std::uint8_t, 32>, ENGINES> pending_{};
    std::vector<RingEvent> events_;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint32_t> values_;
    std::vector<RingEngineState> states_;
    Incident* incident_ = nullptr;
    std::uint64_t cycles_ = 0;
    std::uint64_t packets_ = 0;
    std::uint32_t op_ = 0;
    std::uint32_t quiet_limit_ = 0;
    std::uint32_t longest_ = 0;
    bool record_ = true;
    bool busy_ = false;
    bool was_reg_ready_ = false;
    // A register was written while an engine was at work: accesses may have been given up.
    bool loose_ = false;
};

}  // namespace

std::unique_ptr<UdmaGroup> new_udma_group(bool instrumented) {
    if (instrumented) return std::make_unique<UdmaGroupOf<Vudma_group_mut>>();
    return std::make_unique<UdmaGroupOf<Vudma_group>>();
}

}  // namespace sb2sb
