//! `logcat` (`-d -c -b -v -t -T -s` and filter specifications).

use super::log_filter::{Begin, TagFilter};
use super::{Exit, Invocation};
use crate::virtual_device::system::{Buffer, LogEntry};
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    ThreadTime,
    Time,
    Brief,
    Raw,
    Epoch,
}

struct Options {
    buffers: Vec<Buffer>,
    format: Format,
    begin: Begin,
    filter: TagFilter,
    follow: bool,
    clear: bool,
}

/// How often a following `logcat` looks for news; the buffers have no other reader to wake it.
const LOOK: Duration = Duration::from_millis(50);

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let now = invocation.system.lock().wall();
    let options = match parse(&invocation.rest(), now) {
        Ok(options) => options,
        Err(message) => {
            invocation.err(format!("{message}\n"));
            return Exit::FAILURE;
        }
    };
    if options.clear {
        invocation.system.lock().log.clear(&options.buffers);
        return Exit::SUCCESS;
    }
    let mut printed = 0;
    let mut last_buffer = None;
    let mut begin = options.begin;
    loop {
        let system = invocation.system.lock();
        let entries: Vec<&LogEntry> =
            system.log.of(&options.buffers).filter(|entry| options.filter.shows(entry)).collect();
        let total = entries.len();
        let skip = match begin {
            Begin::All => printed.min(total),
            Begin::Last(count) => total.saturating_sub(count),
            Begin::Since(time) => entries.iter().filter(|entry| entry.time < time).count(),
        };
        let mut text = String::new();
        for entry in &entries[skip..] {
            if last_buffer != Some(entry.buffer) {
                // "switch to" when a buffer comes again; tools skip any line of dashes.
                let verb = if last_buffer.is_none() { "beginning of" } else { "switch to" };
                text.push_str(&format!("--------- {verb} {}\n", entry.buffer.name()));
                last_buffer = Some(entry.buffer);
            }
            write_entry(entry, options.format, &mut text);
        }
        drop(entries);
        drop(system);
        invocation.out(text);
        printed = total;
        begin = Begin::All;
        if !options.follow || !invocation.system.clock().wait(LOOK, invocation.interrupt) {
            return Exit::SUCCESS;
        }
    }
}

fn write_entry(entry: &LogEntry, format: Format, text: &mut String) {
    let (letter, pid, tag) = (entry.priority.letter(), entry.pid, &entry.tag);
    let time = entry.time.strftime("%m-%d %H:%M:%S.%3f");
    let head = match format {
        Format::ThreadTime => format!("{time} {pid:5} {pid:5} {letter} {tag:<8}: "),
        Format::Time => format!("{time} {letter}/{tag:<8}({pid:5}): "),
        Format::Brief => format!("{letter}/{tag:<8}({pid:5}): "),
        Format::Epoch => {
            let ms = entry.time.as_millisecond();
            format!("{:11}.{:03} {pid:5} {pid:5} {letter} {tag:<8}: ", ms / 1000, ms % 1000)
        }
        Format::Raw => String::new(),
    };
    for line in entry.message.lines() {
        text.push_str(&head);
        text.push_str(line);
        text.push('\n');
    }
}

fn parse(words: &[&str], now: jiff::Timestamp) -> Result<Options, String> {
    let mut options = Options {
        buffers: Vec::new(),
        format: Format::ThreadTime,
        begin: Begin::All,
        filter: TagFilter::default(),
        follow: true,
        clear: false,
    };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let (flag, joined) = match word.get(..2) {
            Some(flag @ ("-b" | "-v" | "-t" | "-T")) => (flag, word.get(2..).filter(|rest| !rest.is_empty())),
            _ => (word, None),
        };
        let mut value = || match joined {
            Some(value) => Ok(value),
            None => words.next().copied().ok_or_else(|| format!("logcat: option requires an argument -- '{flag}'")),
        };
        match flag {
            "-d" => options.follow = false,
            "-c" => options.clear = true,
            "-s" => options.filter.silence(),
            "-D" => {}
            "-b" => {
                for name in value()?.split(',') {
                    match name {
                        "all" => options.buffers.extend(Buffer::ALL),
                        "default" => options.buffers.extend([Buffer::Main, Buffer::System, Buffer::Crash]),
                        // Buffers without anything in them.
                        "radio" | "kernel" | "security" | "stats" => {}
                        _ => match Buffer::ALL.iter().find(|buffer| buffer.name() == name) {
                            Some(buffer) => options.buffers.push(*buffer),
                            None => return Err(format!("logcat: Unknown buffer '{name}'")),
                        },
                    }
                }
            }
            "-v" => match value()? {
                "threadtime" => options.format = Format::ThreadTime,
                "time" => options.format = Format::Time,
                "brief" => options.format = Format::Brief,
                "raw" => options.format = Format::Raw,
                "epoch" => options.format = Format::Epoch,
                // Modifiers that change nothing here.
                "UTC" | "year" | "zone" | "printable" | "color" => {}
                other => return Err(format!("logcat: Invalid parameter \"{other}\" to -v")),
            },
            "-t" | "-T" => {
                options.follow &= flag == "-T";
                let start = value()?;
                options.begin = Begin::parse(start, now)
                    .ok_or_else(|| format!("logcat: -{} \"{start}\" not in time format", &flag[1..]))?;
            }
            _ if word.starts_with('-') => return Err(format!("logcat: unrecognized option '{word}'")),
            spec => {
                if !options.filter.add(spec) {
                    return Err(format!("logcat: Invalid filter expression '{spec}'"));
                }
            }
        }
    }
    if options.buffers.is_empty() {
        options.buffers = vec![Buffer::Main, Buffer::System, Buffer::Crash];
    }
    Ok(options)
}
