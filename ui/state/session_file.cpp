// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/session_file.h"

#include <QCoreApplication>

#include "core/files/json.h"
#include "ui/state/state_json.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "headscope-session";
constexpr int kVersion = 1;

class SessionReader : public StateReader {
public:
    explicit SessionReader(std::string file) : StateReader(std::move(file), kLargestSession) {}

    Result<SavedSession> read(const json& document) {
        if (!document.is_object() || document.value("format", json()) != kFormat)
            return fail(ErrorCode::FileContent, "{}: this is not a session; a session has \"format\": \"{}\"", file(),
                        kFormat);
        if (const json version = document.value("version", json()); version != kVersion)
            return fail(ErrorCode::FileContent,
                        "{}: version {} of sessions can't be read; this program reads version {}", file(),
                        version.dump(), kVersion);
        const QStringList keys{QStringLiteral("$schema"), QStringLiteral("format"), QStringLiteral("version"),
                               QStringLiteral("state"),   QStringLiteral("panels"), QStringLiteral("shapes_folded"),
                               QStringLiteral("figure")};
        SavedSession session;
        isObject(document, "session", keys, {QStringLiteral("state")});
        if (document.contains("state")) session.state = state(document["state"], "state");
        if (document.contains("panels")) session.panels = list(document["panels"], "panels", savedPanels());
        flag(document, "shapes_folded", "session", session.shapes_folded);
        if (document.contains("figure")) session.figure = figure(document["figure"], "figure");
        if (error()) return tl::unexpected(*error());
        return session;
    }

private:
    void flag(const json& object, const std::string& key, const std::string& place, bool& into) {
        const auto found = object.find(key);
        if (found == object.end()) return;
        if (!found->is_boolean())
            return refuse(fail(ErrorCode::FileContent, "{}: it must be true or false", at(place + "." + key)));
        into = found->get<bool>();
    }

    void side(const json& object, const std::string& key, const std::string& place, double& into) {
        const auto found = object.find(key);
        if (found == object.end()) return;
        if (!found->is_number())
            return refuse(fail(ErrorCode::FileContent, "{}: it must be a number", at(place + "." + key)));
        into = found->get<double>();
    }

    SavedFigure figure(const json& value, const std::string& place) {
        SavedFigure read;
        const QStringList keys{QStringLiteral("width"),   QStringLiteral("height"),        QStringLiteral("dpi"),
                               QStringLiteral("dark"),    QStringLiteral("title"),         QStringLiteral("language"),
                               QStringLiteral("caption"), QStringLiteral("all_sequences"), QStringLiteral("numbers"),
                               QStringLiteral("trim")};
        if (!isObject(value, place, keys, {})) return read;
        side(value, "width", place, read.width);
        side(value, "height", place, read.height);
        read.dpi = whole(value, "dpi", place).value_or(read.dpi);
        flag(value, "dark", place, read.dark);
        flag(value, "all_sequences", place, read.all_sequences);
        flag(value, "caption", place, read.caption);
        flag(value, "numbers", place, read.numbers);
        flag(value, "trim", place, read.trim);
        read.title = text(value, "title", place);
        if (value.contains("language")) read.language = text(value, "language", place);
        if (read.language != u"en" && read.language != u"zh_CN")
            refuse(fail(ErrorCode::FileContent, "{}: '{}' must be one of {}", at(place + ".language"),
                        read.language.left(40).toStdString(), "en, zh_CN"));
        return read;
    }
};

std::map<Field, QString> allFields(const Draft& draft) {
    std::map<Field, QString> fields;
    for (int i = 0; i < static_cast<int>(Field::Count); ++i)
        fields[static_cast<Field>(i)] = draft.value(static_cast<Field>(i));
    return fields;
}

nlohmann::ordered_json figureJson(const SavedFigure& figure) {
    return {{"width", figure.width},
            {"height", figure.height},
            {"dpi", figure.dpi},
            {"dark", figure.dark},
            {"title", figure.title.toStdString()},
            {"all_sequences", figure.all_sequences},
            {"caption", figure.caption},
            {"numbers", figure.numbers},
            {"trim", figure.trim},
            {"language", figure.language.toStdString()}};
}

}  // namespace

QString interfaceLanguage() {
    return QCoreApplication::translate("headscope", "en", "code of the language: en or zh_CN");
}

const QStringList& savedPanels() {
    static const QStringList panels = SavedSession{}.panels;
    return panels;
}

bool isSessionName(const QString& path) {
    return path.endsWith(u".headscope", Qt::CaseInsensitive);
}

QByteArray sessionJson(const SavedSession& session) {
    nlohmann::ordered_json document{{"format", kFormat}, {"version", kVersion}, {"state", stateJson(session.state)}};
    document["panels"] = nlohmann::ordered_json::array();
    for (const QString& panel : savedPanels())
        if (session.panels.contains(panel)) document["panels"].push_back(panel.toStdString());
    document["shapes_folded"] = session.shapes_folded;
    if (session.figure) document["figure"] = figureJson(*session.figure);
    return QByteArray::fromStdString(document.dump(2) + "\n");
}

Result<SavedSession> parseSession(const QByteArray& text, const QString& name) {
    const std::string file = name.toStdString();
    if (text.size() > kLargestSession)
        return fail(ErrorCode::FileContent, "{}: the file has {} bytes; at most {} are read", file, text.size(),
                    kLargestSession);
    const auto document = parse_json({text.data(), static_cast<std::size_t>(text.size())}, file);
    if (!document) return tl::unexpected(document.error());
    try {
        return SessionReader(file).read(*document);
    } catch (const json::exception& error) {
        return fail(ErrorCode::FileContent, "{}: {}", file, error.what());
    }
}

Result<SavedSession> readSession(const QString& path) {
    const auto text = readJsonFile(path, kLargestSession);
    if (!text) return tl::unexpected(text.error());
    return parseSession(*text, path);
}

LessonState savedState(const Draft& draft, const Selection& selection, const std::optional<Draft>& b) {
    LessonState state{allFields(draft), std::nullopt, selection};
    if (b) state.b = allFields(*b);
    return state;
}

Draft savedDraft(const std::map<Field, QString>& fields) {
    Draft draft;
    for (const auto& [field, value] : fields) draft.set(field, value);
    return draft;
}

}  // namespace headscope
