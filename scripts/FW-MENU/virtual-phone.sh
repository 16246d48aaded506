#!/bin/sh
# FW-MENU: Hiding a fragment takes its entries out of the menu
# Recorded by Tapwright 0.1.0 on Tapwright Virtual Phone (virtual-phone).
# Needs adb and a device with a 1080x2400 display at 420 dpi. Set ANDROID_SERIAL to choose the device.
# Exit codes: 0 passed, 1 an expectation did not hold, 2 a secret is missing, 3 the screen diverged.
set -u
adb=${ADB:-adb}
device() { "$adb" shell "$@" </dev/null; }
act() { device "$1" >/dev/null; }
dump() {
  device 'f=/data/local/tmp/tapwright-$$.xml; uiautomator dump $f >/dev/null 2>&1; cat $f 2>/dev/null; rm -f $f'
}
# The touches below are for one display only: need_display WIDTHxHEIGHT DPI. An override comes after what is physical.
need_display() {
  size=$(device wm size | tr -d '\r' | sed -n '$s/.*: //p')
  density=$(device wm density | tr -d '\r' | sed -n '$s/.*: //p')
  if [ "$size $density" != "$1 $2" ]; then
    echo "diverged: the display is $size at $density dpi, this script is for $1 at $2: use tapwright replay there" >&2
    exit 3
  fi
}
# Up to 20 dumps; each waits for the screen to be idle.
await_text() {
  tries=0
  while [ "$tries" -lt 20 ]; do
    if dump | grep -qF -- "$1"; then return 0; fi
    tries=$((tries + 1))
  done
  echo "diverged before $2: $1 is not on the screen" >&2
  exit 3
}
expect_text() {
  tries=0
  while [ "$tries" -lt 5 ]; do
    if dump | grep -qiF -- "$1"; then return 0; fi
    tries=$((tries + 1))
  done
  look_on 7 3 "$1" || look_on 3 7 "$1" || { echo "failed: $1 is not on the screen" >&2; exit 1; }
}
# Looks for a text further down or up: swipes from so many tenths of the display's height to so many while there is more.
look_on() {
  across=$((${size%x*} / 2)); tenth=$((${size#*x} / 10)); page=; pages=0
  while [ "$pages" -lt 16 ]; do
    act "input swipe $across $(($1 * tenth)) $across $(($2 * tenth)) 500"
    last=$page; page=$(dump); pages=$((pages + 1))
    case $page in "$last") return 1;; esac
    if printf '%s\n' "$page" | grep -qiF -- "$3"; then return 0; fi
  done
  return 1
}
expect_no_text() {
  if dump | grep -qiF -- "$1"; then echo "failed: $1 is on the screen" >&2; exit 1; fi
}
start_app() {
  device am force-stop "$1"
  device pm clear "$1" >/dev/null
  device monkey -p "$1" -c android.intent.category.LAUNCHER 1 >/dev/null 2>&1 || { echo "cannot start $1" >&2; exit 3; }
}
# Types a secret: quoted for the device's shell, spaces as input text wants them.
type_secret() {
  device "input text '$(printf '%s' "$1" | sed "s/'/'\\\\''/g; s/ /%s/g")'"
}
# Presses the keys of a numeric keypad: keypad DIGITS key=x,y …
keypad() {
  digits=$1; shift
  while [ -n "$digits" ]; do
    rest=${digits#?}; digit=${digits%"$rest"}; digits=$rest
    for key in "$@"; do
      case $key in "$digit="*) at=${key#*=}; device input tap "${at%,*}" "${at#*,}";; esac
    done
  done
}
need_display 1080x2400 420
start_app io.appium.android.apis

# 1. step 1: Open "App"
await_text 'content-desc="App"' 'action 1'
act 'input tap 540 660'

# 2. step 2: Open "Fragment"
await_text 'content-desc="Fragment"' 'action 2'
act 'input tap 540 918'

# 3. step 3: Open "Menu"
await_text 'content-desc="Menu"' 'action 3'
act 'input tap 540 1434'

# 4. step 4: Untick "Show fragment 2 menu"
await_text 'resource-id="io.appium.android.apis:id/menu1"' 'action 4'
act 'input tap 540 391'

# 5. step 4: Untick "Show fragment 2 menu"
await_text 'resource-id="io.appium.android.apis:id/menu1"' 'action 5'
act 'input tap 540 391'

# 6. step 4: Untick "Show fragment 2 menu"
await_text 'resource-id="io.appium.android.apis:id/menu2"' 'action 6'
act 'input tap 540 475'

expect_text 'Menu 1a'
expect_no_text 'Menu 2'
echo 'FW-MENU passed'
