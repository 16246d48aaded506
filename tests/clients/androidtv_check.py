"""androidtv (PyPI, Home Assistant's): what a phone tells it, through adb-shell and without an adb server.

    python androidtv_check.py HOST PORT PACKAGE
"""

import sys

from androidtv import setup


def main():
    host, port, package = sys.argv[1:]
    tv = setup(host, int(port), device_class="androidtv", auth_timeout_s=9.0)
    assert tv.available
    assert tv.get_device_properties()["manufacturer"], tv.device_properties
    assert tv.adb_shell("echo one") == "one\n"
    tv.adb_shell(f"monkey -p {package} -c android.intent.category.LAUNCHER 1")
    screen_on, awake, _, locks, current, *_ = tv.get_properties(get_running_apps=False, lazy=False)
    assert screen_on and awake and locks == 0, (screen_on, awake, locks)
    assert current == package, current
    tv.adb_close()


main()
