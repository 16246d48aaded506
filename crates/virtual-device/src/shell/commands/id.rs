//! `id`: the shell user, or root after `adb root`.

use super::options::without_end_mark;
use super::{Exit, Invocation};
use crate::system::Rights;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let root = invocation.system.lock().files.rights != Rights::Shell;
    let text = match without_end_mark(&invocation.rest()).as_slice() {
        [] if root => "uid=0(root) gid=0(root) groups=0(root) context=u:r:su:s0",
        ["-u"] if root => "0",
        ["-un"] if root => "root",
        [] => {
            "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),\
             1028(sdcard_r),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),3009(readproc) \
             context=u:r:shell:s0"
        }
        ["-u"] => "2000",
        ["-un"] => "shell",
        other => {
            invocation.err(format!("id: Unknown option '{}' (see \"id --help\")\n", other.join(" ")));
            return Exit::FAILURE;
        }
    };
    invocation.out(format!("{text}\n"));
    Exit::SUCCESS
}
