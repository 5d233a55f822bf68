// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The RTL tops that the bridge knows. A further block is a row here, a shim in `shim/` and a bridge in
//! `src/bridge/`.

/// Where a top's sources are, relative to the crate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sources {
    /// The design: `../hdl/rtl`. Such a top is built twice, as it is and instrumented.
    Design,
    /// Test tops: `tests/hdl`.
    Test,
}

/// One verilated top.
pub struct Top {
    /// Module name; the C++ class is `V` and this name, the instrumented one has `_mut` after it.
    pub module: &'static str,
    pub sources: Sources,
    /// The cxx bridge in `src/bridge/` and the C++ in `shim/`, without extension.
    pub shim: &'static str,
}

pub const TOPS: &[Top] = &[
    Top {
        module: "s3d3_decoder",
        sources: Sources::Design,
        shim: "decoder",
    },
    Top {
        module: "soc_addr_decode",
        sources: Sources::Design,
        shim: "addr",
    },
    Top {
        module: "xt_window",
        sources: Sources::Design,
        shim: "window",
    },
    Top {
        module: "evt_sem",
        sources: Sources::Design,
        shim: "evt_sem",
    },
    Top {
        module: "udma_group",
        sources: Sources::Design,
        shim: "udma",
    },
    Top {
        module: "fault_probe",
        sources: Sources::Test,
        shim: "fault_probe",
    },
];
