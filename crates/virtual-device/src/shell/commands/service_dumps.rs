//! What single services dump: battery, power, display, memory and the input method, in the lines tools look for.

use super::input_method::current;
use super::screencap::DISPLAY_ID;
use crate::system::VirtualSystem;

/// `dumpsys battery`: a full battery on a charger.
pub(super) const BATTERY: &str = "Current Battery Service state:\n  AC powered: true\n  USB powered: false\n  Wireless powered: false\n  Dock powered: false\n  Max charging current: 0\n  Max charging voltage: 0\n  Charge counter: 10000\n  status: 4\n  health: 2\n  present: true\n  level: 100\n  scale: 100\n  voltage: 5000\n  temperature: 250\n  technology: Li-ion\n";

/// `dumpsys power`: awake, as a virtual device always is.
pub(super) const POWER: &str = "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness=Awake\n  mWakefulnessChanging=false\n  mIsPowered=true\n  mPlugType=1\n  mBatteryLevel=100\n  mStayOn=false\n  mBootCompleted=true\n  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker=true\n\nWake Locks: size=0\n\nSuspend Blockers: size=0\n\nDisplay Power: state=ON\n";

/// `dumpsys location`: the last location of each provider.
pub(super) fn location(system: &VirtualSystem) -> String {
    let mut text = "Location Manager State:\n  User Info:\n    current users: u[0]\n  Location Providers:\n".to_owned();
    for provider in ["passive", "gps", "fused"] {
        let last = system.location.map_or_else(
            || "null".to_owned(),
            |at| format!("Location[{provider} {:.6},{:.6} hAcc=5.0]", at.latitude, at.longitude),
        );
        text.push_str(&format!("    {provider} provider:\n      last location={last}\n      enabled=true\n"));
    }
    text
}

/// `dumpsys display`.
pub(super) fn display(system: &VirtualSystem) -> String {
    let natural = system.natural_display();
    let size = system.display();
    let (rotation, density) = (system.rotation(), system.density());
    format!(
        "DISPLAY MANAGER (dumpsys display)\n  mSafeMode=false\n  mDefaultViewport=DisplayViewport{{type=INTERNAL, \
         valid=true, isActive=true, displayId=0, uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={rotation}, \
         logicalFrame=Rect(0, 0 - {0}, {1}), physicalFrame=Rect(0, 0 - {0}, {1}), deviceWidth={0}, deviceHeight={1}}}\n\n\
         Display Devices: size=1\n  DisplayDeviceInfo{{\"Built-in Screen\": uniqueId=\"local:{DISPLAY_ID}\", {2} x {3}, \
         density {density}, {density}.0 x {density}.0 dpi, state ON}}\n\nLogical Displays: size=1\n  Display 0:\n    \
         mDisplayId=0\n    mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, real {2} x {3}, density {density}, \
         rotation 0, state ON}}\n    mOverrideDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, real {0} x {1}, \
         density {density}, rotation {rotation}, state ON}}\n",
        size.width, size.height, natural.width, natural.height
    )
}

/// `dumpsys SurfaceFlinger …`.
pub(super) fn surface_flinger(system: &VirtualSystem, arguments: &[&str]) -> String {
    let front = system.front();
    match arguments {
        ["--display-id", ..] => {
            format!("Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=TWV displayName=\"Tapwright\"\n")
        }
        ["--list", ..] => format!(
            "{}/{}#{}\nStatusBar#80\nNavigationBar0#82\n",
            front.process.package(),
            front.process.activity(),
            front.pid
        ),
        _ => {
            let size = system.display();
            format!(
                "Build configuration: [sf]\n\nDisplays (1 entries)\n + DisplayDevice{{{DISPLAY_ID}, primary}}\n   \
                 size=[{} {}]\n   powerMode=On\n",
                size.width, size.height
            )
        }
    }
}

/// `dumpsys input_method`.
pub(super) fn input_method(system: &VirtualSystem) -> String {
    let shown = system.front().process.keyboard_shown();
    let id = current(system);
    format!(
        "Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n  mCurMethodId={id}\n  \
         mCurId={id} mHaveConnection=true mBoundToMethod=true mVisibleBound={shown}\n  mShowRequested={shown} \
         mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}\n  mSystemReady=true mInteractive=true\n \
         \n Input method service state for InputMethodService:\n  mWindowVisible={shown} mDecorViewVisible={shown}\n  \
         mIsInputViewShown={shown}\n"
    )
}

