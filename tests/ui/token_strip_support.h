// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QClipboard>
#include <QInputMethodEvent>
#include <QVBoxLayout>

#include "panel_support.h"
#include "ui/panels/tokens/token_chips.h"
#include "ui/panels/tokens/token_strip.h"

namespace headscope {

/// A token strip in a window, with functions that operate it.
class StripTest : public QObject {
protected:
    std::unique_ptr<Session> session_;
    std::unique_ptr<QWidget> window_;
    TokenStrip* strip_ = nullptr;

    QLineEdit* line() const { return strip_->lineEdit(); }
    TokenChips* chips() const { return strip_->chips(); }
    const QString& draftText() const { return session_->draft().value(Field::Text); }
    void setText(const char* text) { session_->edit(Field::Text, QString::fromUtf8(text)); }
    void clickChip(int row, int index) {
        QTest::mouseClick(chips()->viewport(), Qt::LeftButton, {}, chips()->chipRect(row, index).center());
    }
    void clickDot(int row) {
        QTest::mouseClick(chips()->viewport(), Qt::LeftButton, {}, QPoint(5, chips()->rowRect(row).center().y()));
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(line(), code, modifiers); }
    void keys(const char* text) { QTest::keyClicks(line(), QString::fromUtf8(text)); }
    void paste(const QString& text) {
        QGuiApplication::clipboard()->setText(text);
        key(Qt::Key_V, Qt::ControlModifier);
    }
    void compose(const QString& preedit, const QString& commit = {}) {
        QInputMethodEvent event(preedit, {});
        event.setCommitString(commit);
        QCoreApplication::sendEvent(line(), &event);
    }
    QString shownTokens(int row) const {
        QStringList all;
        for (int i = 0; i < chips()->chipCount(); ++i) all << chips()->chipText(row, i);
        return all.join(u'|');
    }
    int caretLine() const { return strip_->editedLine().value_or(-1); }

    void open() {
        session_ = std::make_unique<Session>();
        Draft small = session_->draft();
        small.set(Field::EmbedDim, QStringLiteral("8"));
        session_->replace(small, {});
        window_ = std::make_unique<QWidget>();
        strip_ = new TokenStrip(*session_, window_.get());
        auto* layout = new QVBoxLayout(window_.get());
        layout->addWidget(strip_);
        layout->addStretch();
        window_->resize(1000, 200);
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QVERIFY(waitForTrace(*session_));
    }
    void close() {
        window_.reset();
        session_.reset();
    }
};

}  // namespace headscope
