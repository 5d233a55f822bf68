// SPDX-License-Identifier: Apache-2.0 OR MIT
// The memory behind an engine, and how its ports answer. src/lockstep/ring_memory.rs is the same memory for the
// model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

namespace sb2sb {

// Addresses fold: bits above the size do not choose a byte. Untouched bytes hold a fixed pattern, so that
// everything can be read.
class RingMemory {
public:
    static constexpr std::size_t BYTES = 1U << 20;
    static constexpr std::size_t LINE = 32;
    static constexpr std::size_t REGIONS = 16;

    RingMemory() : bytes_(BYTES), dirty_(BYTES / PAGE, 0) {
        for (std::size_t page = 0; page < BYTES / PAGE; ++page) fill(page);
    }

    void reset() {
        for (const std::size_t page : touched_) {
            fill(page);
            dirty_[page] = 0;
        }
        touched_.clear();
        digest_.fill(0);
    }

    void read(std::uint64_t address, std::uint8_t* out, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i) out[i] = bytes_[(address + i) % BYTES];
    }

    void write(std::uint64_t address, const std::uint8_t* in, std::size_t count) {
        while (count > 0) {
            const std::size_t at = address % BYTES;
            const std::size_t room = LINE - at % LINE;
            const std::size_t part = count < room ? count : room;
            write_line(at, in, part);
            address += part;
            in += part;
            count -= part;
        }
    }

    const std::array<std::uint64_t, REGIONS>& digest() const noexcept { return digest_; }
    const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }

    // Also the generator of the ports.
    static std::uint64_t mix(std::uint64_t x) noexcept {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
        return x ^ (x >> 31);
    }

private:
    static constexpr std::size_t PAGE = 4096;

    void fill(std::size_t page) {
        for (std::size_t at = page * PAGE; at < (page + 1) * PAGE; at += 8) {
            const std::uint64_t word = mix(at / 8 + 1);
            std::memcpy(&bytes_[at], &word, 8);
        }
    }

    std::uint64_t hash(std::size_t line) const noexcept {
        std::uint64_t x = line + 1;
        for (std::size_t i = 0; i < LINE; i += 8) {
            std::uint64_t word;
            std::memcpy(&word, &bytes_[line * LINE + i], 8);
            x = (x ^ word) * 0x9E3779B97F4A7C15ULL;
            x ^= x >> 32;
        }
        return x;
    }

    void write_line(std::size_t at, const std::uint8_t* in, std::size_t count) {
        const std::size_t page = at / PAGE;
        if (dirty_[page] == 0) {
            dirty_[page] = 1;
            touched_.push_back(page);
        }
        std::uint64_t& digest = digest_[at / (BYTES / REGIONS)];
        digest ^= hash(at / LINE);
        std::memcpy(&bytes_[at], in, count);
        digest ^= hash(at / LINE);
    }

    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint8_t> dirty_;
    std::vector<std::size_t> touched_;
    std::array<std::uint64_t, REGIONS> digest_{};
};

// How one port answers: what it still owes, its stalls, the faults to come.
class RingPort {
public:
    // An access that was taken, with `beats` responses to come.
    struct Owed {
        std::uint64_t address = 0;
        std::uint32_t length = 0;
        std::uint8_t id = 0;
        std::uint8_t beats = 1;
        std::uint8_t beat = 0;
        // The beat that fails; none if it is `beats`.
        std::uint8_t failing = 1;
        bool is_silent = false;
    };

    void reset() {
        owed_.clear();
        faults_.clear();
        accesses_ = 0;
        stall(0, 0, false, 0);
    }

    void stall(std::uint8_t ready, std::uint8_t response, bool strangers, std::uint32_t seed) {
        ready_ = ready;
        response_ = response;
        strangers_ = strangers;
        random_ = seed;
        delay_ = 0;
    }

    void forget_faults() { faults_.clear(); }

    // What is still owed is given up.
    void drop() { owed_.clear(); }

    void fail(std::uint64_t after, bool is_silent) { faults_.push_back({accesses_ + after, is_silent}); }

    bool stalls() const noexcept { return ready_ != 0; }

    // Whether the port takes a request in this cycle.
    bool is_ready() { return ready_ == 0 || below(ready_) == 0; }

    // A request was taken. Says which of its beats fails.
    const Owed& take(std::uint64_t address, std::uint32_t length, std::uint8_t id, std::uint8_t beats) {
        Owed owed;
        owed.address = address;
        owed.length = length;
        owed.id = id;
        owed.beats = beats;
        owed.failing = beats;
        for (std::uint8_t beat = 0; beat < beats && owed.failing == beats; ++beat) {
            for (const Fault& fault : faults_) {
                if (fault.access == accesses_ + beat) {
                    owed.failing = beat;
                    owed.is_silent = fault.is_silent;
                }
            }
        }
        accesses_ += beats;
        while (!faults_.empty() && faults_.front().access < accesses_) faults_.pop_front();
        if (owed_.empty()) delay_ = below(response_);
        owed_.push_back(owed);
        return owed_.back();
    }

    // The beat that is answered in this cycle, if one is; `done` afterwards.
    const Owed* answer() {
        while (!owed_.empty() && owed_.front().is_silent && owed_.front().beat >= owed_.front().failing) {
            owed_.pop_front();
        }
        if (owed_.empty()) return nullptr;
        if (delay_ > 0) {
            --delay_;
            return nullptr;
        }
        return &owed_.front();
    }

    void done() {
        if (++owed_.front().beat == owed_.front().beats) owed_.pop_front();
        delay_ = below(response_);
    }

    // Whether a response that nobody waits for is due.
    bool sends_stranger() { return strangers_ && below(7) == 0; }

    bool owes() const noexcept { return !owed_.empty(); }

    // An id that no access in flight has: one access is in flight, and ids count up.
    std::uint8_t stranger(std::uint8_t id) { return static_cast<std::uint8_t>(id + 64 + below(127)); }

private:
    struct Fault {
        std::uint64_t access;
        bool is_silent;
    };

    // 0 to `most`.
    std::uint32_t below(std::uint32_t most) {
        if (most == 0) return 0;
        random_ += 0x9E3779B97F4A7C15ULL;
        return static_cast<std::uint32_t>((RingMemory::mix(random_) >> 33) % (most + 1U));
    }

    std::deque<Owed> owed_;
    std::deque<Fault> faults_;
    std::uint64_t accesses_ = 0;
    std::uint64_t random_ = 0;
    std::uint32_t delay_ = 0;
    std::uint8_t ready_ = 0;
    std::uint8_t response_ = 0;
    bool strangers_ = false;
};

}  // namespace sb2sb
