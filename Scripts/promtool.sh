#!/usr/bin/env bash
# Runs Prometheus' promtool: the installed one, or that of Debian's package, which is unpacked below .build-promtool and not
# installed, because the package starts a server. Ends with 69 if there is neither.
set -euo pipefail

here="$(cd "$(dirname "$0")/.." && pwd)/.build-promtool"
if command -v promtool >/dev/null; then exec promtool "$@"; fi
if [ ! -x "$here/usr/bin/promtool" ]; then
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || { echo "promtool is not installed" >&2; exit 69; }
  mkdir -p "$here"
  work="$(mktemp -d "$here/package.XXXXXX")"
  trap 'rm -rf "$work"' EXIT
  # The package index may be missing or old.
  if ! (cd "$work" && apt-get download --quiet --quiet prometheus >/dev/null 2>&1); then
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    { $sudo apt-get update --quiet --quiet && cd "$work" && apt-get download --quiet --quiet prometheus; } >/dev/null 2>&1 ||
      { echo "promtool cannot be downloaded" >&2; exit 69; }
    cd - >/dev/null 2>&1 || true
  fi
  dpkg-deb --fsys-tarfile "$work"/prometheus_*.deb | tar --extract --directory "$work" ./usr/bin/promtool
  mkdir -p "$here/usr/bin"
  mv "$work/usr/bin/promtool" "$here/usr/bin/promtool"
  rm -rf "$work"
  trap - EXIT
fi
exec "$here/usr/bin/promtool" "$@"
