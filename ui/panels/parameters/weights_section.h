// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/parameters/section.h"

class QLineEdit;
class QPushButton;
class QToolButton;

namespace headscope {

class LayerChoice;

/// The source of the weights (formulas, a seed or a file), the layer of a model's file, and the layout of its fused
/// weights.
class WeightsSection : public Section {
    Q_OBJECT
public:
    explicit WeightsSection(Session& session, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    void addPath();
    void addLayer();
    void addLayout();
    void addInput();
    void showInput();
    void showRecordCode();
    void choose(const QString& from);
    void chooseFile();
    void setWeights(const QString& weights);
    static QString limitText(std::int64_t embed_dim, std::int64_t num_heads);

    WordChoice* from_;
    QLineEdit* path_;
    QWidget* file_row_;
    QWidget* layer_row_;
    LayerChoice* layer_;
    QWidget* layout_row_;
    QLabel* assumption_;
    QLabel* input_note_;
    QToolButton* record_;
    QLabel* limit_;
    std::pair<std::int64_t, std::int64_t> limit_of_{};  ///< embed_dim, or 0 without a limit, and num_heads
};

}  // namespace headscope
