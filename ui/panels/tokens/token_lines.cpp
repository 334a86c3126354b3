// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_lines.h"

#include <QFileInfo>
#include <algorithm>

namespace headscope {
namespace {

/// The characters that end a line in an editor: QTextDocument starts a block at each, and returns all of them as
/// U+2029.
bool endsLine(QChar c) {
    return c == u'\n' || c == u'\r' || c == QChar::ParagraphSeparator || c == QChar(0xfdd0) || c == QChar(0xfdd1);
}

QStringList linesOf(const Batch& batch) {
    QStringList lines;
    for (std::int64_t s = 0; s < batch.size(); ++s) {
        QStringList words;
        const auto& tokens = batch.tokens[static_cast<std::size_t>(s)];
        for (std::int64_t i = 0; i < batch.sequence_length(); ++i) {
            if (batch.is_real(s, i)) words << displayToken(tokens[static_cast<std::size_t>(i)], 40);
        }
        lines << words.join(u' ');
    }
    return lines;
}

/// The tokens of the file, which keep their owner.
std::shared_ptr<const Batch> batchOf(const Reading& reading) {
    const Batch* batch = fileBatch(reading);
    if (!batch) return nullptr;
    return reading.recording ? std::shared_ptr<const Batch>(reading.recording, batch)
                             : std::shared_ptr<const Batch>(reading.file, batch);
}

}  // namespace

QString withPlainLineEnds(QString text) {
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    for (QChar& c : text) {
        if (endsLine(c)) c = u'\n';
    }
    return text;
}

bool TokenLines::follow(const Session& session) {
    const Reading& reading = session.reading();
    const std::shared_ptr<const Batch> batch = batchOf(reading);
    const auto tokenizer = parseTokenizer(session.draft().value(Field::Tokenizer)).value_or(Tokenizer::Space);
    QString text = session.draft().value(Field::Text);
    // Only these characters end a line for the tokenizer.
    const QStringList lines =
        batch ? linesOf(*batch) : text.replace(QStringLiteral("\r\n"), QStringLiteral("\n")).split(u'\n');

    const bool same_split = tokenizer == tokenizer_ && batch == batch_;
    tokens_.resize(static_cast<std::size_t>(lines.size()));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (!same_split || i >= lines_.size() || lines[i] != lines_[i]) tokens_[static_cast<std::size_t>(i)].reset();
    }
    const bool same_lines = same_split && lines == lines_;
    lines_ = lines;
    tokenizer_ = tokenizer;
    batch_ = batch;
    file_name_ = batch ? QFileInfo(session.draft().value(Field::Weights)).fileName() : QString();

    const int old_length = length_;
    length_ = 0;
    if (batch_) {
        length_ = static_cast<int>(batch_->sequence_length());
    } else if (reading.request) {
        length_ = static_cast<int>(reading.request->batch.sequence_length());
    } else {  // the problem is in another control
        for (int i = 0; i < lineCount(); ++i) length_ = std::max(length_, static_cast<int>(tokens(i).size()));
    }
    return !same_lines || length_ != old_length;
}

int TokenLines::sequenceCount() const {
    const bool ends_empty = !batch_ && lineCount() > 1 && lines_.last().isEmpty();
    return ends_empty ? lineCount() - 1 : lineCount();
}

const std::vector<std::string>& TokenLines::tokens(int line) const {
    if (batch_) return batch_->tokens[static_cast<std::size_t>(line)];
    auto& tokens = tokens_[static_cast<std::size_t>(line)];
    if (!tokens) {
        auto found = tokenize(lines_[line], tokenizer_);
        tokens = found.empty() ? std::vector<std::string>() : std::move(found.front());
    }
    return *tokens;
}

const std::string& TokenLines::token(int line, int index) const {
    static const std::string pad(kPad);
    const auto& own = tokens(line);
    return static_cast<std::size_t>(index) < own.size() ? own[static_cast<std::size_t>(index)] : pad;
}

bool TokenLines::isPadding(int line, int index) const {
    return batch_ ? !batch_->is_real(line, index) : token(line, index) == kPad;
}

TokenLines::Place TokenLines::placeAt(qsizetype offset) const {
    int line = 0;
    for (; line + 1 < lineCount() && offset > lines_[line].size(); ++line) offset -= lines_[line].size() + 1;
    return {line, std::clamp<qsizetype>(offset, 0, lines_[line].size())};
}

qsizetype TokenLines::offsetOf(Place place) const {
    qsizetype offset = place.column;
    for (int line = 0; line < place.line; ++line) offset += lines_[line].size() + 1;
    return offset;
}

/// Tokens follow each other in the line, separated only by white space; if the tokenizer omits white space, no token
/// starts with it.
qsizetype TokenLines::columnOf(int line, int index) const {
    const auto& own = tokens(line);
    if (static_cast<std::size_t>(index) >= own.size()) return lines_[line].size();
    qsizetype begin = 0, end = 0;
    for (int i = 0; i <= index; ++i) {
        const QString token = QString::fromStdString(own[static_cast<std::size_t>(i)]);
        begin = lines_[line].indexOf(token, end);
        if (begin < 0) return lines_[line].size();  // not found: a lone surrogate, which UTF-8 can't represent
        end = begin + token.size();
    }
    return begin;
}

}  // namespace headscope
