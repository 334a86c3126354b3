// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/speed/speed_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QTableWidget>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/memory.h"
#include "ui/controls/problem_note.h"
#include "ui/export/save_file.h"
#include "ui/pages/speed/speed_plot.h"
#include "ui/state/draft.h"

namespace headscope {

namespace {

QString ratio(double value) {
    return SpeedDialog::tr("%L1×").arg(value, 0, 'f', 1);
}

QString bytes(std::uint64_t count) {
    return QString::fromStdString(format_bytes(count));
}

QStringList cellsOf(const ArticleRow& row) {
    return {QString::number(row.way.sequence_length),
            QString::number(row.way.threads),
            wayName(wayOf(row)),
            ratio(row.claim.speed),
            SpeedDialog::tr("%1 (%L2 ms for %L3)")
                .arg(ratio(row.speed()))
                .arg(row.way.median_ms, 0, 'f', 1)
                .arg(row.plain.median_ms, 0, 'f', 1),
            ratio(row.claim.memory),
            SpeedDialog::tr("%1 (%2 for %3)")
                .arg(ratio(row.memory()), bytes(row.way.peak_bytes), bytes(row.plain.peak_bytes)),
            sentence(row.why)};
}

}  // namespace

/// What is to be measured, read from the controls.
struct SpeedDialog::Job {
    std::vector<std::int64_t> sizes;
    int threads = 1;
    std::int64_t embed_dim = 0, num_heads = 0;

    static Result<Job> read(const QString& sizes, const QString& threads, const QString& embed_dim,
                            const QString& num_heads) {
        const auto list = [](const QString& text, const char* what) {
            return parse_bench_numbers(text.simplified().remove(u' ').toStdString(), what);
        };
        const auto all = list(sizes, "the tokens");
        if (!all) return tl::unexpected(all.error());
        std::vector<std::int64_t> single;
        const std::pair<QString, const char*> fields[] = {
            {threads, "the threads"}, {embed_dim, "embed_dim"}, {num_heads, "num_heads"}};
        for (const auto& [text, what] : fields) {
            const auto number = list(text, what);
            if (!number) return tl::unexpected(number.error());
            if (number->size() != 1) return fail(ErrorCode::InvalidValue, "{}: give one number, not a list", what);
            single.push_back(number->front());
        }
        return Job{*all, static_cast<int>(std::min<std::int64_t>(single[0], 64)), single[1], single[2]};
    }
};

SpeedDialog::SpeedDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("speedDialog"));
    setWindowTitle(tr("Speed and memory"));
    buildControls();
    constexpr QSize kFrame(24, 64);  // what the window manager puts around it
    resize(QSize(1180, 720).boundedTo(screen()->availableSize() - kFrame));
    connect(&work_, &Background::failed, this, [this](const Error& error) { end(tl::unexpected(error)); });
    follow();
}

void SpeedDialog::buildControls() {
    const auto field = [this](const char* name, const QString& value, const QString& tip) {
        auto* edit = new QLineEdit(value, this);
        edit->setObjectName(QLatin1String(name));
        edit->setToolTip(tip);
        return edit;
    };
    sizes_ = field("sizes", QStringLiteral("256, 512, 1024, 2048"), tr("Lengths of a sequence, separated by commas"));
    threads_ = field("threads", QString::number(std::max(1, QThread::idealThreadCount())),
                     tr("How many cores may work at once"));
    embed_dim_ = field("embedDim", QStringLiteral("512"), tr("Embedding size"));
    num_heads_ = field("numHeads", QStringLiteral("8"), tr("A divisor of embed_dim"));
    auto* about = new QLabel(tr("Claims tested: what is said of three ways to compute attention, beside what they give "
                                "here. Plain attention is the same engine with the weights of all heads kept."),
                             this);
    about->setWordWrap(true);
    auto* form = new QGridLayout;
    const std::pair<QString, QLineEdit*> fields[] = {{tr("&Tokens"), sizes_},
                                                     {tr("T&hreads"), threads_},
                                                     {tr("&embed_dim"), embed_dim_},
                                                     {tr("&num_heads"), num_heads_}};
    int column = 0;
    for (const auto& [text, edit] : fields) {
        auto* label = new QLabel(text, this);
        label->setBuddy(edit);
        form->addWidget(label, 0, column);
        form->addWidget(edit, 1, column);
        form->setColumnStretch(column++, edit == sizes_ ? 4 : 1);
    }
    start_ = new QPushButton(this);
    start_->setObjectName(QStringLiteral("start"));
    start_->setDefault(true);
    form->addWidget(start_, 1, column);
    problem_ = new ProblemNote(this);
    progress_ = new QProgressBar(this);
    table_ = makeTable();
    plot_ = new SpeedPlot(this);
    pages_ = new QStackedWidget(this);
    empty_ = new QLabel(this);
    empty_->setObjectName(QStringLiteral("emptyState"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    auto* picture = new QWidget(this);
    auto* picture_column = new QVBoxLayout(picture);
    picture_column->setContentsMargins({});
    picture_column->addWidget(table_, 3);
    picture_column->addWidget(plot_, 2);
    pages_->addWidget(empty_);
    pages_->addWidget(picture);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    copy_ = buttons->addButton(tr("&Copy table"), QDialogButtonBox::ActionRole);
    save_ = buttons->addButton(tr("&Save as CSV…"), QDialogButtonBox::ActionRole);
    copy_->setObjectName(QStringLiteral("copy"));
    for (QPushButton* button : {start_, copy_, save_}) button->setAutoDefault(button == start_);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addLayout(form);
    layout->addWidget(problem_);
    layout->addWidget(progress_);
    layout->addWidget(pages_, 1);
    layout->addWidget(buttons);
    connect(start_, &QPushButton::clicked, this, [this] { isMeasuring() ? stop() : start(); });
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(csv()); });
    connect(save_, &QPushButton::clicked, this, &SpeedDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &SpeedDialog::reject);
}

