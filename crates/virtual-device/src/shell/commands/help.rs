//! `toybox --help` and `NAME --help`: usage lines, with the options this device's programs have.

/// `toybox --help`.
pub(super) const TOYBOX: &str = "Toybox 0.8.9-android multicall binary (see toybox --help)\n\nusage: toybox [--long | --help | --version | [COMMAND] [ARGUMENTS...]]\n\nWith no arguments, \"toybox\" shows available COMMAND names. Add --long\nto include suggested install path for each command, see\nhttps://landley.net/toybox/faq.html#install for more.\n\nFirst argument is name of a COMMAND to run, followed by any ARGUMENTS\nto that command. Most toybox commands also understand:\n\n--help\tShow help for COMMAND\n--version\tShow toybox version\n";

/// What `NAME --help` prints, after the head; `None` for programs that are not toybox's and for those that take
/// `--help` for any other word (`echo`, `true`, `test` and the like).
pub(super) fn of(name: &str) -> Option<String> {
    let (_, usage, about) = USAGES.iter().find(|(known, ..)| *known == name)?;
    let usage = if usage.is_empty() { String::new() } else { format!(" {usage}") };
    Some(format!("Toybox 0.8.9-android multicall binary (see toybox --help)\n\nusage: {name}{usage}\n\n{about}\n"))
}

