// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/session_file.h"

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
                               QStringLiteral("state"),   QStringLiteral("panels"), QStringLiteral("shapes_folded")};
        SavedSession session;
        isObject(document, "session", keys, {QStringLiteral("state")});
        if (document.contains("state")) session.state = state(document["state"], "state");
        if (document.contains("panels")) session.panels = list(document["panels"], "panels", savedPanels());
        if (const auto folded = document.find("shapes_folded"); folded != document.end()) {
            if (folded->is_boolean())
                session.shapes_folded = folded->get<bool>();
            else
                refuse(fail(ErrorCode::FileContent, "{}: it must be true or false", at("shapes_folded")));
        }
        if (error()) return tl::unexpected(*error());
        return session;
    }
};

std::map<Field, QString> allFields(const Draft& draft) {
    std::map<Field, QString> fields;
    for (int i = 0; i < static_cast<int>(Field::Count); ++i)
        fields[static_cast<Field>(i)] = draft.value(static_cast<Field>(i));
    return fields;
}

}  // namespace

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
