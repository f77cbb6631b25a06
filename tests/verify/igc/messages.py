"""The forms of messages, of dpas and of what synchronizes: the other half of forms.py."""
from collections.abc import Iterator

Form = tuple[str, str]


# ---- dpas

def dpas() -> Iterator[Form]:
    """A form: precisions of src1 and src2, the result's type, at both execution sizes."""
    integers = ("s8.u8", "u2.s4", "u1.u1")
    floats = ("hf.hf", "bf.hf", "tf32.tf32", "bf8.bf8", "hf.s8")
    for lanes in (8, 16):
        for pair in integers:
            yield f"dpas/{pair}-d-x{lanes}", f"dpas.{pair}.8.8 (M1, {lanes}) raw_d.0 pay_d.0 pay_ud.0 raw_ud(0,0)"
        for pair in floats:
            yield f"dpas/{pair}-f-x{lanes}", f"dpas.{pair}.8.8 (M1, {lanes}) raw_f.0 pay_f.0 pay_ud.0 raw_ud(0,0)"
        for pair, kind in (("s8.s8", "f"), ("hf.hf", "d"), ("bf.bf", "bf")):
            yield (f"dpas/{pair}-{kind}-x{lanes}",
                   f"dpas.{pair}.8.8 (M1, {lanes}) raw_{kind}.0 pay_{kind}.0 pay_ud.0 raw_ud(0,0)")
        for depth, count in ((8, 3), (8, 9), (4, 8)):
            yield (f"dpas/depth{depth}-count{count}-x{lanes}",
                   f"dpas.s8.s8.{depth}.{count} (M1, {lanes}) raw_d.0 pay_d.0 pay_ud.0 raw_ud(0,0)")
    whole = "dpas.hf.hf.8.8 (M1, {}) raw_f.0 pay_f.0 pay_ud.0 raw_ud(0,0)"
    yield "dpas/x4", whole.format(4)
    for lanes in (8, 16):
        text = whole.format(lanes)
        forms = {"null-src0": text.replace("pay_f", "%null"), "predicate": f"(p16) {text}",
                 "src1-hf": text.replace("pay_ud", "pay_hf").replace("raw_ud", "raw_hf"),
                 "column": text.replace("raw_ud(0,0)", "raw_ud(0,4)"),
                 "dpasw": text.replace("dpas.", "dpasw.")}
        for name, one in forms.items():
            yield f"dpas/{name}-x{lanes}", one
    yield "bdpas/hf", "bdpas.hf.hf.8.8 (M1, 16) raw_f.0 pay_f.0 pay_ud.0 raw_ud.0 a_ub(0,0) b_ub(0,0)"
    yield "bdpas/x8", "bdpas.hf.hf.8.8 (M1, 8) raw_f.0 pay_f.0 pay_ud.0 raw_ud.0 a_ub(0,0) b_ub(0,0)"
    for kinds in ("ub hf", "hf ub", "b hf", "hf b", "ud f", "f ud", "hf f"):
        result, kind = kinds.split()
        for mask in ("M1", "M1_NM"):
            yield f"fcvt/{result}-{kind}-{mask}", f"fcvt ({mask}, 16) d_{result}(0,0)<1> a_{kind}(0,0)<1;1,0>"
    for kinds in ("ub hf uw", "hf f uw", "b hf uw", "hf f ub", "hf f ud", "f f uw"):
        result, kind, second = kinds.split()
        for mask in ("M1", "M1_NM"):
            yield (f"srnd/{kinds.replace(' ', '-')}-{mask}",
                   f"srnd ({mask}, 16) d_{result}(0,0)<1> a_{kind}(0,0)<1;1,0> b_{second}(0,0)<1;1,0>")


# ---- LSC

def lsc_caching() -> Iterator[Form]:
    texts = {"load": "lsc_load.ugm{} (M1, 16) raw_ud:d32 flat[pay_uq]:a64",
             "store": "lsc_store.ugm{} (M1, 16) flat[pay_uq]:a64 raw_ud:d32",
             "atomic": "lsc_atomic_iadd.ugm{} (M1, 16) raw_ud:d32 flat[pay_uq]:a64 a_ud %null"}
    pairs = {"load": ("uc.uc", "uc.ca", "ca.uc", "ca.ca", "st.uc", "st.ca", "ri.ca", "ri.ri", "uc.cc", "ca.wb",
                      "wb.wb"),
             "store": ("uc.uc", "uc.wb", "wt.uc", "wt.wb", "st.uc", "st.wb", "wb.wb", "ca.ca", "wb.ca"),
             "atomic": ("uc.uc", "uc.wb", "uc.ca", "wb.wb")}
    for name, text in texts.items():
        for pair in pairs[name]:
            yield f"lsc_{name}/{pair}", text.format(f".{pair}")
    for suffix in (".df.df", ".df.ca", ".uc", ".ca.ca.ca", ".uc.uc.uc", ".uc.uc.wb"):
        yield f"lsc_load/caching{suffix}", texts["load"].format(suffix)
    slm = "lsc_load.slm{} (M1, 16) raw_ud:d32 flat[pay_ud]:a32"
    typed = "lsc_load_quad.tgm{} (M1, 16) raw_ud:d32.x bti(0x2)[a_ud]:a32"
    block = "lsc_load_block2d.ugm{} (M1, 1) raw_ud:d32.1x8x8nn flat[one_uq,0x3f,0x7,0x3f,0x0,0x0]"
    for suffix in (".ca.ca", ".uc.uc", ".wb.wb"):
        for name, text in (("slm", slm), ("tgm", typed), ("block2d", block)):
            yield f"lsc_{name}/caching{suffix}", text.format(suffix)


