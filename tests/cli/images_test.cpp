// Images and samplers as users give them. Every number expected here is worked out by hand.
#include "end_to_end.h"

namespace visor::cli {
namespace {

// The four colours around: each pixel's negative goes to the other image, what was read to an array.
constexpr const char* negative = R"(
__kernel void negative(read_only image2d_t source, write_only image2d_t target, sampler_t how, __global float4* seen) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float4 color = read_imagef(source, how, convert_float2(at) + 0.5f);
    seen[at.y * get_global_size(0) + at.x] = color;
    write_imagef(target, at, 1.0f - color);
})";

class Images : public EndToEnd {
protected:
    [[nodiscard]] test::Finished run(const std::string& kernel, const std::vector<std::string>& more) const {
        std::vector<std::string> words{"run", source("k.cl", kernel)};
        words.insert(words.end(), more.begin(), more.end());
        return visor(words);
    }
    // Two by two pixels: 0 51 102 153, 255 ...
    [[nodiscard]] std::string pixels() const {
        return source("p.bin",
                      std::string("\x00\x33\x66\x99\xff\x33\x66\x99\x00\xcc\x66\x99\xff\xff\xff\xff", 16));
    }
};

TEST_F(Images, FromAFileThroughAKernelToAFile) {
    const auto ran = run(negative, {"-g", "2,2", "-a", "image:rgba8:2x2:@" + pixels(), "image:rgba8:2x2",
                                    "sampler:nearest,clamp", "zeros:f32:16", "--print", "seen:8", "--print",
                                    "target", "--out", "target=" + file("t.bin"), "--out",
                                    "target=" + file("t.npy"), "--out", "target=" + file("t.png")});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "seen = 0 0.2 0.4 0.6 1 0.2 0.4 0.6\n"
                       "target = 255 204 153 102 0 204 153 102 255 51 153 102 0 0 0 0\n");
    EXPECT_EQ(test::read_file(file("t.bin")),
              std::string("\xff\xcc\x99\x66\x00\xcc\x99\x66\xff\x33\x99\x66\x00\x00\x00\x00", 16));
    EXPECT_TRUE(has(test::read_file(file("t.npy")), "'descr': '|u1'"));
    EXPECT_TRUE(has(test::read_file(file("t.npy")), "(2, 2, 4)"));
    // The picture comes back as it went.
    const auto again =
        run(negative, {"-g", "2,2", "-a", "@" + file("t.png"), "image:rgba8:2x2", "sampler:nearest,clamp",
                       "zeros:f32:16", "--print", "source", "--print", "target:4"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(again.out,
              "source = 255 204 153 102 0 204 153 102 255 51 153 102 0 0 0 0\ntarget = 0 51 102 153\n");
}

TEST_F(Images, FormatsConvert) {
    test::write_file(file("p.bin"), std::string("\x00\x33\x66\x99", 4));
    ASSERT_EQ(run(negative, {"-g", "1,1", "-a", "image:rgba8:1x1:@" + file("p.bin"), "image:rgba8:1x1",
                             "sampler:nearest,clamp", "zeros:f32:4", "--out", "source=" + file("s.png")})
                  .exit_code,
              0);
    const auto ran = run(negative, {"-g", "1,1", "-a", "@" + file("s.png") + ":bgra8", "image:rg16f:1x1",
                                    "sampler:nearest,clamp", "zeros:f32:4", "--print", "source", "--print",
                                    "seen", "--print", "target"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "source = 102 51 0 153\nseen = 0 0.2 0.4 0.6\ntarget = 1 0.7998047\n");
}

TEST_F(Images, ShapesAreTheParametersTypes) {
    const std::string kernel = R"(__kernel void ask(read_only image1d_t a, read_only image1d_buffer_t b,
        read_only image1d_array_t c, read_only image2d_array_t d, read_only image3d_t e, __global int* out) {
        out[0] = get_image_width(a); out[1] = get_image_width(b);
        out[2] = get_image_width(c); out[3] = get_image_array_size(c);
        out[4] = get_image_height(d); out[5] = get_image_array_size(d);
        out[6] = get_image_height(e); out[7] = get_image_depth(e); })";
    for (const char* array : {"image:r8:4x3", "image:r8:4/3"}) {
        const auto ran = run(kernel, {"-g", "1", "-a", "image:r8:5", "image:r32f:70000", array,
                                      "image:r8:2x6x7", "image:r8:2x8x9", "zeros:i32:8", "--print", "out"});
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.out, "out = 5 70000 4 3 6 7 8 9\n");
    }
}

