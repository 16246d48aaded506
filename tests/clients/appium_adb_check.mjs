// appium-adb (npm): what Appium's UiAutomator2 driver does on a device before and after a session.
//
//     node appium_adb_check.mjs SERIAL PACKAGE ADB SERVER_PORT FOLDER

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const [serial, app, program, port, folder] = process.argv.slice(2);
// It looks for adb below ANDROID_HOME/platform-tools.
process.env.ANDROID_HOME = path.dirname(path.dirname(program));
const { ADB } = await import('appium-adb');

const adb = await ADB.createADB({ adbPort: Number(port), suppressKillServer: true, udid: serial });
adb.setDeviceId(serial);
assert.ok((await adb.getConnectedDevices()).some((device) => device.udid === serial));
assert.equal((await adb.shell(['echo', 'one'])).trim(), 'one');
assert.ok((await adb.getApiLevel()) >= 24);
assert.match(await adb.getScreenSize(), /^\d+x\d+$/);
const here = path.join(folder, 'here');
await writeFile(here, 'z'.repeat(1000));
await adb.push(here, '/sdcard/Download/a folder/there');
await adb.pull('/sdcard/Download/a folder/there', path.join(folder, 'back'));
assert.equal(await readFile(path.join(folder, 'back'), 'utf8'), 'z'.repeat(1000));
assert.equal(await adb.fileExists('/sdcard/Download/a folder/there'), true);
assert.equal(await adb.isAppInstalled(app), true);
await adb.startApp({ pkg: app, activity: '.MainActivity', action: 'android.intent.action.MAIN', waitForLaunch: true });
assert.equal(await adb.isAppRunning(app), true);
assert.equal((await adb.getFocusedPackageAndActivity()).appPackage, app);
assert.ok((await adb.listAppProcessIds(app)).length > 0);
assert.equal((await adb.isSoftKeyboardPresent()).isKeyboardShown, false);
assert.equal(await adb.getScreenOrientation(), 0);
assert.equal(await adb.isScreenLocked(), false);
await adb.dismissKeyguard();
assert.equal(await adb.isLockManagementSupported(), true);
assert.equal(await adb.verifyLockCredential(), true);
assert.ok((await adb.enabledIMEs()).length > 0);
await adb.disableIME('com.example.none/.None');
await adb.forceStop(app);
assert.equal(await adb.isAppRunning(app), false);
process.exit(0);
