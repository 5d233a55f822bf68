// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The border to C++: one cxx bridge for the shared runtime and one for each RTL top.
//!
//! Every C++ function that evaluates a model is declared `Result`; what they throw becomes [`RtlError`]
//! in [`error_of`]. These files are the only ones of the workspace with `unsafe` in them.
//!
//! [`RtlError`]: crate::RtlError

pub(crate) mod addr;
pub(crate) mod decoder;
pub(crate) mod evt_sem;
pub(crate) mod fault_probe;
pub(crate) mod runtime;
pub(crate) mod udma;
pub(crate) mod window;

use crate::error::{DeviceFault, FaultKind, RtlError};

/// Turns an exception of this thread into an error. Must be called before the thread enters C++ again.
pub(crate) fn error_of(exception: &cxx::Exception) -> RtlError {
    use runtime::ffi;
    let fault = ffi::take_fault();
    let kind = match fault.kind {
        ffi::FaultKind::Stop => FaultKind::Stop,
        ffi::FaultKind::Error => FaultKind::Error,
        ffi::FaultKind::Fatal => FaultKind::Fatal,
        ffi::FaultKind::Finish => FaultKind::Finish,
        ffi::FaultKind::Runtime => FaultKind::Runtime,
        _ => return RtlError::Refused(exception.what().to_owned()),
    };
    RtlError::Device(Box::new(DeviceFault {
        kind,
        file: fault.file,
        line: fault.line,
        hierarchy: fault.hierarchy,
        text: fault.text.trim_end().to_owned(),
        item: fault.item,
    }))
}
