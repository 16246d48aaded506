//! `logcat` (`logcat.cpp`): which entries, how they look, and whether to go on.

use super::log_binary::write_binary;
use super::log_filter::{Begin, TagFilter};
use super::log_format::LogFormat;
use super::{Exit, Invocation};
use crate::system::{Buffer, LogEntry};
use regex::Regex;
use std::collections::HashSet;
use std::time::Duration;

/// What to do besides printing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Print what is there and go on.
    Follow,
    /// `-d`: print what is there.
    Dump,
    /// `-c`.
    Clear,
    /// `-g`.
    Sizes,
    /// `-G`: a size nobody can measure here.
    Resize,
    /// `-S`.
    Statistics,
    /// `--help`.
    Help,
}

struct Options {
    buffers: Vec<Buffer>,
    format: LogFormat,
    begin: Begin,
    filter: TagFilter,
    mode: Mode,
    pid: Option<u32>,
    regex: Option<Regex>,
    most: usize,
    dividers: bool,
    file: Option<String>,
    /// `-B`: entries as logd keeps them, without dividers.
    binary: bool,
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
    match options.mode {
        Mode::Clear => {
            invocation.system.lock().log.clear(&options.buffers);
            Exit::SUCCESS
        }
        Mode::Sizes => sizes(invocation, &options.buffers),
        Mode::Resize => Exit::SUCCESS,
        Mode::Statistics => statistics(invocation),
        Mode::Help => {
            invocation.err(HELP);
            Exit::SUCCESS
        }
        Mode::Follow | Mode::Dump => print(invocation, &options),
    }
}

const HELP: &str = "Usage: logcat [options] [filterspecs]\n\nGeneral options:\n  -b, --buffer=<buffer>       Request alternate ring buffer(s):\n                                main system radio events crash default all\n  -c, --clear                 Clear (flush) the entire log and exit.\n  -d                          Dump the log and then exit (don't block).\n  --pid=<pid>                 Only print logs from the given pid.\nFormatting:\n  -v, --format=<format>       Sets log print format:\n                                brief help long process raw tag thread threadtime time\n  -D                          Print dividers between each log buffer.\n  -B, --binary                Output the log in binary.\nOutfile options:\n  -f, --file=<file>           Log to file instead of stdout.\nFilter options:\n  -s                          Set default filter to silent.\n  -e, --regex=<expr>          Only print lines where the log message matches <expr>.\n  -m, --max-count=<count>     Quit after printing <count> lines.\n  -t N, -T N, -t TIME, -T TIME\n  -g, --buffer-size           Get size of the ring buffers within logd.\n";

fn print(invocation: &Invocation<'_>, options: &Options) -> Exit {
    let mut seen = 0;
    let mut begin = options.begin;
    let mut last_buffer = None;
    let mut announced = HashSet::new();
    let mut printed = 0;
    loop {
        let system = invocation.system.lock();
        let shows = |entry: &&LogEntry| {
            options.filter.shows(entry)
                && options.pid.is_none_or(|pid| pid == entry.pid)
                && options.regex.as_ref().is_none_or(|regex| regex.is_match(&entry.message))
        };
        let all: Vec<&LogEntry> = system.log.of(&options.buffers).collect();
        // `-t N` counts entries of the buffers before the filters choose among them.
        let skip = match begin {
            Begin::All => seen.min(all.len()),
            Begin::Last(count) => all.len().saturating_sub(count),
            Begin::Since(time) => all.iter().filter(|entry| entry.time < time).count(),
        };
        let mut text = String::new();
        let mut bytes = Vec::new();
        for entry in all[skip..].iter().copied().filter(shows) {
            printed += 1;
            if options.binary {
                write_binary(entry, &mut bytes);
                if printed >= options.most {
                    break;
                }
                continue;
            }
            // The first entry of each buffer is announced; with -D every change of the buffer is.
            if last_buffer != Some(entry.buffer) {
                let known = announced.contains(&entry.buffer);
                if !known || options.dividers {
                    let verb = if known { "switch to" } else { "beginning of" };
                    text.push_str(&format!("--------- {verb} {}\n", entry.buffer.name()));
                }
                announced.insert(entry.buffer);
                last_buffer = Some(entry.buffer);
            }
            options.format.write(entry, system.uptime(), system.wall(), &mut text);
            if printed >= options.most {
                break;
            }
        }
        seen = all.len();
        drop(all);
        drop(system);
        begin = Begin::All;
        bytes.extend_from_slice(text.as_bytes());
        match &options.file {
            None => invocation.out(bytes),
            Some(file) => {
                let written = invocation.system.lock().files.append(&invocation.path(file), &bytes);
                if let Err(error) = written {
                    invocation.err(format!("logcat: couldn't open output file: {error}\n"));
                    return Exit::FAILURE;
                }
            }
        }
        let goes_on = options.mode == Mode::Follow && printed < options.most && !invocation.interrupt.raised();
        if !goes_on || !invocation.system.clock().wait(LOOK, invocation.interrupt) {
            return Exit::SUCCESS;
        }
    }
}

fn sizes(invocation: &Invocation<'_>, buffers: &[Buffer]) -> Exit {
    let system = invocation.system.lock();
    let mut text = String::new();
    for buffer in buffers {
        let used: usize = system.log.of(&[*buffer]).map(|entry| entry.message.len() + entry.tag.len() + 40).sum();
        text.push_str(&format!(
            "{}: ring buffer is 256 KiB ({} KiB consumed), max entry is 5120 B, max payload is 4068 B\n",
            buffer.name(),
            used.div_ceil(1024)
        ));
    }
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}