def lsc_shapes() -> Iterator[Form]:
    sizes = ("d8", "d16", "d32", "d64", "d8c32", "d16c32", "d8u32", "d16u32", "d16c32h", "d128")
    for size in sizes:
        yield f"lsc_load/{size}", f"lsc_load.ugm (M1, 16) raw_ud:{size} flat[pay_uq]:a64"
        yield f"lsc_store/{size}", f"lsc_store.ugm (M1, 16) flat[pay_uq]:a64 raw_ud:{size}"
        yield f"lsc_load.slm/{size}", f"lsc_load.slm (M1, 16) raw_ud:{size} flat[pay_ud]:a32"
        yield f"lsc_atomic/{size}", f"lsc_atomic_iadd.ugm (M1, 16) raw_ud:{size} flat[pay_uq]:a64 a_ud %null"
    for size in ("d8", "d16", "d32", "d64", "d8c32"):
        for count in (2, 3, 4, 5, 8, 16):
            yield f"lsc_load/{size}x{count}", f"lsc_load.ugm (M1, 8) raw_ud:{size}x{count} flat[pay_uq]:a64"
    for size in ("d8", "d16", "d32", "d64", "d8c32"):
        for count in (1, 2, 3, 4, 8, 16, 32, 64):
            yield f"lsc_load/{size}x{count}t", f"lsc_load.ugm (M1, 1) raw_ud:{size}x{count}t flat[one_uq]:a64"
    for count in (2, 4):
        yield f"lsc_load/d32x{count}-x32", f"lsc_load.ugm (M1, 32) raw_ud:d32x{count} flat[pay_uq]:a64"
        yield f"lsc_load/d64x{count}-x16", f"lsc_load.ugm (M1, 16) raw_ud:d64x{count} flat[pay_uq]:a64"
        yield f"lsc_store/d32x{count}-x16", f"lsc_store.ugm (M1, 16) flat[pay_uq]:a64 raw_ud:d32x{count}"
        yield f"lsc_store/d32x{count}t", f"lsc_store.ugm (M1, 1) flat[one_uq]:a64 raw_ud:d32x{count}t"
        yield f"lsc_load.slm/d32x{count}t", f"lsc_load.slm (M1, 1) raw_ud:d32x{count}t flat[one_ud]:a32"
        yield f"lsc_atomic/d32x{count}", f"lsc_atomic_iadd.ugm (M1, 8) raw_ud:d32x{count} flat[pay_uq]:a64 a_ud %null"
    for lanes in (2, 8, 16):
        yield f"lsc_load/d32x3t-x{lanes}", f"lsc_load.ugm (M1, {lanes}) raw_ud:d32x3t flat[pay_uq]:a64"
    yield "lsc_atomic/d32t", "lsc_atomic_iadd.ugm (M1, 1) raw_ud:d32x1t flat[one_uq]:a64 a_ud %null"
    for mask in ("x", "y", "xy", "xz", "yz", "xyz", "xyzw", "zyx"):
        yield f"lsc_load_quad/{mask}", f"lsc_load_quad.ugm (M1, 8) raw_ud:d32.{mask} flat[pay_uq]:a64"
        yield f"lsc_store_quad/{mask}", f"lsc_store_quad.ugm (M1, 8) flat[pay_uq]:a64 raw_ud:d32.{mask}"
    yield "lsc_load_quad/d64", "lsc_load_quad.ugm (M1, 8) raw_ud:d64.xy flat[pay_uq]:a64"
    yield "lsc_load_quad/d16", "lsc_load_quad.ugm (M1, 8) raw_ud:d16.xy flat[pay_uq]:a64"
    yield "lsc_load_quad/elements", "lsc_load_quad.ugm (M1, 8) raw_ud:d32x2 flat[pay_uq]:a64"
    yield "lsc_load/channels", "lsc_load.ugm (M1, 8) raw_ud:d32.xy flat[pay_uq]:a64"


def lsc_lanes() -> Iterator[Form]:
    for lanes in (1, 2, 4, 8, 16, 32):
        yield f"lsc_load/x{lanes}", f"lsc_load.ugm (M1, {lanes}) raw_ud:d32 flat[pay_uq]:a64"
        yield f"lsc_store.slm/x{lanes}", f"lsc_store.slm (M1, {lanes}) flat[pay_ud]:a32 raw_ud:d32"
        yield f"lsc_atomic/x{lanes}", f"lsc_atomic_iadd.ugm (M1, {lanes}) raw_ud:d32 flat[pay_uq]:a64 a_ud %null"
        yield f"lsc_load_quad.tgm/x{lanes}", f"lsc_load_quad.tgm (M1, {lanes}) raw_ud:d32.x bti(0x2)[a_ud]:a32"
        yield f"lsc_load_block2d/x{lanes}", (f"lsc_load_block2d.ugm (M1, {lanes}) raw_ud:d32.1x8x8nn "
                                             "flat[one_uq,0x3f,0x7,0x3f,0x0,0x0]")
    text = "lsc_load.ugm (M1, 16) raw_ud:d32 flat[pay_uq]:a64"
    yield "lsc_load/predicate", f"(p16) {text}"
    yield "lsc_load/predicate-small", f"(p8) {text}"
    yield "lsc_load/none", "lsc_load.ugm raw_ud:d32 flat[pay_uq]:a64"
    yield "lsc_load/no-mask", text.replace("M1", "M1_NM")
    yield "lsc_load/upper", text.replace("M1", "M5")
    yield "lsc_load/odd-mask", text.replace("M1", "M2")
    yield "lsc_load/ov", text.replace("ugm", "ugm.ca.ca.ov")
    yield "lsc_store/predicate", "(p16) lsc_store.ugm (M1, 16) flat[pay_uq]:a64 raw_ud:d32"
    yield "lsc_fence/predicate", "(p16) lsc_fence.ugm.none.group"