TEST_F(Images, Mistakes) {
    struct Mistake {
        std::vector<std::string> arguments;
        int code;
        const char* told;
    };
    const std::string pixels_file = pixels();
    const std::string sampler = "sampler:nearest,clamp";
    const std::string out = "zeros:f32:16";
    const std::vector<Mistake> mistakes{
        {{"zeros:f32:4", "image:r8:2x2", sampler, out}, 1, "argument 0 `source` (image2d_t) takes an image"},
        {{"null", "image:r8:2x2", sampler, out}, 1, "takes an image"},
        {{"image:r8:2x2", "image:r8:2x2", "1", out}, 1, "argument 2 `how` (sampler_t) takes a sampler"},
        {{"image:r8:2x2", "image:r8:2x2", sampler, "image:r8:4x4"}, 1, "takes an array"},
        {{"image:r8:2x2x2", "image:r8:2x2", sampler, out}, 1, "has 2 dimensions, given a size of 2x2x2"},
        {{"image:r8:2", "image:r8:2x2", sampler, out}, 1, "has 2 dimensions, given a size of 2"},
        {{"image:r8:2/2", "image:r8:2x2", sampler, out}, 1, "has 2 dimensions, given a size of 2/2"},
        {{"image:d32f:2x2", "image:r8:2x2", sampler, out}, 1, "its pixels are no depths"},
        {{"image:r8:2x2", "@=source", sampler, out}, 1, "is the same image as `source`"},
        {{"image:r8:2x2", "image:srgba8:2x2", sampler, out}, 1, "only read sRGB images"},
        {{"image:rgba8:3x2:@" + pixels_file, "image:r8:2x2", sampler, out},
         1,
         "has 24 bytes, the file has 16"},
        {{"@" + file("none.png"), "image:r8:2x2", sampler, out}, 1, "cannot read"},
        {{"@" + source("bad.png", "PNG"), "image:r8:2x2", sampler, out}, 1, "this is no PNG"},
        {{"image:rgba9:2x2", "image:r8:2x2", sampler, out}, 2, "`rgba9` is no image format"},
        {{"image:r8:2x2", "image:r8:2x2", "sampler:linear,repeat", out}, 2, "only normalized"},
    };
    for (const Mistake& mistake : mistakes) {
        std::vector<std::string> words{"-g", "2,2", "-a"};
        words.insert(words.end(), mistake.arguments.begin(), mistake.arguments.end());
        const auto ran = run(negative, words);
        EXPECT_EQ(ran.exit_code, mistake.code) << mistake.told << '\n' << ran.err;
        EXPECT_TRUE(has(ran.err, mistake.told)) << mistake.told << '\n' << ran.err;
    }
}

TEST_F(Images, ADeviceWithoutSamplerSaysSo) {
    const auto ran = run(negative, {"--device", "pvc", "-g", "2,2", "-a", "image:rgba8:2x2",
                                    "image:rgba8:2x2", "sampler:nearest,clamp", "zeros:f32:16"});
    EXPECT_EQ(ran.exit_code, 3) << ran.err;
    EXPECT_TRUE(has(ran.err, "pvc has no sampler")) << ran.err;
}

TEST_F(Images, AreDescribed) {
    const auto ran = visor({"info", source("k.cl", negative)});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, "image2d_t        image")) << ran.out;
    EXPECT_TRUE(has(ran.out, "read_only")) << ran.out;
    EXPECT_TRUE(has(ran.out, "write_only")) << ran.out;
    const auto object = visor({"info", "--json", source("k.cl", negative)});
    EXPECT_TRUE(has(object.out, "\"access\": \"write_only\"")) << object.out;
}

