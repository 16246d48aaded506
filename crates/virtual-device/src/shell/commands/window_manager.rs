//! `wm size|density|user-rotation|dismiss-keyguard` (`WindowManagerShellCommand.java`).

use super::{Exit, Invocation, argument_expected, exception};
use crate::domain::Size;
use crate::system::Namespace;

const FRAME: &str = "com.android.server.wm.WindowManagerShellCommand.onCommand(WindowManagerShellCommand.java)";

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    match invocation.rest().as_slice() {
        ["size", rest @ ..] => size(invocation, rest),
        ["density", rest @ ..] => density(invocation, rest),
        ["user-rotation", rest @ ..] if invocation.system.lock().config().api.since(31) => rotation(invocation, rest),
        ["set-user-rotation", rest @ ..] if matches!(invocation.system.lock().config().api.number(), 29 | 30) => {
            rotation(invocation, rest)
        }
        // Nothing is locked (`KeyguardController.dismissKeyguard`): the command says nothing either way.
        ["dismiss-keyguard", ..] => Exit::SUCCESS,
        [] => {
            invocation
                .out("Window manager (window) commands:\n  size [reset|WxH|WdpxHdp]\n  density [reset|DENSITY]\n  dismiss-keyguard\n    Dismiss the keyguard, prompting user for auth if necessary.\n");
            Exit::SUCCESS
        }
        [other, ..] => {
            invocation.out(format!("Unknown command: {other}\n"));
            Exit::Code(255)
        }
    }
}

/// `wm user-rotation [-d DISPLAY] [free|lock [0-3]]`; without arguments it prints what is set.
fn rotation(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let words = if let ["-d", _, tail @ ..] = rest { tail } else { rest };
    let mut system = invocation.system.lock();
    match words {
        [] => {
            let free = system.settings.get(Namespace::System, "accelerometer_rotation") == Some("1");
            let turns = system.settings.get(Namespace::System, "user_rotation").unwrap_or("0");
            let text = if free { "free\n".to_owned() } else { format!("lock {turns}\n") };
            drop(system);
            invocation.out(text);
            Exit::SUCCESS
        }
        ["free", ..] => {
            system.settings.put(Namespace::System, "accelerometer_rotation", "1");
            system.catch_up();
            Exit::SUCCESS
        }
        ["lock", turns @ ..] => {
            let turns = match turns.first() {
                None => Ok(system.rotation()),
                Some(word) => match word.parse::<i64>() {
                    Ok(turns @ 0..=3) => Ok(turns as u8),
                    Ok(_) => Err("Rotation argument is invalid rotation code.".to_owned()),
                    Err(_) => Err(format!("For input string: \"{word}\"")),
                },
            };
            match turns {
                Ok(turns) => {
                    system.turn(turns);
                    Exit::SUCCESS
                }
                Err(reason) => {
                    drop(system);
                    invocation.err(format!("Error: {reason}\n"));
                    Exit::Code(255)
                }
            }
        }
        _ => {
            drop(system);
            invocation.err("Error: argument needs to be either -d, free or lock.\n");
            Exit::Code(255)
        }
    }
}

fn size(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let mut system = invocation.system.lock();
    match rest {
        [] => {
            let show = |size: Size| format!("{}x{}", size.width, size.height);
            let mut text = format!("Physical size: {}\n", show(system.config().display));
            if let Some(size) = system.size_override {
                text.push_str(&format!("Override size: {}\n", show(size)));
            }
            drop(system);
            invocation.out(text);
            Exit::SUCCESS
        }
        ["reset", ..] => {
            system.size_override = None;
            Exit::SUCCESS
        }
        [word, ..] => {
            let parsed = word.split_once('x').and_then(|(w, h)| {
                let (w, h) = (w.parse().ok()?, h.parse().ok()?);
                (w > 0 && h > 0 && w <= 8192 && h <= 8192).then(|| Size::new(w, h))
            });
            if let Some(size) = parsed {
                system.size_override = Some(size);
                return Exit::SUCCESS;
            }
            drop(system);
            invocation.err(format!("Error: bad number in size '{word}'\n"));
            Exit::Code(255)
        }
    }
}

fn density(invocation: &Invocation<'_>, rest: &[&str]) -> Exit {
    let mut system = invocation.system.lock();
    match rest {
        [] => {
            let mut text = format!("Physical density: {}\n", system.config().density);
            if let Some(density) = system.density_override {
                text.push_str(&format!("Override density: {density}\n"));
            }
            drop(system);
            invocation.out(text);
            Exit::SUCCESS
        }
        ["reset", ..] => {
            system.density_override = None;
            Exit::SUCCESS
        }
        ["-d" | "-u"] => {
            drop(system);
            exception(invocation, "density", &argument_expected(rest[0]), FRAME)
        }
        [word, ..] => {
            let message = match word.parse::<u32>() {
                Ok(density) if (72..=1000).contains(&density) => {
                    system.density_override = Some(density);
                    return Exit::SUCCESS;
                }
                Ok(density) if density < 72 => "Error: density must be >= 72\n".to_owned(),
                _ => format!("Error: bad number {word}\n"),
            };
            drop(system);
            invocation.err(message);
            Exit::Code(255)
        }
    }
}