def lsc_addresses() -> Iterator[Form]:
    for unit in ("ugm", "slm", "ugml", "tgm", "urb"):
        for size, payload in (("a64", "pay_uq"), ("a32", "pay_ud"), ("a16", "pay_uw"), ("a32s", "pay_d"), ("a32u",
                                                                                                           "pay_ud")):
            yield f"lsc_load.{unit}/flat-{size}", f"lsc_load.{unit} (M1, 16) raw_ud:d32 flat[{payload}]:{size}"
    for model in ("bti(0x2)", "bti(0xff)", "bti(one_ud)", "ss(one_ud)", "ss(0x40)", "bss(one_ud)", "bss(0x40)", "arg",
                  "surf(one_uq)",
                  "flat(one_uq)", "bti(0x2,0x1)", "bss(one_ud,0x3)", "bti(%null)", "bti(srf)", "ss(one_ud.0)",
                  "flat(0x0)"):
        yield f"lsc_load/{model}", f"lsc_load.ugm (M1, 16) raw_ud:d32 {model}[pay_ud]:a32"
    for model in ("bti(0x2)", "ss(one_ud)", "bss(one_ud)"):
        yield f"lsc_load/{model}-a64", f"lsc_load.ugm (M1, 16) raw_ud:d32 {model}[pay_uq]:a64"
        yield f"lsc_load.slm/{model}", f"lsc_load.slm (M1, 16) raw_ud:d32 {model}[pay_ud]:a32"
        yield f"lsc_store/{model}", f"lsc_store.ugm (M1, 16) {model}[pay_ud]:a32 raw_ud:d32"
        yield f"lsc_atomic/{model}", f"lsc_atomic_iadd.ugm (M1, 16) raw_ud:d32 {model}[pay_ud]:a32 a_ud %null"
    for inside in ("pay_uq+0x10", "pay_uq-0x10", "pay_uq+0x100000", "pay_uq+4*0x10", "4*pay_uq", "3*pay_uq",
                   "2*pay_uq+0x8",
                   "pay_uq.0", "pay_uq.64", "pay_uq.8", "%null", "pay_ud", "pay_f", "one_uq"):
        yield f"lsc_load/[{inside}]", f"lsc_load.ugm (M1, 16) raw_ud:d32 flat[{inside}]:a64"
    for inside in ("pay_ud+0x10", "pay_ud+0x7fffffff", "pay_ud+0x10000", "pay_uq", "pay_f"):
        yield f"lsc_load.slm/[{inside}]", f"lsc_load.slm (M1, 16) raw_ud:d32 flat[{inside}]:a32"
    yield "lsc_load/no-type", "lsc_load.ugm (M1, 16) raw_ud:d32 [pay_uq]:a64"
    yield "lsc_load/no-size", "lsc_load.ugm (M1, 16) raw_ud:d32 flat[pay_uq]"
    yield "lsc_load/prefetch", "lsc_load.ugm (M1, 16) %null:d32 flat[pay_uq]:a64"
    yield "lsc_load/prefetch-caching", "lsc_load.ugm.ca.ca (M1, 16) %null:d32 flat[pay_uq]:a64"
    yield "lsc_store/null", "lsc_store.ugm (M1, 16) flat[pay_uq]:a64 %null:d32"
    yield "lsc_load/offset", "lsc_load.ugm (M1, 16) raw_ud.64:d32 flat[pay_uq]:a64"
    yield "lsc_load/offset-odd", "lsc_load.ugm (M1, 16) raw_ud.4:d32 flat[pay_uq]:a64"
    for kind in ("f", "uw", "uq", "hf", "b"):
        yield f"lsc_load/into-{kind}", f"lsc_load.ugm (M1, 16) raw_{kind}:d32 flat[pay_uq]:a64"
    for inside in ("pay_uq, 0x40", "pay_uq, one_ud", "pay_uq, 0x10000", "pay_uq"):
        yield f"lsc_load_strided/[{inside}]", f"lsc_load_strided.ugm (M1, 16) raw_ud:d32 flat[{inside}]:a64"


