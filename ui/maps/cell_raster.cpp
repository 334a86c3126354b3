// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/cell_raster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/thread_pool.h"
#include "ui/look/hatch.h"

namespace headscope {

namespace {

enum class Look : std::uint8_t { Colour, Masked, Nan, Leaked, MaskedNan };

/// What one row of spans shows: for each column of spans its look, and the value of those that have a colour.
struct SquareRow {
    std::vector<Look> looks;
    std::vector<double> values;
    std::vector<QRgb> colours;

    explicit SquareRow(std::size_t columns) : looks(columns), values(columns), colours(columns) {}
    void set(std::size_t column, Look look, double value = 0) {
        looks[column] = look;
        values[column] = value;
    }
};

/// Accumulates the state of some rows per column, from the first visible column on. Plain loops over whole rows, which
/// the compiler vectorises: with thousands of tokens most of the time is spent here.
template <typename T>
class Columns {
public:
    Columns(std::int64_t first, std::int64_t count, Reduction reduction)
        : first_(first), reduction_(reduction), values_(static_cast<std::size_t>(count)), allowed_(values_.size()) {}

    void gather(const MatrixView& matrix, const Span& rows) {
        const bool maximum = reduction_ == Reduction::Maximum;
        std::fill(values_.begin(), values_.end(), maximum ? -std::numeric_limits<T>::infinity() : T(0));
        std::fill(allowed_.begin(), allowed_.end(), matrix.mask ? 0 : static_cast<std::uint32_t>(rows.cells));
        nan_.clear();
        for (std::int64_t i = rows.cell; i < rows.cell + rows.cells; ++i) {
            const T* numbers = static_cast<const T*>(matrix.data) + i * matrix.stride + first_;
            const std::uint8_t* allowed = matrix.mask ? matrix.mask + i * matrix.columns + first_ : nullptr;
            const bool any_nan = allowed ? add<true>(numbers, allowed, maximum) : add<false>(numbers, allowed, maximum);
            if (any_nan) noteNan(numbers, allowed);
        }
    }

    void reduce(const std::vector<Span>& columns, SquareRow& out) const {
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const auto begin = static_cast<std::size_t>(columns[column].cell - first_);
            const auto end = begin + static_cast<std::size_t>(columns[column].cells);
            double value = static_cast<double>(values_[begin]);
            std::int64_t allowed = allowed_[begin];
            for (std::size_t j = begin + 1; j < end; ++j) {
                const double one = static_cast<double>(values_[j]);
                value = reduction_ == Reduction::Maximum ? std::max(value, one) : value + one;
                allowed += allowed_[j];
            }
            if (reduction_ == Reduction::Mean) value /= static_cast<double>(allowed);
            const bool nan = !nan_.empty() && std::find(nan_.data() + begin, nan_.data() + end, 1) != nan_.data() + end;
            if (nan || (allowed != 0 && std::isnan(value)))  // also a sum of infinities of both signs
                out.set(column, Look::Nan);
            else
                out.set(column, allowed == 0 ? Look::Masked : Look::Colour, allowed == 0 ? 0 : value);
        }
    }

private:
    /// True if the row has a NaN, allowed or not.
    template <bool has_mask>
    bool add(const T* numbers, const std::uint8_t* allowed, bool maximum) {
        if (maximum) {
            for (std::size_t j = 0; j < values_.size(); ++j) {
                // Always load both: a conditional load would prevent vectorisation.
                const T number = numbers[j], best = values_[j];
                const T candidate = !has_mask || allowed[j] ? number : -std::numeric_limits<T>::infinity();
                values_[j] = candidate > best ? candidate : best;
            }
        } else {
            for (std::size_t j = 0; j < values_.size(); ++j) {
                const T number = numbers[j];
                values_[j] += !has_mask || allowed[j] ? number : T(0);
            }
        }
        if constexpr (has_mask)
            for (std::size_t j = 0; j < values_.size(); ++j) allowed_[j] += allowed[j];
        bool any_nan = false;
        for (std::size_t j = 0; j < values_.size(); ++j) any_nan |= numbers[j] != numbers[j];
        return any_nan;
    }
    void noteNan(const T* numbers, const std::uint8_t* allowed) {
        nan_.resize(values_.size());
        for (std::size_t j = 0; j < values_.size(); ++j)
            nan_[j] |= static_cast<std::uint8_t>(numbers[j] != numbers[j]) & (allowed ? allowed[j] : 1);
    }

