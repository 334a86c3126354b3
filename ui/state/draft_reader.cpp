// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/draft.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/attention/plan.h"
#include "core/attention/query_key.h"
#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "ui/state/file_store.h"
#include "ui/state/tokenizer.h"

namespace headscope {
namespace {

constexpr std::uint64_t kMaxChunk = std::numeric_limits<std::int64_t>::max();

std::optional<std::uint64_t> digits(const QString& text) {
    const bool plain = std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool fits = false;
    const quint64 number = text.toULongLong(&fits, 10);
    return plain && fits ? std::optional<std::uint64_t>(number) : std::nullopt;
}

Result<std::uint64_t> wholeNumber(const char* name, const QString& text, std::uint64_t low, std::uint64_t high) {
    const auto number = digits(text);
    if (number && *number >= low && *number <= high) return *number;
    if (text.isEmpty())
        return fail(ErrorCode::InvalidValue,
                    QT_TRANSLATE_NOOP("Error", "{} is empty; it must be a whole number from {} to {}"), name, low,
                    high);
    return fail(ErrorCode::InvalidValue,
                QT_TRANSLATE_NOOP("Error", "{} is '{}'; it must be a whole number from {} to {}"), name,
                text.toStdString(), low, high);
}

Result<std::optional<std::int64_t>> chunkSize(const char* name, const QString& text) {
    if (text == u"whole") return std::nullopt;
    const auto number = digits(text);
    if (number && *number >= 1 && *number <= kMaxChunk) return static_cast<std::int64_t>(*number);
    return fail(ErrorCode::InvalidValue,
                QT_TRANSLATE_NOOP("Error", "{} is '{}'; it must be 'whole' or a whole number of at least 1"), name,
                text.toStdString());
}

Result<std::optional<double>> scaleFactor(const QString& text) {
    if (text == u"auto") return std::nullopt;
    bool ok = false;
    const double number = text.toDouble(&ok);  // in the C locale, independent of the system's
    if (ok && std::isfinite(number)) return number;
    return fail(ErrorCode::InvalidValue,
                QT_TRANSLATE_NOOP("Error", "scale is '{}'; it must be 'auto' (1/√head_dim) or a number such as 0.125"),
                text.toStdString());
}

Result<Tokenizer> tokenizerNamed(const QString& word) {
    if (const auto tokenizer = parseTokenizer(word)) return *tokenizer;
    return fail(ErrorCode::InvalidValue,
                QT_TRANSLATE_NOOP("Error", "tokenizer is '{}'; it must be space, words or characters"),
                word.toStdString());
}

/// "1, 2, 4, 8, 16 …"
std::string listOf(const std::vector<std::int64_t>& numbers) {
    constexpr std::size_t shown = 12;
    const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(shown, numbers.size()));
    const std::string list = fmt::format("{}", fmt::join(numbers.begin(), end, ", "));
    return numbers.size() > shown ? list + " …" : list;
}

class Reader {
public:
    Reader(const Draft& draft, FileStore& files, const Request* shown) : draft_(draft), files_(files), shown_(shown) {}
    Reading read();

private:
    QString word(Field field) const { return draft_.value(field).trimmed(); }
    void refuse(Field field, Error error) { reading_.problems.append({field, std::move(error)}); }
    template <typename... Args>
    void refuse(Field field, ErrorCode code, const char* text, const Args&... args) {
        refuse(field, fail(code, text, args...).value());
    }
    bool refused(Field field) const { return reading_.problem(field) != nullptr; }

    /// The value of a result; for an error, adds it to the problems.
    template <typename T>
    std::optional<T> take(Field field, Result<T> result) {
        if (result) return std::move(*result);
        refuse(field, std::move(result.error()));
        return std::nullopt;
    }
    template <typename T>
    void read(Field field, Result<T> result, T& into) {
        if (auto value = take(field, std::move(result))) into = std::move(*value);
    }

    void readWeights();
    void readFile(std::optional<Layout> layout);
    std::string chosenLayer();
    void readRecording();
    void readRecordedLayer();
    void readEmbedDim();
    void readNumHeads();
    void readText();
    void readMask();
    Result<HeadExpression> withCells(HeadExpression expression);
    void checkLayer();
    void makeBatch();
    Result<void> fits(const Request& request, const std::string& what) const;
    std::int64_t sequenceLength() const;
    const Batch* fileBatch() const { return headscope::fileBatch(reading_); }

