// SPDX-License-Identifier: GPL-3.0-or-later
// The table of mask patterns: each row describes one.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "core/masks/pattern.h"
#include "core/masks/random_keys.h"

namespace headscope {

namespace {

using Kind = MaskPattern::Kind;

TileKind either(bool full, bool empty) {
    return full ? TileKind::FullyAllowed : empty ? TileKind::FullyMasked : TileKind::Mixed;
}

/// True if a multiple of step is in [from, to].
bool has_multiple(std::int64_t from, std::int64_t to, std::int64_t step) {
    if (from > to) return false;
    const std::int64_t remainder = ((to % step) + step) % step;
    return to - remainder >= from;
}

/// Classifies runs of tokens that attend only to themselves, from the runs of the first and last query and key.
TileKind kind_of_runs(std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1) {
    return either(i0 == i1 && j0 == j1 && i0 == j0, i1 < j0 || j1 < i0);
}

/// A run of tokens.
struct Run {
    std::int64_t begin, end;
};

/// The document of a token; tokens beyond the last length form one more.
Run document_at(const MaskPattern& p, std::int64_t token) {
    std::int64_t begin = 0;
    for (const std::int64_t length : p.numbers) {
        if (token < begin + length) return {begin, begin + length};
        begin += length;
    }
    return {begin, std::numeric_limits<std::int64_t>::max()};
}

/// True if a power of two is in [from, to].
bool has_power_of_two(std::int64_t from, std::int64_t to) {
    if (to < 1) return false;
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(to))) >= from;
}

constexpr PatternNumber kLocal[] = {{"LEFT", 0, 2, "←", phrase("How many tokens before the query it attends to")},
                                    {"RIGHT", 0, 0, "→", phrase("How many tokens after the query it attends to")}};
constexpr PatternNumber kStrided[] = {{"N", 1, 4, phrase("stride"), phrase("Tokens from one key to the next")}};
constexpr PatternNumber kDilated[] = {{"LEFT", 0, 2, phrase("left"), phrase("How many keys before the query")},
                                      {"RIGHT", 0, 2, phrase("right"), phrase("How many keys after the query")},
                                      {"STEP", 1, 2, phrase("step"), phrase("Tokens from one key to the next")}};
constexpr PatternNumber kGlobal[] = {{"N", 1, 1, phrase("tokens"), phrase("How many tokens are global")}};
constexpr PatternNumber kBlock[] = {{"N", 1, 4, phrase("tokens per block"), phrase("How many tokens a block has")}};
constexpr PatternNumber kPrefix[] = {{"N", 1, 3, phrase("tokens"), phrase("How many tokens the prefix has")}};
constexpr PatternNumber kDocuments[] = {
    {"L", 1, 4, phrase("tokens per document"), phrase("How many tokens this document has")}};
constexpr PatternNumber kRandom[] = {{"N", 1, 2, phrase("keys"), phrase("How many keys a query attends to")},
                                     {"SEED", 1, 1, phrase("seed"), phrase("Another seed gives other keys")}};

constexpr MaskPreset kPaddingPresets[] = {{phrase("&Padding"), "padding"}};
constexpr MaskPreset kCausalPresets[] = {{phrase("&Causal"), "causal"},
                                         {phrase("Padding &and causal"), "padding,causal"}};
constexpr MaskPreset kLocalPresets[] = {{phrase("&Local window: 2 left, 2 right"), "local:2:2"},
                                        {phrase("Sliding window with a s&ink"), "causal,local:4:0+global:1"}};
constexpr MaskPreset kStridedPresets[] = {{phrase("&Strided, as in Sparse Transformer"), "causal,strided:4"}};
constexpr MaskPreset kDilatedPresets[] = {{phrase("&Dilated window"), "dilated:2:2:2"}};
constexpr MaskPreset kGlobalPresets[] = {{phrase("Long&former: a window and global tokens"), "local:2:2+global:1"}};
constexpr MaskPreset kBlockPresets[] = {{phrase("&Blocks of 4"), "block:4"}};
constexpr MaskPreset kPrefixPresets[] = {{phrase("Prefi&x of 3 and causal (prefix-LM)"), "causal+prefix:3"}};
constexpr MaskPreset kDocumentsPresets[] = {{phrase("Packed d&ocuments of 4 and 3 tokens"), "documents:4:3"},
                                            {phrase("Packed documents &under a causal mask"), "causal,documents:4:3"}};
