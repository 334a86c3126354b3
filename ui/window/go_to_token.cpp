// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/go_to_token.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <algorithm>

#include "ui/state/session.h"

namespace headscope {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(GoToToken)
};

}  // namespace

std::optional<int> findToken(const Batch& batch, int sequence, const QString& text, int from) {
    const auto& tokens = batch.tokens[static_cast<std::size_t>(sequence)];
    const auto count = static_cast<int>(tokens.size());
    bool is_index = false;
    const int index = text.trimmed().toInt(&is_index);
    if (is_index && index >= 0 && index < count) return index;
    const std::string wanted = text.trimmed().toStdString();
    if (wanted.empty()) return std::nullopt;
    for (const bool begins : {true, false})
        for (int step = 1; step <= count; ++step) {
            const int at = (std::max(from, -1) + step) % count;
            const std::string& token = tokens[static_cast<std::size_t>(at)];
            if (begins ? token.starts_with(wanted) : token.find(wanted) != std::string::npos) return at;
        }
    return std::nullopt;
}

void goToToken(Session& session, QWidget* parent) {
    QString asked = Tr::tr("Index, or the text of a token:"), text;
    while (session.trace()) {
        bool ok = false;
        text = QInputDialog::getText(parent, Tr::tr("Go to token"), asked, QLineEdit::Normal, text, &ok);
        const TracePtr& trace = session.trace();  // the newest: it may have changed while the dialog was open
        const Selection& selection = session.selection();
        if (!ok || !trace) return;
        const int from = selection.locked ? selection.locked->query : -1;
        if (const auto index = findToken(trace->batch(), selection.sequence, text, from)) {
            const int head = selection.head.value_or(selection.locked ? selection.locked->head : 0);
            return session.setLocked(Cell{*index, is_square(selection.stage) ? *index : 0, head});
        }
        asked = Tr::tr("No token has this index or text. Index from 0 to %1, or the text of a token:")
                    .arg(trace->dims().sequence_length - 1);
    }
}

}  // namespace headscope
