//! Swipes between two places of the display, as far as they are swipes in one direction.

use serde_json::Value;

/// Nearer to an edge than this, in per cent, a swipe is the system's and not the app's.
const EDGE: i32 = 5;
/// One way must be so many times as long as the other one to be the direction.
const CLEARLY: i32 = 3;

/// The direction in which a finger goes from one place to another, both written `50%, 80%`.
pub(super) fn direction_of(start: &Value, end: &Value) -> Result<&'static str, String> {
    let (Some(start), Some(end)) = (place(start), place(end)) else {
        return Err(
            "a swipe between two places has no counterpart unless both are in per cent: give its direction".to_owned()
        );
    };
    let is_inside = |at: &i32| (EDGE..=100 - EDGE).contains(at);
    if ![start.0, start.1].iter().all(is_inside) {
        return Err("a swipe from the display's edge is the system's, and has no counterpart".to_owned());
    }
    let (right, down) = (end.0 - start.0, end.1 - start.1);
    if down.abs() >= CLEARLY * right.abs() && down != 0 {
        Ok(if down < 0 { "UP" } else { "DOWN" })
    } else if right.abs() >= CLEARLY * down.abs() && right != 0 {
        Ok(if right < 0 { "LEFT" } else { "RIGHT" })
    } else {
        Err("a swipe between two places that is aslant has no counterpart: give its direction".to_owned())
    }
}

/// `50%, 80%` in per cent.
fn place(value: &Value) -> Option<(i32, i32)> {
    let (across, down) = value.as_str()?.split_once(',')?;
    let number = |text: &str| text.trim().strip_suffix('%')?.trim().parse().ok();
    Some((number(across)?, number(down)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_swipe_has_a_direction_and_no_other() {
        for (start, end, expected) in [
            ("50%, 80%", "50%, 20%", Ok("UP")),
            ("50%,20%", "52%,80%", Ok("DOWN")),
            ("90%, 50%", "10%, 50%", Ok("LEFT")),
            ("10%, 50%", "90%, 60%", Ok("RIGHT")),
            ("50%, 15%", "15%, 50%", Err("aslant")),
            ("50%, 50%", "50%, 50%", Err("aslant")),
            ("50%, 0%", "50%, 50%", Err("edge")),
            ("100, 200", "100, 900", Err("per cent")),
        ] {
            let found = direction_of(&start.into(), &end.into());
            match expected {
                Ok(direction) => assert_eq!(found.as_deref(), Ok(direction), "{start} to {end}"),
                Err(part) => {
                    assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{start} to {end}: {found:?}")
                }
            }
        }
    }
}
