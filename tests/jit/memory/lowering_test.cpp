// Lowered messages: code is written in LLVM IR, and run. Word k of memory is 100 + k, so that each result
// follows from its lane's address.
#include "jit/memory/lowering.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace visor::jit {
namespace {

constexpr size_t lanes = 8;
constexpr size_t words = 64;
using Memory = std::array<uint32_t, words>;
using Lanes = std::array<uint32_t, lanes>;

// Lane k is at x + k * `step`, its units follow each other from `displacement` on.
struct Message {
    uint32_t step = 16;
    Lanes numbers{}; // where not all are 0: its structure of 16 bytes, which the code does not know
    uint32_t units = 4;
    uint32_t bits = 32;
    uint32_t displacement = 0;
    bool flat = false;
    std::string on = "<i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1>";
    bool stores = false; // from %units, by unit
    uint32_t gap = 0;    // bytes more between the first unit and the second
};

std::string text_of(const Message& message) {
    const std::string place = message.flat ? "i64" : "i32";
    const std::string vector = fmt::format("<8 x i{}>", message.bits);
    std::string steps;
    std::string sixteens;
    for (size_t k = 0; k < lanes; ++k) {
        steps += fmt::format("{}{} {}", k == 0 ? "" : ", ", place, uint64_t{k} * message.step);
        sixteens += fmt::format("{}{} 16", k == 0 ? "" : ", ", place);
    }
    const std::string kind = message.flat ? "flat" : "surface";
    const std::string types =
        fmt::format("<8 x {}>, <8 x i1>, i32{}", place, message.flat ? ", i32" : ", ptr, i64, i64");
    const std::string reach = message.flat ? "i32 0" : "ptr %data, i64 %bytes, i64 -1";
    const bool knows = message.numbers == Lanes{};
    std::string text = message.stores
                           ? fmt::format("declare void @visor.store.{}.8({}, {})\n", kind, types, vector)
                           : fmt::format("declare {} @visor.load.{}.8({})\n", vector, kind, types);
    text += fmt::format(
        "define void @f(ptr %data, i64 %bytes, i64 %x, i8 %lanes, ptr %units, ptr %numbers) {{\n"
        "  %on = bitcast i8 %lanes to <8 x i1>\n"
        "  %begin = ptrtoint ptr %data to i64\n"
        "  %far = add i64 %begin, %x\n"
        "  %near = trunc i64 %x to i32\n"
        "  %one = insertelement <8 x {0}> poison, {0} {1}, i64 0\n"
        "  %all = shufflevector <8 x {0}> %one, <8 x {0}> poison, <8 x i32> zeroinitializer\n"
        "  %few = load <8 x i32>, ptr %numbers, align 4\n"
        "  %many = {4}\n"
        "  %bytes.of = mul <8 x {0}> %many, <{3}>\n"
        "  %places = add <8 x {0}> %all, {2}\n",
        place, message.flat ? "%far" : "%near", knows ? "<" + steps + ">" : std::string("%bytes.of"),
        sixteens, message.flat ? "zext <8 x i32> %few to <8 x i64>" : "add <8 x i32> %few, zeroinitializer");
    for (uint32_t k = 0; k < message.units; ++k)
        text += fmt::format("  %at{0} = getelementptr i8, ptr %units, i64 {1}\n", k, k * message.bits);
    for (uint32_t k = 0; message.stores && k < message.units; ++k)
        text += fmt::format("  %value{0} = load {1}, ptr %at{0}, align 4\n", k, vector);
    for (uint32_t k = 0; k < message.units; ++k) {
        const std::string arguments =
            fmt::format("<8 x {}> %places, <8 x i1> {}, i32 {}, {}", place, message.on,
                        message.displacement + k * message.bits / 8 + (k == 0 ? 0 : message.gap), reach);
        text += message.stores ? fmt::format("  call void @visor.store.{0}.8({1}, {2} %value{3})\n", kind,
                                             arguments, vector, k)
                               : fmt::format("  %value{3} = call {2} @visor.load.{0}.8({1})\n", kind,
                                             arguments, vector, k);
    }
    for (uint32_t k = 0; !message.stores && k < message.units; ++k)
        text += fmt::format("  store {1} %value{0}, ptr %at{0}, align 4\n", k, vector);
    return text + "  ret void\n}\n";
}

struct Ran {
    Memory memory{};
    std::vector<uint32_t> units; // unit by unit, lane by lane, in words
    bool together = false;       // some loads or stores move several units of a lane
    bool masked = false;         // a row is moved under a mask
    bool in_rows = false;        // loads more than the lanes' units
    [[nodiscard]] Lanes unit(size_t number) const {
        Lanes out{};
        std::copy_n(units.begin() + static_cast<ptrdiff_t>(number * lanes), lanes, out.begin());
        return out;
    }
};

// Memory with an unreadable page at its end.
class Guarded {
public:
    explicit Guarded(const Memory& memory)
        : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
          pages_(mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        if (pages_ == MAP_FAILED || mprotect(static_cast<std::byte*>(pages_) + page_, page_, PROT_NONE) != 0)
            std::abort();
        std::ranges::copy(memory, data());
    }
    ~Guarded() { munmap(pages_, 2 * page_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    [[nodiscard]] uint32_t* data() const {
        return static_cast<uint32_t*>(pages_) + page_ / sizeof(uint32_t) - words;
    }

private:
    size_t page_;
    void* pages_;
};

struct Given {
    uint64_t bytes = words * 4;
    uint64_t x = 0;
    uint8_t on = 0xff;
    bool gathers = false;
};

Ran run(const Message& message, const Given& given = {}) {
    Ran ran;
    std::iota(ran.memory.begin(), ran.memory.end(), 100U);
    ran.units.resize(size_t{message.units} * lanes * message.bits / 32);
    if (message.stores)
        std::iota(ran.units.begin(), ran.units.end(), 1000U);
    Assembled code;
    if (!code.parse(text_of(message)))
        return ran;
    lower_memory_intrinsics(code.function(), given.gathers, false);
    code.verify();
    for (const llvm::Instruction& instruction : llvm::instructions(code.function())) {
        const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        const llvm::Type* const moved = load != nullptr    ? load->getType()
                                        : store != nullptr ? store->getValueOperand()->getType()
                                                           : nullptr;
        const auto* const vector = llvm::dyn_cast_or_null<llvm::FixedVectorType>(moved);
        ran.in_rows =
            ran.in_rows || (load != nullptr && vector != nullptr && vector->getNumElements() > lanes);
        const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        ran.masked =
            ran.masked || (call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::masked_load ||
                                               call->getIntrinsicID() == llvm::Intrinsic::masked_store));
        ran.together = ran.together || (vector != nullptr && vector->getNumElements() < lanes);
    }
    code.link();
    const Guarded guarded(ran.memory);
    code.linked<void(uint32_t*, uint64_t, uint64_t, uint8_t, uint32_t*, const uint32_t*)>()(
        guarded.data(), given.bytes, given.x, given.on, ran.units.data(), message.numbers.data());
    std::copy_n(guarded.data(), words, ran.memory.begin());
    return ran;
}

// Each unit, from the first on.
void expect(const Ran& ran, bool together, const std::vector<Lanes>& units) {
    EXPECT_EQ(ran.together, together);
    ASSERT_EQ(ran.units.size(), units.size() * lanes);
    for (size_t k = 0; k < units.size(); ++k)
        EXPECT_EQ(ran.unit(k), units[k]) << "unit " << k;
}

// Whether a row that is stored at DATA may be non-temporal, where another one is loaded at FROM.
bool may_go_past(const std::string& from, bool flat) {
    const std::string row = "<i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>";
    const std::string on = "<8 x i1> splat (i1 1), i32 0, ";
    std::string text = "define void @f(ptr %data, ptr %other, i64 %bytes, i64 %local) {\n";
    if (flat) {
        for (const std::string name : {"data", "other"})
            text += fmt::format("  %{0}.number = ptrtoint ptr %{0} to i64\n"
                                "  %{0}.one = insertelement <8 x i64> poison, i64 %{0}.number, i64 0\n"
                                "  %{0}.all = shufflevector <8 x i64> %{0}.one, <8 x i64> poison, <8 x i32> "
                                "zeroinitializer\n"
                                "  %{0}.steps = zext <8 x i32> {1} to <8 x i64>\n"
                                "  %{0}.places = add <8 x i64> %{0}.all, %{0}.steps\n",
                                name, row);
        text +=
            fmt::format("  %v = call <8 x i32> @visor.load.flat.8(<8 x i64> %{0}.places, {1}i32 0)\n"
                        "  call void @visor.store.flat.8(<8 x i64> %data.places, {1}i32 1, <8 x i32> %v)\n",
                        from, on);
    } else {
        text += fmt::format(
            "  %v = call <8 x i32> @visor.load.surface.8(<8 x i32> {0}, {1}ptr %{2}, i64 %bytes, "
            "i64 -1)\n"
            "  call void @visor.store.surface.8(<8 x i32> {0}, {1}ptr %data, i64 %bytes, i64 {3}, "
            "<8 x i32> %v)\n",
            row, on, from == "local" ? "other" : from, from == "local" ? "%local" : "-1");
    }
    text += "  ret void\n}\n"
            "declare <8 x i32> @visor.load.flat.8(<8 x i64>, <8 x i1>, i32, i32)\n"
            "declare void @visor.store.flat.8(<8 x i64>, <8 x i1>, i32, i32, <8 x i32>)\n"
            "declare <8 x i32> @visor.load.surface.8(<8 x i32>, <8 x i1>, i32, ptr, i64, i64)\n"
            "declare void @visor.store.surface.8(<8 x i32>, <8 x i1>, i32, ptr, i64, i64, <8 x i32>)\n";
    Assembled code;
    if (!code.parse(text))
        return false;
    lower_memory_intrinsics(code.function(), true, false);
    code.verify();
    return std::ranges::any_of(llvm::instructions(code.function()), [](const llvm::Instruction& made) {
        return llvm::isa<llvm::StoreInst>(made) && made.hasMetadata(llvm::LLVMContext::MD_nontemporal);
    });
}

TEST(Access, WhatIsOnlyStoredMayGoPastTheCaches) {
    for (const bool flat : {false, true}) {
        EXPECT_TRUE(may_go_past("other", flat));
        EXPECT_FALSE(may_go_past("data", flat));
    }
    EXPECT_FALSE(may_go_past("local", false));
}

TEST(Access, StructuresAreLoadedWholeAndTurned) {
    for (const bool gathers : {false, true})
        for (const bool flat : {false, true})
            expect(run({.flat = flat}, {.gathers = gathers}), true,
                   {{100, 104, 108, 112, 116, 120, 124, 128},
                    {101, 105, 109, 113, 117, 121, 125, 129},
                    {102, 106, 110, 114, 118, 122, 126, 130},
                    {103, 107, 111, 115, 119, 123, 127, 131}});
}

TEST(Access, FromWhereverTheyBegin) { // 3 + 7 * lane
    expect(run({.step = 28, .displacement = 8}, {.x = 4}), true,
           {{103, 110, 117, 124, 131, 138, 145, 152},
            {104, 111, 118, 125, 132, 139, 146, 153},
            {105, 112, 119, 126, 133, 140, 147, 154},
            {106, 113, 120, 127, 134, 141, 148, 155}});
}

TEST(Access, TwoUnitsToo) {
    expect(run({.step = 20, .units = 2}), true,
           {{100, 105, 110, 115, 120, 125, 130, 135}, {101, 106, 111, 116, 121, 126, 131, 136}});
}

TEST(Access, QwordsToo) { // of each a low word and a high one, four lanes a line
    expect(run({.step = 24, .units = 2, .bits = 64}), true,
           {{100, 101, 106, 107, 112, 113, 118, 119},
            {124, 125, 130, 131, 136, 137, 142, 143},
            {102, 103, 108, 109, 114, 115, 120, 121},
            {126, 127, 132, 133, 138, 139, 144, 145}});
}

TEST(Access, ThreeUnitsAreTwoAndOne) { // to the last byte
    expect(run({.step = 12, .units = 3}, {.bytes = 96}), true,
           {{100, 103, 106, 109, 112, 115, 118, 121},
            {101, 104, 107, 110, 113, 116, 119, 122},
            {102, 105, 108, 111, 114, 117, 120, 123}});
}

TEST(Access, UnitsWithAGapAreNotOneStructure) { // words 0 and 2 of four
    expect(run({.step = 16, .units = 2, .gap = 4}), false,
           {{100, 104, 108, 112, 116, 120, 124, 128}, {102, 106, 110, 114, 118, 122, 126, 130}});
}

TEST(Access, LanesThatAreCloseAreLoadedAsAStretch) {
    expect(run({.step = 8, .units = 2}), false,
           {{100, 102, 104, 106, 108, 110, 112, 114}, {101, 103, 105, 107, 109, 111, 113, 115}});
}

// Of the last lane in the surface two units are inside, of the next one none. Without gathers, outlined
// functions do this, which only the CPU's own options keep correct (preserve-vector-registers).

// Numbers of points of three, and of four, up to the last byte of memory.
TEST(Access, LanesAFewUnitsApartArePickedOutOfRows) {
    for (const uint64_t x : {0U, 8U, 168U}) {
        const Ran ran = run({.step = 12, .units = 1}, {.x = x, .gathers = true});
        const auto first = static_cast<uint32_t>(100 + x / 4);
        EXPECT_EQ(ran.unit(0), (Lanes{first, first + 3, first + 6, first + 9, first + 12, first + 15,
                                      first + 18, first + 21}));
        EXPECT_TRUE(ran.in_rows);
    }
    const Ran four = run({.step = 16, .units = 1}, {.x = 140, .gathers = true});
    EXPECT_EQ(four.unit(0), (Lanes{135, 139, 143, 147, 151, 155, 159, 163}));
    EXPECT_TRUE(four.in_rows);
    const Ran flat = run({.step = 16, .units = 1, .flat = true}, {.x = 140, .gathers = true});
    EXPECT_EQ(flat.unit(0), (Lanes{135, 139, 143, 147, 151, 155, 159, 163}));
    EXPECT_TRUE(flat.in_rows);
}

TEST(Access, LanesFartherApartAreNot) {
    const Ran five = run({.step = 20, .units = 1}, {.gathers = true});
    EXPECT_EQ(five.unit(0), (Lanes{100, 105, 110, 115, 120, 125, 130, 135}));
    EXPECT_FALSE(five.in_rows);
    const Ran plain = run({.step = 12, .units = 1}); // a CPU of which nothing is known
    EXPECT_EQ(plain.unit(0), (Lanes{100, 103, 106, 109, 112, 115, 118, 121}));
    EXPECT_FALSE(plain.in_rows);
}

// Byte 4 * k is 100 + k, others are 0; colors of three bytes, from the first byte and the second, and to the
// last one: bytes 234, 237, ... 255.
TEST(Access, ColorsOfThreeBytes) {
    const Ran first = run({.step = 3, .units = 1, .bits = 8}, {.gathers = true});
    EXPECT_EQ(first.units, (std::vector<uint32_t>{100, 103})); // bytes 0, 3, 6, 9 and 12, 15, 18, 21
    EXPECT_TRUE(first.in_rows);
    const Ran second = run({.step = 3, .units = 1, .bits = 8}, {.x = 1, .gathers = true});
    EXPECT_EQ(second.units,
              (std::vector<uint32_t>{101U << 8U, 104U << 8U})); // 1, 4, 7, 10 and 13, 16, 19, 22
    const Ran last = run({.step = 3, .units = 1, .bits = 8}, {.x = 234, .gathers = true});
    EXPECT_EQ(last.units, (std::vector<uint32_t>{160U << 16U, 163U << 16U})); // 240 and 252
}

// Two bytes of each: those at 0, 3, 6, ... together with the next one.
TEST(Access, HalfWordsAtOddPlaces) {
    const Ran ran = run({.step = 3, .units = 1, .bits = 16}, {.gathers = true});
    EXPECT_EQ(ran.units, (std::vector<uint32_t>{101U << 24U | 100U, 0, 104U << 24U | 103U, 0}));
    EXPECT_TRUE(ran.in_rows);
}

TEST(Access, UnitsThatAreOutsideAreZero) {
    expect(run({}, {.bytes = 6 * 16 + 8, .gathers = true}), true,
           {{100, 104, 108, 112, 116, 120, 124, 0},
            {101, 105, 109, 113, 117, 121, 125, 0},
            {102, 106, 110, 114, 118, 122, 0, 0},
            {103, 107, 111, 115, 119, 123, 0, 0}});
}

TEST(Access, BelowZeroIsOutside) {
    expect(run({}, {.x = 0U - uint64_t{16}, .gathers = true}), true,
           {{0, 100, 104, 108, 112, 116, 120, 124},
            {0, 101, 105, 109, 113, 117, 121, 125},
            {0, 102, 106, 110, 114, 118, 122, 126},
            {0, 103, 107, 111, 115, 119, 123, 127}});
}

TEST(Access, StructuresAreStoredWhole) {
    for (const bool gathers : {false, true})
        for (const bool flat : {false, true}) {
            const Ran ran =
                run({.step = 24, .displacement = 4, .flat = flat, .stores = true}, {.gathers = gathers});
            EXPECT_TRUE(ran.together);
            for (size_t lane = 0; lane < lanes; ++lane) {
                EXPECT_EQ(ran.memory.at(lane * 6), 100 + lane * 6);
                for (size_t unit = 0; unit < 4; ++unit)
                    EXPECT_EQ(ran.memory.at(lane * 6 + 1 + unit), 1000 + unit * lanes + lane);
                EXPECT_EQ(ran.memory.at(lane * 6 + 5), 100 + lane * 6 + 5);
            }
        }
}

TEST(Access, WhatIsOutsideIsNotStored) {
    const Ran ran = run({.stores = true}, {.bytes = 6 * 16 + 8, .gathers = true});
    EXPECT_EQ(ran.memory.at(25), 1000 + lanes + 6);
    for (uint32_t k = 26; k < words; ++k)
        EXPECT_EQ(ran.memory.at(k), 100 + k);
}

TEST(Access, LanesThatAreOffStoreNothing) {
    for (const bool flat : {false, true}) {
        const Ran ran = run({.flat = flat, .on = "%on", .stores = true}, {.on = 0b10100101});
        EXPECT_TRUE(ran.together);
        for (size_t lane = 0; lane < lanes; ++lane)
            for (size_t unit = 0; unit < 4; ++unit)
                EXPECT_EQ(ran.memory.at(lane * 4 + unit), (0b10100101U >> lane & 1U) != 0
                                                              ? 1000 + unit * lanes + lane
                                                              : 100 + lane * 4 + unit);
    }
}

// Inactive lanes have invalid addresses.
TEST(Access, LanesThatAreOffNeedNoMemory) {
    for (const bool flat : {false, true}) {
        const Ran ran = run({.step = 0x1000'0000, .flat = flat, .on = "%on"}, {.x = 32, .on = 1});
        EXPECT_TRUE(ran.together);
        EXPECT_EQ(ran.unit(0).at(0), 108U);
        EXPECT_EQ(ran.unit(3).at(0), 111U);
    }
}

// Word 4 * numbers[lane] and the next ones, by lane.
TEST(Access, StructuresAreFoundByTheirNumbers) {
    for (const bool flat : {false, true})
        expect(run({.numbers = {9, 0, 3, 15, 3, 1, 14, 7}, .flat = flat}, {.gathers = true}), true,
               {{136, 100, 112, 160, 112, 104, 156, 128},
                {137, 101, 113, 161, 113, 105, 157, 129},
                {138, 102, 114, 162, 114, 106, 158, 130},
                {139, 103, 115, 163, 115, 107, 159, 131}});
}

TEST(Access, NumbersBehindTheEndFindZeros) { // half of the last structure is there
    expect(run({.numbers = {9, 0, 3, 15, 3, 16, 14, 0x0fff'ffff}}, {.bytes = 15 * 16 + 8, .gathers = true}),
           true,
           {{136, 100, 112, 160, 112, 0, 156, 0},
            {137, 101, 113, 161, 113, 0, 157, 0},
            {138, 102, 114, 0, 114, 0, 158, 0},
            {139, 103, 115, 0, 115, 0, 159, 0}});
}

// Half-words 100, 0, 101, 0 ..., from the second one on: lanes 1, 3, 5 and 7 find what is not 0.
TEST(Access, RowsOfHalfWordsAreMaskedWhereTheCpuMasksThem) {
    const Message row{.step = 2, .units = 1, .bits = 16, .flat = true, .on = "%on"};
    const std::vector<uint32_t> found{101U << 16U, 102U << 16U, 103U << 16U, 104U << 16U};
    for (const bool gathers : {true, false}) {
        const Ran ran = run(row, {.x = 2, .on = 0xaa, .gathers = gathers});
        EXPECT_EQ(ran.masked, gathers);
        EXPECT_EQ(ran.units, found);
    }
}

TEST(Access, SoAreTheirStores) { // of 1000, 1001, 1002, 1003 as half-words: 1000, 0, 1001, 0 ...
    const Message row{.step = 2, .units = 1, .bits = 16, .flat = true, .on = "%on", .stores = true};
    for (const bool gathers : {true, false}) {
        const Ran ran = run(row, {.on = 0x31, .gathers = gathers}); // lanes 0, 4 and 5
        EXPECT_EQ(ran.masked, gathers);
        const std::vector<uint32_t> begin(ran.memory.begin(), ran.memory.begin() + 5);
        EXPECT_EQ(begin, (std::vector<uint32_t>{1000, 101, 1002, 103, 104}));
    }
}

// True if four bytes at each of eight addresses, computed from %x, are known to be within `bytes`.
bool in_room(const std::string& places, uint64_t bytes) {
    Assembled code;
    if (!code.parse("declare i1 @visor.in_extent.8(<8 x i32>, i32, i64)\n"
                    "define i1 @f(ptr %at, i64 %bytes) {\n"
                    "  %x = load <8 x i32>, ptr %at, align 4\n" +
                    places +
                    "  %in = call i1 @visor.in_extent.8(<8 x i32> %places, i32 4, i64 %bytes)\n"
                    "  ret i1 %in\n}\n"))
        return false;
    lower_memory_intrinsics(code.function(), false, false);
    code.verify();
    code.link();
    const Lanes anything{};
    return code.linked<bool(const uint32_t*, uint64_t)>()(anything.data(), bytes);
}

TEST(Access, ScaledBytesReachSoFar) { // 4 * 255 + 4
    const std::string places = "  %b = trunc <8 x i32> %x to <8 x i8>\n"
                               "  %z = zext <8 x i8> %b to <8 x i32>\n"
                               "  %places = shl <8 x i32> %z, splat (i32 2)\n";
    EXPECT_TRUE(in_room(places, 1024));
    EXPECT_FALSE(in_room(places, 1023));
}

TEST(Access, WhatWasCutOutReachesSoFar) {
    EXPECT_TRUE(in_room("  %places = and <8 x i32> %x, splat (i32 60)\n", 64));
    EXPECT_FALSE(in_room("  %places = and <8 x i32> %x, splat (i32 60)\n", 63));
}

TEST(Access, OfAnyNumberNothingIsKnown) {
    EXPECT_FALSE(in_room("  %places = shl <8 x i32> %x, splat (i32 2)\n", UINT64_MAX));
}

} // namespace
} // namespace visor::jit