def lsc_atomics() -> Iterator[Form]:
    sources = {"iinc": 0, "idec": 0, "load": 0, "store": 1, "iadd": 1, "isub": 1, "smin": 1, "smax": 1, "umin": 1,
               "umax": 1,
               "icas": 2, "fadd": 1, "fsub": 1, "fmin": 1, "fmax": 1, "fcas": 2, "and": 1, "or": 1, "xor": 1,
               "bfadd": 1, "bfcas": 2}
    yield "lsc_atomic_inc", "lsc_atomic_inc.ugm (M1, 16) raw_ud:d32 flat[pay_uq]:a64 %null %null"
    for op, count in sources.items():
        operands = " ".join(["a_ud", "b_ud"][:count] + ["%null", "%null"][count:])
        yield f"lsc_atomic_{op}/ugm", f"lsc_atomic_{op}.ugm (M1, 16) raw_ud:d32 flat[pay_uq]:a64 {operands}"
        yield f"lsc_atomic_{op}/slm", f"lsc_atomic_{op}.slm (M1, 16) raw_ud:d32 flat[pay_ud]:a32 {operands}"
        yield f"lsc_atomic_{op}/d64", f"lsc_atomic_{op}.ugm (M1, 8) raw_uq:d64 flat[pay_uq]:a64 {operands}"
        yield f"lsc_atomic_{op}/d16c32", f"lsc_atomic_{op}.ugm (M1, 8) raw_ud:d16c32 flat[pay_uq]:a64 {operands}"
        yield f"lsc_atomic_{op}/tgm", f"lsc_atomic_{op}.tgm (M1, 8) raw_ud:d32 bti(0x2)[a_ud,b_ud]:a32 {operands}"
    for operands in ("%null %null", "a_ud b_ud", "a_ud"):
        yield f"lsc_atomic/iadd-{operands}", f"lsc_atomic_iadd.ugm (M1, 16) raw_ud:d32 flat[pay_uq]:a64 {operands}"
        yield f"lsc_atomic/icas-{operands}", f"lsc_atomic_icas.ugm (M1, 16) raw_ud:d32 flat[pay_uq]:a64 {operands}"
        yield f"lsc_atomic/iinc-{operands}", f"lsc_atomic_iinc.ugm (M1, 16) raw_ud:d32 flat[pay_uq]:a64 {operands}"
    yield "lsc_atomic/null-dst", "lsc_atomic_iadd.ugm (M1, 16) %null:d32 flat[pay_uq]:a64 a_ud %null"
    yield "lsc_atomic/ugml", "lsc_atomic_iadd.ugml (M1, 16) raw_ud:d32 flat[pay_uq]:a64 a_ud %null"
    yield "lsc_atomic/slm-d64-icas", "lsc_atomic_icas.slm (M1, 8) raw_uq:d64 flat[pay_ud]:a32 a_uq b_uq"
    yield "lsc_atomic/slm-d64-iadd", "lsc_atomic_iadd.slm (M1, 8) raw_uq:d64 flat[pay_ud]:a32 a_uq %null"
    for op in ("add", "sub", "store"):
        yield f"lsc_apndctr/{op}", f"lsc_apndctr_atomic_{op}.ugm (M1, 16) raw_ud:d32 bti(0x2) a_ud:d32"


def lsc_typed() -> Iterator[Form]:
    for mask in ("x", "xy", "xyz", "xyzw", "yz", "w"):
        yield f"lsc_load_quad.tgm/{mask}", f"lsc_load_quad.tgm (M1, 8) raw_ud:d32.{mask} bti(0x2)[a_ud,b_ud]:a32"
        yield f"lsc_store_quad.tgm/{mask}", f"lsc_store_quad.tgm (M1, 8) bti(0x2)[a_ud,b_ud]:a32 raw_ud:d32.{mask}"
    for inside in ("a_ud", "a_ud,b_ud", "a_ud,b_ud,c_ud", "a_ud,b_ud,c_ud,e_ud", "a_ud+0x4,b_ud", "%null", "a_uq"):
        yield f"lsc_load_quad.tgm/[{inside}]", f"lsc_load_quad.tgm (M1, 8) raw_ud:d32.x bti(0x2)[{inside}]:a32"
    for model in ("flat", "ss(one_ud)", "bss(one_ud)", "bti(one_ud)", "surf(one_uq)", "arg"):
        yield f"lsc_load_quad.tgm/{model}", f"lsc_load_quad.tgm (M1, 8) raw_ud:d32.x {model}[a_ud,b_ud]:a32"
    for size, payload in (("a64", "a_uq"), ("a16", "a_uw")):
        yield f"lsc_load_quad.tgm/{size}", f"lsc_load_quad.tgm (M1, 8) raw_ud:d32.x bti(0x2)[{payload}]:{size}"
    for size in ("d8", "d16", "d64", "d16c32"):
        yield f"lsc_load_quad.tgm/{size}", f"lsc_load_quad.tgm (M1, 8) raw_ud:{size}.x bti(0x2)[a_ud]:a32"
    yield "lsc_load.tgm", "lsc_load.tgm (M1, 8) raw_ud:d32 bti(0x2)[a_ud]:a32"
    yield "lsc_store.tgm", "lsc_store.tgm (M1, 8) bti(0x2)[a_ud]:a32 raw_ud:d32"
    yield "lsc_read_state_info", "lsc_read_state_info.tgm raw_ud bti(0x2)[a_ud]"
    for shape in ("64x4", "32x8", "64x5", "16x16", "8x32", "4x64", "65x1", "1x65", "0x4"):
        yield f"lsc_load_block2d.tgm/{shape}", f"lsc_load_block2d.tgm raw_ud:{shape} bti(0x2)[0x0,0x0]"
        yield f"lsc_store_block2d.tgm/{shape}", f"lsc_store_block2d.tgm bti(0x2)[0x0,0x0] raw_ud:{shape}"