    std::int64_t first_;
    Reduction reduction_;
    std::vector<T> values_;  ///< the maximum or the sum
    std::vector<std::uint32_t> allowed_;
    std::vector<std::uint8_t> nan_;  ///< empty if there is none
};

/// The mask has no numbers of its own: an allowed cell is 1.
void maskRow(const MatrixView& matrix, const Span& row, const std::vector<Span>& columns, SquareRow& out) {
    for (std::size_t span = 0; span < columns.size(); ++span) {
        bool allowed = false;
        for (std::int64_t i = row.cell; i < row.cell + row.cells && !allowed; ++i)
            for (std::int64_t j = columns[span].cell; j < columns[span].cell + columns[span].cells && !allowed; ++j)
                allowed = !matrix.masked(i, j);
        out.set(span, allowed ? Look::Colour : Look::Masked, 1);
    }
}

/// Squares of one masked cell show the weight that leaked onto it.
void addLeaks(const MatrixView& matrix, const Span& row, const std::vector<Span>& columns, SquareRow& out) {
    if (row.cells > 1) return;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (out.looks[i] != Look::Masked || columns[i].cells > 1) continue;
        const double value = matrix.at(row.cell, columns[i].cell);
        if (std::isnan(value))
            out.set(i, Look::MaskedNan);
        else if (value != 0)
            out.set(i, Look::Leaked, value);
    }
}

/// Colours squares pixel by pixel, so that hatching and crosses are as sharp as the cells.
class Painter {
public:
    Painter(QImage& image, Theme theme, double pixel_ratio)
        : pixels_(image.bits()),
          line_bytes_(image.bytesPerLine()),
          period_(std::max(2, static_cast<int>(std::lround(kHatchSpacing * pixel_ratio)))),
          width_(std::max(1, static_cast<int>(std::lround(pixel_ratio)))),
          masked_(color(Role::Masked, theme).rgb()),
          hatch_(color(Role::Hatch, theme).rgb()),
          nan_(color(Role::Nan, theme).rgb()),
          raised_(color(Role::Raised, theme).rgb()) {}

    void paintRow(const Span& row, const std::vector<Span>& columns, const SquareRow& squares) const {
        for (int y = row.pixel; y < row.pixel + row.pixels; ++y) {
            QRgb* line = reinterpret_cast<QRgb*>(pixels_ + y * line_bytes_);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                if (squares.looks[i] != Look::Masked) {
                    paintLine(line, y, row, columns[i], squares.looks[i], squares.colours[i]);
                    continue;
                }
                const int begin = columns[i].pixel;
                while (i + 1 < columns.size() && squares.looks[i + 1] == Look::Masked) ++i;
                hatchLine(line, y, begin, columns[i].pixel + columns[i].pixels);
            }
        }
    }

private:
    /// Draws line y of one square.
    void paintLine(QRgb* line, int y, const Span& row, const Span& column, Look look, QRgb colour) const {
        const int smallest = std::min(row.pixels, column.pixels);
        if (look == Look::Colour || look == Look::Nan)
            std::fill_n(line + column.pixel, column.pixels,
                        look == Look::Colour ? colour
                        : smallest < 4       ? nan_
                                             : raised_);
        else
            hatchLine(line, y, column.pixel, column.pixel + column.pixels);
        if (smallest < 4) return;
        if (look == Look::Nan || look == Look::MaskedNan) crossLine(line, y - row.pixel, row.pixels, column);
        if (look == Look::Leaked) leakLine(line, y - row.pixel, row.pixels, column, colour);
    }

    void hatchLine(QRgb* line, int y, int begin, int end) const {
        int phase = (begin + y) % period_;
        for (int x = begin; x < end; ++x) {
            line[x] = phase < width_ ? hatch_ : masked_;
            if (++phase == period_) phase = 0;
        }
    }

    void leakLine(QRgb* line, int y, int height, const Span& column, QRgb colour) const {
        const int margin_y = height / 4, margin_x = column.pixels / 4;
        if (y >= margin_y && y < height - margin_y)
            std::fill_n(line + column.pixel + margin_x, column.pixels - 2 * margin_x, colour);
    }

    /// Flat crosses cover a longer run of each line, so that both strokes stay continuous.
    void crossLine(QRgb* line, int y, int height, const Span& column) const {
        const double slope = static_cast<double>(column.pixels) / height;
        const int begin = std::clamp(static_cast<int>(y * slope), 0, column.pixels - 1);
        const int end = std::clamp(static_cast<int>(std::ceil((y + 1) * slope)), begin + 1, column.pixels);
        for (int x = begin; x < end; ++x) {
            line[column.pixel + x] = nan_;
            line[column.pixel + column.pixels - 1 - x] = nan_;
        }
    }

    uchar* pixels_;  ///< of an image that isn't shared, so that several threads may paint different rows
    qsizetype line_bytes_;
    int period_, width_;
    QRgb masked_, hatch_, nan_, raised_;
};

