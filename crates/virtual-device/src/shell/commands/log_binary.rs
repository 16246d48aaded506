//! `logcat -B`: entries as logd hands them out (`struct logger_entry` of `liblog/include/log/log_read.h`).

use crate::system::{Buffer, LogEntry, Priority};

/// Bytes of `struct logger_entry`.
const HEADER: u16 = 28;
/// `LOGGER_ENTRY_MAX_PAYLOAD`.
const MOST: usize = 4068;
/// `EVENT_TYPE_STRING`.
const TEXT_EVENT: u8 = 2;

/// Appends an entry: header, then priority, tag and message.
pub(super) fn write_binary(entry: &LogEntry, out: &mut Vec<u8>) {
    let payload = payload(entry);
    let length = u16::try_from(payload.len()).unwrap_or(u16::MAX);
    let nanoseconds = entry.time.subsec_nanosecond().unsigned_abs();
    let seconds = u32::try_from(entry.time.as_second()).unwrap_or(0);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&HEADER.to_le_bytes());
    // pid, tid (the main thread's is the same), time, buffer, and a uid that nobody but root is told.
    for number in [entry.pid, entry.pid, seconds, nanoseconds, number(entry.buffer), 0] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(&payload);
}

fn payload(entry: &LogEntry) -> Vec<u8> {
    let mut payload = Vec::new();
    let ending: &[u8] = if entry.buffer == Buffer::Events {
        // A tag is a number there; texts are values with their length.
        payload.extend_from_slice(&0_u32.to_le_bytes());
        payload.push(TEXT_EVENT);
        payload.extend_from_slice(&u32::try_from(entry.message.len()).unwrap_or(0).to_le_bytes());
        &[]
    } else {
        payload.push(priority(entry.priority));
        payload.extend_from_slice(entry.tag.as_bytes());
        payload.push(0);
        &[0]
    };
    let left = MOST.saturating_sub(payload.len() + ending.len());
    payload.extend_from_slice(&entry.message.as_bytes()[..entry.message.len().min(left)]);
    payload.extend_from_slice(ending);
    payload
}

/// `log_id_t`.
const fn number(buffer: Buffer) -> u32 {
    match buffer {
        Buffer::Main => 0,
        Buffer::Events => 2,
        Buffer::System => 3,
        Buffer::Crash => 4,
    }
}

/// `android_LogPriority`.
const fn priority(priority: Priority) -> u8 {
    match priority {
        Priority::Verbose => 2,
        Priority::Debug => 3,
        Priority::Info => 4,
        Priority::Warn => 5,
        Priority::Error => 6,
        Priority::Fatal => 7,
        Priority::Silent => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_header_of_28_bytes_and_three_parts() {
        let entry = LogEntry {
            buffer: Buffer::System,
            time: jiff::Timestamp::new(1_700_000_000, 5).unwrap(),
            pid: 600,
            priority: Priority::Info,
            tag: "T".to_owned(),
            message: "hi".to_owned(),
        };
        let mut bytes = Vec::new();
        write_binary(&entry, &mut bytes);
        assert_eq!(bytes[..4], [6, 0, 28, 0]);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([4, 8, 12, 16, 20, 24].map(word), [600, 600, 1_700_000_000, 5, 3, 0]);
        assert_eq!(&bytes[28..], b"\x04T\0hi\0");
    }
}
