"""AndroidViewClient (PyPI): connects, dumps, finds and touches views.

    python androidviewclient_check.py SERIAL PACKAGE TEXT

TEXT is a button of the package's first screen.
"""

import sys

from com.dtmilano.android.viewclient import ViewClient


def main():
    serial, package, text = sys.argv[1:]
    device, serial = ViewClient.connectToDeviceOrExit(serialno=serial, verbose=False)
    device.startActivity(package=package)
    client = ViewClient(device, serial, forceviewserveruse=False, autodump=False, useuiautomatorhelper=False)
    assert len(client.dump(window=-1, sleep=1)) > 3
    view = client.findViewWithTextOrRaise(text)
    assert view.getClass().startswith("android.") and view.getBounds()[1][0] > 0
    view.touch()
    client.dump(window=-1, sleep=1)
    assert device.getProperty("ro.build.version.sdk")
    assert device.getDisplayInfo()["width"] > 0
    device.press("BACK")


main()
