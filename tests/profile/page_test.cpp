// A page of a profile that is made by hand.
#include "profile/page.h"

#include "profile/picture.h"
#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::profile {
namespace {

constexpr const char* visa = ".version 4.1\n"
                             ".kernel \"k\"\n"
                             ".decl A v_type=G type=d num_elts=8 align=GRF\n"
                             "    mov (M1, 8) A(0,0)<1> 0x1:d\n"
                             "    ret (M1, 1)\n";

Profile made() {
    Profile profile;
    FunctionCosts& function = profile.functions.emplace_back();
    Diagnostics diagnostics;
    function.function = std::make_shared<Function>(text::parse(visa, {}, diagnostics)->functions.front());
    function.kernel = function.function;
    function.text_name = "<k>.visaasm";
    function.text = visa;
    function.costs.resize(function.function->code.size());
    function.costs[0] = {.executed = 10, .lanes = 20, .possible_lanes = 80};
    function.costs[1] = {.executed = 10, .lanes = 10, .possible_lanes = 10};
    profile.launches = 1;
    profile.facts = {{"k", 8, {4, 1, 1}, {16, 1, 1}, 2}};
    ArrayCosts array{"argument 0 `a<b`", 4096, false, HeatMap(4096)};
    array.heat.add(0, 4, 5);
    array.sites.push_back({0,
                           0,
                           machine::AccessKind::write,
                           {.messages = {0, 2, 0}, .bytes = 64, .lines = 16, .least_lines = 2},
                           {{0, 0, 4}, {1, 128, 4}}});
    profile.arrays.push_back(array);
    return profile;
}

bool has(const std::string& page, std::string_view part) {
    return page.find(part) != std::string::npos;
}

TEST(Page, SaysWhatMessagesTouched) {
    const std::string page =
        page_of(made(), {.title = "t", .creator = "visor", .checked = false, .findings = {}, .source = {}});
    EXPECT_TRUE(has(
        page, "data-array=\"argument 0 `a&lt;b`\" data-line=\"4\" data-kind=\"write\" data-messages=\"2\" "
              "data-lines-per-message=\"8.00\" data-least=\"1.00\""))
        << page;
    EXPECT_TRUE(has(page, "scattered</td>"));
    EXPECT_TRUE(has(page, "cache lines of 64 bytes"));
}

TEST(Page, SaysWhatLinesCost) {
    const std::string page =
        page_of(made(), {.title = "t", .creator = "visor", .checked = false, .findings = {}, .source = {}});
    EXPECT_TRUE(has(page, "data-instructions=\"20\""));
    EXPECT_TRUE(has(page, "data-line=\"4\" data-instructions=\"10\""));
    EXPECT_TRUE(has(page, "<td class=\"low\">25 %</td>"));
    EXPECT_TRUE(has(page, "mov (M1, 8) A(0,0)&lt;1&gt; 0x1:d"));
    EXPECT_TRUE(has(page, "<td>4x1x1</td><td>16x1x1</td><td>2</td>"));
}

TEST(Page, NothingOfTheInputIsMarkup) {
    const std::string page = page_of(made(), {.title = "<script>alert(1)</script>",
                                              .creator = "visor",
                                              .checked = true,
                                              .findings = {"<b>race</b> \"here\""},
                                              .source = {}});
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_FALSE(has(page, "<b>race"));
    EXPECT_FALSE(has(page, "<k>.visaasm"));
    EXPECT_TRUE(has(page, "&lt;b&gt;race&lt;/b&gt; &quot;here&quot;"));
}

TEST(Page, WhetherItWasCheckedIsSaid) {
    EXPECT_TRUE(
        has(page_of(made(), {.title = "", .creator = "", .checked = false, .findings = {}, .source = {}}),
            "Nothing was checked"));
    EXPECT_TRUE(
        has(page_of(made(), {.title = "", .creator = "", .checked = true, .findings = {}, .source = {}}),
            "<p>None.</p>"));
}

TEST(Page, OfNoLaunch) {
    const std::string page =
        page_of({}, {.title = "t", .creator = "visor", .checked = false, .findings = {}, .source = {}});
    EXPECT_TRUE(has(page, "0 launches, 0 instructions"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(Picture, LanesLieWhereTheirBytesDo) {
    const ArraySite site{0, 0, machine::AccessKind::read, {}, {{0, 0, 4}, {1, 60, 4}}};
    const std::string picture = lane_picture(site, false);
    // One line of 64 bytes is 360 pixels wide: lane 1 begins at 337.5.
    EXPECT_TRUE(has(picture, "<rect x=\"0.0\" y=\"0.0\" width=\"22.5\"")) << picture;
    EXPECT_TRUE(has(picture, "<rect x=\"337.5\" y=\"6.0\" width=\"22.5\"")) << picture;
    EXPECT_FALSE(has(picture, "limit"));
    EXPECT_EQ(lane_picture(ArraySite{}, false), "");
}

TEST(Picture, LimitsOfLinesAreDrawnBetweenThem) {
    const ArraySite site{0, 0, machine::AccessKind::read, {}, {{0, 64, 4}, {1, 128, 4}}};
    EXPECT_TRUE(has(lane_picture(site, false),
                    "<rect x=\"180.0\" y=\"0.0\" width=\"0.5\" height=\"12.0\" class=\"limit\"/>"));
}

} // namespace
} // namespace visor::profile
