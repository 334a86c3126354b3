// SPDX-License-Identifier: GPL-3.0-or-later
// The two projections, and the conversion between rows and heads.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/thread_pool.h"
#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled_call.h"

namespace headscope::tiled {

namespace {

constexpr std::int64_t kPanel = 64;

std::int64_t rounded_up(std::int64_t n, std::int64_t unit) {
    return (n + unit - 1) / unit * unit;
}

void copy_numbers(const float* from, std::int64_t n, float* to) {
    std::copy_n(from, n, to);
}
void copy_numbers(const double* from, std::int64_t n, double* to) {
    std::copy_n(from, n, to);
}
void copy_numbers(const float* from, std::int64_t n, std::uint16_t* to) {
    rows::to_bfloat16(from, n, to);
}

/// Consecutive rows of a call's projection that belong to one sequence.
struct Stretch {
    std::int64_t sequence, first, row, count;  ///< first: in the sequence; row: in the block
};

template <typename F>
void for_each_stretch(std::int64_t first_row, std::int64_t count, std::int64_t size, F&& f) {
    for (std::int64_t row = 0; row < count;) {
        const std::int64_t sequence = (first_row + row) / size, first = (first_row + row) % size;
        const std::int64_t here = std::min(count - row, size - first);
        f(Stretch{sequence, first, row, here});
        row += here;
    }
}

/// Stores (y + bias) · factor of some rows in concatenated form. Returns true if all values are finite.
template <typename Stored>
bool put_rows(const Plan& plan, rows::Matrix<const Sum<Stored>> y, const Sum<Stored>* bias, std::int64_t count,
              Sum<Stored> factor, Stored* out) {
    const std::int64_t dh = plan.dims.head_dim();
    const bool finite = rows::add_rows(y, bias, count, dh, factor, rows::Matrix<Stored>{out, dh});
    if constexpr (std::is_same_v<Stored, Sum<Stored>>) {
        if (plan.emulated) round_all(out, count * dh, plan.precision);
    }
    return finite;
}

/// Transposes a stretch of keys into panels of 64: (S/64, Dh, 64), or (S/64, Dh/2, 64, 2) in bfloat16.
template <typename Stored>
void put_key_panels(const Plan& plan, rows::Matrix<const Sum<Stored>> y, const Sum<Stored>* bias, const Stretch& at,
                    Stored* keys, Stored* head_k) {
    const std::int64_t dh = plan.dims.head_dim(), words = dh * static_cast<std::int64_t>(sizeof(Stored)) / 4;
    constexpr auto kPerWord = 4 / static_cast<std::int64_t>(sizeof(Stored));
    for (std::int64_t done = 0; done < at.count;) {
        const std::int64_t key = at.first + done, column = key % kPanel;
        const std::int64_t here = std::min(at.count - done, kPanel - column);
        put_rows<Stored>(plan, {y.data + done * y.stride, y.stride}, bias, here, 1, keys);
        Stored* panel = head_k + (key - column) * dh;
        rows::transpose_words(keys, words, here, words, panel + column * kPerWord, kPanel);
        done += here;
    }
}

/// Stores v of a stretch. Keys with NaN or infinity are recorded, if a mask may have to exclude them.
template <typename Stored>
void put_values(Call<Stored>& call, Heads<Stored>& heads, std::int64_t head, const Stretch& at,
                rows::Matrix<const Sum<Stored>> y, const Sum<Stored>* bias) {
    using T = Sum<Stored>;
    const std::int64_t dh = call.plan.dims.head_dim();
    Stored* out = heads.v(head) + at.first * dh;
    if (put_rows(call.plan, y, bias, at.count, T{1}, out)) return;
    auto& nonfinite = heads.nonfinite(head);
    if (!call.sets_aside) {
        const std::lock_guard lock(call.nonfinite_mutex);
        nonfinite.in_v = true;
        return;
    }
    std::vector<T> value(static_cast<std::size_t>(dh));
    for (std::int64_t i = 0; i < at.count; ++i) {
        const rows::Matrix<const T> row{y.data + i * y.stride, dh};
        if (rows::add_rows(row, bias, 1, dh, T{1}, rows::Matrix<T>{value.data(), dh})) continue;
        if (call.plan.emulated) round_all(value.data(), dh, call.plan.precision);
        std::fill_n(out + i * dh, dh, Stored{0});
        const std::lock_guard lock(call.nonfinite_mutex);
        nonfinite.aside.push_back({at.first + i, value});
    }
}

/// Stores q, k and v of a stretch of a head, each plus its part of the bias. Rows of y are `stride` apart. keys: see
/// Scratch.
template <typename Stored>
void put_head(Call<Stored>& call, Heads<Stored>& heads, std::int64_t head, const Stretch& at,
              const std::array<const Sum<Stored>*, 3>& y, std::int64_t stride, const Sum<Stored>* bias, Stored* keys) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    const std::int64_t dh = plan.dims.head_dim();
    Stored* q = heads.q(head) + at.first * dh;
    Stored* k = heads.k(head);
    const T scale = plan.scales_products ? T{1} : static_cast<T>(plan.scale);
    put_rows<Stored>(plan, {y[0], stride}, bias, at.count, scale, q);
    if (plan.key_panels) {
        put_key_panels<Stored>(plan, {y[1], stride}, bias + dh, at, keys, k);
    } else {
        put_rows<Stored>(plan, {y[1], stride}, bias + dh, at.count, T{1}, k + at.first * dh);
    }
    put_values<Stored>(call, heads, head, at, {y[2], stride}, bias + 2 * dh);
}

template <typename Stored>
void project_block(Call<Stored>& call, Heads<Stored>& heads, std::int64_t first_row, std::int64_t h,
                   const Scratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    const std::int64_t embed = plan.dims.embed_dim, dh = plan.dims.head_dim();
    const std::int64_t count = std::min(plan.row_block, plan.rows() - first_row);
    const std::int64_t columns = call.layer->head_columns;
    const RightSide side = call.layer->panels ? RightSide::Panels : RightSide::Transposed;
    const ProductShape shape{.m = plan.row_block,
                             .n = columns,
                             .k = embed,
                             .element = kElement<Stored>,
                             .right = side,
                             .ldb = call.layer->panels ? 0 : embed,
                             .ldc = columns};
    T* y = scratch.projected.data();
    product(plan.backend, shape, call.x + first_row * embed, call.layer->qkv.data() + h * columns * embed, y);

    const T* bias = call.layer->qkv_bias.data() + h * 3 * dh;
    for_each_stretch(first_row, count, plan.dims.sequence_length, [&](const Stretch& at) {
        const std::int64_t head = at.sequence * plan.dims.num_heads + h;
        const T* row = y + at.row * columns;
        put_head(call, heads, head, at, {row, row + dh, row + 2 * dh}, columns, bias, scratch.keys.data());
    });
}

/// Clears queries and keys beyond S, so that products do not use values of an earlier call.
template <typename Stored>
void clear_padding(const Heads<Stored>& heads, std::int64_t head) {
    const Plan& plan = heads.plan;
    const std::int64_t size = plan.dims.sequence_length, dh = plan.dims.head_dim(), beyond = plan.keys - size;
    std::fill_n(heads.q(head) + size * dh, (plan.queries - size) * dh, Stored{0});
    std::fill_n(heads.v(head) + size * dh, beyond * dh, Stored{0});
    if (!plan.key_panels) {
        std::fill_n(heads.k(head) + size * dh, beyond * dh, Stored{0});
        return;
    }
    // The last panel is (words, 64) of 32 bits each; other threads may write other parts of it at the same time.
    constexpr auto kPerWord = std::max<std::int64_t>(1, 4 / static_cast<std::int64_t>(sizeof(Stored)));
    Stored* panel = heads.k(head) + (plan.keys - kPanel) * dh;
    for (std::int64_t word = 1; beyond > 0 && word <= dh / kPerWord; ++word) {
        std::fill_n(panel + (word * kPanel - beyond) * kPerWord, beyond * kPerWord, Stored{0});
    }
}

/// Number of output columns computed together: all of them, or a quarter if there are few blocks of rows to distribute
/// over the threads. Depends on the size alone, so that the number of threads does not change the shapes.
template <typename Stored>
std::int64_t finish_columns(const Plan& plan, const ReadyWeights<Stored>& weights) {
    constexpr std::int64_t kManyBlocks = 8, kParts = 4;
    if (plan.row_blocks() >= kManyBlocks) return weights.out_columns;
    return std::min(weights.out_columns, rounded_up((weights.out_columns + kParts - 1) / kParts, kPanel));
}

/// Computes the output columns from first_column on, for the rows of one block of context.
template <typename Stored>
void finish_block(Call<Stored>& call, std::int64_t first_row, std::int64_t first_column, Sum<Stored>* output,
                  Sum<Stored>* scratch) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    const std::int64_t embed = plan.dims.embed_dim;
    const std::int64_t columns = std::min(finish_columns(plan, *call.layer), call.layer->out_columns - first_column);
    const std::int64_t count = std::min(plan.row_block, plan.rows() - first_row);
    const std::int64_t width = std::min(columns, embed - first_column);  // without the panels' padding
    T* out = output + first_row * embed + first_column;
    const bool direct = columns == embed && count == plan.row_block;
    T* y = direct ? out : scratch;
    const RightSide side = call.layer->panels ? RightSide::Panels : RightSide::Transposed;
    const ProductShape shape{.m = plan.row_block,
                             .n = columns,
                             .k = embed,
                             .element = kElement<Stored>,
                             .right = side,
                             .ldb = call.layer->panels ? 0 : embed,
                             .ldc = columns};
    product(plan.backend, shape, call.side_by_side.data() + first_row * embed,
            call.layer->out.data() + first_column * embed, y);
    rows::add_rows({y, columns}, call.layer->out_bias.data() + first_column, count, width, T{1}, {out, embed});
    for (std::int64_t r = 0; is_half(plan.precision) && r < count; ++r) {
        round_all(out + r * embed, width, plan.precision);
    }
}

}  // namespace

