// SPDX-License-Identifier: GPL-3.0-or-later
// The two projections, and the heads between them.
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

/// One thread's scratch.
template <typename Stored>
struct RowScratch {
    PooledArray<Sum<Stored>> y;  ///< (row_block, columns)
    PooledArray<Stored> keys;    ///< (64, Dh), before they are turned into a panel
};

void copy_numbers(const float* from, std::int64_t n, float* to) {
    std::copy_n(from, n, to);
}
void copy_numbers(const double* from, std::int64_t n, double* to) {
    std::copy_n(from, n, to);
}
void copy_numbers(const float* from, std::int64_t n, std::uint16_t* to) {
    rows::to_bfloat16(from, n, to);
}

/// Rows of a call's projection that lie in one sequence.
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

/// (y + bias) · factor of some rows, to where they are stored side by side. Are they all finite?
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

/// A stretch of keys into panels of 64: (S/64, Dh, 64), or (S/64, Dh/2, 64, 2) in bfloat16.
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

/// v of a stretch. NaN and infinity are set aside where a mask may have to keep them out.
template <typename Stored>
void put_values(Call<Stored>& call, std::int64_t head, const Stretch& at, rows::Matrix<const Sum<Stored>> y,
                const Sum<Stored>* bias) {
    using T = Sum<Stored>;
    const std::int64_t dh = call.plan.dims.head_dim();
    Stored* out = call.head_v(head) + at.first * dh;
    if (put_rows(call.plan, y, bias, at.count, T{1}, out)) return;
    if (!call.sets_aside) return call.not_finite.store(true, std::memory_order_relaxed);
    std::vector<T> value(static_cast<std::size_t>(dh));
    for (std::int64_t i = 0; i < at.count; ++i) {
        const rows::Matrix<const T> row{y.data + i * y.stride, dh};
        if (rows::add_rows(row, bias, 1, dh, T{1}, rows::Matrix<T>{value.data(), dh})) continue;
        if (call.plan.emulated) round_all(value.data(), dh, call.plan.precision);
        std::fill_n(out + i * dh, dh, Stored{0});
        const std::lock_guard lock(call.nonfinite_mutex);
        call.nonfinite_keys.push_back({head, at.first + i, value});
    }
}

/// q, k and v of a stretch of a head, each plus its part of the bias, to where they are stored. Rows of y are `stride`
/// apart. Keys: see RowScratch.
template <typename Stored>
void put_head(Call<Stored>& call, std::int64_t head, const Stretch& at, const std::array<const Sum<Stored>*, 3>& y,
              std::int64_t stride, const Sum<Stored>* bias, Stored* keys) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    const std::int64_t dh = plan.dims.head_dim();
    Stored* q = call.head_q(head) + at.first * dh;
    Stored* k = call.head_k(head);
    const T scale = plan.scales_products ? T{1} : static_cast<T>(plan.scale);
    put_rows<Stored>(plan, {y[0], stride}, bias, at.count, scale, q);
    if (plan.key_panels) {
        put_key_panels<Stored>(plan, {y[1], stride}, bias + dh, at, keys, k);
    } else {
        put_rows<Stored>(plan, {y[1], stride}, bias + dh, at.count, T{1}, k + at.first * dh);
    }
    put_values<Stored>(call, head, at, {y[2], stride}, bias + 2 * dh);
}

template <typename Stored>
void project_block(Call<Stored>& call, std::int64_t first_row, std::int64_t h, RowScratch<Stored>& scratch) {
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
    T* y = scratch.y.data();
    product(plan.backend, shape, call.x + first_row * embed, call.layer->qkv.data() + h * columns * embed, y);

    const T* bias = call.layer->qkv_bias.data() + h * 3 * dh;
    for_each_stretch(first_row, count, plan.dims.sequence_length, [&](const Stretch& at) {
        const std::int64_t head = at.sequence * plan.dims.num_heads + h;
        const T* row = y + at.row * columns;
        put_head(call, head, at, {row, row + dh, row + 2 * dh}, columns, bias, scratch.keys.data());
    });
}

/// Queries and keys beyond S are zeros, so that nothing left over from another call is multiplied.
template <typename Stored>
void clear_padding(Call<Stored>& call, std::int64_t slot) {
    const Plan& plan = call.plan;
    const std::int64_t size = plan.dims.sequence_length, dh = plan.dims.head_dim();
    const auto clear_rows = [&](const PooledArray<Stored>& array, std::int64_t padded) {
        std::fill_n(array.data() + (slot * padded + size) * dh, (padded - size) * dh, Stored{0});
    };
    clear_rows(call.q, plan.queries);
    clear_rows(call.v, plan.keys);
    if (!plan.key_panels) return clear_rows(call.k, plan.keys);
    if (plan.keys != size) std::fill_n(call.k.data() + ((slot + 1) * plan.keys - kPanel) * dh, kPanel * dh, Stored{0});
}

template <typename Stored>
std::vector<RowScratch<Stored>> make_scratch(const Plan& plan, std::int64_t columns) {
    std::vector<RowScratch<Stored>> scratch(static_cast<std::size_t>(plan.threads));
    for (auto& one : scratch) {
        one.y = PooledArray<Sum<Stored>>(static_cast<std::size_t>(plan.row_block * columns));
        one.keys = PooledArray<Stored>(static_cast<std::size_t>(kPanel * plan.dims.head_dim()));
    }
    return scratch;
}