def lsc_block2d() -> Iterator[Form]:
    loads = ("d8.1x32x8nn", "d8.2x32x8nn", "d8.4x16x8nn", "d8.1x64x4nn", "d8.1x128x4nn", "d8.3x16x8nn", "d8.1x16x32nt",
             "d8.1x8x8tn", "d8.1x32x8tt", "d16.1x16x8nn", "d16.2x16x8nn", "d16.4x8x8nn", "d16.1x16x16nt",
             "d16.2x16x16nt",
             "d16.1x8x8tn", "d16.1x32x8nn", "d16.1x64x8nn", "d32.1x8x8nn", "d32.2x8x8nn", "d32.4x4x8nn", "d32.3x4x8nn",
             "d32.1x16x8nn", "d32.1x32x8nn", "d32.1x8x8nt", "d32.1x8x16tn", "d32.1x8x32tn", "d32.2x8x8tn",
             "d32.1x4x8tn",
             "d64.1x8x8nn", "d64.2x4x8nn", "d64.1x4x8tn", "d64.3x4x8nn", "d64.1x8x8nt", "d32.1x8x32nn", "d32.1x8x33nn",
             "d32.1x8x64nn", "d32.1x0x8nn", "d32.0x8x8nn", "d32.1x8x0nn", "d8c32.1x8x8nn", "d16c32.1x8x8nn",
             "d32.8x8nn",
             "d32.8x8", "d32.32x8", "d8.8x8x8nn", "d32.1x1x1nn", "d8.1x2x2nn", "d64.1x1x1tn")
    stores = ("d8.1x32x8nn", "d8.1x64x8nn", "d8.2x32x8nn", "d16.1x16x8nn", "d16.1x16x8nt", "d32.1x8x8nn",
              "d32.1x16x8nn",
              "d32.1x8x8tn", "d32.2x8x8nn", "d64.1x8x8nn", "d64.1x4x4nn", "d32.1x8x16nn", "d32.1x8x33nn",
              "d8.1x128x2nn",
              "d64.1x128x1nn", "d8c32.1x8x8nn")
    place = "flat[one_uq,0x3f,0x7,0x3f,0x0,0x0]"
    for shape in loads:
        yield f"lsc_load_block2d/{shape}", f"lsc_load_block2d.ugm (M1, 1) raw_ud:{shape} {place}"
    for shape in stores:
        yield f"lsc_store_block2d/{shape}", f"lsc_store_block2d.ugm (M1, 1) {place} raw_ud:{shape}"
    for shape in ("d32.1x8x8nn", "d16.2x16x8nn", "d8.1x64x4nn", "d32.4x16x8nn", "d64.4x8x8nn"):
        yield f"lsc_load_block2d/prefetch-{shape}", f"lsc_load_block2d.ugm.ca.ca (M1, 1) %null:{shape} {place}"
    others = {"variables": "flat[one_uq,one_ud,one_ud,one_ud,one_d,one_d]",
              "offsets": "flat[one_uq,0x3f,0x7,0x3f,one_d+0x1,one_d-0x2]",
              "bti": "bti(0x2)[one_uq,0x3f,0x7,0x3f,0x0,0x0]", "five": "flat[one_uq,0x3f,0x7,0x3f,0x0]",
              "null": "flat[%null,0x3f,0x7,0x3f,0x0,0x0]", "base-ud": "flat[one_ud,0x3f,0x7,0x3f,0x0,0x0]",
              "size": "flat[one_uq,0x3f,0x7,0x3f,0x0,0x0]:a64", "mixed": "flat[one_uq,0x3f,one_ud,0x3f,0x0,one_d]"}
    for name, text in others.items():
        yield f"lsc_load_block2d/{name}", f"lsc_load_block2d.ugm (M1, 1) raw_ud:d32.1x8x8nn {text}"
    yield "lsc_load_block2d/slm", f"lsc_load_block2d.slm (M1, 1) raw_ud:d32.1x8x8nn {place}"
    yield "lsc_load_block2d/ugml", f"lsc_load_block2d.ugml (M1, 1) raw_ud:d32.1x8x8nn {place}"
    yield "lsc_load_block2d/predicate", f"(p16) lsc_load_block2d.ugm (M1, 1) raw_ud:d32.1x8x8nn {place}"
    yield "lsc_load_block2d/plain", "lsc_load_block2d.ugm (M1, 1) raw_ud:d32 flat[one_uq]:a64"


# ---- messages of older devices

