//! What devices answer, read by pure and total functions: any text in, no panic, `None` or a typed failure for what is
//! not understood. Nothing here sends anything.

mod activity;
mod display;
mod focus;
mod health;
mod log;
mod package;
mod picture;
mod properties;
mod touch;

pub use activity::{LaunchOutcome, parse_launch, parse_launcher};
pub use display::{parse_density, parse_display_size};
pub use focus::{FocusedActivity, parse_focus, parse_keyboard_shown, parse_resumed_activity};
pub use health::{Health, parse_health};
pub use log::{parse_clock, parse_crashes};
pub use package::{
    InstallStatus, VersionLookup, parse_app_paths, parse_clear_succeeded, parse_install_session, parse_install_status,
    parse_streamed, parse_version,
};
pub use picture::{PictureError, parse_picture};
pub use properties::{Properties, parse_properties};
pub use touch::{Felt, Stroke, TouchPanel, TouchReader, parse_touch_panel};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PackageName;
    use proptest::prelude::*;

    /// Fragments of real output, so that random text comes near the interesting branches.
    fn device_text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "(?s).{0,20}",
            Just("mCurrentFocus=Window{".to_owned()),
            Just("ActivityRecord{".to_owned()),
            Just(" u0 com.a/.B t1}".to_owned()),
            Just("Physical size: 1x".to_owned()),
            Just("Override density: 4".to_owned()),
            Just("[ro.a]: [b".to_owned()),
            Just("11-20 08:00:00.123  1  2 E AndroidRuntime: FATAL EXCEPTION: main".to_owned()),
            Just("11-20 08:00:00.123  1  2 E AndroidRuntime: Process: com.a, PID: 1".to_owned()),
            Just("11-20 08:00:00.123  1  2 F DEBUG   : >>> com.a <<<".to_owned()),
            Just("E ActivityManager: ANR in com.a (com.a/.B)".to_owned()),
            Just("Failure [".to_owned()),
            Just("versionName=".to_owned()),
            Just("\n".to_owned()),
            Just("/".to_owned()),
            Just("é}".to_owned()),
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_reply_makes_a_parser_panic(text in device_text()) {
            let package = PackageName::new("com.a");
            parse_launcher(&text);
            parse_launch(&text);
            parse_display_size(&text);
            parse_density(&text);
            parse_focus(&text);
            parse_resumed_activity(&text);
            parse_keyboard_shown(&text);
            parse_clock(&text);
            parse_crashes(&text, &package);
            parse_install_status(&text);
            parse_install_session(&text);
            parse_streamed(&text);
            parse_clear_succeeded(&text);
            parse_version(&text);
            parse_app_paths(&text);
            parse_properties(&text);
        }

        #[test]
        fn no_bytes_make_the_picture_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _result = parse_picture(&bytes);
        }
    }
}
