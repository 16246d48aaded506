"""adb-shell (PyPI): speaks to adbd itself, without an adb server.

    python adb_shell_check.py HOST PORT PACKAGE
"""

import io
import pathlib
import sys
import tempfile

from adb_shell.adb_device import AdbDeviceTcp


def main():
    host, port, package = sys.argv[1:]
    device = AdbDeviceTcp(host, int(port), default_transport_timeout_s=9.0)
    assert device.connect(auth_timeout_s=9.0)
    assert device.shell("echo one; exit 3") == "one\n"
    assert f"package:{package}" in device.shell("pm list packages -3")
    assert list(device.streaming_shell("echo a; echo b")) and device.exec_out("echo raw") == "raw\n"
    with tempfile.TemporaryDirectory() as folder:
        here, back = pathlib.Path(folder, "here"), pathlib.Path(folder, "back")
        here.write_bytes(b"y" * 300_000)
        device.push(str(here), "/sdcard/there")
        device.pull("/sdcard/there", str(back))
        assert back.read_bytes() == here.read_bytes()
        device.push(io.BytesIO(b"stream"), "/sdcard/stream")
    assert device.stat("/sdcard/there")[1] == 300_000
    assert b"there" in [entry.filename for entry in device.list("/sdcard")]
    # Streams are opened and closed many times on one connection.
    for number in range(20):
        assert device.shell(f"echo {number}") == f"{number}\n"
    device.close()


main()
