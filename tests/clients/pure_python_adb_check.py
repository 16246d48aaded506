"""pure-python-adb (PyPI): devices, shell, files, CPU, screenshot, packages, through the adb server.

    python pure_python_adb_check.py SERIAL SERVER_PORT PACKAGE
"""

import pathlib
import sys
import tempfile

from ppadb.client import Client


def main():
    serial, port, package = sys.argv[1:]
    client = Client(host="127.0.0.1", port=int(port))
    device = client.device(serial)
    assert [listed.serial for listed in client.devices()].count(serial) == 1
    assert device.shell("echo one; echo two") == "one\ntwo\n"
    assert device.is_installed(package)
    assert device.list_packages().count(package) == 1
    assert bytes(device.screencap()).startswith(b"\x89PNG")
    assert device.wm_size() == (1080, 2400), device.wm_size()
    with tempfile.TemporaryDirectory() as folder:
        here, back = pathlib.Path(folder, "here"), pathlib.Path(folder, "back")
        here.write_bytes(b"x" * 70_000)
        device.push(str(here), "/data/local/tmp/there")
        device.pull("/data/local/tmp/there", str(back))
        assert back.read_bytes() == here.read_bytes()
    device.shell(f"monkey -p {package} -c android.intent.category.LAUNCHER 1")
    assert device.get_top_activity().package == package
    assert device.cpu_count() == 4, device.cpu_count()
    assert 0 <= device.cpu_percent(interval=1) <= 100
    pid = device.get_pid(package)
    assert int(pid) > 0 and device.get_pid_cpu(pid).total() >= 0
    device.input_keyevent("KEYCODE_HOME")
    assert device.get_top_activity().package != package


main()