/// Columns of the output that are computed at a time: all of them, or a quarter where there are few blocks of rows to
/// share between threads. By size alone, so that the number of threads does not change the shapes.
template <typename Stored>
std::int64_t finish_columns(const Plan& plan, const ReadyWeights<Stored>& weights) {
    constexpr std::int64_t kManyBlocks = 8, kParts = 4;
    if (plan.row_blocks() >= kManyBlocks) return weights.out_columns;
    return std::min(weights.out_columns, rounded_up((weights.out_columns + kParts - 1) / kParts, kPanel));
}

/// The columns from first_column on of the output's rows that one block of context gives.
template <typename Stored>
void finish_block(Call<Stored>& call, std::int64_t first_row, std::int64_t first_column, Sum<Stored>* output,
                  RowScratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    const std::int64_t embed = plan.dims.embed_dim;
    const std::int64_t columns = std::min(finish_columns(plan, *call.layer), call.layer->out_columns - first_column);
    const std::int64_t count = std::min(plan.row_block, plan.rows() - first_row);
    const std::int64_t width = std::min(columns, embed - first_column);  // without the panels' padding
    T* out = output + first_row * embed + first_column;
    const bool direct = columns == embed && count == plan.row_block;
    T* y = direct ? out : scratch.y.data();
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
    parallel_for(plan.threads, plan.row_blocks(), [&](std::int64_t block, int) {
        const std::int64_t first = block * plan.row_block, count = std::min(plan.row_block, plan.rows() - first);
        Stored* out = call.copy_of_x.data() + first * embed;
        copy_numbers(x + first * embed, count * embed, out);
        std::fill_n(out + count * embed, (plan.row_block - count) * embed, Stored{0});
    });
}

namespace {

template <typename Stored>
void project(Call<Stored>& call) {
    const Plan& plan = call.plan;
    auto scratch = make_scratch<Stored>(plan, call.layer->head_columns);
    const std::int64_t blocks = plan.row_blocks();
    parallel_for(plan.threads, blocks * call.heads(), [&](std::int64_t index, int worker) {
        if (call.cancelled()) return;
        project_block(call, index % blocks * plan.row_block, call.first_head + index / blocks,
                      scratch[static_cast<std::size_t>(worker)]);
    });
}

template <typename Stored>
void copy_given(Call<Stored>& call) {
    constexpr std::int64_t kRows = 512;
    const Plan& plan = call.plan;
    const std::int64_t size = plan.dims.sequence_length, dh = plan.dims.head_dim(), heads = call.heads();
    const std::int64_t blocks = (size + kRows - 1) / kRows;
    auto scratch = make_scratch<Stored>(plan, 0);
    const std::vector<Sum<Stored>> no_bias(static_cast<std::size_t>(3 * dh));
    parallel_for(plan.threads, plan.dims.batch * heads * blocks, [&](std::int64_t index, int worker) {
        const std::int64_t n = index / blocks, first = index % blocks * kRows;
        const std::int64_t head = n / heads * plan.dims.num_heads + call.first_head + n % heads;
        const std::int64_t place = (head * size + first) * dh;
        put_head(call, head, {n / heads, first, 0, std::min(kRows, size - first)},
                 {call.given_q + place, call.given_k + place, call.given_v + place}, dh, no_bias.data(),
                 scratch[static_cast<std::size_t>(worker)].keys.data());
    });
}

}  // namespace

template <typename Stored>
void fill_heads(Call<Stored>& call) {
    if (call.first_head == 0) {
        for (std::int64_t slot = 0; slot < call.plan.slots(); ++slot) clear_padding(call, slot);
    }
    if (call.layer) {
        project(call);
    } else if constexpr (std::is_same_v<Stored, Sum<Stored>>) {
        copy_given(call);
    }
}

template <typename Stored>
void finish(Call<Stored>& call, Sum<Stored>* out) {
    const Plan& plan = call.plan;
    const std::int64_t columns = finish_columns(plan, *call.layer);
    const std::int64_t parts = (call.layer->out_columns + columns - 1) / columns;
    auto scratch = make_scratch<Stored>(plan, columns);
    parallel_for(plan.threads, plan.row_blocks() * parts, [&](std::int64_t index, int worker) {
        if (call.cancelled()) return;
        finish_block(call, index / parts * plan.row_block, index % parts * columns, out,
                     scratch[static_cast<std::size_t>(worker)]);
    });
}

template <typename Stored>
std::uint64_t projection_scratch(const Plan& plan, const ReadyWeights<Stored>& weights) {
    const std::int64_t columns = std::max(weights.head_columns, weights.out_columns);
    const auto stored = static_cast<std::int64_t>(sizeof(Stored)), sum = static_cast<std::int64_t>(sizeof(Sum<Stored>));
    const std::int64_t bytes = plan.row_block * columns * sum + kPanel * plan.dims.head_dim() * stored;
    return static_cast<std::uint64_t>(bytes);
}

template void take_x(Call<float>&, const Sum<float>*);
template void fill_heads(Call<float>&);
template void take_x(Call<double>&, const Sum<double>*);
template void fill_heads(Call<double>&);
template void take_x(Call<std::uint16_t>&, const Sum<std::uint16_t>*);
template void fill_heads(Call<std::uint16_t>&);
template void finish(Call<float>&, Sum<float>*);
template void finish(Call<double>&, Sum<double>*);
template void finish(Call<std::uint16_t>&, Sum<std::uint16_t>*);
template std::uint64_t projection_scratch(const Plan&, const ReadyWeights<float>&);
template std::uint64_t projection_scratch(const Plan&, const ReadyWeights<double>&);
template std::uint64_t projection_scratch(const Plan&, const ReadyWeights<std::uint16_t>&);

}  // namespace headscope::tiled
