"""bench/compare/check_public.py: buffers, arguments and results in NumPy, against literals. check_public_test.py ROOT"""
import pathlib
import sys
import tempfile

SKIPPED = 77


def same(what, got, wanted):
    """Tells of a difference."""
    if got != wanted:
        print(f"{what}: {got!r} instead of {wanted!r}")
    return got == wanted


def main(root):
    """The exit code."""
    try:
        import numpy as np
    except ImportError:
        print("NumPy is not installed")
        return SKIPPED
    sys.path.insert(0, str(pathlib.Path(root) / "bench" / "compare"))
    import check_public
    import public_results

    # The first output of SplitMix64 from 1 is 0x910a2dec89025cc1; its last step, left out here, may change one bit.
    fine = same("random", int(check_public.randoms(1)[0]) >> 1, 0x910A2DEC >> 1)
    for words, wanted in ((["zero"], [0, 0, 0]), (["all", "-2"], [-2, -2, -2]), (["step", "3", "from", "-1"], [-1, 2, 5]),
                          (["step", "3", "from", "1", "below", "5"], [1, 4, 2])):
        fine &= same(str(words), check_public.filled("i32", 3, words).tolist(), wanted)
    fine &= same("floats", check_public.filled("f32", 3, ["step", "-0.5", "from", "1"]).tolist(), [1.0, 0.5, 0.0])
    fine &= same("permutation", sorted(check_public.filled("u32", 50, ["shuffled"]).tolist()), list(range(50)))
    numbers = check_public.filled("i8", 1000, ["-3", "3"])
    fine &= same("range", (int(numbers.min()), int(numbers.max())), (-3, 2))
    fine &= same("product", check_public.factor("4*5*6"), 120)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fine &= same("local", check_public.value_of("local 2*8", folder, 0), "local:16")
        fine &= same("buffer", check_public.value_of("out u16 2", folder, 1), f"@{folder}/1.bin:u16")
        fine &= same("its bytes", (folder / "1.bin").read_bytes(), bytes(4))
        fine &= same("value", check_public.value_of("i32 1 -1", folder, 2), f"bytes:@{folder}/2.bin")
        fine &= same("its bytes", (folder / "2.bin").read_bytes(), b"\x01\0\0\0\xff\xff\xff\xff")
    fine &= same("scan", public_results.exclusive_in_blocks(np.array([1, 2, 3, 4]), 2).tolist(), [[0, 1], [0, 3]])
    keys = np.array([0x31, 0x12, 0x11, 0x30], np.uint32)
    fine &= same("sort", public_results.by_digit(keys, 4).tolist(), [0x12, 0x11, 0x31, 0x30])
    fine &= same("median", public_results.padded_median(np.array([[1, 2], [3, 4]])).tolist(), [[2, 2], [3, 3]])
    fine &= same("sums", public_results.group_sums(np.array([1., 2., 3., 4.]), 2).tolist(), [[3, 2], [7, 4]])
    return 0 if fine else 1


sys.exit(main(sys.argv[1]))