/// Name, what may follow it, what it does.
const USAGES: &[(&str, &str, &str)] = &[
    ("base64", "[-d] [FILE...]", "Encode or decode in base64.\n\n-d\tDecode"),
    (
        "basename",
        "[-a] [-s SUFFIX] NAME... | NAME [SUFFIX]",
        "Return non-directory portion of a pathname removing suffix.",
    ),
    (
        "cat",
        "[-u] [FILE...]",
        "Copy (concatenate) files to stdout.  If no files given, copy from stdin.\nFilename \"-\" is a synonym for stdin.",
    ),
    (
        "chmod",
        "[-R] MODE FILE...",
        "Change mode of listed FILEs.\n\nMODE can be (comma-separated) stanzas: [ugoa...][+-=][rwxstXugo...]\nor an octal value.",
    ),
    (
        "cp",
        "[-aHLPRTdfinprv] SOURCE... DEST",
        "Copy files from SOURCE to DEST.  If more than one SOURCE, DEST must\nbe a directory.\n\n-f\tForce copy by deleting destination file\n-n\tNo clobber: don't overwrite DEST\n-p\tPreserve timestamps, ownership, and mode\n-R\tRecurse into subdirectories (DEST must be a directory)\n-v\tVerbose",
    ),
    (
        "cut",
        "[-s] [-bcf LIST] [-d DELIM] [FILE...]",
        "Print selected parts of lines from each FILE to standard output.",
    ),
    ("date", "[-u] [+FORMAT]", "Get the current date/time.\n\n-u\tUTC timezone"),
    (
        "df",
        "[-Phkm] [FILE...]",
        "The \"disk free\" command shows total/used/available disk space for\neach filesystem listed on the command line, or all currently mounted\nfilesystems.",
    ),
    ("dirname", "PATH...", "Show directory portion of path."),
    ("du", "[-achkms] [FILE...]", "Show disk usage, space consumed by files and directories."),
    (
        "egrep",
        "[-EFivwcloqsHbhn] [-ABC NUM] [-m MAX] [-e REGEX]... [FILE]...",
        "Show lines matching regular expressions.",
    ),
    (
        "env",
        "[NAME=VALUE...] [COMMAND...]",
        "Set the environment for command invocation, or list environment variables.",
    ),
    ("fgrep", "[-EFivwcloqsHbhn] [-ABC NUM] [-m MAX] [-e REGEX]... [FILE]...", "Show lines matching fixed strings."),
    (
        "find",
        "[DIR...] [<options>]",
        "Search directories for matching files.\nDefault: search \".\", match all, -print matches.",
    ),
    ("free", "[-bkmgt]", "Display the total, free and used amount of physical memory and swap space."),
    ("getenforce", "", "Show whether SELinux is enforcing, permissive, or disabled."),
    (
        "grep",
        "[-EFivwcloqsHhnx] [-ABC NUM] [-m MAX] [-e REGEX]... [FILE]...",
        "Show lines matching regular expressions. If no -e, first argument is\nregular expression to match. With no files (or \"-\" filename) read stdin.\nReturns 0 if matched, 1 if no match found, 2 for command errors.\n\n-e  Regex to match. (May be repeated.)\n\nmatch type:\n-A  Show NUM lines after     -B  Show NUM lines before match\n-C  NUM lines context (A+B)  -E  extended regex syntax\n-F  fixed (literal match)    -i  case insensitive\n-m  match MAX many lines     -v  invert match\n-w  whole word (implies -E)  -x  whole line\n\ndisplay modes: (default: matched line)\n-c  count of matching lines  -h  hide filename on output\n-l  show only matching filenames\n-n  line number              -o  only matching part\n-q  quiet (errors only)      -s  silent (no error msg)",
    ),
    (
        "head",
        "[-c NUM] [-n NUM] [FILE...]",
        "Copy first lines from files to stdout. If no files listed, copy from\nstdin. Filename \"-\" is a synonym for stdin.\n\n-n\tNumber of lines to copy\n-c\tNumber of bytes to copy",
    ),
    ("hostname", "", "Get/set the current hostname."),
    ("id", "[-nu] [USER...]", "Print user and group ID."),
    ("ifconfig", "[-a] [INTERFACE]", "Display or configure network interface."),
    (
        "ls",
        "[-1AaRSdhlrt] [FILE...]",
        "List files.\n\nwhat to show:\n-A  all files except . and .. -a  all files including .hidden\n-d  directory, not contents   -R  recursively list in subdirs\n\noutput formats:\n-1  list one file per line    -l  long (show full details)\n-h  human readable sizes\n\nsort by: (also -rSt)\n-r  reverse sort   -S  size   -t  mtime",
    ),
    (
        "md5sum",
        "[-b] [FILE]...",
        "Calculate hash for each input file, reading from stdin if none, writing\nhexadecimal digits to stdout for each input file.",
    ),
    (
        "mkdir",
        "[-vp] [-m MODE] [DIR...]",
        "Create one or more directories.\n\n-m\tSet permissions of directory to mode\n-p\tMake parent directories as needed\n-v\tVerbose",
    ),
    (
        "mv",
        "[-finTv] SOURCE... DEST",
        "-f\tForce copy by deleting destination file\n-i\tInteractive, prompt before overwriting existing DEST\n-n\tNo clobber (don't overwrite DEST)\n-v\tVerbose",
    ),
    ("nproc", "[--all]", "Print number of processors."),
    ("pidof", "[-s] [-o OMITPID] [NAME...]", "Print the PIDs of all processes with the given names."),
    (
        "ps",
        "[-AefLTZ] [-o FIELD,] [-p PID,] [-u USER,]",
        "List processes.\n\nWhich processes to show (selections may be comma separated lists):\n\n-A\tAll\n-e\tSynonym for -A\n-p\tPIDs (--pid)\n-u\tUsers\n\nOutput modifiers:\n\n-f\tFull listing (-o USER:12=UID,PID,PPID,C,STIME,TTY,TIME,ARGS=CMD)\n-o\tOutput FIELDs instead of defaults, each with optional :size and =title\n-T\tShow threads\n-Z\tInclude LABEL",
    ),
    ("pwd", "[-L|-P]", "Print working (current) directory."),
    ("readlink", "[-efmn] FILE...", "With no options, show what symlink points to, return error if not symlink."),
    ("realpath", "FILE...", "Display the canonical absolute pathname"),
    ("rev", "[FILE...]", "Output each line reversed, when no files are given stdin is used."),
    (
        "rm",
        "[-fiRrv] FILE...",
        "Remove each argument from the filesystem.\n\n-f\tForce: remove without confirmation, no error if it doesn't exist\n-i\tInteractive: prompt for confirmation\n-rR\tRecursive: remove directory contents\n-v\tVerbose",
    ),
    ("rmdir", "[-p] [DIR...]", "Remove one or more directories."),
    ("sed", "[-inrE] [-e SCRIPT]...|SCRIPT [FILE...]", "Stream editor. Apply editing SCRIPTs to lines of input."),
    ("seq", "[FIRST] [STEP] LAST", "Count from first to last, by step."),
    (
        "sha256sum",
        "[-b] [FILE]...",
        "Calculate hash for each input file, reading from stdin if none, writing\nhexadecimal digits to stdout for each input file.",
    ),
    (
        "sleep",
        "DURATION...",
        "Wait before exiting. An optional suffix can be \"m\" (minutes), \"h\" (hours),\n\"d\" (days), or \"s\" (seconds, the default).",
    ),
    (
        "sort",
        "[-runbfg] [-k#[,#[x]] [-t X]] [FILE...]",
        "Sort all lines of text from input files (or stdin) to stdout.",
    ),
    ("stat", "[-tL] [-c FORMAT] FILE...", "Display status of files or filesystems."),
    ("tac", "[FILE...]", "Output lines in reverse order."),
    (
        "tail",
        "[-n|c NUM] [FILE...]",
        "Copy last lines from files to stdout. If no files listed, copy from\nstdin. Filename \"-\" is a synonym for stdin.\n\n-n\tOutput the last NUM lines (default 10), +X counts from start\n-c\tOutput the last NUM bytes, +NUM counts from start",
    ),
    (
        "tee",
        "[-ai] [FILE...]",
        "Copy stdin to each listed file, and also to stdout.\nFilename \"-\" is a synonym for stdout.\n\n-a\tAppend to files\n-i\tIgnore SIGINT",
    ),
    (
        "top",
        "[-Hbq] [-k FIELD,] [-o FIELD,] [-s SORT] [-n NUMBER] [-m LINES] [-d SECONDS] [-p PID,] [-u USER,]",
        "Show process activity in real time.",
    ),
    (
        "touch",
        "[-amc] FILE...",
        "Update the access and modification times of each FILE to the current time.\n\n-a\tOnly change the access time\n-c\tDon't create file\n-m\tOnly change the modification time",
    ),
    ("tr", "[-cds] SET1 [SET2]", "Translate, squeeze, or delete characters from stdin, writing to stdout"),
    ("uname", "[-asnrvmo]", "Print system information."),
    ("uniq", "[-cdui] [INFILE]", "Report or filter out repeated lines in a file"),
    (
        "uptime",
        "",
        "Tell the current time, how long the system has been running, the number\nof users, and the system load averages for the past 1, 5 and 15 minutes.",
    ),
    (
        "wc",
        "[-lwcm] [FILE...]",
        "Count lines, words, and characters in input.\n\n-l\tShow lines\n-w\tShow words\n-c\tShow bytes\n-m\tShow characters\n\nBy default outputs lines, words, bytes, and filename for each\nargument (or from stdin if none). Displays only either bytes\nor characters.",
    ),
    ("which", "[-a] filename ...", "Search $PATH for executable files matching filename(s)."),
    ("whoami", "", "Print the current user name."),
    (
        "xargs",
        "[-0rt] [-s NUM] [-n NUM] [-E STR] COMMAND...",
        "Run command line one or more times, appending arguments from stdin.",
    ),
    ("yes", "[args...]", "Repeatedly output line until killed. If no args, output 'y'."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usage_is_of_a_program_that_exists() {
        let mut last = "";
        for (name, ..) in USAGES {
            assert!(super::super::names().any(|known| known == *name), "{name}");
            assert!(last < *name, "{name} is out of order");
            last = name;
        }
        assert!(of("ls").unwrap().contains("\n\nusage: ls [-1AaRSdhlrt] [FILE...]\n\nList files.\n"));
        assert!(of("ps").unwrap().contains("\n-A\tAll\n"));
        assert_eq!((of("echo"), of("am")), (None, None));
    }
}
