// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The fabric remapper behind the windows: two content-addressed tables per bus master.
//! [soc-address §3.8], [decisions D-30]

use super::SocAddr;

pub use crate::choices::RemapForm;

/// Entries of a table. [soc-address MC-24]
pub const ENTRIES: usize = 16;
/// Entries that the index registers can name. [soc-address §3.8]
pub const INDEX_CEILING: u8 = 128;
/// Words of an entry. [soc-address §3.8]
pub const WORDS: usize = 6;

/// Bits that are compared: `[57:0]`. [soc-address §3.8]
const COMPARED: u64 = (1 << 58) - 1;
/// Bits that a remap changes: `[45:0]`. [soc-address §3.8]
const REMAPPED: u64 = (1 << 46) - 1;
/// AXI id. [soc-address §3.8]
const ID: u32 = 0x3FF;

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Read.
    Read,
    /// Write.
    Write,
}

/// The two tables in series: first the privileged one, then the guest's. [soc-address §3.8]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Instance {
    /// `amzn`, privileged.
    Amzn,
    /// `user`, guest.
    User,
}

/// One entry. In `cmp_mask` a 1 means that the bit does not matter. [soc-address §3.8]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CamEntry {
    /// Bits `[57:0]` to compare with.
    pub cmp_addr: u64,
    /// Bits `[57:0]` that are not compared.
    pub cmp_mask: u64,
    /// Bits `[45:0]` that a remap takes over.
    pub remap_addr: u64,
    /// AXI id, 10 bits.
    pub id: u16,
    /// Takes part.
    pub valid: bool,
    /// Writes pass.
    pub wr_pass: bool,
    /// Reads pass.
    pub rd_pass: bool,
    /// The id is not compared.
    pub id_cmp_dis: bool,
    /// Two address bits are swapped after the remap.
    pub intlv_en: bool,
    /// The address is remapped.
    pub remap_en: bool,
}

impl CamEntry {
    /// The six words of the read view. [soc-address §3.8]
    #[must_use]
    pub const fn words(&self) -> [u32; WORDS] {
        let cmp = self.cmp_addr & COMPARED;
        let mask = self.cmp_mask & COMPARED;
        let remap = self.remap_addr & REMAPPED;
        let flags = (self.valid as u32) << 31
            | (self.wr_pass as u32) << 30
            | (self.rd_pass as u32) << 29
            | (self.id_cmp_dis as u32) << 28
            | (self.intlv_en as u32) << 27
            | (self.remap_en as u32) << 26;
        [
            cmp as u32,
            flags | (cmp >> 32) as u32,
            mask as u32,
            (mask >> 32) as u32,
            remap as u32,
            (self.id as u32 & ID) << 16 | (remap >> 32) as u32,
        ]
    }

    /// The entry and the index in the six words of the write view, where the id sits two bits lower. [soc-address §3.8]
    #[must_use]
    pub const fn from_write_words(words: [u32; WORDS]) -> (Self, u8) {
        const HI_26: u32 = 0x03FF_FFFF;
        const HI_14: u32 = 0x3FFF;
        let flags = words[1];
        let entry = Self {
            cmp_addr: (flags & HI_26) as u64 * (1 << 32) + words[0] as u64,
            cmp_mask: (words[3] & HI_26) as u64 * (1 << 32) + words[2] as u64,
            remap_addr: (words[5] & HI_14) as u64 * (1 << 32) + words[4] as u64,
            id: (words[5] >> 14 & ID) as u16,
            valid: flags >> 31 & 1 == 1,
            wr_pass: flags >> 30 & 1 == 1,
            rd_pass: flags >> 29 & 1 == 1,
            id_cmp_dis: flags >> 28 & 1 == 1,
            intlv_en: flags >> 27 & 1 == 1,
            remap_en: flags >> 26 & 1 == 1,
        };
        (entry, (words[5] >> 24) as u8)
    }

    /// The six words of the write view for an index.
    #[must_use]
    pub const fn write_words(&self, index: u8) -> [u32; WORDS] {
        let mut words = self.words();
        let remap_hi = words[5] & 0x3FFF;
        words[5] = (index as u32) << 24 | (self.id as u32 & ID) << 14 | remap_hi;
        words
    }

    /// Whether an access matches. [soc-address §3.8]
    #[must_use]
    pub const fn hits(&self, address: SocAddr, id: u16) -> bool {
        self.valid
            && (address.0 ^ self.cmp_addr) & !self.cmp_mask & COMPARED == 0
            && (self.id_cmp_dis || id as u32 & ID == self.id as u32 & ID)
    }

    const fn passes(&self, direction: Direction) -> bool {
        match direction {
            Direction::Read => self.rd_pass,
            Direction::Write => self.wr_pass,
        }
    }

    const fn remap(&self, address: u64, form: RemapForm) -> u64 {
        if !self.remap_en {
            return address;
        }
        let kept = match form {
            RemapForm::Relocate => self.cmp_mask & REMAPPED,
            RemapForm::Literal => 0,
        };
        (address & !REMAPPED) | (self.remap_addr & REMAPPED & !kept) | (address & kept)
    }
}

