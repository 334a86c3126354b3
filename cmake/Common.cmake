# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of ours is compiled with: warnings, and no conversions that Qt would do behind our back.
add_library(headscope_options INTERFACE)
target_compile_options(headscope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2)
if(HEADSCOPE_WERROR)
  target_compile_options(headscope_options INTERFACE -Werror)
endif()
target_compile_definitions(headscope_options INTERFACE
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_KEYWORDS QT_USE_QSTRINGBUILDER
  QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
# The figures must be the same on every processor: no contraction of a*b+c behind our back, no fast-math.
target_compile_options(headscope_options INTERFACE -ffp-contract=off)
if(HEADSCOPE_SANITIZE)
  add_compile_options(-fsanitize=${HEADSCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HEADSCOPE_SANITIZE})
endif()
# What is precompiled for the interface and the tests.
set(HEADSCOPE_COMMON_HEADERS <algorithm> <cmath> <functional> <memory> <optional> <string> <vector>
  <fmt/args.h> <fmt/format.h> <tl/expected.hpp>)
set(HEADSCOPE_WIDGET_HEADERS <QCoreApplication> <QEvent> <QHBoxLayout> <QKeyEvent> <QLabel> <QLineEdit> <QList>
  <QMouseEvent> <QPainter> <QScrollArea> <QString> <QStringList> <QToolButton> <QVBoxLayout> <QWidget>)
