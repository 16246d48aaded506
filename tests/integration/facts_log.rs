//! `logcat`: buffers, filters, beginnings, formats.

use crate::virtual_device_facts::{Phone, phone};
use tapwright::virtual_device::system::{Buffer, LogEntry, Priority};

fn logged() -> Phone {
    let phone = phone(34);
    let entry = |buffer, second: i64, pid, priority, tag: &str, message: &str| LogEntry {
        buffer,
        time: jiff::Timestamp::from_second(1_777_629_600 + second).unwrap(),
        pid,
        priority,
        tag: tag.to_owned(),
        message: message.to_owned(),
    };
    let mut system = phone.0.lock();
    system.log.clear(&Buffer::ALL);
    for entry in [
        entry(Buffer::Main, 0, 10, Priority::Debug, "Cart", "loaded 3"),
        entry(Buffer::System, 1, 600, Priority::Info, "ActivityManager", "Start proc 10"),
        entry(Buffer::Main, 2, 10, Priority::Warn, "Cart", "slow"),
        entry(Buffer::Events, 3, 600, Priority::Info, "am_crash", "[0,10,com.example.cart,0,E,m,F.java,3,0]"),
        entry(
            Buffer::Crash,
            4,
            10,
            Priority::Error,
            "AndroidRuntime",
            "FATAL EXCEPTION: main\nProcess: a.b, PID: 10\n\tat a.b.C",
        ),
        entry(Buffer::Crash, 5, 11, Priority::Fatal, "libc", "Fatal signal 6 (SIGABRT), code -1 in tid 11 (native)"),
        entry(Buffer::Crash, 5, 11, Priority::Fatal, "DEBUG", "*** *** ***\nCmdline: a.b"),
    ] {
        system.log.add(entry);
    }
    drop(system);
    phone
}

#[test]
fn buffers_filters_and_beginnings_choose_entries() {
    logged().table(&[
        ("logcat -d -b events -v brief", "--------- beginning of events\nI/am_crash(  600): [0,10,com.example.cart,0,E,m,F.java,3,0]\n", "", 0),
        ("logcat -d -v raw Cart:W '*:S'", "--------- beginning of main\nslow\n", "", 0),
        ("logcat -d -v raw -s Cart", "--------- beginning of main\nloaded 3\nslow\n", "", 0),
        ("logcat -d -v raw '*:F'", "--------- beginning of crash\nFatal signal 6 (SIGABRT), code -1 in tid 11 (native)\n*** *** ***\nCmdline: a.b\n", "", 0),
        ("logcat -d -v raw --pid=600", "--------- beginning of system\nStart proc 10\n", "", 0),
        ("logcat -d -v raw -e 'slow|fast'", "--------- beginning of main\nslow\n", "", 0),
        ("logcat -d -v tag -b main -m 1", "--------- beginning of main\nD/Cart    : loaded 3\n", "", 0),
        // One entry, many lines.
        ("logcat -v raw -b crash -t 3 | wc -l", "7\n", "", 0),
        ("logcat -d -v raw -b main -b crash -T '05-01 10:00:05.000' | head -n 2", "--------- beginning of crash\nFatal signal 6 (SIGABRT), code -1 in tid 11 (native)\n", "", 0),
        ("logcat -d -v raw -t 1777629605.0 -b crash | wc -l", "4\n", "", 0),
        ("logcat -d -b radio", "", "", 0),
        ("logcat -b frob", "", "logcat: Unknown buffer 'frob'\n", 1),
        ("logcat -v frob", "", "logcat: Invalid parameter \"frob\" to -v\n", 1),
        ("logcat -t", "", "logcat: option requires an argument -- 't'\n", 1),
        ("logcat --frob", "", "logcat: unrecognized option '--frob'\n", 1),
        ("logcat -d Cart:X", "", "logcat: Invalid filter expression 'Cart:X'\n", 1),
    ]);
}

#[test]
fn dividers_name_each_buffer_once() {
    let phone = logged();
    let divided = |options: &str| phone.out(&format!("logcat -d -v raw {options} | grep -- ---"));
    assert_eq!(
        divided(""),
        "--------- beginning of main\n--------- beginning of system\n--------- beginning of crash\n"
    );
    assert_eq!(
        divided("-D"),
        "--------- beginning of main\n--------- beginning of system\n--------- switch to main\n--------- beginning of \
         crash\n"
    );
}

#[test]
fn crashes_have_their_level_and_lines() {
    let log = logged().out("logcat -d -v threadtime -b main -b crash -t 3");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], "--------- beginning of crash");
    assert_eq!(lines[1], "05-01 10:00:04.000    10    10 E AndroidRuntime: FATAL EXCEPTION: main");
    assert_eq!(lines[3], "05-01 10:00:04.000    10    10 E AndroidRuntime: \tat a.b.C");
    assert_eq!(
        lines[4],
        "05-01 10:00:05.000    11    11 F libc    : Fatal signal 6 (SIGABRT), code -1 in tid 11 (native)"
    );
    assert_eq!(lines[6], "05-01 10:00:05.000    11    11 F DEBUG   : Cmdline: a.b");
}

#[test]
fn clearing_empties_what_was_named() {
    let phone = logged();
    phone.out("logcat -b crash -c");
    assert_eq!(phone.out("logcat -d -b crash"), "", "an empty read is zero bytes");
    assert!(phone.out("logcat -d -b main").contains("slow"));
    phone.out("logcat --clear");
    assert_eq!(phone.out("logcat -d"), "");
    assert!(phone.out("logcat -g -b main").starts_with("main: ring buffer is 256 KiB (0 KiB consumed)"));
}
