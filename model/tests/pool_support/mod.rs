// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Words, contexts and plans for the tests of the POOL data plane.
#![allow(dead_code, reason = "every test binary uses its own part")]

use pool_model::choices::Choices;
use pool_model::generation::Generation;
use pool_model::isa::{NUM_ADDR_REGISTERS, RdmaDescGen, Word, assemble_line};
use pool_model::pool::context::LegContext;
use pool_model::pool::q7::{Destination, LegFault, LegPlan, Rings, Site, Surroundings};
use pool_model::transaction::CoreId;

/// Everything that a plan depends on, to be changed by a test.
pub struct Bench {
    pub site: Site,
    pub registers: [u32; NUM_ADDR_REGISTERS as usize],
    pub context: LegContext,
    pub rings: Rings,
    pub choices: Choices,
}

pub fn core(number: u8) -> CoreId {
    CoreId::new(number).expect("a core of the chip")
}

pub fn word(text: &str) -> Word {
    assemble_line(text)
        .expect("assembly")
        .expect("a word in the line")
}

impl Bench {
    pub fn new(generation: Generation, number: u8) -> Self {
        Self {
            site: Site::new(generation, core(number)),
            registers: [0; NUM_ADDR_REGISTERS as usize],
            context: LegContext::reset(core(number)),
            rings: Rings::default(),
            choices: Choices::default(),
        }
    }

    pub fn v3() -> Self {
        Self::new(Generation::V3, 0)
    }

    pub fn around(&self) -> Surroundings<'_> {
        Surroundings {
            site: self.site,
            registers: &self.registers,
            context: &self.context,
            rings: &self.rings,
            choices: &self.choices,
        }
    }

    pub fn plan(&self, word: &Word) -> Result<LegPlan, LegFault> {
        let destination = Destination::of_word(word, self.site, &self.context)?;
        LegPlan::of_word(word, destination, &self.around())
    }

    pub fn plan_text(&self, text: &str) -> Result<LegPlan, LegFault> {
        self.plan(&word(text))
    }

    pub fn plan_gen(&self, word: &RdmaDescGen) -> Result<LegPlan, LegFault> {
        LegPlan::of_gen(word, &self.around())
    }
}

/// The end-to-end example of idma-ring §3.13, with operand addresses that the format allows.
pub fn gen_example() -> RdmaDescGen {
    let mut word = RdmaDescGen::decode(&[0; 64]);
    word.header.opcode = 0xF0;
    word.header.inst_word_len = 16;
    word.extended_opcode = 8;
    word.local_sem = 12;
    word.remote_sem = 20;
    word.remote_core_id = 0;
    word.remote_routing_id = 0x12;
    word.dma_engine_mask = 0x000F;
    word.free_dim_bytes = 0x4000;
    word
}
