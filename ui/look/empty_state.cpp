// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/empty_state.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/state/session.h"

namespace headscope {

QString missingStage() {
    return QCoreApplication::translate("headscope",
                                       "Not in this file: a recording has attention weights only, without the vectors, "
                                       "scores and outputs that a layer computes.");
}

QString missingPicture(const Session& session) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("headscope", text); };
    const auto& problems = session.reading().problems;
    const bool no_tokens = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.error.code == ErrorCode::NoTokens;
    });
    if (no_tokens) return tr("Type a sentence above to see what each head attends to.");
    if (session.trace()) return {};
    if (session.computeError()) return sentence(*session.computeError());
    if (!problems.isEmpty()) return sentence(problems.front().error);
    return tr("Computing…");
}

}  // namespace headscope
