// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>

#include "core/files/safetensors_file.h"
#include "support.h"
#include "ui/controls/problem_note.h"

namespace headscope {

/// Shows a panel at its preferred width, with the keyboard focus, and waits for the first trace of its session.
inline bool showPanel(QWidget& panel, const Session& session, int height) {
    panel.resize(panel.sizeHint().width(), height);
    panel.show();
    return QTest::qWaitForWindowActive(&panel) && waitForTrace(session);
}

/// Finds a control by its name; ends the test if there is none.
template <typename T = QWidget>
T* control(const QWidget& within, const char* name) {
    auto* found = within.findChild<T*>(QString::fromLatin1(name));
    if (!found) qFatal("there is no %s called %s", T::staticMetaObject.className(), name);
    return found;
}

/// The visible text of an editable control.
inline QString textOf(const QWidget& within, const char* name) {
    auto* widget = control(within, name);
    auto* line = qobject_cast<QLineEdit*>(widget);
    return (line ? line : widget->findChild<QLineEdit*>())->text();
}

/// Replaces the text of a control, key by key.
inline void type(const QWidget& within, const char* name, const QString& text) {
    auto* widget = control(within, name);
    widget->setFocus();
    QTest::keyClick(widget, Qt::Key_A, Qt::ControlModifier);
    if (text.isEmpty()) return QTest::keyClick(widget, Qt::Key_Delete);
    QTest::keyClicks(widget, text);
}

/// Replaces the text of a control in one step, so that no legal prefix of the text is ever read.
inline void paste(const QWidget& within, const char* name, const QString& text) {
    auto* widget = control(within, name);
    auto* line = qobject_cast<QLineEdit*>(widget);
    if (!line) line = widget->findChild<QLineEdit*>();
    line->selectAll();
    line->insert(text);
}

/// The error text below a control; empty if its value is legal.
inline QString problemOf(const QWidget& within, const char* name) {
    auto* note = control<ProblemNote>(within, QByteArray(name).append("Problem").constData());
    return note->isVisibleTo(note->parentWidget()) ? note->sentence() : QString();
}

/// Selects an entry of a combo box with the keyboard, as a user does.
inline void choose(const QWidget& within, const char* name, const QString& entry) {
    auto* box = control<QComboBox>(within, name);
    const int wanted = box->findText(entry);
    if (wanted < 0) qFatal("%s doesn't offer %s", name, qPrintable(entry));
    while (box->currentIndex() != wanted)
        QTest::keyClick(box, box->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
}

inline Qt::CheckState stateOf(const QWidget& panel, const char* box) {
    return control<QCheckBox>(panel, box)->checkState();
}

inline void click(const QWidget& panel, const char* button) {
    QTest::mouseClick(control<QAbstractButton>(panel, button), Qt::LeftButton, {}, QPoint(8, 8));
}

/// Accepts the first open file dialog with a file.
inline void acceptDialog(const QWidget& panel, const QString& path) {
    auto* dialog = panel.findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY(!panel.findChild<QFileDialog*>());
}

/// A layer with embed_dim 8, named as `separate` or as fused projections, with small distinct numbers.
inline TensorFile layerFile(bool separate) {
    constexpr std::int64_t e = 8;
    const auto numbers = [](Shape shape) {
        Tensor tensor = Tensor::of<float>(std::move(shape));
        for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data<float>()[i] = static_cast<float>(i % 7 - 3) / 8;
        return FileTensor::from(tensor);
    };
    TensorFile file;
    if (separate) {
        for (const char* name : {"query", "key", "value"}) {
            file.tensors.emplace_back(std::string(name) + ".weight", numbers({e, e}));
            file.tensors.emplace_back(std::string(name) + ".bias", numbers({e}));
        }
    } else {
        file.tensors.emplace_back("qkv_proj.weight", numbers({3 * e, e}));
        file.tensors.emplace_back("qkv_proj.bias", numbers({3 * e}));
    }
    file.tensors.emplace_back("out_proj.weight", numbers({e, e}));
    file.tensors.emplace_back("out_proj.bias", numbers({e}));
    return file;
}

/// Three layers under GPT-2's names, of which the second has a norm that HeadScope does not compute.
inline TensorFile modelFile() {
    const TensorFile layer = layerFile(false);
    const auto transposed = [](FileTensor tensor) {
        std::swap(tensor.shape[0], tensor.shape[1]);
        return tensor;
    };
    TensorFile model;
    for (const std::string prefix : {"h.0.attn.", "h.1.attn.", "h.2.attn."}) {
        model.tensors.emplace_back(prefix + "c_attn.weight", transposed(*layer.find("qkv_proj.weight")));
        model.tensors.emplace_back(prefix + "c_attn.bias", *layer.find("qkv_proj.bias"));
        model.tensors.emplace_back(prefix + "c_proj.weight", *layer.find("out_proj.weight"));
        if (prefix == "h.1.attn.") model.tensors.emplace_back(prefix + "q_norm.weight", *layer.find("out_proj.bias"));
    }
    return model;
}

inline void writeFile(const QString& path, const std::vector<std::uint8_t>& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("can't write %s", qPrintable(path));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
}

/// A model's folder of its own, with two heads.
inline QString writeModel(const QTemporaryDir& parent, const QString& name) {
    const QString folder = parent.filePath(name);
    QDir().mkpath(folder);
    writeFile(folder + QStringLiteral("/model.safetensors"), encode_safetensors(modelFile()));
    const std::string config =
        R"({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 3})";
    writeFile(folder + QStringLiteral("/config.json"), {config.begin(), config.end()});
    return folder;
}

}  // namespace headscope
