// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/recorded_heads.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/state/phrase.h"

namespace headscope {

namespace {

std::optional<HeadMeasure> nameOf(const std::optional<RecordedHead>& head) {
    return head ? head->measures.name() : std::nullopt;
}

}  // namespace

RecordedHeads::RecordedHeads(RecordingPtr of, int shown_sequence)
    : recording(std::move(of)),
      sequence(shown_sequence),
      heads(static_cast<std::size_t>(recording->layers() * recording->num_heads())) {}

int RecordedHeads::known() const {
    return static_cast<int>(std::count_if(heads.begin(), heads.end(), [](const auto& head) { return !!head; }));
}

int RecordedHeads::named(std::optional<HeadMeasure> name) const {
    return static_cast<int>(
        std::count_if(heads.begin(), heads.end(), [&](const auto& head) { return head && nameOf(head) == name; }));
}

std::int64_t RecordedHeads::rows() const {
    return std::accumulate(heads.begin(), heads.end(), std::int64_t{0}, [](std::int64_t sum, const auto& head) {
        return sum + (head ? head->measures.all_rows : 0);
    });
}

std::int64_t RecordedHeads::rowsNotOne() const {
    return std::accumulate(heads.begin(), heads.end(), std::int64_t{0}, [](std::int64_t sum, const auto& head) {
        return sum + (head ? head->measures.not_one : 0);
    });
}

std::vector<int> shownHeads(const RecordedHeads& all, const AtlasFilter& filter) {
    const auto measures = static_cast<std::size_t>(kHeadMeasures);
    std::vector<int> shown;
    for (int head = 0; head < static_cast<int>(all.heads.size()); ++head) {
        const auto& known = all.of(head);
        const auto name = nameOf(known);
        const std::size_t row = name ? static_cast<std::size_t>(*name) : measures;
        if (!filter.only || (known && row == *filter.only)) shown.push_back(head);
    }
    if (filter.order == AtlasOrder::Layer) return shown;
    const auto key = [&](int head) {  // smallest first
        const auto& known = all.of(head);
        if (!known) return 1e3;
        if (filter.order == AtlasOrder::Measure) {
            const double value = known->measures.of(filter.measure);
            return std::isnan(value) ? 1e2 : -value;
        }
        const auto name = known->measures.name();
        return name ? static_cast<double>(*name) - known->measures.of(*name) / 2 : static_cast<double>(measures);
    };
    std::stable_sort(shown.begin(), shown.end(), [&](int a, int b) { return key(a) < key(b); });
    return shown;
}

std::vector<AtlasName> atlasNames() {
    std::vector<AtlasName> names;
    for (const HeadMeasureType& type : head_measure_types()) {
        const auto role = static_cast<Role>(static_cast<int>(Role::HeadPrevious) + static_cast<int>(type.measure));
        names.push_back({type.measure, translated(type.name), translated(type.sentence), role});
    }
    names.push_back({std::nullopt, QCoreApplication::translate("headscope", "mixed"),
                     QCoreApplication::translate("headscope", "no measure is at least 0.5"), Role::Border});
    return names;
}

const AtlasName& nameOf(const std::vector<AtlasName>& names, std::optional<HeadMeasure> measure) {
    return names[measure ? static_cast<std::size_t>(*measure) : names.size() - 1];
}

QString headTitle(const RecordedHeads& heads, int head) {
    const Recording::Place place = heads.place(head);
    const QString number = QString::number(place.head);
    return heads.recording->layers() > 1
               ? QCoreApplication::translate("headscope", "Layer %1, head %2").arg(QString::number(place.layer), number)
               : QCoreApplication::translate("headscope", "Head %1").arg(number);
}

}  // namespace headscope
