// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Compact codes of the regions, at the granularity at which hardware decodes blocks.

/// A block of the map. Where the map names an array of equal blocks (TPBs, Q7 cores, engines), the code is the same for
/// all and an instance number goes with it. 0 is no region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(
    missing_docs,
    reason = "the variants carry the names of the map; the tables describe them"
)]
pub enum RegionCode {
    /// Gaps, and everything illegal.
    #[default]
    Reserved,
    Hbm,
    ApbSe,
    Preproc,
    ApbIo,
    Intc,
    HostMsixDoorbell,
    Rdm,
    EvtAccelClr,
    EvtAccelSet,
    PcieA0,
    PcieM0,
    StateBuf,
    StateBufScratchRam,
    DgeMemory,
    ReservedSbuf,
    PsumBuf,
    Act,
    Pe,
    EvtSemEvent,
    EvtSemReserved0,
    EvtSemRead,
    EvtSemSet,
    EvtSemInc,
    EvtSemDec,
    EvtSemReserved1,
    Sp,
    Dve,
    /// POOL outside its named parts.
    Pool,
    PoolIram,
    NxIram,
    NxDram,
    PoolLocalReg,
    ProfileCam,
    ProfileTable,
    Q7Iram,
    Q7Dram,
    TopSpEvtSemEvent,
    TopSpEvtSemReserved0,
    TopSpEvtSemRead,
    TopSpEvtSemSet,
    TopSpEvtSemInc,
    TopSpEvtSemDec,
    TopSpEvtSemReserved1,
    TopSpRam,
    TopSpSequencer,
    Sdma,
    SdmaM2s,
    SdmaM2sQueue,
    SdmaS2m,
    SdmaS2mQueue,
    SdmaGen,
    SdmaGenEx,
    SdmaMisc,
    SdmaNotific,
    SdmaBroadcastM2s,
    SdmaBroadcastM2sQueue,
    SdmaBroadcastS2m,
    SdmaBroadcastS2mQueue,
    SdmaBroadcastGen,
    SdmaBroadcastGenEx,
    /// A v2 TPB outside the three blocks whose places are known.
    SundaTpb,
}
