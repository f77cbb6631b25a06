#include "jit/engine/object_loader.h"

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>

namespace visor::jit {

namespace {

std::string text_of(llvm::Error error) {
    return llvm::toString(std::move(error));
}

// ORC's linking layer alone: setting up LLVM's compiler would take longer than linking.
class OrcLinked final : public LoadedObject {
public:
    explicit OrcLinked(std::unique_ptr<llvm::orc::ExecutorProcessControl> process)
        : session_(std::move(process)), layer_(session_) {
        // Errors are returned as well; the caller reports them.
        session_.setErrorReporter(llvm::consumeError);
    }
    ~OrcLinked() override { llvm::consumeError(session_.endSession()); }
    OrcLinked(const OrcLinked&) = delete;
    OrcLinked& operator=(const OrcLinked&) = delete;
    OrcLinked(OrcLinked&&) = delete;
    OrcLinked& operator=(OrcLinked&&) = delete;

    llvm::Error add(const std::string& object, const char* function) {
        llvm::orc::JITDylib& code = session_.createBareJITDylib("code");
        constexpr char no_prefix = '\0';
        auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(no_prefix);
        if (!process)
            return process.takeError();
        code.addGenerator(std::move(*process));
        if (auto error = layer_.add(code, llvm::MemoryBuffer::getMemBufferCopy(object, "kernel")))
            return error;
        auto symbol = session_.lookup({&code}, session_.intern(function));
        if (!symbol)
            return symbol.takeError();
        address_ = symbol->getAddress().toPtr<void*>();
        return llvm::Error::success();
    }

    [[nodiscard]] void* address() const override { return address_; }

private:
    llvm::orc::ExecutionSession session_;
    llvm::orc::ObjectLinkingLayer layer_;
    void* address_ = nullptr;
};

} // namespace

std::expected<std::unique_ptr<LoadedObject>, std::string> link(const std::string& object,
                                                               const char* function) {
    auto process = llvm::orc::SelfExecutorProcessControl::Create();
    if (!process)
        return std::unexpected(text_of(process.takeError()));
    auto linked = std::make_unique<OrcLinked>(std::move(*process));
    if (auto error = linked->add(object, function))
        return std::unexpected(text_of(std::move(error)));
    return linked;
}

} // namespace visor::jit
