// mobilecli (npm, written in Go): devices, apps, orientation, screenshot, dump.
//
//     node mobilecli_check.mjs SERIAL PACKAGE PROGRAM

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const [serial, app, program] = process.argv.slice(2);
const ask = (...words) => JSON.parse(execFileSync(program, words, { encoding: 'utf8' }));

const { devices } = ask('devices').data;
assert.ok(devices.some((device) => device.id === serial), JSON.stringify(devices));
const apps = ask('apps', 'list', '--device', serial).data;
assert.ok(JSON.stringify(apps).includes(app), JSON.stringify(apps));
ask('apps', 'launch', app, '--device', serial);
assert.ok(JSON.stringify(ask('apps', 'foreground', '--device', serial).data).includes(app));
for (const side of ['landscape', 'portrait']) {
  ask('device', 'orientation', 'set', side, '--device', serial);
  assert.equal(ask('device', 'orientation', 'get', '--device', serial).data.orientation, side);
}
assert.ok(JSON.stringify(ask('dump', 'ui', '--device', serial).data).length > 100);
