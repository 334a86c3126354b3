// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_doctor.h"

#include <algorithm>

#include "core/masks/closest_mask.h"
#include "core/masks/expression_mistakes.h"
#include "core/masks/mask_layers.h"
#include "core/masks/mask_row.h"
#include "core/masks/mask_traits.h"

namespace headscope {

namespace {

Result<void> check_size(const CheckedMask& mask, bool stated) {
    const std::int64_t queries = mask.cells.queries(), keys = mask.cells.keys(), size = std::max(queries, keys);
    if (size == 0) return fail(ErrorCode::InvalidMask, "the mask has no cells");
    const std::int64_t most = stated ? kMostCheckedTokens : kMostSearchedTokens;
    if (size > most && stated)
        return fail(ErrorCode::InvalidMask, "the mask has {} tokens; at most {} can be checked", size, most);
    if (size > most)
        return fail(ErrorCode::InvalidMask,
                    "the mask has {} tokens; the closest expression is searched for {} at most: state what was meant",
                    size, most);
    if (queries != keys && !stated)
        return fail(ErrorCode::InvalidMask,
                    "the mask has {} queries and {} keys; the closest expression is searched for square masks: state "
                    "what was meant",
                    queries, keys);
    return {};
}

MaskDiagnosis compare(const MaskCase& masks, bool stated) {
    MaskDiagnosis diagnosis;
    diagnosis.meant = MaskExpression{masks.expression.layers};
    diagnosis.stated = stated;
    diagnosis.real = masks.real;
    diagnosis.wrong_cells = masks.given ^ masks.meant;
    diagnosis.wrong = diagnosis.wrong_cells.count();
    diagnosis.first_wrong = first_difference(masks.given, masks.meant);
    if (const auto& first = diagnosis.first_wrong)
        diagnosis.first_is_allowed = masks.given.at(first->query, first->key);
    diagnosis.mistake = name_mistake(masks);
    return diagnosis;
}

MaskDiagnosis compare(const CheckedMask& mask, const MaskExpression& meant, bool stated) {
    MaskCase masks{mask.cells, {}, meant, mask.real};
    masks.meant = cells_of(meant, masks);
    return compare(masks, stated);
}

/// Also names the expression that the mask equals, where that explains more than the number of wrong cells.
MaskDiagnosis compare_with_stated(const CheckedMask& mask, const MaskExpression& meant,
                                  const std::atomic<bool>* cancel) {
    MaskDiagnosis diagnosis = compare(mask, meant, true);
    const std::int64_t size = mask.cells.keys();
    const bool searched = mask.cells.queries() == size && size <= kMostSearchedTokens;
    const bool few = 2 * diagnosis.wrong < size;  // single wrong cells are no other expression
    if (diagnosis.mistake || few || !searched || mask.real.empty()) return diagnosis;
    ClosestMask closest = closest_mask(mask.cells, mask.real, cancel);
    if (closest.wrong == 0) diagnosis.is_instead = std::move(closest.expression);
    return diagnosis;
}

/// For every guess at the padding, the comparison in which the fewest cells differ, named mistakes first.
template <typename Compare>
MaskDiagnosis with_likely_padding(const CheckedMask& mask, Compare&& compare_with) {
    const auto size = static_cast<std::size_t>(std::max(mask.cells.queries(), mask.cells.keys()));
    std::vector<std::vector<std::uint8_t>> guesses;
    const auto add = [&](std::vector<std::uint8_t> real) {
        const bool known = std::find(guesses.begin(), guesses.end(), real) != guesses.end();
        if (real.size() == size && !known) guesses.push_back(std::move(real));
    };
    for (const BitMatrix& cells : {mask.cells, mask.cells.inverted(), mask.cells.transposed()}) add(likely_real(cells));
    add(std::vector<std::uint8_t>(size, 1));
    std::optional<MaskDiagnosis> best;
    for (const auto& real : guesses) {
        MaskDiagnosis with = compare_with(CheckedMask{mask.cells, real});
        const auto rank = [](const MaskDiagnosis& d) { return std::pair(!d.equal() && !d.mistake, d.wrong); };
        if (!best || rank(with) < rank(*best)) best = std::move(with);
    }
    best->padding_guessed = best->meant.uses_padding();
    return std::move(*best);
}

/// The closest expression to the mask; where many cells differ and no mistake explains them, also to the mask inverted,
/// transposed and both.
MaskDiagnosis search(const CheckedMask& mask, const std::atomic<bool>* cancel) {
    if (mask.cells.count() == 0) return compare(mask, MaskExpression{}, false);
    MaskDiagnosis nearest = compare(mask, closest_mask(mask.cells, mask.real, cancel).expression, false);
    constexpr std::int64_t kFew = 50;  // one cell in so many
    if (nearest.equal() || nearest.mistake || nearest.wrong * kFew < nearest.cells()) return nearest;
    const BitMatrix inverse = mask.cells.inverted();
    for (const BitMatrix& changed : {inverse, mask.cells.transposed(), inverse.transposed()}) {
        const ClosestMask closest = closest_mask(changed, mask.real, cancel);
        if (closest.wrong > 0) continue;
        MaskDiagnosis of_changed = compare(mask, closest.expression, false);
        if (of_changed.mistake) return of_changed;
    }
    return nearest;
}

}  // namespace

Result<MaskDiagnosis> diagnose(const CheckedMask& mask, const std::optional<MaskExpression>& meant,
                               const std::atomic<bool>* cancel) {
    if (auto fits = check_size(mask, meant.has_value()); !fits) return tl::unexpected(fits.error());
    if (!meant) {
        if (!mask.real.empty()) return search(mask, cancel);
        return with_likely_padding(mask, [&](const CheckedMask& known) { return search(known, cancel); });
    }
    const std::int64_t size = std::max(mask.cells.queries(), mask.cells.keys());
    if (auto legal = check_patterns(*meant, size); !legal) return tl::unexpected(legal.error());
    const auto with = [&](const CheckedMask& known) { return compare_with_stated(known, *meant, cancel); };
    if (!mask.real.empty()) return with(mask);
    if (meant->uses_padding()) return with_likely_padding(mask, with);
    return with({mask.cells, std::vector<std::uint8_t>(static_cast<std::size_t>(size), 1)});
}

std::vector<Sentence> explain(const MaskDiagnosis& diagnosis) {
    const std::string meant = short_text(diagnosis.meant);
    std::vector<Sentence> sentences;
    if (diagnosis.equal()) {
        sentences.push_back(diagnosis.stated ? say("Equal: every cell is as {} says", meant)
                                             : say("This is {}", meant));
    } else {
        if (!diagnosis.stated) sentences.push_back(say("The closest expression is {}", meant));
        if (diagnosis.is_instead)
            sentences.push_back(say("The mask is {}, not {}", short_text(*diagnosis.is_instead), meant));
        if (diagnosis.mistake) sentences.push_back(diagnosis.mistake->sentence);
        sentences.push_back(diagnosis.wrong == 1 ? say("One of {} cells differs", diagnosis.cells())
                                                 : say("{} of {} cells differ", diagnosis.wrong, diagnosis.cells()));
        const paint::Cell first = *diagnosis.first_wrong;
        sentences.push_back(
            diagnosis.first_is_allowed
                ? say("First wrong cell: query {}, key {} is allowed and should be masked", first.query, first.key)
                : say("First wrong cell: query {}, key {} is masked and should be allowed", first.query, first.key));
    }
    if (diagnosis.padding_guessed) {
        const auto tokens = std::count(diagnosis.real.begin(), diagnosis.real.end(), std::uint8_t{1});
        sentences.push_back(
            say("Padding is guessed from the cells: {} of {} tokens are real", tokens, diagnosis.real.size()));
    }
    return sentences;
}

}  // namespace headscope
