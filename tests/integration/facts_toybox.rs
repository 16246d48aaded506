//! The programs scripts use besides Android's own.

use crate::virtual_device_facts::phone;

#[test]
fn files_are_copied_moved_and_measured() {
    phone(34).table(&[
        ("echo hi > /sdcard/a; cp /sdcard/a /sdcard/b; cat /sdcard/b", "hi\n", "", 0),
        ("mv /sdcard/b /sdcard/c; cat /sdcard/b", "", "cat: /sdcard/b: No such file or directory\n", 1),
        ("mkdir /sdcard/d; mv /sdcard/c /sdcard/d; ls /sdcard/d", "c\n", "", 0),
        ("cp -r /sdcard/d /sdcard/e; cat /sdcard/e/c", "hi\n", "", 0),
        ("cp /sdcard/d /sdcard/f", "", "cp: Skipped dir '/sdcard/d' (use -r): Is a directory\n", 1),
        ("cp /sdcard/none /sdcard/f", "", "cp: bad '/sdcard/none': No such file or directory\n", 1),
        ("mv /sdcard/a /system/a", "", "mv: bad '/sdcard/a': Read-only file system\n", 1),
        ("cp -r /sdcard/d /sdcard/d/x", "", "cp: bad '/sdcard/d': File exists\n", 1),
        ("stat -c '%s %F %a %U %n' /sdcard/a", "3 regular file 644 shell /sdcard/a\n", "", 0),
        ("stat /sdcard/none", "", "stat: '/sdcard/none': No such file or directory\n", 1),
        ("du -sk /sdcard/d", "8\t/sdcard/d\n", "", 0),
        ("rmdir /sdcard/d", "", "rmdir: '/sdcard/d': Directory not empty\n", 1),
        ("chmod 600 /sdcard/a; chmod u+x /sdcard/a; stat -c %a /sdcard/a", "700\n", "", 0),
        ("readlink /sdcard; realpath /sdcard", "/storage/self/primary\n/storage/emulated/0\n", "", 0),
        ("find /sdcard/d /sdcard/e -name 'c*' -type f", "/sdcard/d/c\n/sdcard/e/c\n", "", 0),
        ("find /sdcard/e -type f -exec cat {} \\; -delete; ls /sdcard/e", "hi\n", "", 0),
        ("find /sdcard/none", "", "find: /sdcard/none: No such file or directory\n", 1),
        ("find /sdcard -frob", "", "find: bad arg '-frob'\n", 1),
        ("ls -R /sdcard/d", "/sdcard/d:\nc\n", "", 0),
        ("basename /a/b.txt .txt; dirname /a/b.txt", "b\n/a\n", "", 0),
    ]);
    let df = phone(34).out("df /sdcard");
    assert!(df.starts_with("Filesystem       1K-blocks") && df.contains("% /storage/emulated\n"), "{df}");
}

