// SPDX-License-Identifier: GPL-3.0-or-later
// Good files are damaged some ten thousand times, always in the same way: no reader may crash, throw, or give anything
// but a sound value or a typed error that names the file.
#include <random>

#include "core/base/memory.h"
#include "fuzz/file_readers.h"
#include "scratch.h"
#include "support.h"

using namespace headscope;
using fuzz::Reader;

namespace {

std::string text_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

FileTensor ramp(const Shape& shape) {
    return FileTensor::from(
        testing::filled(Tensor::Type::Float32, shape, [](std::int64_t n) { return double(n) / 8; }));
}

TensorFile layer() {
    return {{{"attn.in_proj_weight", ramp({12, 4})},
             {"attn.in_proj_bias", ramp({12})},
             {"attn.out_proj.weight", ramp({4, 4})},
             {"x", ramp({2, 3, 4})},
             {"lengths", FileTensor::from_i64({2}, {3, 1})}},
            {{"tokens", R"([["a","ß","c"],["d","[PAD]","[PAD]"]])"}, {"num_heads", "2"}, {"layout", "blocks"}}};
}

/// GPT-2's names, its buffers, and tensors of another module in a type that isn't read.
TensorFile gpt2() {
    return {{{"h.0.attn.c_attn.weight", ramp({4, 12})},
             {"h.0.attn.c_proj.weight", ramp({4, 4})},
             {"h.0.attn.bias", {"BOOL", {1, 1, 2, 2}, {1, 0, 1, 1}}},
             {"h.0.attn.masked_bias", FileTensor{"F32", {}, bytes_of<float>({-1e4F})}},
             {"h.0.mlp.weight", {"F8_E4M3", {2}, {1, 2}}}},
            {}};
}

TensorFile separate() {
    TensorFile file{{{"x", ramp({2, 2})}}, {{"tokens", R"(["a","b"])"}, {"mask", "causal"}}};
    for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"})
        file.tensors.emplace_back(std::string("a.") + name + ".weight", ramp({2, 2}));
    return file;
}

TensorFile recording() {
    return {{{"attention", ramp({2, 2, 3, 3})}}, {{"tokens", R"([["a","ß","c"],["d","e"]])"}}};
}

std::vector<std::string> good_files(Reader reader) {
    switch (reader) {
        case Reader::Npy:
            return {text_of(encode_npy(ramp({2, 3})))};
        case Reader::Npz:
            return {text_of(*encode_npz(layer())), text_of(*encode_npz({{}, {{"a", "[[1],{}]"}, {"b", "\"\n"}}}))};
        case Reader::MaskNpy:
            return {text_of(encode_npy(FileTensor::from_u8({2, 2}, {1, 0, 1, 1}))),
                    text_of(encode_npy({"F32", {1, 1, 2, 2}, bytes_of<float>({0, -INFINITY, 0, 0})}))};
        case Reader::MaskCsv:
            return {"1,0,0\r\n1,1,0\r\n1,1,1\r\n", "\"1\";\"0\"\n\"1\";TRUE\n", "0\t-inf\n0.0\t-0\n"};
        case Reader::MaskJson:
            return {R"({"size": 2, "cells": [[1, 0], [true, 1.0]]})", "[[[[0, -1e9], [0.0, 0]]]]"};
        case Reader::Safetensors:
            return {text_of(encode_safetensors(layer()))};
        case Reader::Recording:
            return {text_of(encode_safetensors(recording())), text_of(*encode_npz(recording()))};
        case Reader::Layer:
            break;
    }
    return {text_of(encode_safetensors(layer())), text_of(encode_safetensors(gpt2())),
            text_of(encode_safetensors(separate()))};
}

class Damage {
public:
    /// One to four changes: a bit, a byte, a number, a cut, a gap, a piece that stands twice, or a word of the formats.
    std::string operator()(std::string bytes) {
        for (std::size_t n = below(4) + 1; n > 0 && !bytes.empty(); --n) change(bytes);
        return bytes;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }

