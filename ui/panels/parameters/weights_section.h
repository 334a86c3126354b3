// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/parameters/section.h"

class QLineEdit;
class QPushButton;

namespace headscope {

/// The source of the weights (formulas, a seed or a file), and the layout of a file's fused weights.
class WeightsSection : public Section {
    Q_OBJECT
public:
    explicit WeightsSection(Session& session, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    void addFile();
    void choose(const QString& from);
    void chooseFile();
    void setWeights(const QString& weights);
    static QString limitText(std::int64_t embed_dim, std::int64_t num_heads);

    WordChoice* from_;
    QLineEdit* path_;
    QWidget* file_row_;
    QWidget* layout_row_;
    QLabel* assumption_;
    QLabel* limit_;
    std::pair<std::int64_t, std::int64_t> limit_of_{};  ///< embed_dim, or 0 without a limit, and num_heads
};

}  // namespace headscope
