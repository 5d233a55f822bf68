// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Log lines of the Q7 cores. [isa-word §8.1, HIGH/OBSERVED]

use std::fmt;

/// Entries of the tables that a loop iteration logs. [idma-ring §3.2]
pub const TABLE: usize = 16;

/// Which half of the rings a line speaks of. [isa-word §8.1, 0x487f and 0x4882]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoleToken {
    /// `TX`, and `M2S` where a DMA direction is named.
    Tx,
    /// `RX`, and `S2M` where a DMA direction is named.
    Rx,
}

impl RoleToken {
    /// The role.
    #[must_use]
    pub const fn role(self) -> &'static str {
        match self {
            Self::Tx => "TX",
            Self::Rx => "RX",
        }
    }

    /// The DMA direction that goes with it.
    #[must_use]
    pub const fn direction(self) -> &'static str {
        match self {
            Self::Tx => "M2S",
            Self::Rx => "S2M",
        }
    }
}

macro_rules! q7_lines {
    ($($(#[$meta:meta])* $name:ident $({ $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? })? =
        $format:literal => $text:literal $(, $value:expr)*;)*) => {
        /// A line of a Q7 core, without its `P%i: `.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the arguments are named in the format that stands beside them")]
        pub enum Q7Line {
            $(
                #[doc = concat!("`P%i: ", $format, "`")]
                $(#[$meta])*
                $name $({ $($(#[$field_meta])* $field: $type),* })?,
            )*
        }

        impl Q7Line {
            /// The format string as it stands in the firmware image.
            #[must_use]
            pub const fn format(&self) -> &'static str {
                match self {
                    $(Self::$name { .. } => concat!("P%i: ", $format),)*
                }
            }
        }

        impl fmt::Display for Q7Line {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$name $({ $($field),* })? => write!(f, $text $(, $value)*),)*
                }
            }
        }
    };
}

q7_lines! {
    Collective { total_src_nelem: u64, total_dst_nelem: u64, dtype: u8, dst_nc: u8, src_nc: u8, mask: u32 } =
        "SB2SB_Collective : total_src_nelem = %zu, total_dst_nelem = %zu, dtype=%d, dst_nc=%zu, src_nc=%zu, mask=0x%x"
        => "SB2SB_Collective : total_src_nelem = {total_src_nelem}, total_dst_nelem = {total_dst_nelem}, dtype={dtype}, dst_nc={dst_nc}, src_nc={src_nc}, mask=0x{mask:x}";
    ChannelFailed { channel: i32 } =
        "iDMA channel %d failed to initialize!"
        => "iDMA channel {channel} failed to initialize!";
    DecodeCollective =
        "Decode : SB2SB_Collective"
        => "Decode : SB2SB_Collective";
    PreSyncPost { own: u8, other: u8 } =
        "SB2SB Pre-sync: This TPB (NC %u) is letting NC %u know that we are ready to receive data."
        => "SB2SB Pre-sync: This TPB (NC {own}) is letting NC {other} know that we are ready to receive data.";
    PreSyncAddresses { remote_pool: u32, remote_q7: u32, ready: u32 } =
        "SB2SB Pre-sync: remote_pool_xt_addr=0x%x, remote_q7_xt_addr=0x%x, sb2sb_ready_to_receive_remote=0x%x"
        => "SB2SB Pre-sync: remote_pool_xt_addr=0x{remote_pool:x}, remote_q7_xt_addr=0x{remote_q7:x}, sb2sb_ready_to_receive_remote=0x{ready:x}";
    Channels { num_chans: u32, tpb_idx: u8 } =
        "SB2SB_Collective: num_chans=%0d, tpb_idx=%u"
        => "SB2SB_Collective: num_chans={num_chans}, tpb_idx={tpb_idx}";
    Classified { engine_base: u64, tpb_base: u64, is_tpb: bool, is_die_0: bool, engine_idx: u8 } =
        "engine_base_addr=%llx tpb_base_addr=%llx -> is_tpb=%u is_die_0=%u engine_idx=%u"
        => "engine_base_addr={engine_base:x} tpb_base_addr={tpb_base:x} -> is_tpb={} is_die_0={} engine_idx={engine_idx}", u8::from(*is_tpb), u8::from(*is_die_0);
    GenStart { role: RoleToken, cpu_id: u8 } =
        "Q7: rdma_desc_gen [%s] Start, cpu_id=%d"
        => "Q7: rdma_desc_gen [{}] Start, cpu_id={cpu_id}", role.role();
    GenInputs { role: RoleToken, ring_num: u8, tpb_idx: u8, free_dim_bytes: u64, remote_tpb_idx: u8, routing_id: i32, dma_mask: u32 } =
        "Q7: rdma_desc_gen [%s] ring_num=%d, tpb_idx=%d, free_dim_bytes=%d, remote_tpb_idx=%d, routing_id=%d, dma_mask=0x%x"
        => "Q7: rdma_desc_gen [{}] ring_num={ring_num}, tpb_idx={tpb_idx}, free_dim_bytes={free_dim_bytes}, remote_tpb_idx={remote_tpb_idx}, routing_id={routing_id}, dma_mask=0x{dma_mask:x}", role.role();
    GenMask { role: RoleToken, dma_mask: u16, n_active_dmas: u32 } =
        "Q7: rdma_desc_gen [%s] dma_mask=0x%04x, n_active_dmas=%d"
        => "Q7: rdma_desc_gen [{}] dma_mask=0x{dma_mask:04x}, n_active_dmas={n_active_dmas}", role.role();
    GenAddresses { role: RoleToken, src_addr: u64, dst_addr: u64 } =
        "Q7: rdma_desc_gen [%s] src_addr=0x%llx, dst_addr=0x%llx"
        => "Q7: rdma_desc_gen [{}] src_addr=0x{src_addr:x}, dst_addr=0x{dst_addr:x}", role.role();
    GenFold { role: RoleToken, routing_id: i32, dst_addr: u64, n_active_dmas: u32 } =
        "Q7: rdma_desc_gen [%s] after remote_routing_id=$%d, dst_addr=0x%llx, n_active_dmas=%d"
        => "Q7: rdma_desc_gen [{}] after remote_routing_id=${routing_id}, dst_addr=0x{dst_addr:x}, n_active_dmas={n_active_dmas}", role.role();
    GenLoop { role: RoleToken, num_indices: u32, num_dma_descs: u32 } =
        "Q7: rdma_desc_gen [%s] Starting descriptor loop, num_indices=%d, num_dma_descs=%d"
        => "Q7: rdma_desc_gen [{}] Starting descriptor loop, num_indices={num_indices}, num_dma_descs={num_dma_descs}", role.role();
    GenIteration { role: RoleToken, iteration: u32, num_indices: u32, base_addr: u64, n_active_dmas: u32, bytes_per_p: u64 } =
        "Q7: rdma_desc_gen [%s] Loop iter %zu/%d: base_addr=0x%llx, n_active_dmas=%d, bytes_per_P=%d"
        => "Q7: rdma_desc_gen [{}] Loop iter {iteration}/{num_indices}: base_addr=0x{base_addr:x}, n_active_dmas={n_active_dmas}, bytes_per_P={bytes_per_p}", role.role();
    Swizzle { table: [u8; TABLE] } =
        "Q7:   shuffled_sbuf_swizzle[16] = [%u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u]"
        => "Q7:   shuffled_sbuf_swizzle[16] = [{}]", Listed(table, |entry, f| write!(f, "{entry}"));
    XtAddresses { table: Box<[u64; TABLE]> } =
        "Q7:   xt_addrs[16] = [0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x, 0x%08x%08x]"
        => "Q7:   xt_addrs[16] = [{}]", Listed(&**table, |entry, f| write!(f, "0x{entry:016x}"));
    GenLocalSemaphore { role: RoleToken, tpb_idx: u8, sem: u8 } =
        "Q7: rdma_desc_gen [%s] Pushing local semaphore descriptor, tpb_idx=%d, sem=%d"
        => "Q7: rdma_desc_gen [{}] Pushing local semaphore descriptor, tpb_idx={tpb_idx}, sem={sem}", role.role();
    GenRemoteSemaphore { role: RoleToken, remote_tpb: u8, routing_id: i32, sem: u8 } =
        "Q7: rdma_desc_gen [%s] Pushing remote semaphore descriptor, remote_tpb=%d, routing_id=%d, sem=%d"
        => "Q7: rdma_desc_gen [{}] Pushing remote semaphore descriptor, remote_tpb={remote_tpb}, routing_id={routing_id}, sem={sem}", role.role();
    GenEnd { role: RoleToken } =
        "Q7: rdma_desc_gen [%s] End"
        => "Q7: rdma_desc_gen [{}] End", role.role();
    StartStart { role: RoleToken, cpu_id: u8 } =
        "Q7: rdma_desc_start [%s] Start, cpu_id=%d"
        => "Q7: rdma_desc_start [{}] Start, cpu_id={cpu_id}", role.role();
    StartInputs { role: RoleToken, ring_num: u8, num_descriptors: u32, sdma_bcast_base: u32 } =
        "Q7: rdma_desc_start [%s] ring_num=%d, num_descriptors=%d, sdma_bcast_base=0x%08x"
        => "Q7: rdma_desc_start [{}] ring_num={ring_num}, num_descriptors={num_descriptors}, sdma_bcast_base=0x{sdma_bcast_base:08x}", role.role();
    StartTrigger { role: RoleToken, addr: u32, mask: u16, n_desc: u32 } =
        "Q7: rdma_desc_start [%s] Trigger %s DMA; addr=0x%08x, mask=0x%04x, n_desc=%d"
        => "Q7: rdma_desc_start [{}] Trigger {} DMA; addr=0x{addr:08x}, mask=0x{mask:04x}, n_desc={n_desc}", role.role(), role.direction();
    StartDraining { role: RoleToken } =
        "Q7: rdma_desc_start [%s] Draining descriptor writes"
        => "Q7: rdma_desc_start [{}] Draining descriptor writes", role.role();
    StartDrained { role: RoleToken } =
        "Q7: rdma_desc_start [%s] Descriptor writes drained"
        => "Q7: rdma_desc_start [{}] Descriptor writes drained", role.role();
    StartLeftPop =
        "Q7: rdma_desc_start [TX] Waiting for RX sync (left_pop)"
        => "Q7: rdma_desc_start [TX] Waiting for RX sync (left_pop)";
    StartTxWriting =
        "Q7: rdma_desc_start [TX] Writing tail pointer increment"
        => "Q7: rdma_desc_start [TX] Writing tail pointer increment";
    StartTxWritten =
        "Q7: rdma_desc_start [TX] Tail pointer increment written"
        => "Q7: rdma_desc_start [TX] Tail pointer increment written";
    StartRxWriting =
        "Q7: rdma_desc_start [RX] Writing tail pointer increment"
        => "Q7: rdma_desc_start [RX] Writing tail pointer increment";
    StartRightPush =
        "Q7: rdma_desc_start [RX] Signaling TX to proceed (right_push)"
        => "Q7: rdma_desc_start [RX] Signaling TX to proceed (right_push)";
    StartSignaled =
        "Q7: rdma_desc_start [RX] TX signaled"
        => "Q7: rdma_desc_start [RX] TX signaled";
    StartEnd { role: RoleToken } =
        "Q7: rdma_desc_start [%s] End"
        => "Q7: rdma_desc_start [{}] End", role.role();
    DescriptorStream { written: u32, expected: u32 } =
        "ERROR: DescriptorStream wrote %d descriptors, expected %d"
        => "ERROR: DescriptorStream wrote {written} descriptors, expected {expected}";
    InDispatch { cpu_id: u8, opcode: u8 } =
        "In dispatch, CPU ID: %0d, got opcode 0x%x."
        => "In dispatch, CPU ID: {cpu_id}, got opcode 0x{opcode:x}.";
    UnknownExtendedOpcode { opcode: u8 } =
        "UNKNOWN EXTENDED OPCODE=%d"
        => "UNKNOWN EXTENDED OPCODE={opcode}";
}

impl Q7Line {
    /// Whether the line is one of the 24 that name `rdma_desc_gen`, `rdma_desc_start` or the tables of the former:
    /// with the function's own name they are the 25 strings that v5 does not have. [idma-ring §6]
    #[must_use]
    pub const fn of_gen_or_start(&self) -> bool {
        !matches!(
            self,
            Self::Collective { .. }
                | Self::ChannelFailed { .. }
                | Self::DecodeCollective
                | Self::PreSyncPost { .. }
                | Self::PreSyncAddresses { .. }
                | Self::Channels { .. }
                | Self::Classified { .. }
                | Self::DescriptorStream { .. }
                | Self::InDispatch { .. }
                | Self::UnknownExtendedOpcode { .. }
        )
    }
}

/// Entries with comma and blank between them.
struct Listed<'a, T>(&'a [T], fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result);

impl<T> fmt::Display for Listed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(entries, write) = self;
        for (index, entry) in entries.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write(entry, f)?;
        }
        Ok(())
    }
}
