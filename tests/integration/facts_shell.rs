//! What `/system/bin/sh` makes of the scripts adb clients send.

use crate::virtual_device_facts::phone;

#[test]
fn substitutions_and_arithmetic_are_expanded() {
    phone(34).table(&[
        ("echo $(echo a; echo b) \"$(echo c; echo d)\"", "a b c\nd\n", "", 0),
        ("echo `echo x | tr x y` $((1 + 2*3))", "y 7\n", "", 0),
        ("X=5; echo $((X * 2)) $((X > 4 && 1))", "10 1\n", "", 0),
        ("echo $((1/0))", "", "/system/bin/sh: 1/0: divide by zero\n", 1),
        ("echo ${NOPE:-fall back} ${NOPE-x} [${NOPE}]", "fall back x []\n", "", 0),
        ("F=/sdcard/a.b.xml; echo ${F##*/} ${F%.*} ${F#*.} ${#F}", "a.b.xml /sdcard/a.b b.xml 15\n", "", 0),
        ("X=$(false); echo $?; Y=$(echo 1 2); echo \"$Y\"", "1\n1 2\n", "", 0),
        ("P=$(pidof com.example.two) || echo none", "none\n", "", 0),
        ("echo ${x^^}", "", "/system/bin/sh: ${x^^}: bad substitution\n", 1),
        ("set -- a 'b c'; for x in \"$@\"; do echo \"<$x>\"; done; echo $# $1", "<a>\n<b c>\n2 a\n", "", 0),
    ]);
}

#[test]
fn compound_commands_run() {
    phone(34).table(&[
        ("if [ -d /sdcard ]; then echo yes; else echo no; fi", "yes\n", "", 0),
        ("if false; then echo a; elif true; then echo b; fi; echo $?", "b\n0\n", "", 0),
        ("for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done", "1\n3\n", "", 0),
        ("i=0; while [ $i -lt 3 ]; do i=$((i+1)); [ $i = 2 ] && break; done; echo $i", "2\n", "", 0),
        ("i=0; until [ $i -ge 2 ]; do i=$((i+1)); done; echo $i", "2\n", "", 0),
        ("case abc in x|y) echo 1;; a*) echo 2;; *) echo 3;; esac", "2\n", "", 0),
        ("f() { echo \"f $1\"; return 3; }; f x; echo $?", "f x\n3\n", "", 0),
        ("(cd /sdcard; X=1; pwd); echo \"$X\"; pwd", "/sdcard\n\n/\n", "", 0),
        ("{ echo a; echo b; } > /sdcard/g; cat /sdcard/g | while read l; do echo \"[$l]\"; done", "[a]\n[b]\n", "", 0),
        ("printf 'a 1\\nb 2\\n' | while read name value; do echo $value-$name; done", "1-a\n2-b\n", "", 0),
        ("! true; echo $?", "1\n", "", 0),
        ("ls /nope >/dev/null 2>&1; echo $?", "1\n", "", 0),
        ("ls /nope &>/dev/null || echo quiet", "quiet\n", "", 0),
        ("echo $'a\\tb'", "a\tb\n", "", 0),
        ("eval 'echo $((2+2))'; command -v ls; type cd", "4\n/system/bin/ls\ncd is a shell builtin\n", "", 0),
    ]);
}

#[test]
fn what_the_shell_cannot_do_it_refuses() {
    for line in ["sleep 1 &", "cat <<E\nx\nE", "if true; then", "echo $(", "done", "f() {", "case x in"] {
        let (out, err, exit) = phone(34).sh(line);
        assert!(out.is_empty() && err.starts_with("/system/bin/sh: ") && exit == 1, "{line}: {out:?} {err:?} {exit}");
    }
    phone(34).table(&[
        ("nosuch", "", "/system/bin/sh: nosuch: inaccessible or not found\n", 127),
        ("nosuch && echo yes; echo $?", "127\n", "/system/bin/sh: nosuch: inaccessible or not found\n", 0),
        ("echo a | nosuch", "", "/system/bin/sh: nosuch: inaccessible or not found\n", 127),
        ("/sdcard/nosuch", "", "/system/bin/sh: /sdcard/nosuch: inaccessible or not found\n", 127),
        ("touch /sdcard/x; /sdcard/x", "", "/system/bin/sh: /sdcard/x: can't execute: Permission denied\n", 126),
    ]);
}

#[test]
fn no_unknown_command_ever_succeeds() {
    let phone = phone(34);
    for name in ["am2", "screenrecord", "su", "curl", "python", "perl", "bmgr", "appops", "dpm", "nc"] {
        let (out, err, exit) = phone.sh(name);
        assert_eq!((out.as_str(), exit), ("", 127), "{name}");
        assert_eq!(err, format!("/system/bin/sh: {name}: inaccessible or not found\n"));
    }
}

#[test]
fn a_script_that_calls_itself_ends() {
    let phone = phone(34);
    assert_ne!(phone.sh("f() { f; }; f").2, 0);
    phone.out("echo 'sh /data/local/tmp/s.sh' > /data/local/tmp/s.sh");
    assert_ne!(phone.sh("sh /data/local/tmp/s.sh").2, 0);
}

#[test]
fn a_stage_that_never_ends_is_ended_by_the_next() {
    let phone = phone(34);
    assert_eq!(phone.out("yes | head -n 2"), "y\ny\n");
    phone.out("am start -n com.example.two/.MainActivity");
    let line = phone.out("logcat | grep -m 1 'Start proc'");
    assert!(line.contains("ActivityManager: Start proc ") && line.lines().count() == 1, "{line}");
}