/// What one table decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Goes on, with this address.
    Pass {
        /// The address, remapped.
        address: SocAddr,
        /// Entry that matched; none for a miss that passes.
        entry: Option<usize>,
    },
    /// Ends in the no-target terminator: SLVERR and the poison word.
    Deny {
        /// Entry that matched; none for a miss.
        entry: Option<usize>,
    },
}

/// A register access that the block refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CamAccessError {
    /// No register of the instance.
    #[error("remapper register {found:#x} does not exist in this instance")]
    UnknownRegister {
        /// Offset in the instance's window.
        found: u32,
    },
    /// A word beyond the sixth.
    #[error("buffer word {found} does not exist; expected 0 to 5")]
    UnknownWord {
        /// Number of the word.
        found: usize,
    },
    /// An entry beyond the table.
    #[error("entry {found} does not exist; expected 0 to {}", ENTRIES - 1)]
    UnknownEntry {
        /// Number of the entry.
        found: u8,
    },
}

/// Control registers of an instance, by offset. [soc-address §3.8]
pub mod register {
    /// `pass_on_miss`: rd `[4]`, wr `[0]`.
    pub const PASS_ON_MISS: u32 = 0x00;
    /// `master_prot`: arprot `[6:4]`, awprot `[2:0]`; privileged only.
    pub const MASTER_PROT: u32 = 0x10;
    /// Bit 0 clears the guest's table; privileged only.
    pub const GUEST_CAM_CLEAR: u32 = 0x20;
    /// Write bypass id: enable `[31]`, mask `[25:16]`; privileged only.
    pub const WRITE_BYPASS_ID: u32 = 0x30;
    /// Read bypass id; privileged only.
    pub const READ_BYPASS_ID: u32 = 0x34;
    /// Interleave swap: bit 0 `[5:0]`, bit 1 `[13:8]`; guest only.
    pub const INTERLEAVE_SWAP: u32 = 0x40;
    /// Denied address, low word; privileged only.
    pub const DENIED_LO: u32 = 0x60;
    /// Denied address, high word.
    pub const DENIED_HI: u32 = 0x64;
}

/// One table with its control registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cam {
    instance: Instance,
    entries: [CamEntry; ENTRIES],
    form: RemapForm,
    write_buffer: [u32; WORDS],
    read_index: u8,
    pass_on_miss: u32,
    master_prot: u32,
    bypass_ids: [u32; 2],
    interleave_swap: u32,
    denied: u64,
}

impl Cam {
    /// An instance after reset. [soc-address §3.8]
    #[must_use]
    pub fn new(instance: Instance, form: RemapForm) -> Self {
        let (pass_on_miss, id_cmp_dis) = match instance {
            Instance::Amzn => (0, false),
            Instance::User => (0x11, true),
        };
        Self {
            instance,
            entries: [CamEntry {
                id_cmp_dis,
                ..CamEntry::default()
            }; ENTRIES],
            form,
            write_buffer: [0; WORDS],
            read_index: 0,
            pass_on_miss,
            master_prot: 0x22,
            bypass_ids: [1 << 31; 2],
            interleave_swap: 0,
            denied: 0,
        }
    }

    /// The table.
    #[must_use]
    pub const fn entries(&self) -> &[CamEntry; ENTRIES] {
        &self.entries
    }

    /// Chooses the entry that the read buffer shows.
    pub const fn select(&mut self, index: u32) {
        self.read_index = (index % INDEX_CEILING as u32) as u8;
    }

    /// A word of the chosen entry; an entry beyond the table reads 0.
    ///
    /// # Errors
    /// [`CamAccessError::UnknownWord`].
    pub fn read_buffer(&self, word: usize) -> Result<u32, CamAccessError> {
        let words = self
            .entries
            .get(usize::from(self.read_index))
            .map_or([0; WORDS], CamEntry::words);
        words
            .get(word)
            .copied()
            .ok_or(CamAccessError::UnknownWord { found: word })
    }

    /// Fills a word of the write buffer; the last word commits the entry that it names.
    ///
    /// # Errors
    /// [`CamAccessError`] for a word or an entry that does not exist; the table stays as it is.
    pub fn write_buffer(&mut self, word: usize, value: u32) -> Result<(), CamAccessError> {
        *self
            .write_buffer
            .get_mut(word)
            .ok_or(CamAccessError::UnknownWord { found: word })? = value;
        if word + 1 < WORDS {
            return Ok(());
        }
        let (entry, index) = CamEntry::from_write_words(self.write_buffer);
        *self
            .entries
            .get_mut(usize::from(index))
            .ok_or(CamAccessError::UnknownEntry { found: index })? = entry;
        Ok(())
    }

