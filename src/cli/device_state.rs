//! What state `emulate` starts its devices in.

use clap::Args;

/// First values of what can change while a device runs.
#[derive(Debug, Args)]
pub struct DeviceStateArgs {
    /// Quarter turns of the display
    #[arg(long, value_name = "TURNS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub rotation: u8,
    /// Dark theme
    #[arg(long)]
    pub night: bool,
    /// Size of text, 1 is normal
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = font_scale)]
    pub font_scale: f32,
    /// Where the device is, in degrees; `adb emu geo fix` moves it
    #[arg(long, value_name = "LATITUDE,LONGITUDE", value_parser = location, allow_hyphen_values = true)]
    pub location: Option<(f64, f64)>,
    /// Switch something in an app (repeatable): PACKAGE:bug.NAME, PACKAGE:variant.NAME=VALUE or PACKAGE:version=NAME
    #[arg(long = "switch", value_name = "PACKAGE:NAME[=VALUE]", value_parser = switch)]
    pub switches: Vec<String>,
    /// How time runs on the devices: `real`, `virtual` (only while something on the device waits) or xN (N times as fast)
    #[arg(long, value_name = "real|virtual|xN", default_value = "real", value_parser = clock)]
    pub clock: ClockChoice,
}

/// How time runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockChoice {
    /// As on the host.
    Real,
    /// Only while something waits.
    Virtual,
    /// This many times as fast.
    Times(u32),
}

fn font_scale(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|scale| (0.5..=3.0).contains(scale))
        .ok_or_else(|| "expected a factor from 0.5 to 3, such as 1.3".to_owned())
}

fn location(text: &str) -> Result<(f64, f64), String> {
    let parse = || {
        let (latitude, longitude) = text.split_once(',')?;
        let (latitude, longitude): (f64, f64) = (latitude.trim().parse().ok()?, longitude.trim().parse().ok()?);
        ((-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude)).then_some((latitude, longitude))
    };
    parse().ok_or_else(|| "expected LATITUDE,LONGITUDE in degrees, such as 48.2082,16.3738".to_owned())
}

fn switch(text: &str) -> Result<String, String> {
    let parts = text.split_once(':').filter(|(package, name)| {
        package.contains('.') && !name.is_empty() && !text.contains([',', ' ']) && !name.starts_with('=')
    });
    parts.map(|_| text.to_owned()).ok_or_else(|| {
        "expected PACKAGE:NAME or PACKAGE:NAME=VALUE without commas or spaces, such as com.example.cart:bug.fee_twice"
            .to_owned()
    })
}

fn clock(text: &str) -> Result<ClockChoice, String> {
    match text {
        "real" => Ok(ClockChoice::Real),
        "virtual" => Ok(ClockChoice::Virtual),
        _ => text
            .strip_prefix('x')
            .and_then(|times| times.parse().ok())
            .filter(|times| (1..=3600).contains(times))
            .map(ClockChoice::Times)
            .ok_or_else(|| "expected real, virtual, or xN with N from 1 to 3600, such as x10".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_with_an_example() {
        assert_eq!(location("-33.9, 18.4"), Ok((-33.9, 18.4)));
        assert_eq!(clock("x10"), Ok(ClockChoice::Times(10)));
        assert_eq!(switch("a.b:variant.x=y").as_deref(), Ok("a.b:variant.x=y"));
        for refused in ["91,0", "1", "x,y"] {
            assert!(location(refused).is_err_and(|message| message.contains("such as")), "{refused}");
        }
        for refused in ["fast", "x0", "x", "10"] {
            assert!(clock(refused).is_err_and(|message| message.contains("such as")), "{refused}");
        }
        for refused in ["bug.fee", "a.b:", "a.b:x,c.d:y", "ab:x", "a.b:=1"] {
            assert!(switch(refused).is_err_and(|message| message.contains("such as")), "{refused}");
        }
        assert!(font_scale("9").is_err() && font_scale("1.3").is_ok());
    }
}
