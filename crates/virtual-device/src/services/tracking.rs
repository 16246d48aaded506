//! Lists of the apps a debugger could join: `jdwp`, `track-jdwp`, `track-app` (`daemon/jdwp_service.cpp`,
//! `proto/app_processes.proto`).

use super::device_services::Reachable;
use crate::wire::Stream;
use std::time::Duration;

/// How often the list is compared; adbd is told by the runtime, here nobody tells.
const LOOK: Duration = Duration::from_millis(100);

/// What a listed app looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// `PID\n`.
    Pids,
    /// A protobuf message `AppProcesses`.
    Proto,
}

fn pids(device: &Reachable) -> Vec<u32> {
    let system = device.system.lock();
    let mut pids: Vec<u32> = system.tasks().apps().map(|running| running.pid).collect();
    pids.sort_unstable();
    pids
}

/// `jdwp`: the list once.
pub(super) async fn once(device: Reachable, stream: Stream) {
    let list = pids(&device).iter().map(|pid| format!("{pid}\n")).collect::<Vec<_>>().concat();
    // Nobody is left to be told.
    let _closed = stream.writer.write(list.as_bytes()).await;
}

/// `track-jdwp`, `track-app`: the whole list now and whenever it changes, until the host closes.
pub(super) async fn follow(device: Reachable, stream: Stream, listing: Listing) {
    let Stream { mut reader, writer } = stream;
    let mut told = None;
    let mut look = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            // Nothing is expected from the host but its end.
            chunk = reader.chunk() => if chunk.is_none() { return },
            _ = look.tick() => {
                let now = pids(&device);
                if told.as_ref() != Some(&now) {
                    if writer.write(&record(&now, listing)).await.is_err() {
                        return;
                    }
                    told = Some(now);
                }
            }
        }
    }
}

fn record(pids: &[u32], listing: Listing) -> Vec<u8> {
    let body: Vec<u8> = match listing {
        Listing::Pids => pids.iter().flat_map(|pid| format!("{pid}\n").into_bytes()).collect(),
        Listing::Proto => pids.iter().flat_map(|pid| process_entry(*pid)).collect(),
    };
    [format!("{:04x}", body.len()).into_bytes(), body].concat()
}

/// `repeated ProcessEntry process = 1` with pid = 1, debuggable = 2, profileable = 3, architecture = 4.
fn process_entry(pid: u32) -> Vec<u8> {
    const ARCHITECTURE: &[u8] = b"x86_64";
    let mut entry = vec![0x08];
    varint(u64::from(pid), &mut entry);
    entry.extend_from_slice(&[0x10, 1, 0x18, 1, 0x22, ARCHITECTURE.len() as u8]);
    entry.extend_from_slice(ARCHITECTURE);
    let mut field = vec![0x0a];
    varint(entry.len() as u64, &mut field);
    [field, entry].concat()
}

fn varint(mut value: u64, into: &mut Vec<u8>) {
    while value >= 0x80 {
        into.push(value as u8 | 0x80);
        value >>= 7;
    }
    into.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_length_prefixed_text_or_protobuf() {
        assert_eq!(record(&[7, 1300], Listing::Pids), b"00077\n1300\n");
        assert_eq!(record(&[], Listing::Pids), b"0000");
        let proto = record(&[1300], Listing::Proto);
        assert_eq!(proto, b"0011\x0a\x0f\x08\x94\x0a\x10\x01\x18\x01\x22\x06x86_64");
    }
}
