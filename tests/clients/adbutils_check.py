"""Uses a device through unmodified adbutils (PyPI) and prints what it found as JSON.

    python adbutils_check.py SERVER_PORT SERIAL PACKAGE X Y NEW_PACKAGE NEW_APK

PACKAGE is installed, and X Y is a button of its first screen whose touch changes the dump. NEW_APK holds NEW_PACKAGE.
Every claim about the device is the caller's to check; what fails here is adbutils being unable to use it.
"""

import io
import json
import pathlib
import socket
import sys
import tempfile
import threading

import adbutils


def main():
    port, serial, package, x, y, new_package, new_apk = sys.argv[1:]
    client = adbutils.AdbClient(host="127.0.0.1", port=int(port))
    device = client.device(serial=serial)
    found = {"version": adbutils.__version__, "server": client.server_version()}

    found["listed"] = [listed.serial for listed in client.device_list()]
    found["state"] = device.get_state()
    found["info"] = device.info
    found["features"] = device.get_features().split(",")
    found["product"] = [device.prop.name, device.prop.model, device.prop.device]
    found["sdk"] = device.getprop("ro.build.version.sdk")

    device.app_start(package)
    current = device.app_current()
    found["app_current"] = [current.package, current.activity]
    info = device.app_info(package)
    found["app_info"] = [info.package_name, info.version_name, info.version_code, info.first_install_time is not None]
    found["window_size"] = list(device.window_size())
    found["rotation"] = device.rotation()
    found["screen_on"] = device.is_screen_on()
    found["packages"] = device.list_packages()
    found["third_party"] = device.list_packages(["-3"])

    found["before_click"] = device.dump_hierarchy()
    device.click(int(x), int(y))
    found["after_click"] = device.dump_hierarchy()
    device.send_keys("hello world")
    found["after_keys"] = device.dump_hierarchy()
    device.swipe(50, 300, 50, 250, 0.1)
    found["after_swipe"] = device.dump_hierarchy()

    picture = device.screenshot()
    found["screenshot"] = [picture.mode, picture.width, picture.height, list(picture.getpixel((10, picture.height - 1)))]
    frame = device.framebuffer()
    found["framebuffer"] = [frame.mode, frame.width, frame.height, list(frame.getpixel((10, frame.height - 1)))]

    device.keyevent("HOME")
    found["after_home"] = device.app_current().package
    device.app_stop(package)

    found["shell"] = device.shell("echo one; ls /nope")
    result = device.shell2("echo one; ls /nope; exit 7", v2=True)
    found["shell2"] = [result.returncode, result.stdout, result.stderr]
    first = device.shell2("false")
    found["shell2_v1"] = [first.returncode, first.output]
    found["stream"] = device.shell("echo streamed", stream=True).read_until_close()

    found.update(files(device))
    found.update(ports(device))
    found.update(packages(device, new_package, new_apk))
    json.dump(found, sys.stdout)


def files(device):
    found = {}
    content = bytes(n * 7 % 251 for n in range(200_000))
    found["pushed"] = device.sync.push(content, "/sdcard/Download/deep/er/data.bin", mode=0o644, check=True)
    found["read_back"] = device.sync.read_bytes("/sdcard/Download/deep/er/data.bin") == content
    stat = device.sync.stat("/sdcard/Download/deep/er/data.bin")
    found["stat"] = [oct(stat.mode), stat.size, stat.mtime is not None]
    found["missing"] = device.sync.exists("/sdcard/nope")
    found["listed_files"] = sorted(entry.path for entry in device.sync.list("/sdcard/Download/deep"))
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "back.bin"
        found["pulled"] = device.sync.pull("/sdcard/Download/deep/er/data.bin", target)
        found["pulled_same"] = target.read_bytes() == content
        tree = pathlib.Path(folder) / "tree"
        device.sync.pull_dir("/sdcard/Download/deep", tree)
        found["pulled_tree"] = (tree / "er" / "data.bin").read_bytes() == content
    try:
        device.sync.read_text("/sdcard/nope")
        found["read_missing"] = "no error"
    except adbutils.AdbError as error:
        found["read_missing"] = str(error.args[0])
    device.rmtree("/sdcard/Download/deep")
    found["removed"] = not device.sync.exists("/sdcard/Download/deep")
    return found


def ports(device):
    """Reverses a port of the device to this process, and reaches it again from the host through a forward."""
    found = {}
    with socket.create_server(("127.0.0.1", 0)) as server:
        host_port = server.getsockname()[1]

        def answer():
            for _ in range(2):
                connection, _ = server.accept()
                with connection:
                    connection.sendall(connection.recv(100).upper())

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        with socket.create_server(("127.0.0.1", 0)) as free:
            device_port = free.getsockname()[1]
        device.reverse(f"tcp:{device_port}", f"tcp:{host_port}")
        found["reverse_list"] = [[item.remote, item.local] for item in device.reverse_list()] == [
            [f"tcp:{device_port}", f"tcp:{host_port}"]
        ]
        connection = device.create_connection(adbutils.Network.TCP, device_port)
        connection.sendall(b"direct")
        found["direct"] = connection.recv(100).decode()
        connection.close()
        forwarded = device.forward_port(device_port)
        found["forward_list"] = [item.remote for item in device.forward_list()] == [f"tcp:{device_port}"]
        with socket.create_connection(("127.0.0.1", forwarded)) as connection:
            connection.sendall(b"forwarded")
            found["forwarded"] = connection.recv(100).decode()
        answering.join(10)
    device.forward_remove(f"tcp:{forwarded}")
    device.reverse_remove(f"tcp:{device_port}")
    found["none_left"] = [len(device.forward_list()), len(device.reverse_list())]
    try:
        device.create_connection(adbutils.Network.LOCAL_ABSTRACT, "minicap")
        found["local_abstract"] = "connected"
    except adbutils.AdbError as error:
        found["local_abstract"] = str(error)
    return found


def packages(device, new_package, new_apk):
    found = {}
    device.install(new_apk, silent=True, nolaunch=True)
    found["installed"] = new_package in device.list_packages()
    broken = pathlib.Path(new_apk).with_name("broken.apk")
    broken.write_text("nothing useful")
    said, sys.stdout = sys.stdout, io.StringIO()
    try:
        device.install(str(broken), silent=True, nolaunch=True)
        found["broken"] = "installed"
    except adbutils.AdbInstallError as error:
        found["broken"] = error.reason
    finally:
        sys.stdout = said
    found["uninstall"] = device.uninstall(new_package)
    found["uninstalled"] = new_package not in device.list_packages()
    return found


if __name__ == "__main__":
    main()
