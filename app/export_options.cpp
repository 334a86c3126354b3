// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export_options.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cstdio>

#include "core/base/utf8.h"
#include "core/files/input_file.h"
#include "core/masks/pattern.h"
#include "core/masks/score_rule.h"
#include "ui/export/export_format.h"
#include "ui/export/picture_state.h"
#include "ui/export/save_file.h"
#include "ui/state/tokenizer.h"

namespace headscope {
namespace {

constexpr qint64 kLargestText = qint64{1} << 28;  // 256 MB: the scores of so many tokens would not fit any memory

/// "a, b or c"
std::string listed(const QStringList& words) {
    const QStringList first = words.mid(0, words.size() - 1);
    return (words.size() > 1 ? first.join(u", ") + u" or " + words.last() : words.join(QString())).toStdString();
}

/// Reads the values of one export; stops at the first illegal value.
class JobReader {
public:
    explicit JobReader(const Arguments& arguments) : arguments_(arguments) {}
    Result<ExportJob> read();

private:
    Result<void> readSession();
    Result<void> readOut();
    Result<void> readDraftFields();
    Result<void> readText();
    Result<void> readSize();
    Result<void> checkRange() const;
    Result<void> readCut(const char* option, Cut& cut) const;

    /// Nothing if the option was not given; else one of the words, or an error that lists them.
    Result<std::optional<QString>> word(const char* option, const QStringList& words) const;
    Result<std::optional<int>> number(const char* option, int low, int high) const;
    /// Nothing if the option was not given; empty for "all"; else the numbers of a list such as 0,3,5.
    Result<std::optional<QList<int>>> numbers(const char* option) const;

