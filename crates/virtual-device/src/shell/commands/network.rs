//! `ifconfig`, `ip addr|route`, `ping`: an emulator's network behind its router.

use super::{Exit, Invocation};
use crate::shell::commands::radios;

/// The interfaces that are up, with their addresses.
fn interfaces(invocation: &Invocation<'_>) -> Vec<(&'static str, &'static str, &'static str)> {
    let system = invocation.system.lock();
    let mut list = vec![("lo", "127.0.0.1", "255.0.0.0")];
    if radios::wifi(&system) {
        list.push(("wlan0", "10.0.2.16", "255.255.255.0"));
    }
    if radios::data(&system) {
        list.push(("eth0", "10.0.2.15", "255.255.255.0"));
    }
    drop(system);
    list
}

pub(super) fn ifconfig(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let wanted = rest.iter().find(|word| !word.starts_with('-'));
    let mut found = false;
    for (name, address, mask) in interfaces(invocation) {
        if wanted.is_some_and(|wanted| *wanted != name) {
            continue;
        }
        found = true;
        let (kind, extra) = if name == "lo" {
            ("Local Loopback", String::new())
        } else {
            ("Ethernet", "  HWaddr 02:15:b2:00:00:00".to_owned())
        };
        let broadcast = if name == "lo" { "" } else { "  Bcast:10.0.2.255" };
        invocation.out(format!(
            "{name:<10}Link encap:{kind}{extra}\n          inet addr:{address}{broadcast}  Mask:{mask}\n          UP \
             RUNNING  MTU:1500  Metric:1\n\n"
        ));
    }
    match wanted {
        Some(name) if !found => {
            invocation.err(format!("ifconfig: {name}: No such device\n"));
            Exit::FAILURE
        }
        _ => Exit::SUCCESS,
    }
}

pub(super) fn ip(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let words: Vec<&str> = rest.iter().filter(|word| !word.starts_with('-')).copied().collect();
    match words.as_slice() {
        ["a" | "addr" | "address", ..] => {
            let wanted =
                words.last().copied().filter(|word| !matches!(*word, "a" | "addr" | "address" | "show" | "list"));
            let mut text = String::new();
            for (at, (name, address, _)) in interfaces(invocation).into_iter().enumerate() {
                if wanted.is_none_or(|wanted| wanted == name) {
                    let prefix = if name == "lo" { 8 } else { 24 };
                    text.push_str(&format!(
                        "{}: {name}: <UP,LOWER_UP> mtu 1500 state UP\n    inet {address}/{prefix} scope global {name}\n",
                        at + 1
                    ));
                }
            }
            if text.is_empty() {
                invocation.err(format!("Device \"{}\" does not exist.\n", wanted.unwrap_or_default()));
                return Exit::FAILURE;
            }
            invocation.out(text);
            Exit::SUCCESS
        }
        ["r" | "route", ..] => {
            let rows = interfaces(invocation).into_iter().filter(|(name, ..)| *name != "lo");
            let text: String = rows
                .map(|(name, address, _)| format!("10.0.2.0/24 dev {name} proto kernel scope link src {address} \n"))
                .collect();
            invocation.out(text);
            Exit::SUCCESS
        }
        _ => {
            invocation.err("Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }\n");
            Exit::Code(255)
        }
    }
}

pub(super) fn ping(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let Some(host) = rest.last().filter(|word| !word.starts_with('-')) else {
        invocation.err("usage: ping [OPTION]... HOST\n");
        return Exit::Code(2);
    };
    let local = matches!(*host, "localhost" | "127.0.0.1");
    // A virtual device has no way out: only itself answers.
    if !local {
        invocation.err(format!("ping: unknown host {host}\n"));
        return Exit::Code(2);
    }
    invocation.out(format!(
        "PING {host} (127.0.0.1) 56(84) bytes of data.\n64 bytes from {host} (127.0.0.1): icmp_seq=1 ttl=64 time=0.030 \
         ms\n\n--- {host} ping statistics ---\n1 packets transmitted, 1 received, 0% packet loss, time 0ms\n"
    ));
    Exit::SUCCESS
}
