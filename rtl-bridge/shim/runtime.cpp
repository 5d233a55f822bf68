// SPDX-License-Identifier: Apache-2.0 OR MIT
// First: it sets what the runtime's headers print with.
#include "rtl-bridge/shim/capture.h"

#include "rtl-bridge/shim/runtime.h"
#include "rtl-bridge/src/bridge/runtime.rs.h"

#include <cstdarg>
#include <cstdio>

namespace sb2sb {
namespace {

// A design that prints without end must not take the memory of the machine.
constexpr std::size_t TEXT_LIMIT = 16384;

// Seed of the values that uninitialised state starts with: fixed, so that two runs are alike.
constexpr int RANDOM_SEED = 0x5B25;

// The incident of the entry that runs on this thread; null outside of every entry.
thread_local Incident* current = nullptr;
// The last incident that became an exception on this thread.
thread_local Incident last;

// A fatal of the simulator's runtime. It may not return to its caller, so it is thrown at once.
struct RuntimeFatal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The design or the runtime reported something during an entry.
struct DeviceFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void record(FaultKind kind, const char* file, int line, const char* hierarchy) {
    if (current == nullptr || current->pending) return;
    current->pending = true;
    current->kind = kind;
    current->file = file != nullptr ? file : "";
    current->line = line;
    current->hierarchy = hierarchy != nullptr ? hierarchy : "";
}

// $stop prints nothing; $error, $fatal and assertions print their message first. Older releases
// (5.006) announce $fatal as an error.
FaultKind kind_of_stop(const std::string& text) {
    if (text.find("%Fatal:") != std::string::npos) return FaultKind::Fatal;
    if (text.find("%Error:") != std::string::npos) return FaultKind::Error;
    return FaultKind::Stop;
}

const char* name(FaultKind kind) {
    switch (kind) {
    case FaultKind::Stop: return "$stop";
    case FaultKind::Error: return "error";
    case FaultKind::Fatal: return "fatal";
    case FaultKind::Finish: return "$finish";
    case FaultKind::Runtime: return "simulator fatal";
    default: return "no fault";
    }
}

std::string describe(const Incident& incident) {
    std::string text = name(incident.kind);
    text += " in " + incident.hierarchy;
    if (!incident.file.empty()) text += " at " + incident.file + ":" + std::to_string(incident.line);
    if (!incident.text.empty()) text += ": " + incident.text;
    return text;
}

}  // namespace

Instance::Instance(const char* top) : top_{top}, context_{std::make_unique<VerilatedContext>()} {
    context_->fatalOnError(false);
    context_->randReset(2);
    context_->randSeed(RANDOM_SEED);
}

Instance::Entry::Entry(VerilatedContext& context) {
    Verilated::threadContextp(&context);
    current = &incident;
}

Instance::Entry::~Entry() {
    current = nullptr;
    // The thread must not keep a pointer to a context that another thread may destroy.
    Verilated::threadContextp(Verilated::defaultContextp());
}

void Instance::refuse_if_dead() const {
    if (!dead_.empty()) throw std::logic_error("the instance is dead since " + dead_);
}

void Instance::conclude(Incident& incident) {
    if (!incident.pending) return;
    if (incident.hierarchy.empty()) incident.hierarchy = top_;
    last = incident;
    if (incident.kind == FaultKind::Finish || incident.kind == FaultKind::Runtime) {
        dead_ = describe(incident);
    }
    throw DeviceFault(describe(incident));
}

Fault take_fault() {
    Fault fault;
    fault.kind = last.pending ? last.kind : FaultKind::None;
    fault.file = last.file;
    fault.line = static_cast<std::uint32_t>(last.line < 0 ? 0 : last.line);
    fault.hierarchy = last.hierarchy;
    fault.text = rust::String::lossy(last.text);
    fault.item = last.item;
    last = Incident{};
    return fault;
}

rust::String simulator_version() { return Verilated::productVersion(); }

}  // namespace sb2sb

int sb2sb_capture_printf(const char* format, ...) {
    if (sb2sb::current == nullptr) return 0;
    std::va_list arguments;
    va_start(arguments, format);
    std::va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    std::string& text = sb2sb::current->text;
    if (length > 0 && text.size() < sb2sb::TEXT_LIMIT) {
        const std::size_t start = text.size();
        text.resize(start + static_cast<std::size_t>(length) + 1);
        std::vsnprintf(&text[start], static_cast<std::size_t>(length) + 1, format, again);
        text.resize(start + static_cast<std::size_t>(length));
        if (text.size() > sb2sb::TEXT_LIMIT) text.resize(sb2sb::TEXT_LIMIT);
    }
    va_end(again);
    return length;
}

// The hooks that VL_USER_STOP, VL_USER_FATAL and VL_USER_FINISH promise to the runtime.

void vl_stop(const char* filename, int linenum, const char* hier) {
    if (sb2sb::current == nullptr) return;
    sb2sb::record(sb2sb::kind_of_stop(sb2sb::current->text), filename, linenum, hier);
}

void vl_finish(const char* filename, int linenum, const char* hier) {
    sb2sb::record(sb2sb::FaultKind::Finish, filename, linenum, hier);
}

void vl_fatal(const char* filename, int linenum, const char* hier, const char* msg) {
    sb2sb::record(sb2sb::FaultKind::Runtime, filename, linenum, hier);
    if (sb2sb::current != nullptr && msg != nullptr) sb2sb::current->text += msg;
    throw sb2sb::RuntimeFatal(msg != nullptr ? msg : "fatal of the simulator's runtime");
}