template <typename Stored>
void take_x(Call<Stored>& call, const Sum<Stored>* x) {
    const Plan& plan = call.plan;
    if constexpr (std::is_same_v<Stored, Sum<Stored>>) {
        call.x = x;
        if (!plan.copies_x<Stored>()) return;
    }
    const std::int64_t embed = plan.dims.embed_dim;
    call.copy_of_x = PooledArray<Stored>(static_cast<std::size_t>(plan.padded_rows() * embed));
    call.x = call.copy_of_x.data();
    parallel_for_parts(plan.threads, plan.row_blocks(), [&](std::int64_t block, int) {
        const std::int64_t first = block * plan.row_block, count = std::min(plan.row_block, plan.rows() - first);
        Stored* out = call.copy_of_x.data() + first * embed;
        copy_numbers(x + first * embed, count * embed, out);
        std::fill_n(out + count * embed, (plan.row_block - count) * embed, Stored{0});
    });
}

namespace {

constexpr std::int64_t kGivenRows = 512;

/// Copies the given q, k and v of one block of rows of one sequence.
template <typename Stored>
void copy_given(Call<Stored>& call, Heads<Stored>& heads, std::int64_t h, std::int64_t part,
                const Scratch<Stored>& scratch) {
    const std::int64_t size = call.plan.dims.sequence_length, dh = call.plan.dims.head_dim();
    const std::int64_t blocks = (size + kGivenRows - 1) / kGivenRows;
    const std::int64_t sequence = part / blocks, first = part % blocks * kGivenRows;
    const std::int64_t head = sequence * call.plan.dims.num_heads + h, place = (head * size + first) * dh;
    const std::vector<Sum<Stored>> no_bias(static_cast<std::size_t>(3 * dh));
    put_head(call, heads, head, {sequence, first, 0, std::min(kGivenRows, size - first)},
             {call.given_q + place, call.given_k + place, call.given_v + place}, dh, no_bias.data(),
             scratch.keys.data());
}

}  // namespace

