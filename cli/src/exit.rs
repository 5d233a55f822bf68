// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Exit codes, the same for every command.

use std::process::ExitCode;

/// How a command ended. Scripts depend on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: success, the answer is yes.
    Success,
    /// 1: the answer is no.
    No,
    /// 2: bad usage, unreadable input, or something that this build or device does not have.
    Usage,
    /// 3: hang.
    Hang,
    /// 4: the device stopped by itself.
    Device,
    /// 5: a file, a tool or a launcher failed.
    Infrastructure,
}

impl Exit {
    /// All of them, by ascending number.
    pub const ALL: [Self; 6] = [
        Self::Success,
        Self::No,
        Self::Usage,
        Self::Hang,
        Self::Device,
        Self::Infrastructure,
    ];

    /// The exit with this number. A number that none has is a failure of whoever made it.
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        Self::ALL
            .into_iter()
            .find(|exit| exit.code() == code)
            .unwrap_or(Self::Infrastructure)
    }

    /// The number that the process ends with.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::Hang => 3,
            Self::Device => 4,
            Self::Infrastructure => 5,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_contract() {
        let codes = Exit::ALL.map(Exit::code);
        assert_eq!(codes, [0, 1, 2, 3, 4, 5]);
        for exit in Exit::ALL {
            assert_eq!(Exit::from_code(exit.code()), exit);
        }
        assert_eq!(Exit::from_code(6), Exit::Infrastructure);
    }
}
