//! `/proc/stat`, `/proc/cpuinfo`, `/proc/meminfo`, and each process's `stat` and `cmdline` (Linux `proc(5)`).

use super::VirtualSystem;

/// Ticks a second (`USER_HZ`).
const TICKS: u64 = 100;
/// Cores, as `nproc` says.
const CORES: u64 = 4;

impl VirtualSystem {
    /// Writes them anew when the clock has ticked: tools read twice and divide by what has passed.
    pub(super) fn renew_kernel_reports(&mut self) {
        let ticks = u64::try_from(self.uptime().as_millis()).unwrap_or(u64::MAX) / (1000 / TICKS);
        if self.reported_at == Some(ticks) {
            return;
        }
        self.reported_at = Some(ticks);
        let boot = self.wall().as_second() - i64::try_from(self.uptime().as_secs()).unwrap_or(0);
        let running: Vec<(u32, String)> = self
            .tasks
            .apps()
            .chain([self.tasks.home()])
            .map(|running| (running.pid, running.process.package().to_owned()))
            .collect();
        for gone in self.files.reported_processes() {
            if !running.iter().any(|(pid, _)| *pid == gone) {
                self.files.remove_system(&format!("/proc/{gone}"));
            }
        }
        self.files.put_report("/proc/stat", stat(ticks, boot, running.len()).into_bytes());
        self.files.put_report("/proc/cpuinfo", cpu_info().into_bytes());
        self.files.put_report("/proc/meminfo", MEMORY.as_bytes().to_vec());
        for (pid, package) in running {
            self.files.put_report(&format!("/proc/{pid}/stat"), process(pid, &package, ticks).into_bytes());
            self.files.put_report(&format!("/proc/{pid}/cmdline"), format!("{package}\0").into_bytes());
        }
    }
}

/// A device that mostly waits: 2 % for apps, 3 % for the system.
fn stat(ticks: u64, boot: i64, processes: usize) -> String {
    let row = |name: &str, cores: u64| {
        let all = ticks * cores;
        let (user, system) = (all / 50, all * 3 / 100);
        format!("{name} {user} 0 {system} {} 0 0 0 0 0 0\n", all - user - system)
    };
    let mut text = row("cpu ", CORES);
    for core in 0..CORES {
        text.push_str(&row(&format!("cpu{core}"), 1));
    }
    text.push_str(&format!(
        "intr {}\nctxt {}\nbtime {boot}\nprocesses {}\nprocs_running 1\nprocs_blocked 0\n",
        ticks * 4,
        ticks * 12,
        9_000 + processes
    ));
    text
}

fn cpu_info() -> String {
    let core = |number: u64| {
        format!(
            "processor\t: {number}\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 6\nmodel name\t: Android \
             virtual processor\nstepping\t: 3\ncpu MHz\t\t: 2400.000\ncache size\t: 16384 KB\nphysical id\t: 0\nsiblings\t: \
             {CORES}\ncore id\t\t: {number}\ncpu cores\t: {CORES}\nflags\t\t: fpu sse sse2 ssse3 sse4_1 sse4_2 popcnt\n\n"
        )
    };
    (0..CORES).map(core).collect()
}

/// The numbers of `free` and `dumpsys meminfo`.
const MEMORY: &str = "MemTotal:        2027764 kB\nMemFree:          506424 kB\nMemAvailable:     890000 kB\nBuffers:            \
                      3000 kB\nCached:           380576 kB\nSwapCached:            0 kB\nActive:           610000 kB\nInactive:         \
                      540000 kB\nSwapTotal:       1520820 kB\nSwapFree:        1520820 kB\n";

/// `pid (name) S …`: 52 fields, of which tools read the times (14, 15) and the resident pages (24).
fn process(pid: u32, package: &str, ticks: u64) -> String {
    // The kernel keeps the last fifteen letters of a name.
    let letters: Vec<char> = package.chars().collect();
    let name: String = letters[letters.len().saturating_sub(15)..].iter().collect();
    let (user, system) = (ticks / 100, ticks / 200);
    format!(
        "{pid} ({name}) S 301 301 0 0 -1 1077936448 9000 0 12 0 {user} {system} 0 0 10 -10 24 0 900 14643200000 35000 \
         18446744073709551615 1 1 0 0 0 0 4612 1 1073775864 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cores_add_up_and_time_goes_on() {
        let sum = |ticks: u64| -> u64 {
            let text = stat(ticks, 0, 3);
            text.lines().next().unwrap().split_whitespace().skip(1).map(|word| word.parse::<u64>().unwrap()).sum()
        };
        assert_eq!((sum(0), sum(1000)), (0, 1000 * CORES));
        assert!(stat(100, 7, 3).contains("cpu3 2 0 3 95 0 0 0 0 0 0\n") && stat(1, 7, 3).contains("btime 7\n"));
    }

    #[test]
    fn a_process_has_the_fields_of_proc_5() {
        let text = process(1234, "com.example.application", 400);
        let fields: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(fields.len(), 52);
        assert_eq!((fields[1], fields[13], fields[14], fields[23]), ("(ple.application)", "4", "2", "35000"));
    }
}
