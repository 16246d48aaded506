import os
import sys
import xml.etree.ElementTree as ElementTree

from appium import webdriver
from appium.options.android import UiAutomator2Options
from appium.webdriver.common.appiumby import AppiumBy
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.ui import WebDriverWait

# Seconds that a widget or a text is waited for.
PATIENCE = float(os.environ.get("PATIENCE", "20"))
driver = None
secrets = {}


def stop(code, message):
    print(message, file=sys.stderr)
    if driver is not None:
        driver.quit()
    sys.exit(code)


def begin(package, variables):
    global driver
    for name, variable in variables.items():
        if not os.environ.get(variable):
            stop(2, f"set {variable} to the value of the secret {name}")
        secrets[name] = os.environ[variable]
    capabilities = {
        "platformName": "Android",
        "appium:automationName": "UiAutomator2",
        "appium:newCommandTimeout": 300,
    }
    if os.environ.get("ANDROID_SERIAL"):
        capabilities["appium:udid"] = os.environ["ANDROID_SERIAL"]
    options = UiAutomator2Options().load_capabilities(capabilities)
    driver = webdriver.Remote(os.environ.get("APPIUM_URL", "http://127.0.0.1:4723"), options=options)
    driver.execute_script("mobile: clearApp", {"appId": package})
    driver.activate_app(package)


def end(message):
    driver.quit()
    print(message)


def secret(name):
    return secrets[name]


def filled(text):
    for name, value in secrets.items():
        text = text.replace("${" + name + "}", value)
    return text


def elements(selector):
    return driver.find_elements(AppiumBy.ANDROID_UIAUTOMATOR, selector)


def is_there(selector):
    return bool(elements(selector))


def find(selector):
    try:
        return WebDriverWait(driver, PATIENCE).until(lambda _: elements(selector))[0]
    except TimeoutException:
        stop(3, f"diverged: {selector} is not on the screen")


def tap(selector):
    find(selector).click()


def tap_within(selector, x, y):
    driver.execute_script("mobile: clickGesture", {"elementId": find(selector).id, "x": x, "y": y})


def tap_at(x, y):
    driver.execute_script("mobile: clickGesture", {"x": x, "y": y})


def long_press(selector):
    driver.execute_script("mobile: longClickGesture", {"elementId": find(selector).id})


def enter(selector, text):
    field = find(selector)
    field.clear()
    field.send_keys(text)


def press_keys(digits):
    for digit in digits:
        tap(f'new UiSelector().text("{digit}")')


def scroll(direction, left, top, width, height):
    area = {"left": left, "top": top, "width": width, "height": height}
    return driver.execute_script("mobile: scrollGesture", {**area, "direction": direction, "percent": 0.7})


def swipe_on(selector, direction):
    driver.execute_script(
        "mobile: swipeGesture", {"elementId": find(selector).id, "direction": direction, "percent": 0.5}
    )


def words(text):
    return " ".join(text.split()).casefold()


def shows(text):
    wanted = words(filled(text))
    nodes = ElementTree.fromstring(driver.page_source.encode("utf-8")).iter()
    return any(wanted in words(node.get(key) or "") for node in nodes for key in ("text", "content-desc", "hint"))


def expect_text(text):
    try:
        WebDriverWait(driver, PATIENCE).until(lambda _: shows(text))
        return
    except TimeoutException:
        pass
    # It may be further down.
    size = driver.get_window_size()
    area = (0, size["height"] // 5, size["width"], size["height"] * 3 // 5)
    for _ in range(16):
        more = scroll("down", *area)
        if shows(text):
            return
        if not more:
            break
    stop(1, f"failed: {text} is not on the screen")


def expect_no_text(text):
    if shows(text):
        stop(1, f"failed: {text} is on the screen")
