// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/grid_keys.h"

#include <algorithm>

#include "ui/state/session.h"

namespace headscope {

namespace {

bool moveBy(Session& session, int queries, int keys, int head) {
    session.setLocked(steppedCell(session.selection(), session.trace()->dims(), queries, keys, head));
    return true;
}

bool stepHead(Session& session, int heads) {
    const auto& shown = session.selection().head;
    if (!shown) return false;
    const int last = static_cast<int>(session.trace()->dims().num_heads) - 1;
    session.setHead(std::clamp(*shown + heads, 0, last));
    return true;
}

bool goBack(Session& session) {
    if (session.selection().head)
        session.setHead(std::nullopt);
    else if (session.selection().locked)
        session.setLocked(std::nullopt);
    else
        return false;
    return true;
}

}  // namespace

bool handleGridKey(Session& session, int key, int head) {
    switch (key) {
        case Qt::Key_Left:
            return moveBy(session, 0, -1, head);
        case Qt::Key_Right:
            return moveBy(session, 0, 1, head);
        case Qt::Key_Up:
            return moveBy(session, -1, 0, head);
        case Qt::Key_Down:
            return moveBy(session, 1, 0, head);
        case Qt::Key_Space:
            if (session.selection().locked)
                session.setLocked(std::nullopt);
            else
                session.setLocked(session.hover().value_or(Cell{0, 0, head}));
            return true;
        case Qt::Key_PageUp:
            return stepHead(session, -1);
        case Qt::Key_PageDown:
            return stepHead(session, 1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            toggleEnlarged(session, head);
            return true;
        case Qt::Key_Escape:
            return goBack(session);
        default:
            return false;
    }
}

void toggleEnlarged(Session& session, int head) {
    if (!session.hasHeads(session.selection().stage)) return;
    session.setHead(session.selection().head ? std::nullopt : std::optional(head));
}

}  // namespace headscope
