//! `getprop`.

use super::{ApiLevel, SystemConfig};
use std::collections::BTreeMap;

/// System properties.
#[derive(Debug)]
pub struct Properties(BTreeMap<String, String>);

/// Whose phone it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BuildType {
    /// As sold: adbd never runs as root.
    #[default]
    User,
    /// A developer's or an emulator's: `adb root` works.
    Userdebug,
}

/// What a device calls itself.
pub(crate) const MODEL: &str = "Tapwright Virtual Phone";
const PRODUCT: &str = "tapwright_phone";
const DEVICE: &str = "twvirt";

impl Properties {
    /// The properties of a booted device: an emulator's, but for its name. Model, product and fingerprint say what it
    /// really is, so that device profiles and reports can tell it from Google's.
    pub fn new(config: &SystemConfig) -> Self {
        let api = config.api;
        let fingerprint = fingerprint(api);
        let pairs: [(&str, String); 51] = [
            ("dalvik.vm.heapsize", "512m".into()),
            ("dev.bootcomplete", "1".into()),
            ("init.svc.adbd", "running".into()),
            ("init.svc.bootanim", "stopped".into()),
            ("net.bt.name", "Android".into()),
            ("persist.sys.locale", String::new()),
            ("persist.sys.timezone", "GMT".into()),
            ("ro.adb.secure", "0".into()),
            ("ro.boot.hardware", "ranchu".into()),
            ("ro.boot.qemu", "1".into()),
            ("ro.boot.qemu.avd_name", format!("Tapwright_API_{api}")),
            ("ro.boot.serialno", serial(config.seed)),
            ("ro.build.characteristics", "emulator".into()),
            ("ro.build.display.id", format!("TWVP.{api}.001")),
            ("ro.build.fingerprint", fingerprint.clone()),
            ("ro.build.id", format!("TWVP.{api}.001")),
            ("ro.build.tags", "release-keys".into()),
            ("ro.build.type", "user".into()),
            ("ro.build.version.codename", "REL".into()),
            ("ro.build.version.incremental", "1".into()),
            ("ro.build.version.release", api.release().into()),
            ("ro.build.version.sdk", api.to_string()),
            ("ro.build.version.security_patch", "2023-09-05".into()),
            ("ro.debuggable", "0".into()),
            ("ro.hardware", "ranchu".into()),
            ("ro.kernel.qemu", "1".into()),
            ("ro.opengles.version", "196609".into()),
            ("ro.product.board", "goldfish_x86_64".into()),
            ("ro.product.first_api_level", api.to_string()),
            ("ro.product.brand", "Tapwright".into()),
            ("ro.product.build.fingerprint", fingerprint),
            ("ro.product.cpu.abi", "x86_64".into()),
            ("ro.product.cpu.abilist", "x86_64,arm64-v8a".into()),
            ("ro.product.device", DEVICE.into()),
            ("ro.product.locale", config.locale.clone()),
            ("ro.product.manufacturer", "Tapwright".into()),
            ("ro.product.model", MODEL.into()),
            ("ro.product.name", PRODUCT.into()),
            ("ro.product.vendor.brand", "Tapwright".into()),
            ("ro.product.vendor.device", DEVICE.into()),
            ("ro.product.vendor.manufacturer", "Tapwright".into()),
            ("ro.product.vendor.model", MODEL.into()),
            ("ro.product.vendor.name", PRODUCT.into()),
            ("ro.secure", "1".into()),
            ("ro.serialno", serial(config.seed)),
            ("ro.sf.lcd_density", config.density.to_string()),
            ("ro.zygote", "zygote64".into()),
            ("service.adb.root", "0".into()),
            ("sys.boot_completed", "1".into()),
            ("sys.usb.state", "adb".into()),
            ("wifi.interface", "wlan0".into()),
        ];
        Self(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Makes it a build of this type.
    pub fn set_build(&mut self, build: BuildType) {
        let (word, keys, debuggable) = match build {
            BuildType::User => ("user", "release-keys", "0"),
            BuildType::Userdebug => ("userdebug", "dev-keys", "1"),
        };
        self.put("ro.build.type", word);
        self.put("ro.build.tags", keys);
        self.put("ro.debuggable", debuggable);
        for key in ["ro.build.fingerprint", "ro.product.build.fingerprint"] {
            let start = self.get(key).rsplit_once(':').map_or(String::new(), |(start, _)| start.to_owned());
            self.put(key, &format!("{start}:{word}/{keys}"));
        }
    }

    /// Sets a property as the system does.
    pub(crate) fn put(&mut self, key: &str, value: &str) {
        self.0.insert(key.to_owned(), value.to_owned());
    }

    /// A property's value; empty when unset, as `getprop` prints it.
    pub fn get(&self, key: &str) -> &str {
        self.0.get(key).map_or("", String::as_str)
    }

    /// Sets a property as the shell user; false where Android refuses (`ro.*` is set once, others need a system uid).
    pub fn set(&mut self, key: &str, value: &str) -> bool {
        let allowed = ["debug.", "log.", "persist.log.", "persist.debug.", "test."].iter().any(|p| key.starts_with(p));
        if allowed {
            self.0.insert(key.to_owned(), value.to_owned());
        }
        allowed
    }

    /// All, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The identity adbd sends in CNXN.
    pub fn banner(&self, features: &[&str]) -> String {
        let identity = ["ro.product.name", "ro.product.model", "ro.product.device"]
            .map(|key| format!("{key}={};", self.get(key)))
            .concat();
        format!("device::{identity}features={}", features.join(","))
    }
}

fn serial(seed: u64) -> String {
    format!("TAPWRIGHT{seed:08X}")
}

fn fingerprint(api: ApiLevel) -> String {
    format!("Tapwright/{PRODUCT}/{DEVICE}:{}/TWVP.{api}.001/1:user/release-keys", api.release())
}
