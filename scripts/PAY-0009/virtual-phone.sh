#!/bin/sh
# PAY-0009: Bind a credit card in condensed steps of acceptance cases
# Recorded by Tapwright 0.1.0 on Tapwright Virtual Phone (virtual-phone).
# Needs adb and a device with a 1080x2400 display at 420 dpi. Set ANDROID_SERIAL to choose the device.
# Exit codes: 0 passed, 1 an expectation did not hold, 2 a secret is missing, 3 the screen diverged.
set -u
if [ -z "${PAYMENT_PASSWORD:-}" ]; then echo 'set PAYMENT_PASSWORD to the value of the secret payment_password' >&2; exit 2; fi
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
start_app com.example.pay

# 1. step 1: System requests User to enter the card binding page, and System validates the result feedback from User is choosing card-less binding.
await_text 'resource-id="com.example.pay:id/bind_card"' 'action 1'
act 'input tap 540 823'

# 2. step 1: System requests User to enter the card binding page, and System validates the result feedback from User is choosing card-less binding.
await_text 'resource-id="com.example.pay:id/without_number"' 'action 2'
act 'input tap 540 441'

# 3. step 2: System requests User to select a bank for card-less binding, and System validates the result feedback from User is selecting bank.
await_text '="Merchant &amp; Union Bank' 'action 3'
act 'input tap 540 2224'

# 4. step 3: System requests User to choose the type of card, and System validates the result feedback from User is choosing credit card.
await_text 'resource-id="com.example.pay:id/type_credit"' 'action 4'
act 'input tap 540 557'

# 5. step 4: Submit personal information
await_text 'resource-id="com.example.pay:id/next"' 'action 5'
act 'input tap 540 2253'

# 6. step 4: Submit personal information
await_text 'resource-id="com.example.pay:id/name"' 'action 6'
act 'input tap 540 768'
act 'input keyevent 123 67 67 67 67 67 67 67 67 67'
act 'input text Maria%sGomez'
act 'dumpsys input_method | grep -q mInputShown=true && input keyevent 4; true'

# 7. step 4: Submit personal information
await_text 'resource-id="com.example.pay:id/id_number"' 'action 7'
act 'input tap 540 968'
act 'input keyevent 123 67 67 67 67 67 67 67 67 67'
act 'input text 990106199001'
act 'dumpsys input_method | grep -q mInputShown=true && input keyevent 4; true'

# 8. step 4: Submit personal information
await_text 'resource-id="com.example.pay:id/occupation"' 'action 8'
act 'input tap 540 1168'

# 9. step 4: Submit personal information
await_text '="Engineer' 'action 9'
act 'input tap 540 1381'

# 10. step 4: Submit personal information
await_text 'resource-id="com.example.pay:id/phone"' 'action 10'
act 'input tap 540 1495'
act 'input keyevent 123 67 67 67 67 67 67 67 67 67 67 67 67'
act 'input text 5550108000'
act 'dumpsys input_method | grep -q mInputShown=true && input keyevent 4; true'

# 11. step 4: Submit personal information
await_text 'resource-id="com.example.pay:id/agree_box"' 'action 11'
act 'input tap 73 2085'

# 12. step 4: Submit personal information
await_text 'resource-id="com.example.pay:id/agree_continue"' 'action 12'
act 'input tap 540 2283'

# 13. step 5: Submit the verification code
await_text 'resource-id="com.example.pay:id/sms_code"' 'action 13'
act 'input tap 426 441'
act 'input keyevent 123 67 67 67 67 67 67 67 67'
act 'input text 246810'
act 'dumpsys input_method | grep -q mInputShown=true && input keyevent 4; true'

# 14. step 5: Submit the verification code
await_text 'resource-id="com.example.pay:id/verify"' 'action 14'
act 'input tap 540 620'

# 15. step 6: Submit payment password
keypad "$PAYMENT_PASSWORD" 0=540,2263 1=185,1804 2=540,1804 3=894,1804 4=185,1957 5=540,1957 6=894,1957 7=185,2110 8=540,2110 9=894,2110

expect_text 'Card added'
echo 'PAY-0009 passed'