/// `dumpsys meminfo [PACKAGE|PID]`: what a process of its kind takes, the same for all.
pub(super) fn memory(system: &VirtualSystem, name: Option<&str>) -> String {
    let uptime = system.uptime().as_millis();
    let head = format!("Applications Memory Usage (in Kilobytes):\nUptime: {uptime} Realtime: {uptime}\n\n");
    let Some(name) = name else {
        let rows: String = system
            .tasks()
            .apps()
            .map(|app| format!("     84,512K: {} (pid {})\n", app.process.package(), app.pid))
            .collect();
        return format!(
            "{head}Total PSS by process:\n{rows}\nTotal RAM: 2,027,764K (status normal)\n Free RAM: 890,000K\n"
        );
    };
    let found = system.tasks().apps().find(|app| app.process.package() == name || app.pid.to_string() == name);
    match found {
        Some(app) => format!(
            "{head}** MEMINFO in pid {} [{}] **\n                   Pss  Private  Private  SwapPss      Rss\n                 \
             Total    Dirty    Clean    Dirty    Total\n                ------   ------   ------   ------   ------\n       \
             TOTAL    84512    61200    12044        0   151820\n\n App Summary\n                       Pss(KB)\n           \
             TOTAL PSS:    84512            TOTAL RSS:   151820      TOTAL SWAP (KB):        0\n",
            app.pid,
            app.process.package()
        ),
        None => format!("No process found for: {name}\n"),
    }
}

/// `dumpsys activity top`: the activity in front, with its process.
pub(super) fn top(system: &VirtualSystem) -> String {
    let front = system.tasks().front_activity();
    let component = crate::system::short_component(front.process.package(), &front.process.activity());
    format!(
        "TASK {package} id={task} userId=0\n  ACTIVITY {component} {hash:07x} pid={pid}\n    Local Activity {hash:07x} \
         State:\n      mResumed=true mStopped=false mFinished=false\n",
        package = front.process.package(),
        task = front.task,
        pid = front.pid,
        hash = front.pid.wrapping_mul(2_654_435_761) & 0x0fff_ffff,
    )
}

/// `dumpsys activity processes`: what runs, the newest first.
pub(super) fn activity_processes(system: &VirtualSystem) -> String {
    let home = system.tasks().home();
    let mut text =
        "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n  All known processes:\n".to_owned();
    for running in system.tasks().apps().chain([home]) {
        let package = running.process.package();
        let uid = system.package(package).map_or(10_091, |info| info.uid);
        let hash = running.pid.wrapping_mul(40_503) & 0x0fff_ffff;
        text.push_str(&format!(
            "  *APP* UID {uid} ProcessRecord{{{hash:07x} {}:{package}/u0a{}}}\n    user #0 uid={uid} gids={{}}\n    \
             packageList={{{package}}}\n",
            running.pid,
            uid.saturating_sub(10_000)
        ));
    }
    text
}

/// `dumpsys input`: how the touch screen is turned.
pub(super) fn input(system: &VirtualSystem) -> String {
    let (size, rotation) = (system.display(), system.rotation());
    format!(
        "INPUT MANAGER (dumpsys input)\n\nInput Reader State:\n  Device 2: virtio_input_multi_touch_1\n    Viewport \
         INTERNAL: displayId=0, uniqueId=local:{DISPLAY_ID}, port=0, orientation={rotation}, logicalFrame=[0, 0, {0}, {1}], \
         physicalFrame=[0, 0, {0}, {1}], deviceSize=[{0}, {1}], isActive=[1]\n      SurfaceWidth: {0}px\n      \
         SurfaceHeight: {1}px\n      SurfaceOrientation: {rotation}\n",
        size.width, size.height
    )
}

/// `dumpsys window policy`: awake, unlocked.
pub(super) fn window_policy(system: &VirtualSystem) -> String {
    format!(
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSafeMode=false mSystemReady=true mSystemBooted=true\n    \
         mWakefulness=WAKEFULNESS_AWAKE\n    screenState=SCREEN_STATE_ON\n    interactiveState=INTERACTIVE_STATE_AWAKE\n    \
         mAwake=true mScreenOnEarly=true mScreenOnFully=true\n    KeyguardServiceDelegate\n      showing=false\n      \
         occluded=false\n      secure=false\n    mLastFocus={}\n",
        system.front().process.package()
    )
}

/// `dumpsys wifi` and `dumpsys connectivity`: the lines that say whether there is a network.
pub(super) fn network(system: &VirtualSystem) -> String {
    let radios = system.radios;
    let state = |on: bool| if on { "enabled" } else { "disabled" };
    format!(
        "Wi-Fi is {}\nAirplaneModeOn {}\nActive default network: {}\n",
        state(radios.wifi),
        radios.airplane,
        if system.online() { "100" } else { "none" }
    )
}
