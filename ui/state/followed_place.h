// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>

#include "ui/state/selection.h"

namespace headscope {

/// The head and the query that a view tells of: those of the locked cell, or the head that is enlarged, until a person
/// chooses others in the view; and again as soon as another cell is locked or another head enlarged.
class FollowedPlace {
public:
    int head() const { return head_; }
    int query() const { return query_; }
    void setHead(int head) { head_ = head; }
    void setQuery(int query) { query_ = query; }

    /// To be called when the selection or the sizes may have changed.
    void follow(const Selection& selection, const Dims& dims) {
        if (selection.head != enlarged_ && selection.head) head_ = *selection.head;
        if (selection.locked != locked_ && selection.locked) {
            head_ = selection.locked->head;
            query_ = selection.locked->query;
        }
        enlarged_ = selection.head;
        locked_ = selection.locked;
        head_ = std::clamp(head_, 0, std::max(0, static_cast<int>(dims.num_heads) - 1));
        query_ = std::clamp(query_, 0, std::max(0, static_cast<int>(dims.sequence_length) - 1));
    }

private:
    int head_ = 0, query_ = 0;
    std::optional<int> enlarged_;
    std::optional<Cell> locked_;
};

}  // namespace headscope
