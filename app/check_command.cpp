// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/check_command.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "core/files/mask_file.h"
#include "core/files/npy_file.h"
#include "core/masks/mask_doctor.h"
#include "core/masks/mask_layers.h"

namespace headscope {
namespace {

const QString kCheck = QStringLiteral("--check-mask"), kMeant = QStringLiteral("--meant"),
              kJson = QStringLiteral("--json");

Result<MaskExpression> readMeaning(const QString& text) {
    auto meant =
        parse_mask(text.toStdString()).and_then([](MaskExpression mask) { return load_mask_files(std::move(mask)); });
    if (!meant) return fail(meant.error().code, "--meant: {}", meant.error().message());
    return meant;
}

/// A float matrix of zeros could be additive, and then allows everything; as a mask of an expression it is refused.
/// Here it is what a reader of 0 and 1 makes of it, so that the mistake can be named.
std::optional<PaintedMask> zerosOf(const std::string& file) {
    const auto array = read_npy(file);
    if (!array || !array->is_floating() || array->shape.size() < 2) return std::nullopt;
    const std::int64_t size = array->shape.back();
    if (size == 0 || array->shape[array->shape.size() - 2] != size || array->size() / size != size) return std::nullopt;
    if (!require_memory(static_cast<std::uint64_t>(array->size()) * sizeof(double), file)) return std::nullopt;
    const auto values = array->values();
    if (std::any_of(values.begin(), values.end(), [](double value) { return value != 0; })) return std::nullopt;
    return paint::uniform(size, false);
}

Result<PaintedMask> readMask(const std::string& file) {
    auto mask = read_mask_file(file);
    if (mask || mask.error().code != ErrorCode::FileContent) return mask;
    if (auto zeros = zerosOf(file)) return std::move(*zeros);
    return mask;
}

/// "Off by one: the window is ...": a sentence as a line.
std::string line(const Sentence& sentence) {
    std::string text = sentence.str();
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text + ".\n";
}

std::string textOf(const std::string& file, const BitMatrix& cells, const MaskDiagnosis& diagnosis) {
    std::string text =
        fmt::format("{}: {} of {}x{} cells allowed\n", file, cells.count(), cells.queries(), cells.keys());
    for (const Sentence& sentence : explain(diagnosis)) text += line(sentence);
    return text;
}

std::string jsonOf(const std::string& file, const BitMatrix& cells, const MaskDiagnosis& diagnosis) {
    nlohmann::ordered_json object{{"file", file},
                                  {"queries", cells.queries()},
                                  {"keys", cells.keys()},
                                  {"allowed", cells.count()},
                                  {diagnosis.stated ? "meant" : "closest", short_text(diagnosis.meant)},
                                  {"equal", diagnosis.equal()},
                                  {"wrong", diagnosis.wrong}};
    object["mistake"] = nullptr;
    if (diagnosis.mistake)
        object["mistake"] = {{"name", to_string(diagnosis.mistake->mistake)},
                             {"sentence", diagnosis.mistake->sentence.str()}};
    if (diagnosis.is_instead) object["is"] = short_text(*diagnosis.is_instead);
    object["first_wrong"] = nullptr;
    if (const auto& first = diagnosis.first_wrong)
        object["first_wrong"] = {{"query", first->query}, {"key", first->key}, {"allowed", diagnosis.first_is_allowed}};
    if (diagnosis.padding_guessed) object["guessed_tokens"] = diagnosis.real;
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

QList<OptionSpec> checkMaskOptions() {
    return {
        {kCheck, QStringLiteral("FILE"),
         QStringLiteral("says what is wrong with a mask file (npy, CSV or JSON), or which expression comes closest")},
        {kMeant, QStringLiteral("EXPRESSION"), QStringLiteral("what was meant by the mask: causal,local:4:0")}};
}

bool isCheckMask(const Arguments& arguments) {
    return arguments.has(kCheck) || arguments.has(kMeant);
}

Result<void> runCheckMask(const Arguments& arguments) {
    const auto file = arguments.value(kCheck);
    if (!file) return fail(ErrorCode::InvalidValue, "--meant needs --check-mask FILE");
    if (!arguments.operands.isEmpty())
        return fail(ErrorCode::InvalidValue, "--check-mask takes one file; '{}' is one too many",
                    arguments.operands.first().toStdString());
    std::optional<MaskExpression> meant;
    if (const auto text = arguments.value(kMeant)) {
        auto expression = readMeaning(*text);
        if (!expression) return tl::unexpected(expression.error());
        meant = std::move(*expression);
    }
    const std::string name = file->toStdString();
    const auto mask = readMask(name);
    if (!mask) return fail(mask.error().code, "--check-mask: {}", mask.error().message());
    const BitMatrix cells(*mask);
    const auto diagnosis = diagnose({cells}, meant);
    if (!diagnosis) return fail(diagnosis.error().code, "--check-mask: {}", diagnosis.error().message());
    const std::string text = arguments.has(kJson) ? jsonOf(name, cells, *diagnosis) : textOf(name, cells, *diagnosis);
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    return fail(ErrorCode::FileUnwritable, "--check-mask: standard output can't be written to");
}

}  // namespace headscope