QTableWidget* SpeedDialog::makeTable() {
    const QStringList titles{tr("tokens"),   tr("threads"),       tr("method"),   tr("speed: claim"),
                             tr("measured"), tr("memory: claim"), tr("measured"), tr("why")};
    auto* table = new QTableWidget(0, static_cast<int>(titles.size()), this);
    table->setObjectName(QStringLiteral("table"));
    table->setHorizontalHeaderLabels(titles);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setWordWrap(true);
    return table;
}

void SpeedDialog::follow() {
    start_->setText(isMeasuring() ? tr("S&top") : tr("&Measure"));
    progress_->setVisible(isMeasuring());
    empty_->setText(isMeasuring() ? tr("The first size is being measured.")
                                  : tr("Nothing is measured yet. Press Measure; four sizes up to 2048 take about half "
                                       "a minute, and figures are steadiest while nothing else runs."));
    pages_->setCurrentIndex(rows_.empty() ? 0 : 1);
    for (QLineEdit* edit : {sizes_, threads_, embed_dim_, num_heads_}) edit->setEnabled(!isMeasuring());
    for (QPushButton* button : {copy_, save_}) button->setEnabled(!rows_.empty() && !isMeasuring());
}

void SpeedDialog::start() {
    if (isMeasuring()) return;
    const auto job = Job::read(sizes_->text(), threads_->text(), embed_dim_->text(), num_heads_->text());
    problem_->showProblem(job ? QString() : sentence(job.error()));
    if (!job) return Q_EMIT finished();
    rows_.clear();
    table_->setRowCount(0);
    plot_->show(rows_);
    progress_->setRange(0, static_cast<int>(job->sizes.size()) * kArticleSteps);
    progress_->setValue(0);
    work_.run([this, job = *job](const std::atomic<bool>& cancel) -> Background::Finish {
        const auto bench = Bench::make(job.embed_dim, job.num_heads, 0);
        if (!bench) return [this, error = bench.error()] { end(tl::unexpected(error)); };
        for (std::size_t i = 0; i < job.sizes.size(); ++i) {
            const int before = static_cast<int>(i) * kArticleSteps;
            const auto done = [&](int steps) {
                work_.report(cancel, [this, value = before + steps] { progress_->setValue(value); });
            };
            const auto rows = measure_article(*bench, job.sizes[i], job.threads, done, &cancel);
            if (!rows) return [this, error = rows.error()] { end(tl::unexpected(error)); };
            work_.report(cancel, [this, rows = *rows] { add(rows); });
        }
        return [this] { end({}); };
    });
    follow();
}

/// What was measured until now stays.
void SpeedDialog::stop() {
    if (!isMeasuring()) return;
    work_.cancel();
    end({});
}

void SpeedDialog::add(const std::vector<ArticleRow>& rows) {
    for (const ArticleRow& row : rows) {
        const QStringList cells = cellsOf(row);
        const int line = table_->rowCount();
        table_->insertRow(line);
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setToolTip(cells[column].toHtmlEscaped());
            table_->setItem(line, column, item);
        }
        rows_.push_back(row);
    }
    plot_->show(rows_);
    follow();
}

void SpeedDialog::end(const Result<void>& result) {
    problem_->showProblem(result ? QString() : sentence(result.error()));
    follow();
    Q_EMIT finished();
}

QString SpeedDialog::csv() const {
    return QString::fromStdString(
        article_csv(rows_, [](const Sentence& said) { return sentence(said).toStdString(); }));
}

void SpeedDialog::save() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save as CSV"), QStringLiteral("speed.csv"), tr("Table (*.csv)"));
    if (path.isEmpty()) return;
    const auto saved = saveFile(path, csv().toUtf8());
    problem_->showProblem(saved ? QString() : sentence(saved.error()));
}

void SpeedDialog::reject() {
    if (isMeasuring()) return stop();
    QDialog::reject();
}

}  // namespace headscope