    const Arguments& arguments_;
    ExportJob job_;
};

/// An argument as an error message quotes it, on one line.
std::string shortened(const QString& value) {
    return displayToken(value.toStdString(), 40).toStdString();
}

tl::unexpected<Error> illegal(const std::string& option, const QString& value, const std::string& legal) {
    return fail(ErrorCode::InvalidValue, "{} is '{}'; it must be {}", option, shortened(value), legal);
}

Result<std::optional<QString>> JobReader::word(const char* option, const QStringList& words) const {
    const auto value = arguments_.value(QString::fromLatin1(option));
    if (value && !words.contains(*value)) return illegal(option, *value, listed(words));
    return value;
}

std::optional<int> digits(const QString& text) {
    const bool plain = std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool ok = false;
    const int number = text.toInt(&ok);
    return plain && ok ? std::optional(number) : std::nullopt;
}

Result<std::optional<int>> JobReader::number(const char* option, int low, int high) const {
    const auto value = arguments_.value(QString::fromLatin1(option));
    if (!value) return std::nullopt;
    if (const auto number = digits(*value); number && *number >= low && *number <= high) return number;
    return illegal(option, *value, fmt::format("a whole number from {} to {}", low, high));
}

Result<std::optional<QList<int>>> JobReader::numbers(const char* option) const {
    const auto value = arguments_.value(QString::fromLatin1(option));
    if (!value) return std::nullopt;
    if (*value == u"all") return QList<int>();
    QList<int> list;
    for (const QString& part : value->split(u',')) {
        const auto number = digits(part);
        if (!number || list.contains(*number))
            return illegal(option, *value, "a whole number from 0 on, a list of different ones as 0,3,5, or all");
        list << *number;
    }
    return list;
}

/// A session, or a picture that carries one; the other options are read on top of it.
Result<void> JobReader::readSession() {
    const auto path = arguments_.value(QStringLiteral("--session"));
    if (!path) return {};
    auto session = readAnySession(*path);
    if (!session) return fail(session.error().code, "--session: {}", session.error().message());
    job_.session = std::move(*session);
    job_.draft = savedDraft(job_.session.state.draft);
    job_.selection = job_.session.state.selection;
    job_.sequence = job_.selection.sequence;
    if (const auto& figure = job_.session.figure) {
        job_.style = styleOf(*figure);
        job_.trim = figure->trim;
        job_.language = figure->language;
        if (figure->all_sequences) job_.sequence.reset();
    }
    return {};
}

Result<void> JobReader::readOut() {
    if (arguments_.operands.isEmpty())
        return fail(ErrorCode::InvalidValue,
                    "export: the name of the file to write is missing, as in headscope export heads.png");
    if (arguments_.operands.size() > 1)
        return fail(ErrorCode::InvalidValue, "export writes one file at a time; '{}' is one too many",
                    shortened(arguments_.operands[1]));
    job_.out = arguments_.operands.first();
    if (!formatOf(job_.out))
        return fail(ErrorCode::InvalidValue, "{}: the ending of the file says what is written; it must be {}",
                    job_.out.isEmpty() ? "export" : job_.out.toStdString(), listed(exportEndings()));
    return {};
}

Result<void> JobReader::readText() {
    const QString typed = QStringLiteral("--tokens"), file = QStringLiteral("--tokens-file");
    if (const auto path = arguments_.value(file)) {
        const auto text = readTokensFile(*path);
        if (!text) return tl::unexpected(text.error());
        job_.draft.set(Field::Text, *text);
    }
    for (const auto& [name, value] : arguments_.options)
        if (name == typed || name == file) job_.text_option = name;
    if (const auto text = arguments_.value(typed); text && job_.text_option == typed)
        job_.draft.set(Field::Text, *text);
    return {};
}

Result<void> JobReader::readDraftFields() {
    if (const auto weights = arguments_.value(optionName(Field::Weights)))
        job_.draft = withWeights(job_.draft, *weights);  // a weights file replaces the sizes
    for (int i = 0; i < static_cast<int>(Field::Count); ++i) {
        const auto field = static_cast<Field>(i);
        if (field == Field::Text || field == Field::Weights) continue;
        if (const auto value = arguments_.value(optionName(field))) job_.draft.set(field, *value);
    }
    return readText();
}

/// "960x640" in 1/96 inch, or "85x60mm".
Result<void> JobReader::readSize() {
    const auto value = arguments_.value(QStringLiteral("--size"));
    if (!value) return {};
    static const QRegularExpression form(
        QStringLiteral("^([0-9]{1,9}(?:\\.[0-9]{1,6})?)x([0-9]{1,9}(?:\\.[0-9]{1,6})?)(mm)?$"));
    const QRegularExpressionMatch match = form.match(*value);
    const bool millimetres = match.hasCaptured(3);
    const bool whole = !match.captured(1).contains(u'.') && !match.captured(2).contains(u'.');
    const double unit = millimetres ? 96 / 25.4 : 1;
    const QSizeF size(match.captured(1).toDouble() * unit, match.captured(2).toDouble() * unit);
    const auto legal = [](double side) { return side >= kSmallestFigure && side <= kLargestFigure; };
    if (!match.hasMatch() || !legal(size.width()) || !legal(size.height()) || (!millimetres && !whole))
        return illegal(
            "--size", *value,
            fmt::format("WIDTHxHEIGHT in 1/96 inch, each from {} to {}, as in 960x640, or in millimetres, as "
                        "in 85x60mm",
                        kSmallestFigure, kLargestFigure));
    job_.style.size = size;
    job_.trim = arguments_.has(QStringLiteral("--trim"));
    return {};
}

/// "1000:1200", ":500" or "100:".
Result<void> JobReader::readCut(const char* option, Cut& cut) const {
    const auto value = arguments_.value(QString::fromLatin1(option));
    if (!value) return {};
    static const QRegularExpression form(QStringLiteral("^([0-9]{0,9}):([0-9]{0,9})$"));
    const QRegularExpressionMatch match = form.match(*value);
    if (!match.captured(1).isEmpty()) cut.first = match.captured(1).toInt();
    if (!match.captured(2).isEmpty()) cut.end = match.captured(2).toInt();
    if (!match.hasMatch() || (cut.end && *cut.end <= cut.first))
        return illegal(option, *value, "FIRST:END, as in 1000:1200, where END is the number after the last");
    const ExportFormat* format = formatOf(job_.out);
    if (format->table) return {};
    return fail(ErrorCode::InvalidValue, "{} cuts tables; {} holds {}", option, job_.out.toStdString(),
                format->picture  ? "a picture"
                : format->script ? "a script"
                                 : "every tensor whole");
}

/// The scales unit and log need values from 0 to 1, which only weights guarantee.
Result<void> JobReader::checkRange() const {
    const auto range = job_.selection.range;
    const bool given = arguments_.has(QStringLiteral("--range")) || arguments_.has(QStringLiteral("--stage"));
    if (!given || !isSigned(job_.selection.stage) || !range || range == Range::Head || range == Range::Shared)
        return {};
    return fail(ErrorCode::InvalidValue,
                "--range is '{}', which is for weights; for --stage {} it must be head or shared",
                toWord(*range).toStdString(), to_string(job_.selection.stage));
}

Result<ExportJob> JobReader::read() {
    if (auto session = readSession(); !session) return tl::unexpected(session.error());
    const QStringList stages{QStringLiteral("weights"), QStringLiteral("scores"), QStringLiteral("masked"),
                             QStringLiteral("mask"),    QStringLiteral("q"),      QStringLiteral("k"),
                             QStringLiteral("v")};
    const QStringList ranges{QStringLiteral("unit"), QStringLiteral("head"), QStringLiteral("shared"),
                             QStringLiteral("log")};
    const QStringList palettes{QStringLiteral("viridis"), QStringLiteral("cividis"), QStringLiteral("magma"),
                               QStringLiteral("greys"), QStringLiteral("diverging")};
    const auto sequences = numbers("--sequence");
    const auto heads = numbers("--head");
    const auto dpi = number("--dpi", kSmallestDpi, kLargestDpi);
    const auto stage = word("--stage", stages);
    const auto range = word("--range", ranges);
    const auto palette = word("--palette", palettes);
    const auto theme = word("--theme", {QStringLiteral("light"), QStringLiteral("dark")});
    const auto language = word("--language", {QStringLiteral("en"), QStringLiteral("zh_CN")});
    for (const auto* read : {&sequences, &heads})
        if (!*read) return tl::unexpected(read->error());
    if (!dpi) return tl::unexpected(dpi.error());
    for (const auto* read : {&stage, &range, &palette, &theme, &language})
        if (!*read) return tl::unexpected(read->error());
    const auto first = [](const QList<int>& list) {
        return list.isEmpty() ? std::nullopt : std::optional(list.front());
    };
    if (*sequences) {
        job_.sequences = **sequences;
        job_.sequence = first(**sequences);
    }
    if (*heads) {
        job_.heads = **heads;
        job_.selection.head = first(**heads);
    }
    if (*dpi) job_.style.dpi = **dpi;
    if (*stage) job_.selection.stage = *parse_stage((*stage)->toStdString());
    if (*range) job_.selection.range = parseRange(**range);
    if (*palette) job_.selection.palette = parsePalette(**palette);
    if (*theme) job_.style.theme = **theme == u"dark" ? Theme::Dark : Theme::Light;
    if (*language) job_.language = **language;
    if (const auto title = arguments_.value(QStringLiteral("--title"))) job_.style.title = *title;
    if (arguments_.has(QStringLiteral("--numbers"))) job_.style.numbers = true;
    if (arguments_.has(QStringLiteral("--no-caption"))) job_.style.caption = false;
    if (arguments_.has(QStringLiteral("--trim"))) job_.trim = true;
    job_.carries_state = !arguments_.has(QStringLiteral("--no-state"));
    job_.style.all_sequences = !job_.sequence;
    job_.selection.sequence = job_.sequence.value_or(0);
    return checkRange()
        .and_then([this] { return readSize(); })
        .and_then([this] { return readOut(); })
        .and_then([this] { return readCut("--rows", job_.rows); })
        .and_then([this] { return readCut("--columns", job_.columns); })
        .and_then([this] { return readDraftFields(); })
        .map([this] { return job_; });
}

}  // namespace

bool ExportJob::isPicture() const {
    return formatOf(out)->picture;
}

Result<QList<ExportJob>> ExportJob::eachFile(const Dims& dims) const {
    const bool by_head = out.contains(u"%h"), by_sequence = out.contains(u"%s");
    const auto need = [&](const char* option, const QList<int>& list, bool named, const char* sign) -> Result<void> {
        if (list.size() < 2 || named) return {};
        return fail(ErrorCode::InvalidValue, "{} names {} of them, each for a file of its own; write {} into {}",
                    option, list.size(), sign, out.toStdString());
    };
    if (auto legal = need("--head", heads, by_head, "%h").and_then([&] {
            return need("--sequence", sequences, by_sequence, "%s");
        });
        !legal)
        return tl::unexpected(legal.error());
    if (!by_head && !by_sequence) return QList<ExportJob>{*this};
    if (const ExportFormat* format = formatOf(out); !format->picture && !format->table)
        return fail(ErrorCode::InvalidValue, "{}: %h and %s are for pictures and tables; this file holds every head",
                    out.toStdString());
    // Without a list: all of them, but one sequence where one is chosen.
    const auto chosen = [](bool named, const QList<int>& list, std::optional<int> one, std::int64_t count) {
        QList<std::optional<int>> numbers;
        if (!named || (list.isEmpty() && one)) return numbers << one;
        for (const int number : list) numbers << number;
        for (std::int64_t number = 0; list.isEmpty() && number < count; ++number) numbers << static_cast<int>(number);
        return numbers;
    };
    QList<ExportJob> jobs;
    for (const auto sequence_of_file : chosen(by_sequence, sequences, sequence, dims.batch))
        for (const auto head_of_file : chosen(by_head, heads, selection.head, dims.num_heads)) {
            ExportJob job = *this;
            job.sequence = sequence_of_file;
            job.style.all_sequences = !sequence_of_file;
            job.selection.sequence = sequence_of_file.value_or(0);
            job.selection.head = head_of_file;
            if (by_head) job.out.replace(QStringLiteral("%h"), QString::number(*head_of_file));
            if (by_sequence) job.out.replace(QStringLiteral("%s"), QString::number(*sequence_of_file));
            jobs << job;
        }
    return jobs;
}

Result<QString> readTokensFile(const QString& path) {
    QFile file(path);
    const std::string name = path == u"-" ? "standard input" : path.toStdString();
    const QFileInfo info(path);
    if (path != u"-" && !info.exists())
        return fail(ErrorCode::FileMissing, "--tokens-file: {}: there is no such file", name);
    if (path != u"-" && info.isDir())
        return fail(ErrorCode::FileUnreadable, "--tokens-file: {} is a folder; give the name of a text file", name);
    const bool open = path == u"-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!open)
        return fail(ErrorCode::FileUnreadable, "--tokens-file: {} can't be read: {}", name,
                    file.errorString().toStdString());
    const QByteArray bytes = file.read(kLargestText + 1);
    if (file.error() != QFileDevice::NoError)
        return fail(ErrorCode::FileUnreadable, "--tokens-file: {} can't be read: {}", name,
                    file.errorString().toStdString());
    if (bytes.size() > kLargestText)
        return fail(ErrorCode::FileContent, "--tokens-file: {} has more than {} bytes; give less text", name,
                    kLargestText);
    const std::string_view text(bytes.data(), static_cast<std::size_t>(bytes.size()));
    const std::string place = "--tokens-file: " + name;
    return require_kind(FileKind::Text, text.substr(0, kKindBytes), place)
        .and_then([&] { return require_utf8(text, place); })
        .map([&] {
            const std::string_view plain = without_byte_order_mark(text);
            return QString::fromUtf8(plain.data(), static_cast<qsizetype>(plain.size()));
        });
}

QList<OptionSpec> exportOptions() {
    const auto option = [](const char* name, const char* value, const char* help, bool may_be_empty = false) {
        return OptionSpec{QString::fromLatin1(name), QString::fromUtf8(value), QString::fromUtf8(help), may_be_empty};
    };
    return {
        option("--session", "FILE", "a .headscope file, or a picture that carries its state; other options change it"),
        option("--tokens", "TEXT", "a line per sequence", true),
        option("--tokens-file", "FILE", "the same from a UTF-8 file; - reads standard input"),
        option("--tokenizer", "NAME", "space, words, characters (space)"),
        option("--embed-dim", "N", "numbers a token (512)"),
        option("--num-heads", "N", "must divide embed_dim (8)"),
        option("--weights", "SOURCE",
               "textbook, seed, or a weights file: safetensors, npz, an index, or a model's folder (textbook)"),
        option("--layer", "LAYER", "of a file with several, by number or name"),
        option("--layout", "NAME",
               "of a file's fused weights: interleaved, blocks, transposed, separate (by the names)"),
        option("--seed", "N", "0 to 2^64-1, as torch.manual_seed (0)"),
        {QStringLiteral("--mask"), QStringLiteral("EXPRESSION"),
         QString::fromStdString("none, or layers joined by , that must all allow a cell, each layer patterns joined by "
                                "+ of which one must: " +
                                pattern_forms() +
                                ", which ends in .json, .csv or .npy; rules of the scores: " + score_rule_forms() +
                                "; by head: \"head 0-3: causal; other heads: causal,alibi\" (none)")},
        option("--fill", "NAME", "of masked cells: safe, inf, 1e9 (safe)"),
        option("--scale", "NUMBER", "auto, which is 1/sqrt(head_dim), or a number (auto)"),
        option("--precision", "NAME", "float32, float64, bfloat16, float16 (float32)"),
        option("--chunk-size", "N", "queries at a time; or whole (256)"),
        option("--key-chunk-size", "N", "keys at a time; or whole (whole)"),
        option("--sequence", "N", "of the batch; a list as 0,1 with %s in the name OUT, a file each; or all (0)"),
        option("--head", "N", "or a list as 0,3,5 with %h in the name OUT, a file each; or all (all)"),
        option("--stage", "NAME", "weights, scores, masked, mask, q, k, v (weights)"),
        option("--rows", "A:B", "of .csv and .json: only the rows A to B-1, as in 1000:1200 or :500"),
        option("--columns", "A:B", "the same of the columns"),
        option("--range", "NAME", "of the colours: unit, head, shared, log (unit for weights, shared for the rest)"),
        option("--palette", "NAME", "viridis, cividis, magma, greys, diverging (viridis; diverging for signed stages)"),
        option("--size", "WxH", "of the picture, in 1/96 inch, or in millimetres as 85x60mm (960x640)"),
        option("--dpi", "N", "36 to 1200: a PNG has size x dpi / 96 pixels (96)"),
        option("--theme", "NAME", "light, dark (light)"),
        option("--title", "TEXT", "above the picture", true),
        option("--numbers", "", "the number of each cell, where it fits"),
        option("--no-caption", "", "neither notes nor the configuration below the maps"),
        option("--trim", "", "cuts the empty margins beside the maps"),
        option("--language", "NAME", "of the picture's words: en, zh_CN (en)"),
        option("--no-state", "", "a picture that can't be opened again; it holds neither text nor names of files"),
        option("--help", "", "this text"),
    };
}

Result<ExportJob> readExportJob(const Arguments& arguments) {
    return JobReader(arguments).read();
}

}  // namespace headscope
