//! `cmd SERVICE …`.

use super::{Exit, Invocation, app_locales, night_mode};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let Some((service, rest)) = invocation.args.get(1..).and_then(<[String]>::split_first) else {
        invocation.err("cmd: No service specified; use -l to list all services\n");
        return Exit::Code(20);
    };
    let program = match service.as_str() {
        "package" => "pm",
        "activity" => "am",
        "settings" => "settings",
        "window" => "wm",
        "input" => "input",
        "uimode" => return night_mode::run(invocation, rest),
        "locale" if invocation.system.lock().config().api.since(33) => return app_locales::run(invocation, rest),
        "-l" => {
            invocation.out("Currently running services:\n  activity\n  input\n  package\n  settings\n  window\n");
            return Exit::SUCCESS;
        }
        other => {
            invocation.err(format!("cmd: Can't find service: {other}\n"));
            return Exit::Code(20);
        }
    };
    let args = [program.to_owned()].into_iter().chain(rest.iter().cloned()).collect();
    super::run(&invocation.with_args(args))
}