#[test]
fn texts_are_cut_sorted_and_edited() {
    phone(34).table(&[
        ("echo a:b:c | cut -d : -f 2,3; echo abcdef | cut -c 2-4", "b:c\nbcd\n", "", 0),
        ("printf 'b 2\\na 10\\nb 2\\n' | sort; printf '2\\n10\\n' | sort -n -r", "a 10\nb 2\nb 2\n10\n2\n", "", 0),
        ("printf 'x 2\\ny 1\\n' | sort -k 2 -n", "y 1\nx 2\n", "", 0),
        ("printf 'a\\na\\nb\\n' | uniq -c", "      2 a\n      1 b\n", "", 0),
        ("printf 'b\\na\\nb\\n' | sort -u", "a\nb\n", "", 0),
        ("echo Hello | tr a-z A-Z; echo 'a  b' | tr -s ' '; echo a1b2 | tr -d '0-9'", "HELLO\na b\nab\n", "", 0),
        ("printf 'a\\r\\n' | tr -d '\\r' | base64", "YQo=\n", "", 0),
        ("echo YWJj | base64 -d", "abc", "", 0),
        ("printf 'one\\ntwo\\nthree\\n' | sed -n '2p'", "two\n", "", 0),
        ("printf 'one\\ntwo\\nthree\\n' | sed -e 's/o/0/g' -e '/^t/d'", "0ne\n", "", 0),
        ("printf 'a=1\\nb=2\\n' | sed -n 's/^b=\\(.*\\)/[\\1]/p'", "[2]\n", "", 0),
        ("printf 'a1b22\\n' | sed -E 's/([0-9]+)/<\\1>/2'", "a1b<22>\n", "", 0),
        ("printf '1\\n2\\n3\\n4\\n' | sed '2,3d'", "1\n4\n", "", 0),
        ("printf '1\\n2\\n3\\n' | sed '2q'; printf '1\\n2\\n' | sed '$!d'", "1\n2\n2\n", "", 0),
        ("echo x > /sdcard/s; sed -i 's/x/y/' /sdcard/s; cat /sdcard/s", "y\n", "", 0),
        ("echo x | sed 'k'", "", "sed: unknown command 'k'\n", 1),
        ("printf 'a b\\nc\\n' | xargs echo; printf 'a b c' | xargs -n 2 echo", "a b c\na b\nc\n", "", 0),
        ("printf 'x\\ny\\n' | xargs -I '{}' echo '<{}>'", "<x>\n<y>\n", "", 0),
        ("echo /nope | xargs ls", "", "ls: /nope: No such file or directory\n", 123),
        ("seq 3 | tac; seq 2 -1 1", "3\n2\n1\n2\n1\n", "", 0),
        ("echo hi | tee /sdcard/t; cat /sdcard/t", "hi\nhi\n", "", 0),
        ("printf 'abc' | md5sum", "900150983cd24fb0d6963f7d28e17f72  -\n", "", 0),
        ("printf 'abc' | sha256sum -b", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n", "", 0),
        ("echo abc | egrep 'a(b|x)c'; echo 'a.c' | fgrep .", "abc\na.c\n", "", 0),
        ("cut -z", "", "cut: Unknown option 'z' (see \"cut --help\")\n", 1),
    ]);
}

#[test]
fn tests_are_true_or_false_or_wrong() {
    phone(34).table(&[
        ("[ -f /sdcard ] || [ -d /sdcard ] && echo d", "d\n", "", 0),
        ("test 3 -gt 2 && [ abc = abc ] && [ -n x -a -z '' ] && echo ok", "ok\n", "", 0),
        ("[ ! -e /nope ] && [ 1 -ne 2 -o 1 -eq 2 ] && echo ok", "ok\n", "", 0),
        ("[[ abc == a* ]] && echo pattern", "pattern\n", "", 0),
        ("[ x -eq 1 ]", "", "/system/bin/sh: [: x: bad number\n", 2),
        ("[ a = a", "", "/system/bin/sh: [: missing ]\n", 2),
        ("[ -w /sdcard ] && [ ! -w /system ] || echo no", "no\n", "", 0),
    ]);
}

#[test]
fn processes_are_listed_with_androids_columns() {
    let phone = phone(34);
    phone.out("am start -n com.example.two/.MainActivity");
    let pid = phone.out("pidof com.example.two");
    let pid = pid.trim();
    let all = phone.out("ps -A");
    assert!(
        all.starts_with("USER            PID  PPID      VSZ    RSS WCHAN                    ADDR S NAME\n"),
        "{all}"
    );
    assert!(all.contains(" system_server\n") && all.contains(" com.example.two\n"), "{all}");
    assert!(!phone.out("ps").contains("system_server"), "without -A only the shell's own");
    assert!(self::phone(24).out("ps").contains("system_server"), "before Android 8 all");
    assert_eq!(phone.out(&format!("ps -p {pid} -o NAME")), "NAME\ncom.example.two\n");
    assert_eq!(phone.sh("pidof no.such").2, 1);
    assert!(phone.out("top -n 1 -b").contains(" com.example.two\n"));
    phone.table(&[
        (&format!("kill -9 {pid}"), "", &format!("/system/bin/sh: kill: {pid}: Operation not permitted\n"), 1),
        ("kill 99999", "", "/system/bin/sh: kill: 99999: No such process\n", 1),
        ("which ls nosuch; uname; getenforce; whoami", "/system/bin/ls\nLinux\nEnforcing\nshell\n", "", 0),
        ("toybox echo hi; toybox nosuch", "hi\n", "toybox: Unknown command nosuch (see \"toybox --help\")\n", 127),
    ]);
}

#[test]
fn the_network_is_there_while_the_radios_are_on() {
    let phone = phone(34);
    assert!(phone.out("ifconfig wlan0").contains("inet addr:10.0.2.16 "));
    assert!(phone.out("ip addr show dev wlan0").contains("inet 10.0.2.16/24"));
    phone.out("svc wifi disable");
    assert_eq!(phone.sh("ifconfig wlan0").1, "ifconfig: wlan0: No such device\n");
}
