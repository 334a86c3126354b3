// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/files/model_file.h"

namespace headscope {

/// What `headscope --describe` says about a file: its layers, their names, layout and heads, what was assumed, what is
/// not computed, and which layers are refused and why. No numbers but settings are read.
class Description {
public:
    /// layer: as for ModelFile::find(), or empty for all. InvalidValue if there is no such layer.
    static Result<Description> of(const std::string& path, const std::string& layer);

    std::string text() const;  ///< for people: lines that end with a line feed
    std::string json() const;  ///< for programs: one object on one line

private:
    struct Layer {
        std::size_t number;
        std::string title, prefix, family;
        Result<LayerInfo> info;
    };
    explicit Description(ModelFile file) : file_(std::move(file)) {}
    std::string line_of(const Layer& layer) const;
    std::string without_file(const std::string& sentence) const;
    std::string without_place(const std::string& sentence, const Layer& layer) const;

    ModelFile file_;
    std::vector<Layer> layers_;
};

}  // namespace headscope
