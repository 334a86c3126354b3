// SPDX-License-Identifier: GPL-3.0-or-later
// Traces for the tests of the views that draw them.
#pragma once

#include <QImage>
#include <functional>

#include "traces.h"
#include "ui/state/selection.h"
#include "ui/state/tokenizer.h"

namespace headscope {

struct Setting {
    QString text = QStringLiteral("the cat sat on the mat");
    std::int64_t embed_dim = 32, num_heads = 2;
    std::string mask = "none";
    Fill fill = Fill::Safe;
    Precision precision = Precision::Float32;
};

/// A seeded layer on a text of words; prints the error and returns null if that fails.
inline TracePtr traceOf(const Setting& setting, const TracePtr& previous = nullptr) {
    Request request;
    request.batch = make_batch(tokenize(setting.text, Tokenizer::Space));
    request.embed_dim = setting.embed_dim;
    request.num_heads = setting.num_heads;
    request.source = WeightSource::Seed;
    request.mask = parse_heads(setting.mask).value();
    request.fill = setting.fill;
    request.precision = setting.precision;
    request.chunk_size = std::nullopt;
    return testing::traced(request, previous);
}

/// n different tokens: "t0 t1 t2 ..."
inline QString manyTokens(int n) {
    QStringList tokens;
    for (int i = 0; i < n; ++i) tokens.append(QStringLiteral("t%1").arg(i));
    return tokens.join(QLatin1Char(' '));
}

/// A copy of the trace with the numbers of one stage replaced by f(head, row, column), for every sequence.
inline TracePtr withNumbers(const TracePtr& trace, Stage stage, const std::function<double(int, int, int)>& f) {
    auto changed = std::make_shared<Trace>(*trace);
    const Shape shape = stage_shape(stage, trace->request);
    const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
    const auto tensor =
        std::make_shared<Tensor>(testing::filled(storage_type(trace->request.precision), shape, [&](std::int64_t n) {
            const std::int64_t head =
                has_heads(stage, trace->request) ? n / (rows * columns) % trace->dims().num_heads : 0;
            return f(static_cast<int>(head), static_cast<int>(n / columns % rows), static_cast<int>(n % columns));
        }));
    switch (stage) {
        case Stage::Weights:
            changed->weights = tensor;
            break;
        case Stage::Scores:
            changed->scores = tensor;
            break;
        case Stage::Q:
            changed->q = tensor;
            break;
        case Stage::Output:
            changed->output = tensor;
            break;
        default:
            qFatal("no test changes this stage");
    }
    return changed;
}

inline QColor at(const QImage& image, const QPointF& place) {
    return image.pixelColor(place.toPoint());
}

inline Selection selectionOf(Stage stage, std::optional<Range> range = {}, std::optional<Palette> palette = {}) {
    Selection selection;
    selection.stage = stage;
    selection.range = range;
    selection.palette = palette;
    return selection;
}

}  // namespace headscope