    const Draft& draft_;
    FileStore& files_;
    const Request* shown_;
    Reading reading_;
    Request request_;
    std::vector<std::vector<std::string>> lines_;
};

void Reader::readWeights() {
    const QString& weights = draft_.value(Field::Weights);
    std::optional<Layout> layout;
    if (const QString name = word(Field::Layout); !name.isEmpty())
        layout = take(Field::Layout, parse_layout(name.toStdString()));

    request_.source = weights == u"textbook" ? WeightSource::Textbook
                      : weights == u"seed"   ? WeightSource::Seed
                                             : WeightSource::File;
    if (weights.isEmpty())
        return refuse(Field::Weights, ErrorCode::InvalidValue,
                      QT_TRANSLATE_NOOP(
                          "Error", "weights is empty; it must be textbook, seed or the path of a safetensors file"));
    if (request_.source != WeightSource::File || refused(Field::Layout)) return;
    readFile(layout);
}

/// Lists the layers of the file, then reads the chosen one. Where there are several, an error of one belongs to the
/// choice of the layer.
void Reader::readFile(std::optional<Layout> layout) {
    const QString& path = draft_.value(Field::Weights);
    auto listed = files_.layers(path);
    if (listed) read(Field::Weights, std::move(*listed), reading_.layers);
    if (refused(Field::Weights)) return;
    if (listed && reading_.layers->empty()) return readRecording();
    auto file = listed ? files_.layer(path, layout, QString::fromStdString(chosenLayer())) : std::nullopt;
    if (file) {
        const bool several = reading_.layers->size() > 1;
        read(several ? Field::Layer : Field::Weights, std::move(*file), reading_.file);
        request_.file = reading_.file;
    } else {
        reading_.waits = true;
    }
}

/// As read_layer_file() takes it. Without a choice it is the first layer that can be computed.
std::string Reader::chosenLayer() {
    const ModelLayers& layers = *reading_.layers;
    const std::string choice = word(Field::Layer).toStdString();
    if (!choice.empty()) {
        reading_.layer = find_layer(layers, choice);
        return choice;
    }
    if (layers.size() < 2) return choice;
    const auto first = std::find_if(layers.begin(), layers.end(), [](const auto& layer) { return !!layer.info; });
    reading_.layer = first == layers.end() ? 0 : static_cast<std::size_t>(first - layers.begin());
    return std::to_string(*reading_.layer);
}

/// A file without a layer may hold attention that was recorded.
void Reader::readRecording() {
    auto recording = files_.recording(draft_.value(Field::Weights));
    if (!recording) {
        reading_.waits = true;
        return;
    }
    read(Field::Weights, std::move(*recording), reading_.recording);
    if (!reading_.recording) return;
    request_.source = WeightSource::Recording;
    request_.recording = reading_.recording;
    readRecordedLayer();
}

void Reader::readRecordedLayer() {
    const std::int64_t last = reading_.recording->layers() - 1;
    const QString text = word(Field::Layer);
    const auto number = text.isEmpty() ? std::optional<std::uint64_t>(0) : digits(text);
    if (!number || *number > static_cast<std::uint64_t>(last))
        return refuse(Field::Layer, ErrorCode::InvalidValue,
                      QT_TRANSLATE_NOOP("Error", "layer is '{}'; the layers of {} are numbered from 0 to {}"),
                      text.toStdString(), reading_.recording->path(), last);
    reading_.layer = static_cast<std::size_t>(*number);
    request_.recorded_layer = static_cast<std::int64_t>(*number);
}

void Reader::readEmbedDim() {
    if (reading_.recording) {  // has no vectors
        request_.embed_dim = reading_.recording->num_heads();
        return;
    }
    const QString text = word(Field::EmbedDim);
    const bool left_to_file = text.isEmpty() && request_.source == WeightSource::File;
    if (!left_to_file) {
        const auto number = take(Field::EmbedDim, wholeNumber("embed_dim", text, 1, kLargestEmbedDim));
        if (number) request_.embed_dim = static_cast<std::int64_t>(*number);
        if (number && reading_.file && request_.embed_dim != reading_.file->embed_dim)
            refuse(Field::EmbedDim, ErrorCode::InvalidPair,
                   QT_TRANSLATE_NOOP("Error", "embed_dim is {}, but the layer in {} has {}; leave it out or give {}"),
                   request_.embed_dim, reading_.file->path, reading_.file->embed_dim, reading_.file->embed_dim);
    }
    if (reading_.file) request_.embed_dim = reading_.file->embed_dim;
}

void Reader::readNumHeads() {
    const QString text = word(Field::NumHeads);
    if (reading_.recording) {
        request_.num_heads = reading_.recording->num_heads();
        if (!text.isEmpty() && text != QString::number(request_.num_heads))
            refuse(Field::NumHeads, ErrorCode::InvalidPair,
                   QT_TRANSLATE_NOOP("Error", "num_heads is '{}', but the recording {} has {}; leave it out"),
                   text.toStdString(), reading_.recording->path(), request_.num_heads);
        return;
    }
    if (text.isEmpty() && request_.source == WeightSource::File) {
        if (!reading_.file) return;
        if (!reading_.file->num_heads)
            return refuse(
                Field::NumHeads, ErrorCode::InvalidValue,
                QT_TRANSLATE_NOOP("Error", "{} doesn't say num_heads; give one that divides its embed_dim {}: {}"),
                reading_.file->path, request_.embed_dim, listOf(legal_num_heads(*reading_.file)));
        request_.num_heads = *reading_.file->num_heads;
    } else {
        const auto number = take(Field::NumHeads, wholeNumber("num_heads", text, 1, kLargestEmbedDim));
        if (!number) return;
        request_.num_heads = static_cast<std::int64_t>(*number);
    }
    const bool embed_dim_known = !refused(Field::EmbedDim) && (request_.source != WeightSource::File || reading_.file);
    if (!embed_dim_known) return;
    const auto checked = reading_.file ? check_heads(*reading_.file, request_.num_heads)
                                       : check_heads(request_.embed_dim, request_.num_heads);
    if (!checked) refuse(Field::NumHeads, checked.error());
}

void Reader::readText() {
    const auto tokenizer = take(Field::Tokenizer, tokenizerNamed(word(Field::Tokenizer)));
    if (fileBatch()) return;  // replaces the typed tokens
    if (!tokenizer) return;
    lines_ = tokenize(draft_.value(Field::Text), *tokenizer);
    if (std::all_of(lines_.begin(), lines_.end(), [](const auto& line) { return line.empty(); }))
        refuse(Field::Text, ErrorCode::NoTokens,
               QT_TRANSLATE_NOOP("Error", "the text holds no token; give at least one, with a sequence on each line"));
}

std::int64_t Reader::sequenceLength() const {
    if (const Batch* batch = fileBatch()) return batch->sequence_length();
    std::size_t longest = 0;
    for (const auto& line : lines_) longest = std::max(longest, line.size());
    return static_cast<std::int64_t>(longest);
}

/// Calls f for every file of an expression.
template <typename Expression, typename F>
void forEachFile(Expression& expression, F&& f) {
    for (auto& part : expression.parts())
        for (auto& layer : part.mask.layers)
            for (auto& pattern : layer)
                if (pattern.kind == MaskPattern::Kind::File) f(pattern);
}

/// The masks with the cells of their files. Files that are still being read are omitted, and the draft waits for them.
Result<HeadExpression> Reader::withCells(HeadExpression expression) {
    std::optional<Error> error;
    forEachFile(expression, [&](MaskPattern& pattern) {
        auto cells = files_.mask(QString::fromStdString(pattern.path));
        if (cells && !*cells && !error) error = cells->error();
        if (cells && *cells) pattern.painted = **cells;
        reading_.waits |= !cells;
    });
    if (error) return tl::unexpected(*error);
    return expression;
}

void Reader::readMask() {
    const QString& typed = draft_.value(Field::Mask);  // not trimmed: the name of a mask file may end with a space
    const bool empty = word(Field::Mask).isEmpty();
    const bool from_file = empty && reading_.file && reading_.file->mask;
    const std::string text = from_file ? *reading_.file->mask : empty ? "none" : typed.toStdString();
    auto mask = parse_heads(text).and_then([this](HeadExpression read) { return withCells(std::move(read)); });
    if (!mask && from_file)
        return refuse(Field::Mask, mask.error().code,
                      QT_TRANSLATE_NOOP("Error", "the mask that {} names can't be used: {}"), reading_.file->path,
                      mask.error().message());
    read(Field::Mask, std::move(mask), request_.mask);

    const std::int64_t length = sequenceLength();
    // An empty text is reported by its own field, and a file being read may contain its own text.
    if (length > 0 && !reading_.waits)
        forEachFile(request_.mask, [&](const MaskPattern& pattern) {
            if (!pattern.painted || pattern.painted->size == length || refused(Field::Mask)) return;
            refuse(Field::Mask, ErrorCode::InvalidMask,
                   QT_TRANSLATE_NOOP("Error",
                                     "the mask file '{0}' is {1}x{1}, but the sequences have the length {2}; it "
                                     "must be {2}x{2}"),
                   pattern.path, pattern.painted->size, length);
        });
    if (!refused(Field::Mask) && !reading_.waits && !refused(Field::NumHeads)) {
        const auto heads = check_heads(request_.mask, request_.num_heads);
        if (!heads) refuse(Field::Mask, heads.error());
    }
    if (!refused(Field::Mask) && !reading_.waits) reading_.mask = request_.mask;
}

/// Checks the memory needed besides the parts of the displayed trace, which are reused.
Result<void> Reader::fits(const Request& request, const std::string& what) const {
    const Reuse reuse = shown_ ? reusable(request, *shown_, same_mask(request, *shown_)) : Reuse{};
    return needed_bytes(request, reuse).and_then([&](std::uint64_t bytes) { return require_memory(bytes, what); });
}

/// Checks with the shortest text: if even that doesn't fit, the layer is too large.
void Reader::checkLayer() {
    Request least = request_;
    least.batch = make_batch({{"a"}});
    const auto enough = fits(least, phrase("this layer"));
    const bool from_file = reading_.file || reading_.recording;
    if (!enough) refuse(from_file ? Field::Weights : Field::EmbedDim, enough.error());
}

/// Padding can multiply the size of a text (one long line among many short ones), so its size is checked before it is
/// built.
void Reader::makeBatch() {
    const Batch* from_file = fileBatch();
    if (from_file) {
        request_.batch = *from_file;
    } else {
        const auto token_bytes = static_cast<std::int64_t>(sizeof(std::string)) + 4 * request_.embed_dim;
        const auto bytes = checked_product({static_cast<std::int64_t>(lines_.size()), sequenceLength(), token_bytes});
        const auto enough = bytes.and_then([](std::int64_t b) {
            return require_memory(static_cast<std::uint64_t>(b), phrase("the batch of tokens"));
        });
        if (!enough) return refuse(Field::Text, enough.error());
        request_.batch = make_batch(lines_);
    }
    const auto enough = fits(request_, phrase("this computation"));
    if (!enough) refuse(from_file ? Field::Weights : Field::Text, enough.error());
}

Reading Reader::read() {
    readWeights();
    readEmbedDim();
    readNumHeads();
    readText();
    readMask();
    read(Field::Seed, wholeNumber("seed", word(Field::Seed), 0, std::numeric_limits<std::uint64_t>::max()),
         request_.seed);
    read(Field::Fill, parse_fill(word(Field::Fill).toStdString()), request_.fill);
    read(Field::Scale, scaleFactor(word(Field::Scale)), request_.scale);
    if (!request_.scale && reading_.file) request_.scale = reading_.file->scale;
    read(Field::Precision, parse_precision(word(Field::Precision).toStdString()), request_.precision);
    if (reading_.recording)
        request_.precision = reading_.recording->dtype() == "F64" ? Precision::Float64 : Precision::Float32;
    const bool layer_known = !refused(Field::EmbedDim) && !refused(Field::NumHeads) && !refused(Field::Precision);
    if (layer_known && !refused(Field::Mask))
        if (const auto rules = check_rules(request_); !rules) refuse(Field::Mask, rules.error());
    read(Field::ChunkSize, chunkSize("chunk size", word(Field::ChunkSize)), request_.chunk_size);
    read(Field::KeyChunkSize, chunkSize("key chunk size", word(Field::KeyChunkSize)), request_.key_chunk_size);

    const auto legal = [this] { return reading_.problems.isEmpty() && !reading_.waits; };
    if (legal()) checkLayer();
    if (legal()) makeBatch();
    if (legal()) reading_.request = std::move(request_);
    std::stable_sort(reading_.problems.begin(), reading_.problems.end(),
                     [](const Problem& a, const Problem& b) { return a.field < b.field; });
    return std::move(reading_);
}

}  // namespace

Reading readDraft(const Draft& draft, FileStore& files, const Request* shown) {
    return Reader(draft, files, shown).read();
}

Reading readDraft(const Draft& draft) {
    FileStore files(FileStore::Mode::AtOnce);
    return readDraft(draft, files);
}

}  // namespace headscope