    /// Reads a control register.
    ///
    /// # Errors
    /// [`CamAccessError::UnknownRegister`] for one that the instance does not have.
    pub const fn read_control(&self, offset: u32) -> Result<u32, CamAccessError> {
        match (offset, self.instance) {
            (register::PASS_ON_MISS, _) => Ok(self.pass_on_miss),
            (register::MASTER_PROT, Instance::Amzn) => Ok(self.master_prot),
            (register::GUEST_CAM_CLEAR, Instance::Amzn) => Ok(0),
            (register::WRITE_BYPASS_ID, Instance::Amzn) => Ok(self.bypass_ids[0]),
            (register::READ_BYPASS_ID, Instance::Amzn) => Ok(self.bypass_ids[1]),
            (register::INTERLEAVE_SWAP, Instance::User) => Ok(self.interleave_swap),
            (register::DENIED_LO, Instance::Amzn) => Ok(self.denied as u32),
            (register::DENIED_HI, Instance::Amzn) => Ok((self.denied >> 32) as u32),
            _ => Err(CamAccessError::UnknownRegister { found: offset }),
        }
    }

    /// Writes a control register. Clearing the guest's table is up to [`Remapper::write_control`].
    ///
    /// # Errors
    /// [`CamAccessError::UnknownRegister`] for one that the instance does not have.
    pub const fn write_control(&mut self, offset: u32, value: u32) -> Result<(), CamAccessError> {
        match (offset, self.instance) {
            (register::PASS_ON_MISS, _) => self.pass_on_miss = value & 0x11,
            (register::MASTER_PROT, Instance::Amzn) => self.master_prot = value & 0x77,
            (register::WRITE_BYPASS_ID, Instance::Amzn) => {
                self.bypass_ids[0] = value & (1 << 31 | ID << 16 | ID);
            }
            (register::READ_BYPASS_ID, Instance::Amzn) => {
                self.bypass_ids[1] = value & (1 << 31 | ID << 16 | ID);
            }
            (register::INTERLEAVE_SWAP, Instance::User) => self.interleave_swap = value & 0x3F3F,
            (
                register::GUEST_CAM_CLEAR | register::DENIED_LO | register::DENIED_HI,
                Instance::Amzn,
            ) => {}
            _ => return Err(CamAccessError::UnknownRegister { found: offset }),
        }
        Ok(())
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        for entry in &mut self.entries {
            entry.valid = false;
        }
    }

    /// Decides about an access without recording anything. [soc-address §3.8, MC-25, MC-26], [decisions D-30]
    #[must_use]
    pub fn decide(&self, address: SocAddr, id: u16, direction: Direction) -> Verdict {
        let hit = self
            .entries
            .iter()
            .position(|entry| entry.hits(address, id));
        let Some(index) = hit else {
            let bit = match direction {
                Direction::Read => 4,
                Direction::Write => 0,
            };
            return if self.pass_on_miss >> bit & 1 == 1 {
                Verdict::Pass {
                    address: SocAddr(address.0 & COMPARED),
                    entry: None,
                }
            } else {
                Verdict::Deny { entry: None }
            };
        };
        let entry = &self.entries[index];
        if !entry.passes(direction) {
            return Verdict::Deny { entry: hit };
        }
        let mut out = entry.remap(address.0 & COMPARED, self.form);
        if entry.intlv_en {
            out = swap_bits(
                out,
                self.interleave_swap & 0x3F,
                self.interleave_swap >> 8 & 0x3F,
            );
        }
        Verdict::Pass {
            address: SocAddr(out & COMPARED),
            entry: hit,
        }
    }
}

/// Exchanges two bits.
const fn swap_bits(value: u64, a: u32, b: u32) -> u64 {
    let differ = (value >> a ^ value >> b) & 1;
    value ^ ((differ << a | differ << b) * (a != b) as u64)
}

/// The two tables of a bus master, in series. [soc-address §3.8, MED/INFERRED order]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remapper {
    /// The privileged table, asked first.
    pub amzn: Cam,
    /// The guest's table.
    pub user: Cam,
}

impl Remapper {
    /// Both tables after reset.
    #[must_use]
    pub fn new(form: RemapForm) -> Self {
        Self {
            amzn: Cam::new(Instance::Amzn, form),
            user: Cam::new(Instance::User, form),
        }
    }

    /// Writes a control register of an instance; the privileged one can clear the guest's table.
    ///
    /// # Errors
    /// [`CamAccessError::UnknownRegister`].
    pub fn write_control(
        &mut self,
        instance: Instance,
        offset: u32,
        value: u32,
    ) -> Result<(), CamAccessError> {
        match instance {
            Instance::Amzn => {
                self.amzn.write_control(offset, value)?;
                if offset == register::GUEST_CAM_CLEAR && value & 1 == 1 {
                    self.user.clear();
                }
                Ok(())
            }
            Instance::User => self.user.write_control(offset, value),
        }
    }

    /// Passes an access through both tables; the address of a denied one is kept in the privileged registers.
    pub fn access(&mut self, address: SocAddr, id: u16, direction: Direction) -> Verdict {
        let first = self.amzn.decide(address, id, direction);
        let verdict = match first {
            Verdict::Pass { address, .. } => self.user.decide(address, id, direction),
            Verdict::Deny { .. } => first,
        };
        if let Verdict::Deny { .. } = verdict {
            self.amzn.denied = address.0 & COMPARED;
        }
        verdict
    }
}
