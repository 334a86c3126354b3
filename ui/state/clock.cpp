// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/clock.h"

namespace headscope {
namespace {

std::chrono::milliseconds advanced{0};

}  // namespace

Moment now() {
    return std::chrono::steady_clock::now() + advanced;
}

void advanceClockForTests(std::chrono::milliseconds by) {
    advanced += by;
}

}  // namespace headscope
