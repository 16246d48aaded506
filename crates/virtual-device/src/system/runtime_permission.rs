//! Runtime permissions: which there are, how they are grouped, and what a package holds.

use super::ApiLevel;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A permission that is granted while an app runs (protection level "dangerous").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuntimePermission {
    /// `android.permission.CAMERA`.
    pub name: &'static str,
    /// Permissions of a group are asked for together.
    pub group: PermissionGroup,
    /// API level from which on it is granted at runtime.
    pub since: u32,
}

/// What a dialog asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionGroup {
    /// Camera.
    Camera,
    /// Microphone.
    Microphone,
    /// Location.
    Location,
    /// Location while the app is not in use.
    BackgroundLocation,
    /// Contacts.
    Contacts,
    /// Calendar.
    Calendar,
    /// SMS.
    Sms,
    /// Phone.
    Phone,
    /// Call log.
    CallLog,
    /// Files.
    Storage,
    /// Body sensors.
    Sensors,
    /// Physical activity.
    Activity,
    /// Nearby devices.
    Nearby,
    /// Notifications.
    Notifications,
    /// Photos and videos.
    Visual,
    /// Music and audio.
    Aural,
}

impl PermissionGroup {
    /// The words after "Allow X to" in the dialog of an API level (AOSP `permgrouprequest_*`).
    pub const fn request(self, api: ApiLevel) -> &'static str {
        match self {
            Self::Camera => "take pictures and record video",
            Self::Microphone => "record audio",
            Self::Location | Self::BackgroundLocation => "access this device’s location",
            Self::Contacts => "access your contacts",
            Self::Calendar => "access your calendar",
            Self::Sms => "send and view SMS messages",
            Self::Phone => "make and manage phone calls",
            Self::CallLog => "access your phone call logs",
            Self::Storage if api.since(30) => "access photos and media on your device",
            Self::Storage => "access photos, media, and files on your device",
            Self::Sensors => "access sensor data about your vital signs",
            Self::Activity => "access your physical activity",
            Self::Nearby => "find, connect to, and determine the relative position of nearby devices",
            Self::Notifications => "send you notifications",
            Self::Visual => "access photos and videos on this device",
            Self::Aural => "access music and audio on this device",
        }
    }

    /// True where the dialog offers "While using the app" and, from API 30 on, "Only this time".
    pub const fn is_foreground_only(self) -> bool {
        matches!(self, Self::Camera | Self::Microphone | Self::Location)
    }
}

use PermissionGroup as Group;

const RUNTIME: &[RuntimePermission] = &[
    runtime("CAMERA", Group::Camera, 23),
    runtime("RECORD_AUDIO", Group::Microphone, 23),
    runtime("ACCESS_FINE_LOCATION", Group::Location, 23),
    runtime("ACCESS_COARSE_LOCATION", Group::Location, 23),
    runtime("ACCESS_BACKGROUND_LOCATION", Group::BackgroundLocation, 29),
    runtime("READ_CONTACTS", Group::Contacts, 23),
    runtime("WRITE_CONTACTS", Group::Contacts, 23),
    runtime("GET_ACCOUNTS", Group::Contacts, 23),
    runtime("READ_CALENDAR", Group::Calendar, 23),
    runtime("WRITE_CALENDAR", Group::Calendar, 23),
    runtime("SEND_SMS", Group::Sms, 23),
    runtime("RECEIVE_SMS", Group::Sms, 23),
    runtime("READ_SMS", Group::Sms, 23),
    runtime("READ_PHONE_STATE", Group::Phone, 23),
    runtime("READ_PHONE_NUMBERS", Group::Phone, 26),
    runtime("CALL_PHONE", Group::Phone, 23),
    runtime("READ_CALL_LOG", Group::CallLog, 23),
    runtime("WRITE_CALL_LOG", Group::CallLog, 23),
    runtime("READ_EXTERNAL_STORAGE", Group::Storage, 23),
    runtime("WRITE_EXTERNAL_STORAGE", Group::Storage, 23),
    runtime("BODY_SENSORS", Group::Sensors, 23),
    runtime("ACTIVITY_RECOGNITION", Group::Activity, 29),
    runtime("BLUETOOTH_SCAN", Group::Nearby, 31),
    runtime("BLUETOOTH_CONNECT", Group::Nearby, 31),
    runtime("BLUETOOTH_ADVERTISE", Group::Nearby, 31),
    runtime("NEARBY_WIFI_DEVICES", Group::Nearby, 33),
    runtime("POST_NOTIFICATIONS", Group::Notifications, 33),
    runtime("READ_MEDIA_IMAGES", Group::Visual, 33),
    runtime("READ_MEDIA_VIDEO", Group::Visual, 33),
    runtime("READ_MEDIA_VISUAL_USER_SELECTED", Group::Visual, 34),
    runtime("READ_MEDIA_AUDIO", Group::Aural, 33),
];

