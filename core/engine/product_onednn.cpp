// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that uses oneDNN.
#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "core/engine/product.h"

#ifdef HEADSCOPE_HAS_ONEDNN
#include <omp.h>

#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace headscope {

#ifdef HEADSCOPE_HAS_ONEDNN

bool has_onednn() {
    return true;
}

namespace {

using Tag = dnnl::memory::format_tag;

/// oneDNN runs on OpenMP, whose number of threads is a setting of the calling thread. Sets it to one, because our own
/// threads call oneDNN, and restores the caller's setting.
class OneOpenMpThread {
public:
    OneOpenMpThread() : before_(omp_get_max_threads()) {
        if (before_ != 1) omp_set_num_threads(1);
    }
    ~OneOpenMpThread() {
        if (before_ != 1) omp_set_num_threads(before_);
    }
    OneOpenMpThread(const OneOpenMpThread&) = delete;
    OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

private:
    int before_;
};

/// Never destroyed: pooled threads outlive main().
const dnnl::engine& engine() {
    static const auto* const instance = new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return *instance;
}

dnnl::memory::desc right_side(const ProductShape& shape, dnnl::memory::data_type type) {
    const dnnl::memory::dims dims{shape.k, shape.n};
    switch (shape.right) {
        case RightSide::Plain:
            return {dims, type, dnnl::memory::dims{shape.ldb, 1}};
        case RightSide::Transposed:
            return {dims, type, dnnl::memory::dims{1, shape.ldb}};
        case RightSide::Panels:
            break;
    }
    return {dims, type, shape.element == Element::Float32 ? Tag::BA16a64b : Tag::BA16a64b2a};
}

/// A kernel for one shape with its arguments, whose data pointers are set for each call.
class Kernel {
public:
    explicit Kernel(const ProductShape& shape) : stream_(engine()) {
        using Type = dnnl::memory::data_type;
        const Type type = shape.element == Element::Float32 ? Type::f32 : Type::bf16;
        const dnnl::memory::desc a({shape.m, shape.k}, type, Tag::ab),
            b = right_side(shape, type), c({shape.m, shape.n}, Type::f32, dnnl::memory::dims{shape.ldc, 1});
        dnnl::primitive_attr attributes;
        if (shape.add) {
            dnnl::post_ops sum;
            sum.append_sum();
            attributes.set_post_ops(sum);
        }
        const dnnl::matmul::primitive_desc description({a, b, c}, attributes, engine());
        name_ = description.impl_info_str();
        primitive_ = dnnl::matmul(description);
        a_ = dnnl::memory(a, engine(), DNNL_MEMORY_NONE);
        b_ = dnnl::memory(b, engine(), DNNL_MEMORY_NONE);
        c_ = dnnl::memory(c, engine(), DNNL_MEMORY_NONE);
        arguments_ = {{{DNNL_ARG_SRC, a_.get()}, {DNNL_ARG_WEIGHTS, b_.get()}, {DNNL_ARG_DST, c_.get()}}};
    }

    const std::string& name() const { return name_; }
    bool fast() const { return name_.starts_with("brg") || name_.starts_with("gemm"); }

    void run(const void* a, const void* b, float* c) {
        // oneDNN's handles are not const, but it only reads from these two.
        a_.set_data_handle(const_cast<void*>(a));
        b_.set_data_handle(const_cast<void*>(b));
        c_.set_data_handle(c);
        // The C++ interface would rebuild this list from a map at each call.
        const auto status = dnnl_primitive_execute(primitive_.get(), stream_.get(), static_cast<int>(arguments_.size()),
                                                   arguments_.data());
        if (status == dnnl_out_of_memory) throw std::bad_alloc();
        dnnl::error::wrap_c_api(status, "could not execute a product");
    }

private:
    dnnl::stream stream_;
    std::string name_;
    dnnl::primitive primitive_;
    dnnl::memory a_, b_, c_;
    std::array<dnnl_exec_arg_t, 3> arguments_{};
};

struct ShapeHash {
    std::size_t operator()(const ProductShape& s) const {
        std::size_t hash = 0;
        for (const std::int64_t part : {s.m, s.n, s.k, s.ldb, s.ldc, std::int64_t{s.add},
                                        static_cast<std::int64_t>(s.right), static_cast<std::int64_t>(s.element)}) {
            hash = hash * 1000003 + std::hash<std::int64_t>()(part);
        }
        return hash;
    }
};

/// This thread's cached kernel of a shape, or null if oneDNN has no fast one.
Kernel* kernel(const ProductShape& shape) {
    constexpr std::size_t kMostKept = 256;  // a sequence length needs some ten shapes
    thread_local std::unordered_map<ProductShape, std::unique_ptr<Kernel>, ShapeHash> kept;
    const auto found = kept.find(shape);
    if (found != kept.end()) return found->second.get();
    if (kept.size() >= kMostKept) kept.clear();
    std::unique_ptr<Kernel> made;
    // Lock: oneDNN guards its cache of kernels itself, but the thread sanitizer cannot see how.
    static std::mutex making;
    const std::lock_guard lock(making);
    try {
        made = std::make_unique<Kernel>(shape);
        if (!made->fast()) made.reset();
    } catch (const dnnl::error& error) {  // for example bfloat16 on a processor below AVX-512
        if (error.status == dnnl_out_of_memory) throw std::bad_alloc();
    }
    return kept.emplace(shape, std::move(made)).first->second.get();
}

}  // namespace

bool onednn_product(const ProductShape& shape, const void* a, const void* b, float* c) {
    const OneOpenMpThread guard;
    Kernel* const ready = kernel(shape);
    if (ready) ready->run(a, b, c);
    return ready != nullptr;
}

std::string onednn_kernel(const ProductShape& shape) {
    const OneOpenMpThread guard;
    const Kernel* const ready = kernel(shape);
    return ready ? ready->name() : std::string();
}

#else

bool has_onednn() {
    return false;
}
bool onednn_product(const ProductShape&, const void*, const void*, float*) {
    return false;
}
std::string onednn_kernel(const ProductShape&) {
    return {};
}

#endif

}  // namespace headscope