def scattered() -> Iterator[Form]:
    for channels in ("R", "G", "RG", "RB", "RGB", "RGBA", "BA", ""):
        word = f".{channels}" if channels else ""
        yield f"gather4_scaled/{channels}", f"gather4_scaled{word} (M1, 16) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"scatter4_scaled/{channels}", f"scatter4_scaled{word} (M1, 16) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"svm_gather4scaled/{channels}", f"svm_gather4scaled{word} (M1, 16) one_uq(0,0)<0;1,0> a_ud.0 raw_ud.0"
    for lanes in (1, 4, 8, 16, 32):
        yield f"gather4_scaled/x{lanes}", f"gather4_scaled.R (M1, {lanes}) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"scatter4_scaled/x{lanes}", f"scatter4_scaled.R (M1, {lanes}) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"gather_scaled/x{lanes}", f"gather_scaled.1 (M1, {lanes}) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"scatter_scaled/x{lanes}", f"scatter_scaled.1 (M1, {lanes}) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"qw_gather/x{lanes}", f"qw_gather.1 (M1, {lanes}) srf a_ud.0 raw_uq.0"
        if lanes == 4:
            continue
        yield f"svm_gather/x{lanes}", f"svm_gather.4.1 (M1, {lanes}) pay_uq.0 raw_ud.0"
        yield f"svm_scatter/x{lanes}", f"svm_scatter.4.1 (M1, {lanes}) pay_uq.0 raw_ud.0"
        yield f"svm_atomic/x{lanes}", f"svm_atomic.add (M1, {lanes}) pay_uq.0 raw_ud.0 a_ud.0 %null.0"
        yield f"dword_atomic/x{lanes}", f"dword_atomic.add (M1, {lanes}) srf a_ud.0 b_ud.0 %null.0 raw_ud.0"
        yield f"gather4_typed/x{lanes}", f"gather4_typed.R (M1, {lanes}) srf a_ud.0 b_ud.0 %null.0 %null.0 raw_ud.0"
        yield f"svm_gather4scaled/x{lanes}", f"svm_gather4scaled.R (M1, {lanes}) one_uq(0,0)<0;1,0> a_ud.0 raw_ud.0"
    for count in (1, 2, 3, 4, 8):
        yield f"gather_scaled/{count}", f"gather_scaled.{count} (M1, 16) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"scatter_scaled/{count}", f"scatter_scaled.{count} (M1, 16) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"qw_gather/{count}", f"qw_gather.{count} (M1, 8) srf a_ud.0 raw_uq.0"
        yield f"qw_scatter/{count}", f"qw_scatter.{count} (M1, 8) srf a_ud.0 raw_uq.0"
        for block in (1, 2, 4, 8):
            yield f"svm_gather/{block}.{count}", f"svm_gather.{block}.{count} (M1, 8) pay_uq.0 raw_ud.0"
    for surface in ("%slm", "%scratch", "%bss", "T0", "T1", "T5", "nobody", "a_ud"):
        yield f"gather4_scaled/{surface}", f"gather4_scaled.R (M1, 16) {surface} 0x0:ud a_ud.0 raw_ud.0"
        yield f"oword_ld/{surface}", f"oword_ld (4) {surface} 0x0:ud raw_ud.0"
        yield f"gather4_typed/{surface}", f"gather4_typed.R (M1, 8) {surface} a_ud.0 b_ud.0 %null.0 %null.0 raw_ud.0"
        yield f"dword_atomic/{surface}", f"dword_atomic.add (M1, 16) {surface} a_ud.0 b_ud.0 %null.0 raw_ud.0"
    for kind in ("f", "d", "uw", "uq"):
        yield f"gather4_scaled/into-{kind}", f"gather4_scaled.R (M1, 16) srf 0x0:ud a_ud.0 raw_{kind}.0"
        yield f"gather4_scaled/offset-{kind}", f"gather4_scaled.R (M1, 16) srf 0x0:ud a_{kind}.0 raw_ud.0"
        yield f"gather4_scaled/global-{kind}", f"gather4_scaled.R (M1, 16) srf one_{kind}(0,0)<0;1,0> a_ud.0 raw_ud.0"
        yield f"svm_gather/address-{kind}", f"svm_gather.4.1 (M1, 8) pay_{kind}.0 raw_ud.0"
        yield f"svm_block_ld/address-{kind}", f"svm_block_ld (4) one_{kind}(0,0)<0;1,0> raw_ud.0"
    yield "gather4_scaled/predicate", "(p16) gather4_scaled.R (M1, 16) srf 0x0:ud a_ud.0 raw_ud.0"
    yield "gather4_scaled/no-mask", "gather4_scaled.R (M1_NM, 16) srf 0x0:ud a_ud.0 raw_ud.0"
    yield "gather4_scaled/odd", "gather4_scaled.R (M1, 16) srf 0x0:ud a_ud.4 raw_ud.0"
    yield "gather4_scaled/null-dst", "gather4_scaled.R (M1, 16) srf 0x0:ud a_ud.0 %null.0"
    yield "scatter4_scaled/null", "scatter4_scaled.R (M1, 16) srf 0x0:ud a_ud.0 %null.0"
    for size, lanes in ((1, 8), (2, 16), (4, 16), (4, 1), (4, 4), (8, 16)):
        yield f"gather/{size}-x{lanes}", f"gather.{size} (M1, {lanes}) srf 0x0:ud a_ud.0 raw_ud.0"
        yield f"scatter/{size}-x{lanes}", f"scatter.{size} (M1, {lanes}) srf 0x0:ud a_ud.0 raw_ud.0"
    yield "gather/uw", "gather.4 (M1, 16) srf 0x0:ud a_ud.0 raw_uw.0"


