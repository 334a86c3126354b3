// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heads/cell_raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/hatch.h"

namespace headscope {

namespace {

/// What is known of the cells behind one square of the picture.
template <typename T>
struct Cells {
    T value = 0;  ///< the largest, or the sum
    std::int64_t open = 0;
    bool nan = false;

    void add(T cell, Reduction reduction) {
        nan |= std::isnan(cell);
        value = !open ? cell : reduction == Reduction::Mean ? value + cell : std::max(value, cell);
        ++open;
    }
};

enum class Look { Colour, Masked, Nan };
struct Square {
    Look look = Look::Masked;
    QRgb colour = 0;
};

template <typename T>
void gather(const MatrixView& matrix, const Span& row, const std::vector<Span>& columns, Reduction reduction,
            std::vector<Cells<T>>& out) {
    std::fill(out.begin(), out.end(), Cells<T>{});
    for (std::int64_t i = row.cell; i < row.cell + row.cells; ++i) {
        const T* values = static_cast<const T*>(matrix.data) + i * matrix.stride;
        const std::uint8_t* open = matrix.mask ? matrix.mask + i * matrix.columns : nullptr;
        for (std::size_t span = 0; span < columns.size(); ++span) {
            const auto begin = columns[span].cell, end = begin + columns[span].cells;
            for (std::int64_t j = begin; j < end; ++j)
                if (!open || open[j]) out[span].add(values[j], reduction);
        }
    }
}

template <typename T>
Square squareOf(const Cells<T>& cells, const ColorScale& scale, Reduction reduction) {
    if (!cells.open) return {};
    if (cells.nan) return {Look::Nan, 0};
    const double value = static_cast<double>(cells.value);
    return {Look::Colour, scale.color(reduction == Reduction::Mean ? value / static_cast<double>(cells.open) : value)};
}

/// The mask has no numbers of its own: an open cell is 1.
void maskRow(const MatrixView& matrix, const Span& row, const std::vector<Span>& columns, QRgb open_colour,
             std::vector<Square>& out) {
    for (std::size_t span = 0; span < columns.size(); ++span) {
        bool open = false;
        for (std::int64_t i = row.cell; i < row.cell + row.cells && !open; ++i)
            for (std::int64_t j = columns[span].cell; j < columns[span].cell + columns[span].cells && !open; ++j)
                open = !matrix.masked(i, j);
        out[span] = open ? Square{Look::Colour, open_colour} : Square{};
    }
}

/// Colours squares pixel by pixel, so that hatching and crosses are as crisp as the cells.
class Painter {
public:
    Painter(QImage& image, Theme theme, double pixel_ratio)
        : image_(image),
          period_(std::max(2, static_cast<int>(std::lround(kHatchSpacing * pixel_ratio)))),
          width_(std::max(1, static_cast<int>(std::lround(pixel_ratio)))),
          masked_(color(Role::Masked, theme).rgb()),
          hatch_(color(Role::Hatch, theme).rgb()),
          nan_(color(Role::Nan, theme).rgb()),
          raised_(color(Role::Raised, theme).rgb()) {}

    void paintRow(const Span& row, const std::vector<Span>& columns, const std::vector<Square>& squares) {
        for (int y = row.pixel; y < row.pixel + row.pixels; ++y) {
            QRgb* line = reinterpret_cast<QRgb*>(image_.scanLine(y));
            for (std::size_t i = 0; i < columns.size(); ++i) {
                const Span& column = columns[i];
                if (squares[i].look == Look::Colour)
                    std::fill_n(line + column.pixel, column.pixels, squares[i].colour);
                else if (squares[i].look == Look::Masked)
                    hatchLine(line, y, column);
                else
                    crossLine(line, y - row.pixel, row.pixels, column);
            }
        }
    }

private:
    void hatchLine(QRgb* line, int y, const Span& column) const {
        int phase = (column.pixel + y) % period_;
        for (int x = column.pixel; x < column.pixel + column.pixels; ++x) {
            line[x] = phase < width_ ? hatch_ : masked_;
            if (++phase == period_) phase = 0;
        }
    }

    /// Line y of height; where a cell is too small for a cross it is wholly of that colour.
    void crossLine(QRgb* line, int y, int height, const Span& column) const {
        const bool small = std::min(height, column.pixels) < 4;
        std::fill_n(line + column.pixel, column.pixels, small ? nan_ : raised_);
        if (small) return;
        // Steeper crosses cover a longer stretch of each line, so that both strokes stay whole.
        const double slope = static_cast<double>(column.pixels) / height;
        const int begin = std::clamp(static_cast<int>(y * slope), 0, column.pixels - 1);
        const int end = std::clamp(static_cast<int>(std::ceil((y + 1) * slope)), begin + 1, column.pixels);
        for (int x = begin; x < end; ++x) {
            line[column.pixel + x] = nan_;
            line[column.pixel + column.pixels - 1 - x] = nan_;
        }
    }

    QImage& image_;
    int period_, width_;
    QRgb masked_, hatch_, nan_, raised_;
};

template <typename T>
void paintAll(const MatrixView& matrix, const ColorScale& scale, const std::vector<Span>& rows,
              const std::vector<Span>& columns, Reduction reduction, Painter painter) {
    std::vector<Cells<T>> cells(columns.size());
    std::vector<Square> squares(columns.size());
    for (const Span& row : rows) {
        if (matrix.data) {
            gather(matrix, row, columns, reduction, cells);
            for (std::size_t i = 0; i < cells.size(); ++i) squares[i] = squareOf(cells[i], scale, reduction);
        } else {
            maskRow(matrix, row, columns, scale.color(1), squares);
        }
        painter.paintRow(row, columns, squares);
    }
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
                 const std::vector<Span>& columns, Reduction reduction, Theme theme, double pixel_ratio) {
    QImage image(extent(columns), extent(rows), QImage::Format_RGB32);
    if (image.isNull()) return image;
    image.fill(color(Role::Raised, theme));
    const Painter painter(image, theme, pixel_ratio);
    if (matrix.type == Tensor::Type::Float64)
        paintAll<double>(matrix, scale, rows, columns, reduction, painter);
    else
        paintAll<float>(matrix, scale, rows, columns, reduction, painter);
    return image;
}

}  // namespace headscope