const PREFIX: &str = "android.permission.";
/// Granted with "Approximate".
pub(super) const COARSE: &str = "android.permission.ACCESS_COARSE_LOCATION";
/// Granted with "Precise" too.
pub(super) const FINE: &str = "android.permission.ACCESS_FINE_LOCATION";
/// Granted with some photos only.
pub(super) const SELECTED: &str = "android.permission.READ_MEDIA_VISUAL_USER_SELECTED";

const fn runtime(name: &'static str, group: Group, since: u32) -> RuntimePermission {
    RuntimePermission { name, group, since }
}

/// A runtime permission of an API level, by its full name.
pub fn runtime_permission(name: &str, api: ApiLevel) -> Option<RuntimePermission> {
    let short = name.strip_prefix(PREFIX)?;
    RUNTIME.iter().find(|known| known.name == short && api.since(known.since)).copied()
}

/// What was decided about one runtime permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "mirrors PackageManager's permission flags")]
pub struct PermissionState {
    /// Granted now.
    pub granted: bool,
    /// Until the app is gone.
    pub one_time: bool,
    /// The user has decided.
    pub user_set: bool,
    /// The user does not want to be asked again.
    pub user_fixed: bool,
}

impl PermissionState {
    /// `USER_SET|USER_FIXED`, as `dumpsys package` prints them.
    pub fn flags(self) -> String {
        let flags =
            [("USER_SET", self.user_set), ("USER_FIXED", self.user_fixed), ("ONE_TIME", self.granted && self.one_time)];
        flags.into_iter().filter(|(_, set)| *set).map(|(name, _)| name).collect::<Vec<_>>().join("|")
    }
}

/// What a package holds.
#[derive(Debug, Default)]
pub(super) struct Permissions {
    states: BTreeMap<String, PermissionState>,
    granted: Arc<BTreeSet<String>>,
}

impl Permissions {
    /// Nothing decided; permissions that need no decision are granted at installation.
    pub(super) fn installed(declared: &[String], api: ApiLevel) -> Self {
        let mut permissions = Self::default();
        permissions.renew(declared, api);
        permissions
    }

    /// Takes over another version's declarations, keeping what was decided.
    pub(super) fn renew(&mut self, declared: &[String], api: ApiLevel) {
        let old = std::mem::take(&mut self.states);
        let normal = declared.iter().filter(|name| runtime_permission(name, api).is_none());
        let mut granted: BTreeSet<String> = normal.cloned().collect();
        for name in declared.iter().filter(|name| runtime_permission(name, api).is_some()) {
            let state = old.get(name).copied().unwrap_or_default();
            if state.granted {
                granted.insert(name.clone());
            }
            self.states.insert(name.clone(), state);
        }
        self.granted = Arc::new(granted);
    }

    pub(super) fn granted(&self) -> &Arc<BTreeSet<String>> {
        &self.granted
    }

    pub(super) fn state(&self, name: &str) -> PermissionState {
        self.states.get(name).copied().unwrap_or_default()
    }

    pub(super) const fn states(&self) -> &BTreeMap<String, PermissionState> {
        &self.states
    }

    pub(super) fn set(&mut self, name: &str, state: PermissionState) {
        let granted = Arc::make_mut(&mut self.granted);
        if state.granted {
            granted.insert(name.to_owned());
        } else {
            granted.remove(name);
        }
        self.states.insert(name.to_owned(), state);
    }

    /// Takes back what was granted for one time; true when there was something.
    pub(super) fn end_one_time(&mut self) -> bool {
        let ended: Vec<String> =
            self.states.iter().filter(|(_, s)| s.granted && s.one_time).map(|(name, _)| name.clone()).collect();
        for name in &ended {
            self.set(name, PermissionState::default());
        }
        !ended.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_permissions_are_granted_at_installation_and_runtime_ones_by_decision() {
        let api = ApiLevel::new(34).expect("a level");
        let declared = ["android.permission.INTERNET", "android.permission.CAMERA"].map(ToOwned::to_owned);
        let mut permissions = Permissions::installed(&declared, api);
        assert!(permissions.granted().contains("android.permission.INTERNET"));
        assert!(!permissions.granted().contains("android.permission.CAMERA"));
        let once = PermissionState { granted: true, one_time: true, user_set: true, user_fixed: false };
        permissions.set("android.permission.CAMERA", once);
        assert!(permissions.granted().contains("android.permission.CAMERA"));
        assert_eq!(once.flags(), "USER_SET|ONE_TIME");
        assert!(permissions.end_one_time() && !permissions.granted().contains("android.permission.CAMERA"));
        let old = ApiLevel::new(32).expect("a level");
        assert!(runtime_permission("android.permission.POST_NOTIFICATIONS", old).is_none());
    }
}