constexpr MaskPreset kRandomPresets[] = {
    {phrase("Random keys, a window and global tokens (Bi&gBird)"), "random:2:1+local:1:1+global:1"}};
constexpr MaskPreset kLogarithmicPresets[] = {{phrase("Logarith&mic and causal (LogSparse)"), "causal,logarithmic"}};

constexpr auto kTypes = std::to_array<PatternType>({
    {.kind = Kind::Padding,
     .word = "padding",
     .layer = LayerKind::Padding,
     .box = PatternBox::Own,
     .label = phrase("&Padding"),
     .tip = phrase("No query attends to a [PAD] key. A query at a [PAD] position is still computed."),
     .presets = kPaddingPresets,
     .row = [](const MaskPattern&, const RowStretch& s, const RowCells& cells) { cells.allow_where(s.real, s.size); },
     .tile =
         [](const MaskPattern&, const CellRectangle& r) {
             const auto masked = std::count(r.real + r.j0, r.real + r.j1, std::uint8_t{0});
             return either(masked == 0, masked == r.j1 - r.j0);
         },
     .python = [](const MaskPattern&) -> PatternPython {
         return {.expression = "real[:, None, None, :]", .cell = "real[b, j]"};
     },
     .sentence = [](const MaskPattern&) { return say("padding: [PAD] keys are masked"); },
     .short_name = [](const MaskPattern&) { return say("the padding layer"); }},

    {.kind = Kind::Causal,
     .word = "causal",
     .layer = LayerKind::Causal,
     .box = PatternBox::Own,
     .label = phrase("&Causal"),
     .tip = phrase("A query attends to itself and to the keys before it, never to a later one."),
     .presets = kCausalPresets,
     .row = [](const MaskPattern&, const RowStretch& s, const RowCells& cells) { cells.allow(0, s.query + 1); },
     .tile = [](const MaskPattern&, const CellRectangle& r) { return either(r.high() <= 0, r.low() > 0); },
     .python = [](const MaskPattern&) -> PatternPython { return {"(j <= i)"}; },
     .sentence = [](const MaskPattern&) { return say("causal: keys after the query are masked"); },
     .short_name = [](const MaskPattern&) { return say("the causal layer"); }},

    {.kind = Kind::Local,
     .word = "local",
     .numbers = kLocal,
     .layer = LayerKind::Window,
     .box = PatternBox::Own,
     .label = phrase("&Local"),
     .tip =
         phrase("A query attends to a window of tokens to its left and right, both inclusive, and always to itself."),
     .presets = kLocalPresets,
     .row = [](const MaskPattern& p, const RowStretch& s,
               const RowCells& cells) { cells.allow(s.query - p.numbers[0], s.query + p.numbers[1] + 1); },
     .tile =
         [](const MaskPattern& p, const CellRectangle& r) {
             const std::int64_t left = p.numbers[0], right = p.numbers[1];
             return either(r.low() >= -left && r.high() <= right, r.high() < -left || r.low() > right);
         },
     .python = [](const MaskPattern& p) -> PatternPython {
         return {fmt::format("((j >= i - {}) & (j <= i + {}))", p.numbers[0], p.numbers[1])};
     },
     .sentence =
         [](const MaskPattern& p) {
             return say("window: {} to the left, {} to the right", p.numbers[0], p.numbers[1]);
         },
     .short_name = [](const MaskPattern& p) { return say("the window {}", to_string({p})); }},

    {.kind = Kind::Strided,
     .word = "strided",
     .numbers = kStrided,
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Strided"),
     .tip = phrase("strided: the keys less than N tokens away on either side, and those at multiples of N."),
     .presets = kStridedPresets,
     .row =
         [](const MaskPattern& p, const RowStretch& s, const RowCells& cells) {
             const std::int64_t n = p.numbers[0];
             cells.allow(s.query - n + 1, s.query + n);
             cells.allow_each(s.query % n, s.size - 1, n);
         },
     .tile =
         [](const MaskPattern& p, const CellRectangle& r) {
             const std::int64_t n = p.numbers[0], low = r.low(), high = r.high();
             const bool near = low < n && high > -n;
             return either(n == 1 || (low > -n && high < n), !near && !has_multiple(low, high, n));
         },
     .python = [](const MaskPattern& p) -> PatternPython {
         return {fmt::format("((abs(j - i) < {0}) | ((j - i) % {0} == 0))", p.numbers[0])};
     },
     .sentence =
         [](const MaskPattern& p) {
             return say("strided: keys less than {0} away and at multiples of {0}", p.numbers[0]);
         }},

    {.kind = Kind::Dilated,
     .word = "dilated",
     .numbers = kDilated,
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Dilated"),
     .tip = phrase("dilated: a window of LEFT keys before the query and RIGHT after it, STEP tokens apart."),
     .presets = kDilatedPresets,
     .row =
         [](const MaskPattern& p, const RowStretch& s, const RowCells& cells) {
             const std::int64_t step = p.numbers[2];
             const std::int64_t left = std::min(p.numbers[0], s.query / step),
                                right = std::min(p.numbers[1], (s.size - 1 - s.query) / step);
             cells.allow_each(s.query - left * step, s.query + right * step, step);
         },
     .tile =
         [](const MaskPattern& p, const CellRectangle& r) {
             const std::int64_t step = p.numbers[2], steps = r.size / step;  // none is farther away
             const std::int64_t from = -std::min(p.numbers[0], steps) * step, to = std::min(p.numbers[1], steps) * step;
             const std::int64_t low = r.low(), high = r.high();
             const bool inside = low >= from && high <= to;
             return either(inside && (step == 1 || (low == high && low % step == 0)),
                           !has_multiple(std::max(low, from), std::min(high, to), step));
         },
     .python = [](const MaskPattern& p) -> PatternPython {
         return {fmt::format("((j - i >= {}) & (j - i <= {}) & ((j - i) % {} == 0))", -p.numbers[0] * p.numbers[2],
                             p.numbers[1] * p.numbers[2], p.numbers[2])};
     },
     .sentence =
         [](const MaskPattern& p) {
             return say("dilated: {} to the left and {} to the right in steps of {}", p.numbers[0], p.numbers[1],
                        p.numbers[2]);
         }},

    {.kind = Kind::Global,
     .word = "global",
     .numbers = kGlobal,
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Global"),
     .tip = phrase("global: the first N tokens attend to every key, and every query attends to them."),
     .presets = kGlobalPresets,
     .row = [](const MaskPattern& p, const RowStretch& s,
               const RowCells& cells) { cells.allow(0, s.query < p.numbers[0] ? s.size : p.numbers[0]); },
     .tile =
         [](const MaskPattern& p, const CellRectangle& r) {
             const std::int64_t n = p.numbers[0];
             return either(r.i1 <= n || r.j1 <= n, r.i0 >= n && r.j0 >= n);
         },
     .python = [](const MaskPattern& p) -> PatternPython {
         return {fmt::format("((i < {0}) | (j < {0}))", p.numbers[0])};
     },
     .sentence =
         [](const MaskPattern& p) {
             return say("global: the first {} attend to all, and all attend to them", p.numbers[0]);
         }},

    {.kind = Kind::Block,
     .word = "block",
     .numbers = kBlock,
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Block"),
     .tip = phrase("block: blocks of N tokens, each of which attends to itself alone."),
     .presets = kBlockPresets,
     .row =
         [](const MaskPattern& p, const RowStretch& s, const RowCells& cells) {
             const std::int64_t begin = s.query / p.numbers[0] * p.numbers[0];
             cells.allow(begin, begin + p.numbers[0]);
         },
     .tile =
         [](const MaskPattern& p, const CellRectangle& r) {
             const std::int64_t n = p.numbers[0];
             return kind_of_runs(r.i0 / n, (r.i1 - 1) / n, r.j0 / n, (r.j1 - 1) / n);
         },
     .python = [](const MaskPattern& p) -> PatternPython {
         return {fmt::format("(i // {0} == j // {0})", p.numbers[0])};
     },
     .sentence = [](const MaskPattern& p) { return say("blocks of {}", p.numbers[0]); }},

    {.kind = Kind::Prefix,
     .word = "prefix",
     .numbers = kPrefix,
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Prefix"),
     .tip = phrase("prefix: every query attends to the first N keys; causal+prefix:N is a prefix-LM."),
     .presets = kPrefixPresets,
     .row = [](const MaskPattern& p, const RowStretch&, const RowCells& cells) { cells.allow(0, p.numbers[0]); },
     .tile = [](const MaskPattern& p,
                const CellRectangle& r) { return either(r.j1 <= p.numbers[0], r.j0 >= p.numbers[0]); },
     .python = [](const MaskPattern& p) -> PatternPython { return {fmt::format("(j < {})", p.numbers[0])}; },
     .sentence =
         [](const MaskPattern& p) { return say("prefix: every query attends to the first {} keys", p.numbers[0]); }},

    {.kind = Kind::Documents,
     .word = "documents",
     .numbers = kDocuments,
     .repeats = true,
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Documents"),
     .tip =
         phrase("documents: packed documents of these lengths, each of which attends to itself alone; what follows the "
                "last is one more."),
     .presets = kDocumentsPresets,
     .row =
         [](const MaskPattern& p, const RowStretch& s, const RowCells& cells) {
             const Run run = document_at(p, s.query);
             cells.allow(run.begin, run.end);
         },
     .tile =
         [](const MaskPattern& p, const CellRectangle& r) {
             return kind_of_runs(document_at(p, r.i0).begin, document_at(p, r.i1 - 1).begin, document_at(p, r.j0).begin,
                                 document_at(p, r.j1 - 1).begin);
         },
     .python = [](const MaskPattern& p) -> PatternPython {
         const std::string ends = fmt::format("torch.tensor([{}]).cumsum(0)", fmt::join(p.numbers, ", "));
         const std::string table = fmt::format("document_{}", fmt::join(p.numbers, "_"));
         return {.expression =
                     fmt::format("(torch.bucketize(i, {0}, right=True) == torch.bucketize(j, {0}, right=True))", ends),
                 .cell = fmt::format("({0}[i] == {0}[j])", table),
                 .cell_before = fmt::format("{} = torch.bucketize(torch.arange(S), {}, right=True)\n", table, ends)};
     },
     .sentence =
         [](const MaskPattern& p) {
             return say("documents of {} tokens, and the rest", fmt::format("{}", fmt::join(p.numbers, ", ")));
         }},

    {.kind = Kind::Random,
     .word = "random",
     .numbers = kRandom,
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Random"),
     .tip = phrase("random: N random keys for each query, the same for every sequence and head."),
     .presets = kRandomPresets,
     .row =
         [](const MaskPattern& p, const RowStretch& s, const RowCells& cells) {
             const RandomKeys keys(p.numbers[1], s.query, s.size);
             const std::int64_t count = std::min(p.numbers[0], s.size);
             if (count < s.count) {
                 for (std::int64_t n = 0; n < count; ++n) cells.allow_each(keys.key(n), keys.key(n), 1);
             } else {
                 for (std::int64_t j = cells.first; j < cells.end; ++j)
                     cells.cells[j - cells.first] |= static_cast<std::uint8_t>(keys.place(j) < count);
             }
         },
     .tile = kind_of_rows,
     .python = [](const MaskPattern& p) -> PatternPython {
         const std::string call = fmt::format("random_keys({}, {})", p.numbers[0], p.numbers[1]),
                           table = fmt::format("random_{}_{}", p.numbers[0], p.numbers[1]);
         return {.expression = call,
                 .before = std::string(kRandomKeysPython),
                 .cell = table + "[i, j]",
                 .cell_before = fmt::format("{} = {}\n", table, call)};
     },
     .sentence =
         [](const MaskPattern& p) {
             return say("random: {} keys for each query, seed {}", p.numbers[0], p.numbers[1]);
         }},

    {.kind = Kind::Logarithmic,
     .word = "logarithmic",
     .layer = LayerKind::Sparse,
     .box = PatternBox::Sparse,
     .label = phrase("Logarithmic"),
     .tip = phrase("logarithmic: the keys 0, 1, 2, 4, 8 … tokens away; with causal this is LogSparse."),
     .presets = kLogarithmicPresets,
     .row =
         [](const MaskPattern&, const RowStretch& s, const RowCells& cells) {
             cells.allow(s.query, s.query + 1);
             for (std::int64_t away = 1; away < s.size; away *= 2) {
                 cells.allow(s.query - away, s.query - away + 1);
                 cells.allow(s.query + away, s.query + away + 1);
             }
         },
     .tile =
         [](const MaskPattern&, const CellRectangle& r) {
             const std::int64_t low = r.low(), high = r.high();
             const bool any = (low <= 0 && high >= 0) || has_power_of_two(low, high) || has_power_of_two(-high, -low);
             return either((low >= -2 && high <= 2) || (any && low == high), !any);
         },
     .python = [](const MaskPattern&) -> PatternPython { return {"((abs(j - i) & (abs(j - i) - 1)) == 0)"}; },
     .sentence = [](const MaskPattern&) { return say("logarithmic: keys 0, 1, 2, 4, 8 … tokens away"); }},

    {.kind = Kind::File,
     .word = "file",
     .layer = LayerKind::Painted,
     .box = PatternBox::File,
     .label = phrase("From file"),
     .tip = phrase("Reads from a file which cells are allowed: S×S of 0 and 1, as JSON, CSV or npy; 1 = allowed."),
     .row =
         [](const MaskPattern& p, const RowStretch& s, const RowCells& cells) {
             cells.allow_where(p.painted->cells.data() + s.query * p.painted->size, p.painted->size);
         },
     .tile = [](const MaskPattern& p,
                const CellRectangle& r) { return kind_of_cells(p.painted->cells.data(), p.painted->size, r); },
     .python = [](const MaskPattern&) -> PatternPython { return {"painted"}; },
     .sentence = [](const MaskPattern& p) { return say("the file {}", p.path); },
     .short_name =
         [](const MaskPattern& p) { return say("the file {}", p.path.substr(p.path.find_last_of('/') + 1)); }},

    {.kind = Kind::Painted,
     .word = "painted",
     .layer = LayerKind::Painted,
     .box = PatternBox::Painted,
     .label = phrase("Painted"),
     .tip = phrase("The cells that were painted by hand. Switched off they are kept for later."),
     .row =
         [](const MaskPattern& p, const RowStretch& s, const RowCells& cells) {
             const std::int64_t size = s.query < p.painted->size ? p.painted->size : 0;
             if (size > 0) cells.allow_where(p.painted->cells.data() + s.query * size, size);
             cells.allow(size, s.size);
         },
     .tile =
         [](const MaskPattern& p, const CellRectangle& r) {
             const std::int64_t size = p.painted->size;  // everything beyond is allowed
             if (r.i1 <= size && r.j1 <= size) return kind_of_cells(p.painted->cells.data(), p.painted->size, r);
             return either(r.i0 >= size || r.j0 >= size, false);
         },
     .python = [](const MaskPattern&) -> PatternPython { return {"painted"}; },
     .sentence = [](const MaskPattern&) { return say("painted by hand"); },
     .short_name = [](const MaskPattern&) { return say("the painted layer"); }},
});

consteval bool in_order() {
    for (std::size_t n = 0; n < kTypes.size(); ++n) {
        if (kTypes[n].kind != static_cast<Kind>(n)) return false;
    }
    return kTypes.back().kind == Kind::Painted;  // the last
}
static_assert(in_order(), "the table follows MaskPattern::Kind");

}  // namespace

std::span<const PatternType> pattern_types() {
    return kTypes;
}

}  // namespace headscope
