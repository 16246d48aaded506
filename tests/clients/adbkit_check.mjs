// adbkit (npm): tracking, shell, files, logcat in binary, screenshot.
//
//     node adbkit_check.mjs SERIAL PACKAGE SERVER_PORT

import assert from 'node:assert/strict';
import adbkit from '@devicefarmer/adbkit';

const [serial, app, port] = process.argv.slice(2);
const { Adb } = adbkit;
const device = Adb.createClient({ port: Number(port) }).getDevice(serial);
const read = async (stream) => (await Adb.util.readAll(stream)).toString();

assert.equal(await read(await device.shell('echo one')), 'one\n');
assert.ok((await device.getPackages()).includes(app));
assert.equal((await device.getProperties())['ro.product.device'].length > 0, true);
assert.equal(await device.startActivity({ component: `${app}/.MainActivity` }), true);
const logcat = await device.openLogcat();
const entry = await new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error('no entry of the log came')), 9000);
  logcat.on('entry', (found) => {
    clearTimeout(late);
    resolve(found);
  });
});
assert.ok(entry.pid > 0 && entry.tag.length > 0 && entry.date.getFullYear() > 2000);
logcat.end();
const picture = await Adb.util.readAll(await device.screencap());
assert.equal(picture.subarray(1, 4).toString(), 'PNG');
assert.equal((await device.stat('/sdcard/')).isDirectory(), true);
process.exit(0);
