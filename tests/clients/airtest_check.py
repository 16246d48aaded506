"""Airtest (PyPI): its adb wrapper and a device with adb's touch, screenshot and orientation.

    python airtest_check.py SERIAL PACKAGE ADB SERVER_PORT
"""

import sys

from airtest.core.android.adb import ADB


def main():
    serial, package, program, port = sys.argv[1:]
    adb = ADB(serialno=serial, adb_path=program, server_addr=("127.0.0.1", int(port)))
    adb.wait_for_device()
    assert adb.shell("echo one").strip() == "one"
    assert package in adb.list_app(third_only=True)
    assert adb.check_app(package) and adb.path_app(package).endswith("base.apk")
    info = adb.get_display_info()
    assert (info["width"], info["height"], info["orientation"]) == (1080, 2400, 0), info
    assert (info["max_x"], info["max_y"]) == (1079, 2399), info
    assert bytes(adb.snapshot()).startswith(b"\x89PNG")
    adb.shell(["monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1"])
    assert adb.get_top_activity()[0] == package, adb.get_top_activity()
    adb.touch((540, 1200))
    adb.swipe((540, 1800), (540, 900), 300)
    adb.keyevent("HOME")
    assert adb.get_top_activity()[0] != package
    assert adb.is_screenon() and not adb.is_locked()


main()