TEST_F(Images, AsOneObject) {
    const auto ran = run(negative, {"-g", "1,1", "-a", "image:rgba8:1x1", "image:rg16u:2x1",
                                    "sampler:nearest,clamp", "zeros:f32:4", "--print", "target", "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, "\"format\": \"rg16u\"")) << ran.out;
    EXPECT_TRUE(has(ran.out, "\"size\": \"2x1\"")) << ran.out;
}

TEST_F(Images, InLaunchFiles) {
    source("k.cl", negative);
    const std::string text = R"({"version": 1, "program": "k.cl",
        "arrays": {"a": {"image": "rgba8", "size": [2, 1], "values": [0, 51, 102, 153, 255, 51, 102, 153]},
                   "b": "image:rgba8:2x1", "c": "image:rgba8:2x1", "seen": "zeros:f32:8"},
        "launches": [
          {"global": [2, 1], "arguments": {"source": "a", "target": "b", "how": "sampler:nearest,clamp", "seen": "seen"}},
          {"global": [2, 1], "arguments": {"source": "b", "target": "c", "how": "sampler:nearest,clamp", "seen": "seen"}}],
        "print": ["c:4"], "out": ["b=b.png"],
        "expect": [{"array": "b", "equals": [255, 204, 153, 102, 0, 204, 153, 102]}, {"array": "c", "equals": "a"},
                   {"array": "seen", "equals": [1, 0.8, 0.6, 0.4, 0, 0.8, 0.6, 0.4], "abs": 1e-6}]})";
    const auto ran = visor({"run", source("t.json", text)});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "c = 0 51 102 153\n");
    // The picture that came out, as what must come out of another run; one pixel is another there.
    const std::string other = R"({"version": 1, "program": "k.cl",
        "arrays": {"a": {"image": "rgba8", "size": [2, 1], "values": [0, 51, 102, 153, 255, 51, 103, 153]},
                   "b": "image:rgba8:2x1", "seen": "zeros:f32:8"},
        "launches": [{"global": [2, 1], "arguments": ["a", "b", "sampler:nearest,clamp", "seen"]}],
        "expect": [{"array": "b", "equals": "@b.png"}]})";
    const auto differs = visor({"run", source("u.json", other)});
    EXPECT_EQ(differs.exit_code, 1) << differs.err;
    EXPECT_TRUE(has(differs.err, "b[0,1,2] is 152, expected 153 (1 of 8 elements differ)")) << differs.err;
}

TEST_F(Images, MistakesInLaunchFiles) {
    const std::string text = R"({"version": 1, "program": {"source": "__kernel void k() {}"},
        "arrays": {"a": {"image": "rgba9", "size": 4}, "b": {"image": "r8", "size": [4, 0]},
                   "c": {"image": "r8", "size": [2, 2], "values": [1, 2, 3]}, "d": "sampler:nearest,clamp",
                   "e": {"image": "r8"}},
        "launches": [{"global": 1, "samplers": {"99": "sampler:nearest,clamp", "1": "zeros:f32:4"}}]})";
    const auto ran = visor({"run", source("t.json", text)});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    for (const char* told : {"arrays.a.image: `rgba9` is no image format", "arrays.b.size",
                             "3 values do not make", "`sampler:nearest,clamp` is no array", "arrays.e",
                             "a sampler index is 0 to 15", "`zeros:f32:4` is no sampler"})
        EXPECT_TRUE(has(ran.err, told)) << told << '\n' << ran.err;
}

