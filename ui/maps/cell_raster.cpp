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

enum class Look { Colour, Masked, Nan, Leaked, MaskedNan };
struct Square {
    Look look = Look::Masked;
    QRgb colour = 0;
};

/// Accumulates the state of some rows per column, from the first visible column on. Plain loops over whole rows, which
/// the compiler vectorises: with thousands of tokens most of the time is spent here.
template <typename T>
class Columns {
public:
    Columns(std::int64_t first, std::int64_t count, Reduction reduction)
        : first_(first),
          reduction_(reduction),
          values_(static_cast<std::size_t>(count)),
          allowed_(values_.size()),
          nan_(values_.size()) {}

    void gather(const MatrixView& matrix, const Span& rows) {
        const bool maximum = reduction_ == Reduction::Maximum;
        std::fill(values_.begin(), values_.end(), maximum ? -std::numeric_limits<T>::infinity() : T(0));
        std::fill(allowed_.begin(), allowed_.end(), 0);
        std::fill(nan_.begin(), nan_.end(), 0);
        const std::vector<std::uint8_t> all_allowed(matrix.mask ? 0 : values_.size(), 1);
        for (std::int64_t i = rows.cell; i < rows.cell + rows.cells; ++i) {
            const T* numbers = static_cast<const T*>(matrix.data) + i * matrix.stride + first_;
            const std::uint8_t* allowed = matrix.mask ? matrix.mask + i * matrix.columns + first_ : all_allowed.data();
            if (maximum)
                addMaximum(numbers, allowed);
            else
                addSum(numbers, allowed);
        }
    }

    Square square(const Span& columns, const ColorOf& color_of) const {
        double value = reduction_ == Reduction::Maximum ? -std::numeric_limits<double>::infinity() : 0;
        std::int64_t allowed = 0;
        const auto begin = static_cast<std::size_t>(columns.cell - first_);
        for (std::size_t j = begin; j < begin + static_cast<std::size_t>(columns.cells); ++j) {
            if (nan_[j]) return {Look::Nan, 0};
            allowed += allowed_[j];
            const double one = static_cast<double>(values_[j]);
            value = reduction_ == Reduction::Maximum ? std::max(value, one) : value + one;
        }
        if (allowed == 0) return {};
        if (reduction_ == Reduction::Mean) value /= static_cast<double>(allowed);
        if (std::isnan(value)) return {Look::Nan, 0};  // sum of infinities of both signs
        return {Look::Colour, color_of(value)};
    }

private:
    void addMaximum(const T* numbers, const std::uint8_t* allowed) {
        for (std::size_t j = 0; j < values_.size(); ++j) {
            // Always load both: a conditional load would prevent vectorisation.
            const T number = numbers[j], best = values_[j];
            const T candidate = allowed[j] ? number : -std::numeric_limits<T>::infinity();
            values_[j] = candidate > best ? candidate : best;
        }
        note(numbers, allowed);
    }
    void addSum(const T* numbers, const std::uint8_t* allowed) {
        for (std::size_t j = 0; j < values_.size(); ++j) {
            const T number = numbers[j];
            values_[j] += allowed[j] ? number : T(0);
        }
        note(numbers, allowed);
    }
    void note(const T* numbers, const std::uint8_t* allowed) {
        bool any_nan = false;
        for (std::size_t j = 0; j < values_.size(); ++j) any_nan |= numbers[j] != numbers[j];
        for (std::size_t j = 0; j < values_.size(); ++j) allowed_[j] += allowed[j];
        if (!any_nan) return;
        for (std::size_t j = 0; j < values_.size(); ++j)
            nan_[j] |= static_cast<std::uint8_t>(numbers[j] != numbers[j]) & allowed[j];
    }

    std::int64_t first_;
    Reduction reduction_;
    std::vector<T> values_;  ///< the maximum or the sum
    std::vector<std::uint32_t> allowed_;
    std::vector<std::uint8_t> nan_;
};

/// The mask has no numbers of its own: an allowed cell is 1.
void maskRow(const MatrixView& matrix, const Span& row, const std::vector<Span>& columns, QRgb allowed_colour,
             std::vector<Square>& out) {
    for (std::size_t span = 0; span < columns.size(); ++span) {
        bool allowed = false;
        for (std::int64_t i = row.cell; i < row.cell + row.cells && !allowed; ++i)
            for (std::int64_t j = columns[span].cell; j < columns[span].cell + columns[span].cells && !allowed; ++j)
                allowed = !matrix.masked(i, j);
        out[span] = allowed ? Square{Look::Colour, allowed_colour} : Square{};
    }
}

/// The weight that leaked onto a masked cell.
Look lookUnderMask(double value) {
    return std::isnan(value) ? Look::MaskedNan : value != 0 ? Look::Leaked : Look::Masked;
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

    void paintRow(const Span& row, const std::vector<Span>& columns, const std::vector<Square>& squares) const {
        for (int y = row.pixel; y < row.pixel + row.pixels; ++y) {
            QRgb* line = reinterpret_cast<QRgb*>(pixels_ + y * line_bytes_);
            for (std::size_t i = 0; i < columns.size(); ++i) paintLine(line, y, row, columns[i], squares[i]);
        }
    }

private:
    /// Draws line y of one square.
    void paintLine(QRgb* line, int y, const Span& row, const Span& column, const Square& square) const {
        const int smallest = std::min(row.pixels, column.pixels);
        switch (square.look) {
            case Look::Colour:
                std::fill_n(line + column.pixel, column.pixels, square.colour);
                break;
            case Look::Nan:
                std::fill_n(line + column.pixel, column.pixels, smallest < 4 ? nan_ : raised_);
                if (smallest >= 4) crossLine(line, y - row.pixel, row.pixels, column);
                break;
            case Look::MaskedNan:
                hatchLine(line, y, column);
                if (smallest >= 4) crossLine(line, y - row.pixel, row.pixels, column);
                break;
            case Look::Leaked:
                hatchLine(line, y, column);
                if (smallest >= 4) leakLine(line, y - row.pixel, row.pixels, column, square.colour);
                break;
            case Look::Masked:
                hatchLine(line, y, column);
                break;
        }
    }

    void hatchLine(QRgb* line, int y, const Span& column) const {
        int phase = (column.pixel + y) % period_;
        for (int x = column.pixel; x < column.pixel + column.pixels; ++x) {
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
    std::vector<Square> squares(columns.size());
    for (const Span& row : rows) {
        if (matrix.data) {
            gathered.gather(matrix, row);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                squares[i] = gathered.square(columns[i], color_of);
                if (!leaks || squares[i].look != Look::Masked || row.cells * columns[i].cells > 1) continue;
                const double value = matrix.at(row.cell, columns[i].cell);
                squares[i] = {lookUnderMask(value), color_of(value)};
            }
        } else {
            maskRow(matrix, row, columns, color_of(1), squares);
        }
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
