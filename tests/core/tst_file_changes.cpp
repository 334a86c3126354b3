// SPDX-License-Identifier: GPL-3.0-or-later
// Files that vanish, shrink, grow or are replaced while they are read: each reader returns what was in the file at one
// moment, or one error that names the file.
#include <atomic>
#include <filesystem>
#include <thread>

#include "fuzz/file_readers.h"
#include "scratch.h"
#include "support.h"

using namespace headscope;

namespace {

TensorFile tensors(float value) {
    const std::vector<float> numbers(20'000, value);
    TensorFile file;
    file.tensors.emplace_back("a", FileTensor{"F32", {100, 200}, bytes_of<float>(numbers)});
    file.tensors.emplace_back("b", FileTensor{"F32", {200, 100}, bytes_of<float>(numbers)});
    return file;
}

std::string bytes_in(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

}  // namespace

class TestFileChanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Between the header and the tensors.
    void vanishedAfterItWasOpened() {
        const std::string path = scratch_.write("a.safetensors", encode_safetensors(tensors(1)));
        auto file = SafetensorsFile::open(path);
        VERIFY_RESULT(file);
        QVERIFY(std::filesystem::remove(path));
        const auto loaded = file->load({"a"});  // the open file still has its contents
        VERIFY_RESULT(loaded);
        QCOMPARE(loaded->tensors.size(), std::size_t{1});
    }
    void shrunkAfterItWasOpened() {
        const std::string path = scratch_.write("a.safetensors", encode_safetensors(tensors(1)));
        auto file = SafetensorsFile::open(path);
        VERIFY_RESULT(file);
        std::filesystem::resize_file(path, std::filesystem::file_size(path) - 50'000);
        VERIFY_ERROR(file->load({"b"}), ErrorCode::FileUnreadable, path, "can't be read to its end");
        VERIFY_RESULT(file->load({}));
    }

    void changedWhileItIsRead_data() {
        QTest::addColumn<fuzz::Reader>("reader");
        using fuzz::Reader;
        for (const auto& [name, reader] : {std::pair{"safetensors", Reader::Safetensors}, std::pair{"npz", Reader::Npz},
                                           std::pair{"mask_json", Reader::MaskJson}, std::pair{"npy", Reader::Npy}})
            QTest::newRow(name) << reader;
    }
    void changedWhileItIsRead() {
        QFETCH(fuzz::Reader, reader);
        const std::string name = std::string("changing") + fuzz::ending(reader), path = scratch_.path(name);
        const auto contents = [&](float value) -> std::string {
            if (reader == fuzz::Reader::Npz) return bytes_in(*encode_npz(tensors(value)));
            if (reader == fuzz::Reader::Npy) return bytes_in(encode_npy(tensors(value).tensors[0].second));
            if (reader == fuzz::Reader::MaskJson) {
                const PaintedMask mask{80, std::vector<std::uint8_t>(80 * 80, value > 1)};
                return bytes_in(*encode_mask_file(mask, name));
            }
            return bytes_in(encode_safetensors(tensors(value)));
        };
        const std::string one = contents(1), two = contents(2);
        scratch_.write(name, one);
        std::atomic<bool> stop{false};
        std::thread writer([&] {
            std::error_code ignored;
            for (int round = 0; !stop; ++round) {
                switch (round % 4) {
                    case 0:  // replaced, as editors save
                        scratch_.write("next", round % 8 ? one : two);
                        std::filesystem::rename(scratch_.path("next"), path, ignored);
                        break;
                    case 1:
                        std::filesystem::resize_file(path, one.size() / 2, ignored);
                        break;
                    case 2:
                        std::filesystem::remove(path, ignored);
                        break;
                    default:
                        scratch_.write(name, two);  // in place
                }
            }
        });
        int read = 0, failed = 0;
        std::string wrong;
        for (int round = 0; round < 20'000 && wrong.empty() && (round < 1500 || read == 0 || failed == 0); ++round) {
            const auto error = [&]() -> std::optional<Error> {
                const auto code = [](const auto& result) -> std::optional<Error> {
                    return result ? std::nullopt : std::optional(result.error());
                };
                switch (reader) {
                    case fuzz::Reader::Safetensors:
                        return code(read_safetensors(path));
                    case fuzz::Reader::Npz:
                        return code(read_npz(path));
                    case fuzz::Reader::Npy:
                        return code(read_npy(path));
                    default:
                        return code(read_mask_file(path));
                }
            }();
            ++(error ? failed : read);
            if (error && error->code != ErrorCode::FileMissing) wrong = fuzz::blame(*error, path);
        }
        stop = true;
        writer.join();
        QVERIFY2(wrong.empty(), wrong.c_str());
        QVERIFY(read > 0 && failed > 0);
        scratch_.write(name, one);
    }

private:
    Scratch scratch_;
};

QTEST_APPLESS_MAIN(TestFileChanges)
#include "tst_file_changes.moc"
