// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/describe_command.h"

#include <cstdio>

#include "core/files/description.h"

namespace headscope {
namespace {

const QString kDescribe = QStringLiteral("--describe"), kJson = QStringLiteral("--json"),
              kLayer = QStringLiteral("--layer");

}  // namespace

QList<OptionSpec> describeOptions() {
    return {
        {kDescribe, QStringLiteral("FILE"),
         QStringLiteral("says what is in a weights file or a model's folder: layers, names, layout, heads, what was "
                        "assumed and what is not computed")},
        {kJson, {}, QStringLiteral("writes one JSON object instead of text")},
        {kLayer, QStringLiteral("LAYER"), QStringLiteral("of FILE, by number or name: opens or describes this one")}};
}

bool isDescribe(const Arguments& arguments) {
    return arguments.has(kDescribe) || arguments.has(kJson);
}

Result<void> runDescribe(const Arguments& arguments) {
    const auto file = arguments.value(kDescribe);
    if (!file) return fail(ErrorCode::InvalidValue, "--json needs --describe FILE or --check-mask FILE");
    if (!arguments.operands.isEmpty())
        return fail(ErrorCode::InvalidValue, "--describe takes one file; '{}' is one too many",
                    arguments.operands.first().toStdString());
    const auto description =
        Description::of(file->toStdString(), arguments.value(kLayer).value_or(QString()).toStdString());
    if (!description) {
        const Error& error = description.error();
        const bool layer = error.code == ErrorCode::InvalidValue;
        return fail(error.code, layer ? "--layer: {}" : "--describe: {}", error.message());
    }
    const std::string text = arguments.has(kJson) ? description->json() + "\n" : description->text();
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    return fail(ErrorCode::FileUnwritable, "--describe: standard output can't be written to");
}

}  // namespace headscope