    void change(std::string& bytes) {
        constexpr std::uint64_t numbers[] = {0, 1, 0x7F, 0xFF, 0x7FFF'FFFF, 0xFFFF'FFFF, 0x7FFF'FFFF'FFFF'FFFF, ~0ULL};
        static const std::string words[] = {"\"",
                                            "-inf",
                                            "1e999",
                                            "nan",
                                            "true",
                                            "\"\"",
                                            ";",
                                            "\t",
                                            "bias_k",
                                            "metadata",
                                            "[",
                                            "{",
                                            ",",
                                            "\xEF\xBB\xBF",
                                            "\xE2\x80\xA8",
                                            "\xC2\x9B",
                                            "\xFF",
                                            "\n",
                                            "-0",
                                            "18446744073709551615",
                                            "PK\3\4",
                                            "\x93NUMPY",
                                            std::string(2000, '[')};
        const std::size_t at = below(bytes.size()), length = below(std::min<std::size_t>(bytes.size() - at, 40)) + 1;
        switch (below(8)) {
            case 0:
                bytes[at] = char(bytes[at] ^ char(1 << below(8)));
                break;
            case 1:
                bytes[at] = char(below(256));
                break;
            case 2: {
                const std::uint64_t number = numbers[below(std::size(numbers))];
                std::memcpy(bytes.data() + at, &number,
                            std::min<std::size_t>({bytes.size() - at, 8, std::size_t{1} << below(4)}));
                break;
            }
            case 3:
                bytes.resize(at);
                break;
            case 4:
                bytes.erase(at, length);
                break;
            case 5:
                bytes.insert(below(bytes.size()), bytes.substr(at, length));
                break;
            case 6:
                bytes.insert(at, words[below(std::size(words))]);
                break;
            default:  // a digit, where texts hold numbers
                bytes[at] = "0123456789-.,]}[{\"'"[below(19)];
        }
    }

    std::mt19937 random_{2026};
};

}  // namespace

class TestFileMutations : public QObject {
    Q_OBJECT
    Scratch scratch_;

    void check(Reader reader, const std::string& bytes) const {
        const std::string path = scratch_.write(std::string("damaged") + fuzz::ending(reader), bytes);
        const std::string wrong = fuzz::wrong_with(reader, path);
        if (wrong.empty()) return;
        const QByteArray hex = QByteArray::fromStdString(bytes).toHex();
        QFAIL(qPrintable(QString::fromStdString(wrong) + QStringLiteral("\n") + QString::fromLatin1(hex)));
    }

    static void readers() {
        QTest::addColumn<Reader>("reader");
        constexpr const char* names[] = {"safetensors", "npy",   "npz",       "mask npy",
                                         "mask csv",    "layer", "mask json", "recording"};
        for (const Reader reader : fuzz::kReaders) QTest::newRow(names[std::size_t(reader)]) << reader;
    }

private Q_SLOTS:
    void init() { set_memory_limit_for_tests(64'000'000); }
    void cleanup() { set_memory_limit_for_tests(0); }

    void cut_anywhere_data() { readers(); }
    void cut_anywhere() {
        QFETCH(Reader, reader);
        for (const std::string& good : good_files(reader))
            for (std::size_t size = 0; size <= good.size(); ++size) check(reader, good.substr(0, size));
    }

    void any_byte_damaged_data() { readers(); }
    void any_byte_damaged() {
        QFETCH(Reader, reader);
        for (const std::string& good : good_files(reader))
            for (std::size_t at = 0; at < good.size(); ++at)
                for (const int change : {1, 0x80, 0xFF}) {
                    std::string bytes = good;
                    bytes[at] = char(bytes[at] ^ change);
                    check(reader, bytes);
                }
    }

    void damaged_at_random_data() { readers(); }
    void damaged_at_random() {
        QFETCH(Reader, reader);
        Damage damage;
        for (const std::string& good : good_files(reader))
            for (int n = 0; n < 1500; ++n) check(reader, damage(good));
    }

    void good_files_are_good_data() { readers(); }
    void good_files_are_good() {
        QFETCH(Reader, reader);
        for (const std::string& good : good_files(reader)) {
            const std::string path = scratch_.write(std::string("good") + fuzz::ending(reader), good);
            QCOMPARE(QString::fromStdString(fuzz::wrong_with(reader, path)), QString());
            scratch_.write(std::string("good") + fuzz::ending(reader), good);  // what was read was written again
            const auto read = [&]() -> Result<void> {
                const auto nothing = [](const auto&) {};
                switch (reader) {
                    case Reader::Safetensors:
                        return read_safetensors(path).map(nothing);
                    case Reader::Npy:
                        return read_npy(path).map(nothing);
                    case Reader::Npz:
                        return read_npz(path).map(nothing);
                    case Reader::Layer:
                        return read_layer_file(path, std::nullopt).map(nothing);
                    case Reader::Recording:
                        return headscope::Recording::open(path).map(nothing);
                    default:
                        return read_mask_file(path).map(nothing);
                }
            };
            VERIFY_RESULT(read());
        }
    }
};

QTEST_APPLESS_MAIN(TestFileMutations)
#include "tst_file_mutations.moc"