template <typename Stored>
std::int64_t fill_parts(const Call<Stored>& call) {
    if (call.layer) return call.plan.row_blocks();
    return call.plan.dims.batch * ((call.plan.dims.sequence_length + kGivenRows - 1) / kGivenRows);
}

template <typename Stored>
void fill_part(Call<Stored>& call, Heads<Stored>& heads, std::int64_t h, std::int64_t part,
               const Scratch<Stored>& scratch) {
    const Plan& plan = call.plan;
    for (std::int64_t sequence = 0; part == 0 && sequence < plan.dims.batch; ++sequence) {
        clear_padding(heads, sequence * plan.dims.num_heads + h);
    }
    if (call.layer) {
        project_block(call, heads, part * plan.row_block, h, scratch);
    } else if constexpr (std::is_same_v<Stored, Sum<Stored>>) {
        copy_given(call, heads, h, part, scratch);
    }
}

template <typename Stored>
void finish(Call<Stored>& call, Sum<Stored>* out) {
    const Plan& plan = call.plan;
    const std::int64_t columns = finish_columns(plan, *call.layer);
    const std::int64_t parts = (call.layer->out_columns + columns - 1) / columns;
    std::vector<PooledArray<Sum<Stored>>> scratch;
    scratch.reserve(static_cast<std::size_t>(plan.threads));
    for (int worker = 0; worker < plan.threads; ++worker) {
        scratch.emplace_back(static_cast<std::size_t>(plan.row_block * columns));
    }
    parallel_for_parts(plan.threads, plan.row_blocks() * parts, [&](std::int64_t index, int worker) {
        if (call.cancelled()) return;
        finish_block(call, index / parts * plan.row_block, index % parts * columns, out,
                     scratch[static_cast<std::size_t>(worker)].data());
    });
}

template <typename Stored>
std::uint64_t projection_scratch(const Plan& plan, const ReadyWeights<Stored>& weights) {
    const std::int64_t columns = std::max(weights.head_columns, weights.out_columns);
    const auto stored = static_cast<std::int64_t>(sizeof(Stored)), sum = static_cast<std::int64_t>(sizeof(Sum<Stored>));
    const std::int64_t bytes = plan.row_block * columns * sum + kPanel * plan.dims.head_dim() * stored;
    return static_cast<std::uint64_t>(bytes);
}

#define HEADSCOPE_INSTANTIATE(Stored)                                                                           \
    template void take_x(Call<Stored>&, const Sum<Stored>*);                                                    \
    template std::int64_t fill_parts(const Call<Stored>&);                                                      \
    template void fill_part(Call<Stored>&, Heads<Stored>&, std::int64_t, std::int64_t, const Scratch<Stored>&); \
    template void finish(Call<Stored>&, Sum<Stored>*);                                                          \
    template std::uint64_t projection_scratch(const Plan&, const ReadyWeights<Stored>&);
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::uint16_t)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope::tiled