/// Collects and paints rows of one number type.
template <typename T>
void paintRows(const MatrixView& matrix, const ColorScale& scale, std::span<const Span> rows,
               const std::vector<Span>& columns, Reduction reduction, bool leaks, const Painter& painter) {
    const std::int64_t first = columns.front().cell, end = columns.back().cell + columns.back().cells;
    Columns<T> gathered(first, end - first, reduction);
    const ColorOf color_of(scale);
    SquareRow squares(columns.size());
    for (const Span& row : rows) {
        if (matrix.data) {
            gathered.gather(matrix, row);
            gathered.reduce(columns, squares);
            if (leaks) addLeaks(matrix, row, columns, squares);
        } else {
            maskRow(matrix, row, columns, squares);
        }
        color_of.paint(squares.values, squares.colours.data());
        painter.paintRow(row, columns, squares);
    }
}

/// Paints all rows in bands; uses every core if the pixels show millions of cells.
template <typename T>
void paintAll(const MatrixView& matrix, const ColorScale& scale, const std::vector<Span>& rows,
              const std::vector<Span>& columns, Reduction reduction, bool leaks, const Painter& painter) {
    constexpr double kOperations = 4;  // approximate operations per cell
    const auto cells = [](const std::vector<Span>& of) {
        return static_cast<double>(of.back().cell + of.back().cells - of.front().cell);
    };
    const int threads = threads_for(kOperations * cells(rows) * cells(columns));
    const std::size_t bands =
        threads == 1 ? 1 : std::min<std::size_t>(rows.size(), 4 * static_cast<std::size_t>(threads));
    parallel_for(threads, static_cast<std::int64_t>(bands), [&](std::int64_t band, int) {
        const auto edge = [&](std::int64_t of) { return static_cast<std::size_t>(of) * rows.size() / bands; };
        paintRows<T>(matrix, scale, std::span(rows).subspan(edge(band), edge(band + 1) - edge(band)), columns,
                     reduction, leaks, painter);
    });
}

int extent(const std::vector<Span>& spans) {
    return spans.empty() ? 0 : spans.back().pixel + spans.back().pixels;
}

}  // namespace

std::vector<Span> spansOf(double lower, double upper, int pixels, std::int64_t count) {
    std::vector<Span> spans;
    const double range = upper - lower;
    if (!(range > 0) || pixels < 1 || count < 1) return spans;
    if (range <= pixels) {
        const auto edge = [&](std::int64_t cell) {
            const double place = (static_cast<double>(cell) - 0.5 - lower) / range * pixels;
            return static_cast<int>(std::clamp(std::round(place), 0.0, static_cast<double>(pixels)));
        };
        const auto first = std::max<std::int64_t>(0, std::llround(std::floor(lower + 0.5)));
        for (std::int64_t cell = first; cell < count && static_cast<double>(cell) - 0.5 < upper; ++cell)
            if (edge(cell + 1) > edge(cell)) spans.push_back({edge(cell), edge(cell + 1) - edge(cell), cell, 1});
    } else {
        const auto cell_at = [&](int pixel) {
            return std::clamp<std::int64_t>(std::llround(lower + 0.5 + range * pixel / pixels), 0, count);
        };
        for (int pixel = 0; pixel < pixels; ++pixel) {
            const std::int64_t cell = cell_at(pixel), cells = cell_at(pixel + 1) - cell;
            if (cells > 0) spans.push_back({pixel, 1, cell, cells});
        }
    }
    return spans;
}

QImage rasterise(const MatrixView& matrix, const ColorScale& scale, const std::vector<Span>& rows,
                 const std::vector<Span>& columns, Reduction reduction, Theme theme, double pixel_ratio, bool leaks) {
    QImage image(extent(columns), extent(rows), QImage::Format_RGB32);
    if (image.isNull()) return image;
    image.fill(color(Role::Raised, theme));
    const Painter painter(image, theme, pixel_ratio);
    if (matrix.type == Tensor::Type::Float64)
        paintAll<double>(matrix, scale, rows, columns, reduction, leaks, painter);
    else
        paintAll<float>(matrix, scale, rows, columns, reduction, leaks, painter);
    return image;
}

}  // namespace headscope
