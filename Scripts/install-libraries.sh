#!/usr/bin/env bash
# Installs the system libraries and programs that the named parts need, unless they are installed: sdk, server, tests, ci, bench,
# release, packages, python.
set -euo pipefail

packages=()
for part in "$@"; do
  case "$part" in
    sdk) packages+=(dbus gnome-keyring libsecret-tools) ;;
    server) packages+=(libsqlite3-dev libpq-dev libcurl4-openssl-dev libcrypt-dev libqrencode-dev libpsl-dev
      libmaxminddb-dev) ;;
    tests) packages+=(nginx-light caddy openssl chromium chromium-driver postgresql pgbouncer haproxy procps faketime gdb binutils valgrind) ;;
    ci) packages+=(ccache) ;;
    bench) packages+=(wrk postgresql) ;;
    release) packages+=(binutils python3 valgrind) ;;
    packages) packages+=(mmdebstrap bubblewrap umoci dpkg-dev) ;;
    python) packages+=(python3 python3-venv) ;;
    *) echo "unknown part: $part" >&2; exit 64 ;;
  esac
done

if [ "$(uname)" = Darwin ]; then
  formulas=() casks=()
  for part in "$@"; do
    case "$part" in
      server) formulas+=(libpq libpsl qrencode libmaxminddb) ;;
      tests)
        formulas+=(nginx caddy openssl postgresql@17 pgbouncer haproxy)
        command -v chromedriver >/dev/null || casks+=(chromedriver)
        [ -d /Applications/Chromium.app ] || [ -d "/Applications/Google Chrome.app" ] || casks+=(google-chrome)
        ;;
      bench) formulas+=(wrk postgresql@17) ;;
      python) formulas+=(python) ;;
    esac
  done
  [ ${#formulas[@]} -eq 0 ] || brew install "${formulas[@]}"
  [ ${#casks[@]} -eq 0 ] || brew install --cask "${casks[@]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  # An installed program is accepted, whichever package it comes from.
  case "$package" in
    nginx-light) command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] && continue ;;
    caddy) command -v caddy >/dev/null && continue ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null && continue ;;
    python3) command -v python3 >/dev/null && continue ;;
    chromium) command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null && continue ;;
    chromium-driver) command -v chromedriver >/dev/null && continue ;;
    postgresql) compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && continue ;;
    haproxy) command -v haproxy >/dev/null || [ -x /usr/sbin/haproxy ] && continue ;;
    procps) command -v ps >/dev/null && continue ;;
    pgbouncer) command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] && continue ;;
  esac
  dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
$sudo apt-get update --quiet --quiet
# Ubuntu has the browser under other names.
if ! apt-cache show chromium-driver >/dev/null 2>&1; then
  for index in "${!missing[@]}"; do
    case "${missing[index]}" in
      chromium) missing[index]=chromium-browser ;;
      chromium-driver) missing[index]=chromium-chromedriver ;;
    esac
  done
fi
# The tests create clusters of their own; the package must not create and start one.
case " ${missing[*]} " in
  *" postgresql "*)
    $sudo mkdir -p /etc/postgresql-common/createcluster.d
    echo 'create_main_cluster = false' | $sudo tee /etc/postgresql-common/createcluster.d/ostiary.conf >/dev/null
    ;;
esac
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes --no-install-recommends "${missing[@]}"