def blocks() -> Iterator[Form]:
    for size in (1, 2, 3, 4, 8, 16, 32):
        for op in ("oword_ld", "oword_st", "oword_ld_unaligned"):
            yield f"{op}/{size}", f"{op} ({size}) srf 0x0:ud raw_ud.0"
        for op in ("svm_block_ld", "svm_block_st"):
            yield f"{op}/{size}", f"{op} ({size}) one_uq(0,0)<0;1,0> raw_ud.0"
    for word in (".unaligned", ".aligned"):
        yield f"svm_block_ld{word}", f"svm_block_ld{word} (4) one_uq(0,0)<0;1,0> raw_ud.0"
    yield "oword_ld/mod", "oword_ld.mod (4) srf 0x0:ud raw_ud.0"
    yield "oword_ld/variable", "oword_ld (4) srf one_ud(0,0)<0;1,0> raw_ud.0"
    yield "oword_ld/region", "oword_ld (4) srf a_ud(0,0)<1;1,0> raw_ud.0"
    yield "oword_ld/predicate", "(p16) oword_ld (4) srf 0x0:ud raw_ud.0"
    for width, height in ((4, 4), (1, 1), (32, 8), (64, 4), (64, 8), (65, 1), (16, 16), (8, 32), (4, 64), (4, 65), (0,
                                                                                                                    4)):
        yield f"media_ld/{width}x{height}", f"media_ld.nomod ({width},{height}) srf 0 0x0:ud 0x0:ud raw_ud.0"
    for word in ("nomod", "modified", "top", "bottom", "top_mod", "bottom_mod"):
        yield f"media_ld/{word}", f"media_ld.{word} (4,4) srf 0 0x0:ud 0x0:ud raw_ud.0"
        yield f"media_st/{word}", f"media_st.{word} (4,4) srf 0 0x0:ud 0x0:ud raw_ud.0"
    for plane in (1, 3, 4, 15, 16):
        yield f"media_ld/plane{plane}", f"media_ld.nomod (4,4) srf {plane} 0x0:ud 0x0:ud raw_ud.0"
    yield "media_ld/slm", "media_ld.nomod (4,4) %slm 0 0x0:ud 0x0:ud raw_ud.0"


def older_atomics() -> Iterator[Form]:
    sources = {"add": 1, "sub": 1, "inc": 0, "dec": 0, "min": 1, "max": 1, "xchg": 1, "cmpxchg": 2, "and": 1, "or": 1,
               "xor": 1,
               "minsint": 1, "maxsint": 1, "fmax": 1, "fmin": 1, "fcmpwr": 2, "fadd": 1, "fsub": 1, "predec": 0,
               "iadd": 1}
    for op, count in sources.items():
        for kind in ("ud", "d", "f"):
            operands = " ".join([f"a_{kind}.0", f"b_{kind}.0"][:count] + ["%null.0", "%null.0"][count:])
            yield f"dword_atomic.{op}/{kind}", f"dword_atomic.{op} (M1, 16) srf c_ud.0 {operands} raw_{kind}.0"
            yield f"svm_atomic.{op}/{kind}", f"svm_atomic.{op} (M1, 8) pay_uq.0 raw_{kind}.0 {operands}"
    for width in (16, 32, 64, 8):
        yield f"dword_atomic/{width}", f"dword_atomic.add.{width} (M1, 16) srf a_ud.0 b_ud.0 %null.0 raw_ud.0"
        yield f"svm_atomic/{width}", f"svm_atomic.add.{width} (M1, 8) pay_uq.0 raw_uq.0 a_uq.0 %null.0"
    for operands in ("%null.0 %null.0", "a_ud.0 b_ud.0"):
        for op in ("add", "inc", "cmpxchg"):
            yield f"dword_atomic.{op}/{operands}", f"dword_atomic.{op} (M1, 16) srf c_ud.0 {operands} raw_ud.0"
            yield f"svm_atomic.{op}/{operands}", f"svm_atomic.{op} (M1, 8) pay_uq.0 raw_ud.0 {operands}"
    yield "dword_atomic/offsets-d", "dword_atomic.add (M1, 16) srf a_d.0 b_ud.0 %null.0 raw_ud.0"
    yield "dword_atomic/null-dst", "dword_atomic.add (M1, 16) srf a_ud.0 b_ud.0 %null.0 %null.0"
    for lanes in (8, 16):
        yield (f"typed_atomic/x{lanes}",
               f"typed_atomic.add (M1, {lanes}) srf a_ud.0 b_ud.0 %null.0 %null.0 c_ud.0 %null.0 raw_ud.0")


def sampler() -> Iterator[Form]:
    sampled = ("sample_3d", "sample_b", "sample_l", "sample_c", "sample_d", "sample_lz", "sample_c_lz", "lod",
               "sample_mlod",
               "sample_po", "sample_po_lz")
    for op in sampled:
        yield f"{op}", f"{op}.RGBA (M1, 8) 0x0:uw smp srf raw_f.0 a_f.0 b_f.0"
    for op in ("load_3d", "load_lz", "load_l", "load_mcs", "load_2dms_w"):
        yield f"{op}", f"{op}.RGBA (M1, 8) 0x0:uw srf raw_f.0 a_ud.0 b_ud.0"
    for op in ("sample4", "sample4_c", "sample4_po", "sample4_l", "sample4_i"):
        yield f"{op}", f"{op}.R (M1, 8) 0x0:uw smp srf raw_f.0 a_f.0 b_f.0"
    for lanes in (1, 4, 8, 16, 32):
        yield f"sample_3d/x{lanes}", f"sample_3d.R (M1, {lanes}) 0x0:uw smp srf raw_f.0 a_f.0 b_f.0"
        yield f"load_3d/x{lanes}", f"load_3d.R (M1, {lanes}) 0x0:uw srf raw_f.0 a_ud.0 b_ud.0"
    for channels in ("R", "RG", "GA", "A"):
        yield f"sample_3d/{channels}", f"sample_3d.{channels} (M1, 8) 0x0:uw smp srf raw_f.0 a_f.0 b_f.0"
    yield "sample4/RGBA", "sample4.RGBA (M1, 8) 0x0:uw smp srf raw_f.0 a_f.0 b_f.0"
    yield "sample_3d/predicate", "(p16) sample_3d.R (M1, 8) 0x0:uw smp srf raw_f.0 a_f.0 b_f.0"
    yield "sample_3d/slm", "sample_3d.R (M1, 8) 0x0:uw smp %slm raw_f.0 a_f.0 b_f.0"
    yield "resinfo", "resinfo.RGBA (M1, 8) srf a_ud.0 raw_ud.0"
    yield "sampleinfo", "sampleinfo.RGBA (M1, 8) srf raw_ud.0"
    yield "sample", "sample.RGBA (16) smp srf a_f.0 b_f.0 c_f.0 raw_f.0"
    yield "load", "load.RGBA (16) srf a_ud.0 b_ud.0 c_ud.0 raw_f.0"


