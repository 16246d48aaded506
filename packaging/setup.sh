#!/bin/sh
# Sets Tapwright up on a build machine: fetches a release, checks its checksum, unpacks it, puts it on the path of the next
# steps, and fetches ONNX Runtime. What is there already is not fetched again. The GitHub Action (action.yml) calls it; by
# hand it works anywhere:
#
#   TAPWRIGHT_VERSION=0.1.0 sh packaging/setup.sh
#
#   TAPWRIGHT_VERSION    the release
#   TAPWRIGHT_RELEASES   where releases are [default: the project's releases]
#   TAPWRIGHT_PLATFORM   linux-x86_64 and so on [default: this machine]
#   TAPWRIGHT_HOME       where it is unpacked [default: the runner's tool cache, else ~/.local/share/tapwright]
#   TAPWRIGHT_PACKAGE_INDEX, HTTPS_PROXY   a mirror and a proxy for `tapwright models install`
set -eu

say() { printf '%s\n' "$*" >&2; }
fail() { say "tapwright: $*"; exit 1; }

version=${TAPWRIGHT_VERSION:?names no release: set it, as in TAPWRIGHT_VERSION=0.1.0}
releases=${TAPWRIGHT_RELEASES:-https://github.com/tapwright/tapwright/releases/download/v$version}
home=${TAPWRIGHT_HOME:-${RUNNER_TOOL_CACHE:-$HOME/.local/share/tapwright}}

platform=${TAPWRIGHT_PLATFORM:-}
if [ -z "$platform" ]; then
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "there is no release for $(uname -s)" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) processor=x86_64 ;;
    aarch64 | arm64) processor=aarch64 ;;
    *) fail "there is no release for $(uname -m)" ;;
  esac
  platform=$system-$processor
fi

name=tapwright-$version-$platform
if [ ! -x "$home/$name/bin/tapwright" ]; then
  mkdir -p "$home"
  work=$(mktemp -d "$home/setup.XXXXXX")
  trap 'rm -rf "$work"' EXIT INT TERM
  for file in "$name.tar.gz" SHA256SUMS; do
    curl --fail --silent --show-error --location --retry 3 --output "$work/$file" "$releases/$file" ||
      fail "$releases/$file cannot be fetched: is there a release $version for $platform?"
  done
  wanted=$(awk -v file="$name.tar.gz" '$2 == file || $2 == "*" file { print $1 }' "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS of $releases has no line for $name.tar.gz"
  if command -v sha256sum > /dev/null; then
    found=$(sha256sum "$work/$name.tar.gz")
  else
    found=$(shasum -a 256 "$work/$name.tar.gz")
  fi
  [ "${found%% *}" = "$wanted" ] || fail "$name.tar.gz has another checksum than SHA256SUMS says: it was thrown away"
  tar -xzf "$work/$name.tar.gz" -C "$work"
  mv "$work/$name" "$home/$name"
fi

bin=$home/$name/bin
"$bin/tapwright" models install
"$bin/tapwright" --version
if [ -n "${GITHUB_PATH:-}" ]; then
  printf '%s\n' "$bin" >> "$GITHUB_PATH"
else
  say "put it on your path: export PATH=\"$bin:\$PATH\""
fi
