//! Which free devices a waiting run gets: all it needs at once, or none.
//!
//! Runs are served in the queue's order. One that needs several devices and finds too few of them free keeps those it
//! will use from runs behind it, so that it is not passed by for ever; nothing is leased until all are free, so two such
//! runs never wait for each other.

use crate::domain::DeviceSerial;
use crate::run::{ANY_DEVICE, RunRequest};
use std::collections::BTreeMap;

/// What a waiting run gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Allotment {
    /// These devices, the first one's first; and whose each is, where the case has actors.
    Take { serials: Vec<DeviceSerial>, actors: BTreeMap<String, DeviceSerial> },
    /// Nothing yet: some of what it needs is in use. Free devices that are kept for it.
    Wait { kept: Vec<DeviceSerial> },
    /// Nothing with the devices there are.
    Nothing,
}

/// Allots devices to a request. `free` holds the devices that no run has, `ready` all that are connected.
pub(super) fn allot(request: &RunRequest, free: &[DeviceSerial], ready: &[DeviceSerial]) -> Allotment {
    if request.actors.is_empty() {
        let may = |serial: &&DeviceSerial| request.device.as_ref().is_none_or(|wanted| wanted == *serial);
        return match free.iter().find(may) {
            Some(serial) => Allotment::Take { serials: vec![serial.clone()], actors: BTreeMap::new() },
            None => Allotment::Wait { kept: Vec::new() },
        };
    }
    let named: Vec<&DeviceSerial> = request.actors.values().filter(|serial| serial.as_str() != ANY_DEVICE).collect();
    if request.actors.len() > ready.len() || !named.iter().all(|serial| ready.contains(serial)) {
        return Allotment::Nothing;
    }
    // The devices that are left to choose from, in the order of their serials.
    let mut rest: Vec<&DeviceSerial> = free.iter().filter(|serial| !named.contains(serial)).collect();
    rest.sort();
    let mut rest = rest.into_iter();
    let mut actors = BTreeMap::new();
    let mut lacking = false;
    for (name, wanted) in &request.actors {
        let found = match wanted.as_str() {
            ANY_DEVICE => rest.next(),
            _ => free.iter().find(|serial| *serial == wanted),
        };
        match found {
            Some(serial) => drop(actors.insert(name.clone(), serial.clone())),
            None => lacking = true,
        }
    }
    let serials = actors.values().cloned().collect();
    if lacking { Allotment::Wait { kept: serials } } else { Allotment::Take { serials, actors } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CaseId;

    fn request(device: Option<&str>, actors: &[(&str, &str)]) -> RunRequest {
        RunRequest {
            case_id: CaseId::new("T-1").unwrap(),
            device: device.map(DeviceSerial::from),
            actors: actors.iter().map(|(name, serial)| ((*name).to_owned(), DeviceSerial::from(*serial))).collect(),
            params: BTreeMap::new(),
            seed: 0,
            location: None,
        }
    }

    fn serials(text: &str) -> Vec<DeviceSerial> {
        text.split_whitespace().map(DeviceSerial::from).collect()
    }

    fn told(request: &RunRequest, free: &str, ready: &str) -> String {
        match allot(request, &serials(free), &serials(ready)) {
            Allotment::Take { serials, actors } if actors.is_empty() => format!("take {}", serials[0]),
            Allotment::Take { actors, .. } => {
                let pairs: Vec<String> = actors.iter().map(|(name, serial)| format!("{name}={serial}")).collect();
                format!("take {}", pairs.join(" "))
            }
            Allotment::Wait { kept } => {
                let kept: Vec<&str> = kept.iter().map(DeviceSerial::as_str).collect();
                format!("wait [{}]", kept.join(" "))
            }
            Allotment::Nothing => "nothing".to_owned(),
        }
    }

    #[test]
    fn one_device_is_the_first_free_one_or_the_one_that_is_wanted() {
        assert_eq!(told(&request(None, &[]), "b a", "a b"), "take b");
        assert_eq!(told(&request(Some("a"), &[]), "b a", "a b"), "take a");
        assert_eq!(told(&request(Some("c"), &[]), "a b", "a b"), "wait []", "nobody else waits because of it");
    }

    #[test]
    fn actors_get_all_their_devices_or_none() {
        let both = request(None, &[("cook", "any"), ("guest", "any")]);
        assert_eq!(told(&both, "c b a", "a b c"), "take cook=a guest=b");
        assert_eq!(told(&both, "b", "a b"), "wait [b]", "the free one is kept for it");
        assert_eq!(told(&both, "b", "b"), "nothing", "there will never be two: nobody waits because of it");
    }

    #[test]
    fn a_named_device_is_nobody_elses() {
        let named = request(None, &[("cook", "any"), ("guest", "a")]);
        assert_eq!(told(&named, "a b", "a b"), "take cook=b guest=a");
        assert_eq!(told(&named, "b c", "a b c"), "wait [b]");
        assert_eq!(told(&named, "b c", "b c"), "nothing");
    }
}