// A row of eight texels at `u`, through the sampler and the surface that the text selects.
constexpr const char* hand_sampled = R"(.version 4.1
.kernel "sampled"
.decl u v_type=G type=f num_elts=8 align=GRF
.decl found v_type=G type=f num_elts=8 align=GRF
.decl T6 v_type=T num_elts=1
.decl T7 v_type=T num_elts=1
.decl S0 v_type=S num_elts=1
.input u offset=32 size=32
.kernel_attr SimdSize=8
MOVES    sample_lz.R (M1, 8) 0x0:uw S0 T6 found.0 u.0
    oword_st (2) T7 0x0:ud found.0
    ret (M1, 1)
)";

std::string with_moves(const std::string& moves) {
    std::string text = hand_sampled;
    return text.replace(text.find("MOVES"), 5, moves);
}

TEST_F(Images, InHandWrittenText) {
    const std::string row = source("row.bin", std::string("\0\x33\x66\x99\xcc\xff\0\0", 8));
    const std::string image = "image:r8:8:@" + row;
    const std::string u = "u=0.5,1,2.5,-4,5.5,6,7.5,9";
    const auto named =
        visor({"run", source("n.visaasm", with_moves("")), "--groups", "1", "-a", u, "T6=" + image,
               "T7=zeros:f32:8", "S0=sampler:linear,clamp_edge", "--print", "T7"});
    EXPECT_EQ(named.exit_code, 0) << named.err;
    EXPECT_EQ(named.out, "T7 = 0 0.1 0.4 0 1 0.5 0 0\n");
    const std::string moved = with_moves("    movs (M1_NM, 1) T6(0) 3:ud\n    movs (M1_NM, 1) S0(0) 2:ud\n");
    const auto by_index =
        visor({"run", source("m.visaasm", moved), "--groups", "1", "-a", u, "T7=zeros:f32:8", "--bti",
               "3=" + image, "--sampler", "2=nearest,clamp_edge", "--print", "T7", "--print", "bti3:3"});
    EXPECT_EQ(by_index.exit_code, 0) << by_index.err;
    EXPECT_EQ(by_index.out, "T7 = 0 0.2 0.4 0 1 0 0 0\nbti3 = 0 51 102\n");
    const std::string file_text =
        R"({"version": 1, "program": "m.visaasm", "arrays": {"i": "image:r8:8:@row.bin",
        "o": "zeros:f32:8"}, "launches": [{"groups": 1, "arguments": {"u": [0.5, 1, 2.5, -4, 5.5, 6, 7.5, 9], "T7": "o"},
        "bti": {"3": "i"}, "samplers": {"2": "sampler:nearest,clamp_edge"}}],
        "expect": [{"array": "o", "equals": [0, 0.2, 0.4, 0, 1, 0, 0, 0], "abs": 1e-6}]})";
    const auto in_file = visor({"run", source("t.json", file_text)});
    EXPECT_EQ(in_file.exit_code, 0) << in_file.err;
}

TEST_F(Images, MistakesInHandWrittenText) {
    const std::string kernel = source("n.visaasm", with_moves(""));
    const std::vector<std::string> good{"run", kernel, "--groups", "1", "-a", "u=0", "T7=zeros:f32:8"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), good.begin(), good.end());
        return visor(more);
    };
    const auto sampler = with({"S0=zeros:f32:4"});
    EXPECT_EQ(sampler.exit_code, 1);
    EXPECT_TRUE(has(sampler.err, "takes a sampler")) << sampler.err;
    const auto surface = with({"T6=sampler:nearest,clamp"});
    EXPECT_EQ(surface.exit_code, 1);
    EXPECT_TRUE(has(surface.err, "takes an array, an image, or null")) << surface.err;
    const auto index = with({"--sampler", "16=nearest,clamp"});
    EXPECT_EQ(index.exit_code, 2);
    EXPECT_TRUE(has(index.err, "--sampler takes N=FILTER,ADDRESS")) << index.err;
    const auto bti = with({"--bti", "1=sampler:nearest,clamp"});
    EXPECT_EQ(bti.exit_code, 2);
    EXPECT_TRUE(has(bti.err, "--bti takes an array or an image")) << bti.err;
}

} // namespace
} // namespace visor::cli