def synchronization() -> Iterator[Form]:
    for word in ("barrier", "sbarrier.signal", "sbarrier.wait", "fence_global", "fence_local", "fence_sw",
                 "fence_global.E",
                 "fence_global.EL1", "fence_local.ECSR", "yield", "sampler_cache_flush", "wait 0x0:ub", "wait 0x1:ud",
                 "nbarrier.wait 0x1:ub", "nbarrier.wait 0x1:b", "nbarrier.wait 0x1:ud", "nbarrier.signal 0x1:ub 0x4:ub",
                 "nbarrier.signal 0x1:ub 0x0:ub 0x4:ub 0x4:ub", "nbarrier.signal 0x1:ub",
                 "nbarrier.wait one_ub(0,0)<0;1,0>",
                 "nbarrier.signal 0x1:ud 0x4:ud", "breakpoint", "lifetime.start d_ud", "lifetime.end d_ud", "fence"):
        yield f"sync/{word}", word
    for unit in ("ugm", "slm", "tgm", "ugml", "urb"):
        for op, scope in (("none", "group"), ("none", "gpu"), ("evict", "gpu"), ("evict", "group"), ("invalidate",
                                                                                                     "local"),
                          ("clean", "tile"), ("flushl3", "gpus"), ("discard", "sysrel"), ("none", "sysacq"),
                          ("flush", "gpu")):
            yield f"lsc_fence/{unit}.{op}.{scope}", f"lsc_fence.{unit}.{op}.{scope}"


def others() -> Iterator[Form]:
    yield "raw_send/sources-0", "raw_send (M1, 16) 0xc 0 1 0x2000000:ud a_ud.0 raw_ud.0"
    yield "raw_send/sources-16", "raw_send (M1, 16) 0xc 16 1 0x2000000:ud a_ud.0 raw_ud.0"
    yield "raw_send/lengths", "raw_send (M1, 16) 0xc 1 1 0x4200000:ud a_ud.0 raw_ud.0"
    for lanes in (8, 16, 32):
        yield f"shfl_idx4/x{lanes}", f"shfl_idx4 (M1, {lanes}) raw_ud.0 a_ud(0,0)<1;1,0> b_uw(0,0)<2;1,0>"
    yield "lfsr/b32", "lfsr.b32 (M1, 16) d_ud(0,0)<1> a_ud(0,0)<1;1,0> b_ud(0,0)<1;1,0>"
    yield "lfsr/d", "lfsr.b32 (M1, 16) d_d(0,0)<1> a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>"
    yield "dnscl", "dnscl.bftoe2m1.mode0.srnd (M1, 16) raw_ud.0 pay_ud.0 a_ud.0 b_ud.0"
    yield "ifcall", "ifcall (M1, 16) one_ud(0,0)<0;1,0> 1 1"
    yield "jmp", "jmp (M1, 1) over; mov (M1, 1) d_d(0,0)<1> 0x1:d; over:"
    yield "jmp/x16", "jmp (M1, 16) over; mov (M1, 1) d_d(0,0)<1> 0x1:d; over:"
    yield "goto", "(p16) goto (M1, 16) over; mov (M1, 16) d_d(0,0)<1> 0x1:d; over:"
    yield "goto/nowhere", "goto (M1, 16) nowhere"
    yield "label/twice", "over:; mov (M1, 1) d_d(0,0)<1> 0x1:d; over:"
    for text in ("movi (M1, 16) d_d(0,0)<1> a_d(0,0)<1;1,0>", "mov (M1, 16) d_d(0,0)<1>, a_d(0,0)<1;1,0>",
                 "mov (M1, 16) d_d<1> a_d<1;1,0>", "mov (M1, 16) d_d(0,0) a_d(0,0)",
                 "add (M1, 16) d_d(0,0)<1> a_d(0,0)<1;1,0>",
                 "mov (M1, 16) d_d(0,0)<1> a_d(0,0)<1;1,0> b_d(0,0)<1;1,0>", "mov (M1, 16) d_d(0,0)<1> a_d(0,0)<1>",
                 "mov (M1, 16) d_d(0,0)<1;1,0> a_d(0,0)<1;1,0>", "mov(16) d_d a_d",
                 "MOV (M1, 16) d_d(0,0)<1> a_d(0,0)<1;1,0>",
                 "mov (M1, 16) nobody(0,0)<1> a_d(0,0)<1;1,0>", "mov (M1, 16) d_d(0,0)<1> nobody(0,0)<1;1,0>",
                 "mov (M1, 16) d_d.0 a_d.0", "lsc_load.ugm (M1, 16) raw_ud flat[pay_uq]:a64",
                 "add.sat.sat (M1, 1) d_d(0,0)<1> 0x1:d 0x1:d"):
        yield f"syntax/{text}", text
