// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Routing ids, user device ids and the port map of the host driver. [soc-address §1.8]

use super::id::OutOfRange;

/// User device id of each routing id inside a group of sixteen. [soc-address §1.8, HIGH/OBSERVED]
const USER_OF_ROUTING: [u32; GROUP] = [0, 3, 4, 7, 12, 15, 8, 11, 1, 2, 5, 6, 13, 14, 9, 10];
/// The inverse of [`USER_OF_ROUTING`]. [soc-address §1.8]
const ROUTING_OF_USER: [u32; GROUP] = [0, 8, 9, 1, 2, 10, 11, 3, 6, 14, 15, 7, 4, 12, 13, 5];
/// Devices that are numbered together. [soc-address §1.8]
const GROUP: usize = 16;

/// Marker of a device without a routing id. [soc-address §1.8]
pub const NO_ROUTING_ID: u32 = 0xDEAD_BEEF;
/// Devices that the driver's maps hold. [soc-address §1.8]
pub const MAP_DEVICES: usize = 32;
/// Chip-to-chip ports of a device. [soc-address §1.8]
pub const PORTS: usize = 4;
/// Port-map entry that stands for a network device. [soc-address §1.8]
pub const NETWORK_DEVICE: i32 = -1;
/// Port-map entry that stands for a pod device, and the initial content of the map. [soc-address §1.8]
pub const POD_DEVICE: i32 = -2;
/// Initial content of the map from routing id to device. [soc-address §1.8]
pub const UNKNOWN_DEVICE: i32 = -3;
/// Initial content of the map from device to routing id. [soc-address §1.8]
pub const UNKNOWN_ROUTING_ID: i32 = -4;
/// What a query returns for a port without a peer. [soc-address §1.8]
pub const NO_PEER: i32 = -22;

/// User device id of a routing id. [soc-address §1.8, HIGH/OBSERVED]
#[must_use]
pub const fn user_device(routing_id: u32) -> u32 {
    USER_OF_ROUTING[routing_id as usize % GROUP] + routing_id / GROUP as u32 * GROUP as u32
}

/// Routing id of a user device id. [soc-address §1.8]
#[must_use]
pub const fn routing_id(user_device: u32) -> u32 {
    ROUTING_OF_USER[user_device as usize % GROUP] + user_device / GROUP as u32 * GROUP as u32
}

/// Whether a routing id names one of `devices` devices. [soc-address §1.8]
#[must_use]
pub const fn is_valid(routing_id: u32, devices: u32) -> bool {
    routing_id != NO_ROUTING_ID && routing_id < devices
}

/// How the switch family reads a routing id: (server, device in the server). [soc-address §1.8, MED/CARRIED]
#[must_use]
pub const fn switch_family(routing_id: u32) -> (u32, u32) {
    (routing_id >> 4, routing_id & 0xF)
}

/// The maps that the driver keeps: which device sits behind each port of each device. [soc-address §1.8]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortMap {
    ports: [[i32; PORTS]; MAP_DEVICES],
    mla_to_rid: [i32; MAP_DEVICES],
    rid_to_mla: [i32; MAP_DEVICES],
}

impl PortMap {
    /// Builds the maps. `routing_ids[mla]` is the routing id of local device `mla`; `peer_rid(rid, port)` is the routing
    /// id at the other end of a port, none where nothing is connected.
    ///
    /// # Errors
    /// [`OutOfRange`] for more than 32 devices or a routing id that the maps cannot hold.
    pub fn build(
        routing_ids: &[u32],
        peer_rid: impl Fn(u32, usize) -> Option<u32>,
    ) -> Result<Self, OutOfRange> {
        let mut map = Self {
            ports: [[POD_DEVICE; PORTS]; MAP_DEVICES],
            mla_to_rid: [UNKNOWN_ROUTING_ID; MAP_DEVICES],
            rid_to_mla: [UNKNOWN_DEVICE; MAP_DEVICES],
        };
        for ((mla, number), &rid) in (0..).zip(0_i32..).zip(routing_ids) {
            let beyond = |what, found| OutOfRange {
                what,
                found,
                last: MAP_DEVICES as u64 - 1,
            };
            let slot = map
                .mla_to_rid
                .get_mut(mla)
                .ok_or(beyond("device", u64::from(number.unsigned_abs())))?;
            let back = map
                .rid_to_mla
                .get_mut(rid as usize)
                .ok_or(beyond("routing id", u64::from(rid)))?;
            *slot = rid.cast_signed();
            *back = number;
        }
        for (mla, &rid) in routing_ids.iter().enumerate() {
            for port in 0..PORTS {
                if let Some(peer) = peer_rid(rid, port) {
                    map.ports[mla][port] = map
                        .rid_to_mla
                        .get(peer as usize)
                        .copied()
                        .unwrap_or(UNKNOWN_DEVICE);
                }
            }
        }
        Ok(map)
    }

    /// The raw entry of a port, as the driver stores it.
    #[must_use]
    pub fn entry(&self, device: usize, port: usize) -> Option<i32> {
        self.ports.get(device)?.get(port).copied()
    }

    /// Device behind a port, or [`NO_PEER`] as the driver's query answers.
    #[must_use]
    pub fn query(&self, device: usize, port: usize) -> i32 {
        match self.entry(device, port) {
            Some(peer) if peer >= 0 => peer,
            _ => NO_PEER,
        }
    }

    /// Routing id of a local device, [`UNKNOWN_ROUTING_ID`] if it has none.
    #[must_use]
    pub fn routing_id(&self, device: usize) -> i32 {
        self.mla_to_rid
            .get(device)
            .copied()
            .unwrap_or(UNKNOWN_ROUTING_ID)
    }

    /// Local device of a routing id, [`UNKNOWN_DEVICE`] if there is none.
    #[must_use]
    pub fn device(&self, routing_id: usize) -> i32 {
        self.rid_to_mla
            .get(routing_id)
            .copied()
            .unwrap_or(UNKNOWN_DEVICE)
    }
}
