// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "ui/state/lesson.h"

namespace headscope {

/// The JSON object of a state, in lessons and sessions.
nlohmann::ordered_json stateJson(const LessonState& state);

/// The bytes of a file that is JSON by its beginning. FileContent if there are more than `most`.
Result<QByteArray> readJsonFile(const QString& path, qint64 most);

/// Reads the parts of a JSON file of ours strictly; the first error counts, and what follows it is read as if it were
/// right. Each error is FileContent and names the file, the place in it and what would be right.
class StateReader {
public:
    /// longest_text: the characters that a text may have.
    StateReader(std::string file, std::int64_t longest_text) : file_(std::move(file)), longest_text_(longest_text) {}

protected:
    using json = nlohmann::json;

    const std::string& file() const { return file_; }
    const std::optional<Error>& error() const { return error_; }
    void refuse(tl::unexpected<Error> error) {
        if (!error_) error_ = std::move(error.value());
    }
    std::string at(const std::string& place) const { return file_ + ": " + place; }

    /// Whether a value is an object of no other keys than these, and has the required ones.
    bool isObject(const json& value, const std::string& place, const QStringList& keys, const QStringList& required);
    /// A text; empty if the object has no such key.
    QString text(const json& object, const std::string& key, const std::string& place);
    std::optional<int> whole(const json& object, const std::string& key, const std::string& place);
    /// A list of these words.
    QStringList list(const json& value, const std::string& place, const QStringList& words);
    /// Settings by the names of their options.
    std::map<Field, QString> fields(const json& value, const std::string& place);
    LessonState state(const json& value, const std::string& place);

private:
    template <typename Value>
    void word(const json& object, const std::string& key, const std::string& place, const QStringList& words,
              std::optional<Value> (*parse)(const QString&), Value& into);
    Cell cell(const json& value, const std::string& place, Stage& stage);

    std::string file_;
    std::int64_t longest_text_;
    std::optional<Error> error_;
};

}  // namespace headscope
