#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes build/packages/headscope_VERSION-1_amd64.deb and a relocatable .tar.gz of the release preset, and checks them.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/setup.sh
need "${build_packages[@]}" "${package_packages[@]}"
build release headscope

packages=$PWD/build/packages
rm -rf "$packages"
(cd build/release && cpack -B "$packages" -D CPACK_GENERATOR="DEB;TGZ" >"$packages.log" 2>&1) || { tail -n 20 "$packages.log"; exit 1; }
rm -rf "$packages/_CPack_Packages"

desktop-file-validate resources/org.headscope.HeadScope.desktop
appstreamcli validate --no-net resources/org.headscope.HeadScope.metainfo.xml
lintian --fail-on error "$packages"/*.deb
ls -l "$packages"
