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

    fine = same("product", check_public.factor("4*5*6"), 120)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fine &= same("local", check_public.value_of("local 2*8", None, folder, 0), "local:16")
        fine &= same("buffer", check_public.value_of("out u16 2", np.array([1, 2], np.uint16), folder, 1), f"@{folder}/1.bin:u16")
        fine &= same("its bytes", (folder / "1.bin").read_bytes(), b"\x01\0\x02\0")
        fine &= same("value", check_public.value_of("i32 1 -1", None, folder, 2), f"bytes:@{folder}/2.bin")
        fine &= same("its bytes", (folder / "2.bin").read_bytes(), b"\x01\0\0\0\xff\xff\xff\xff")
    fine &= same("scan", public_results.exclusive_in_blocks(np.array([1, 2, 3, 4]), 2).tolist(), [[0, 1], [0, 3]])
    keys = np.array([0x31, 0x12, 0x11, 0x30], np.uint32)
    fine &= same("sort", public_results.by_digit(keys, 4).tolist(), [0x12, 0x11, 0x31, 0x30])
    fine &= same("median", public_results.padded_median(np.array([[1, 2], [3, 4]])).tolist(), [[2, 2], [3, 3]])
    fine &= same("sums", public_results.group_sums(np.array([1., 2., 3., 4.]), 2).tolist(), [[3, 2], [7, 4]])
    return 0 if fine else 1


sys.exit(main(sys.argv[1]))