fn statistics(invocation: &Invocation<'_>) -> Exit {
    let system = invocation.system.lock();
    let rows: String = Buffer::ALL
        .iter()
        .map(|buffer| format!("{:<8} {} entries\n", buffer.name(), system.log.of(&[*buffer]).count()))
        .collect();
    drop(system);
    invocation.out(rows);
    Exit::SUCCESS
}

/// Long options that mean a short one.
const LONG: [(&str, &str); 13] = [
    ("--binary", "-B"),
    ("--buffer", "-b"),
    ("--format", "-v"),
    ("--clear", "-c"),
    ("--buffer-size", "-g"),
    ("--file", "-f"),
    ("--regex", "-e"),
    ("--max-count", "-m"),
    ("--dividers", "-D"),
    ("--last", "-L"),
    ("--statistics", "-S"),
    ("--help", "-h"),
    ("--pid", "--pid"),
];

/// Where the log begins that is asked for.
fn begin(flag: &str, start: &str, now: jiff::Timestamp) -> Result<Begin, String> {
    Begin::parse(start, now).ok_or_else(|| format!("logcat: -{} \"{start}\" not in time format", &flag[1..]))
}

/// What lines have to match.
fn pattern(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|_| format!("logcat: bad regex '{text}'"))
}

/// An option's flag, and the value that is written in one word with it.
fn flag_of(word: &str) -> (&str, Option<&str>) {
    if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
        return (name, Some(value));
    }
    match word.get(..2) {
        Some(flag @ ("-b" | "-v" | "-t" | "-T" | "-e" | "-m" | "-f" | "-G" | "-r" | "-n")) => {
            (flag, word.get(2..).filter(|rest| !rest.is_empty()))
        }
        _ => (word, None),
    }
}

fn parse(words: &[&str], now: jiff::Timestamp) -> Result<Options, String> {
    let mut options = Options {
        buffers: Vec::new(),
        format: LogFormat::default(),
        begin: Begin::All,
        filter: TagFilter::default(),
        mode: Mode::Follow,
        pid: None,
        regex: None,
        most: usize::MAX,
        dividers: false,
        file: None,
        binary: false,
    };
    let mut named_buffer = false;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (flag, joined) = flag_of(word);
        let flag = LONG.iter().find(|(long, _)| *long == flag).map_or(flag, |(_, short)| short);
        let mut value = || match joined {
            Some(value) => Ok(value),
            None => words
                .next()
                .ok_or_else(|| format!("logcat: option requires an argument -- '{}'", flag.trim_start_matches('-'))),
        };
        let number =
            |text: &str| text.parse::<usize>().map_err(|_| format!("logcat: Invalid parameter to {flag}: {text}"));
        match flag {
            "-d" => options.mode = Mode::Dump,
            "-c" => options.mode = Mode::Clear,
            "-g" => options.mode = Mode::Sizes,
            "-S" => options.mode = Mode::Statistics,
            "-h" => options.mode = Mode::Help,
            "-G" => {
                value()?;
                options.mode = Mode::Resize;
            }
            "-B" => options.binary = true,
            "-L" => return Err(format!("logcat: {flag} needs what a virtual device does not keep")),
            "-s" => options.filter.silence(),
            "-D" => options.dividers = true,
            "-e" => options.regex = Some(pattern(value()?)?),
            "-m" => options.most = number(value()?)?,
            "-f" => options.file = Some(value()?.to_owned()),
            // Rotation of the output file.
            "-r" | "-n" => {
                number(value()?)?;
            }
            "--pid" => {
                let pid = value()?;
                options.pid = Some(pid.parse().map_err(|_| format!("logcat: --pid {pid} out of range"))?);
            }
            "-b" => {
                named_buffer = true;
                add_buffers(value()?, &mut options.buffers)?;
            }
            "-v" => {
                for name in value()?.split(',') {
                    options.format.set(name).map_err(|()| format!("logcat: Invalid parameter \"{name}\" to -v"))?;
                }
            }
            "-t" | "-T" => {
                if flag == "-t" {
                    options.mode = Mode::Dump;
                }
                options.begin = begin(flag, value()?, now)?;
            }
            _ if word.starts_with('-') => return Err(format!("logcat: unrecognized option '{word}'")),
            spec => {
                if !options.filter.add(spec) {
                    return Err(format!("logcat: Invalid filter expression '{spec}'"));
                }
            }
        }
    }
    if !named_buffer {
        options.buffers = vec![Buffer::Main, Buffer::System, Buffer::Crash];
    }
    Ok(options)
}

fn add_buffers(names: &str, buffers: &mut Vec<Buffer>) -> Result<(), String> {
    for name in names.split(',') {
        match name {
            "all" => buffers.extend(Buffer::ALL),
            "default" => buffers.extend([Buffer::Main, Buffer::System, Buffer::Crash]),
            // Buffers without anything in them.
            "radio" | "kernel" | "security" | "stats" => {}
            _ => match Buffer::ALL.iter().find(|buffer| buffer.name() == name) {
                Some(buffer) => buffers.push(*buffer),
                None => return Err(format!("logcat: Unknown buffer '{name}'")),
            },
        }
    }
    Ok(())
}
