"""How objects of the module are shown, and that notebooks get no HTML of a kernel's."""
import pathlib
import sys
import unittest

import numpy as np

import visor
from visor import _shown

ZEBIN = pathlib.Path(__file__).parents[1] / "launch/data/saxpy.skl.zebin"
TEXT = """.version 4.1
.kernel "<b>&"
.kernel_attr SimdSize=8
    ret (M1, 1)
"""


class Lines(unittest.TestCase):
    def test_objects(self):
        program = visor.compile(ZEBIN)
        for shown, expected in (
                (program, "<visor.Program on skl: saxpy, groups_only>"),
                (program["saxpy"], "<visor.Kernel saxpy(float* y, float* x, float a, int n)>"),
                (visor.Device("pvc"), "<visor.Device pvc>"),
                (visor.Device("skl", engine="interp", threads=2), "<visor.Device skl engine=interp threads=2>"),
                (visor.image(np.zeros((2, 3), dtype=np.uint8)), "<visor.Image (2, 3) uint8>"),
                (visor.sampler("linear", "repeat", True), "<visor.Sampler linear repeat normalized>"),
                (visor.local(256), "visor.local(256)"),
                ([visor.lid_x, visor.lid_y, visor.lid_z, visor.lane, visor.tid],
                 "[visor.lid_x, visor.lid_y, visor.lid_z, visor.lane, visor.tid]")):
            self.assertEqual(repr(shown), expected)
        with self.assertRaises(ValueError):
            visor._visor.Filler(5)

    def test_a_launch(self):
        result = visor.run(TEXT)
        self.assertEqual(repr(result), "<visor.Result <b>&: 1 work-group, 1 instruction, exact>")
        heard = []
        visor.run(TEXT, on_instruction=lambda instruction: heard.append(repr(instruction)))
        self.assertEqual(heard, ["<visor.Instruction ret of thread 0 in group (0, 0, 0), lanes 0x1>"])


class Tables(unittest.TestCase):
    def test_all_is_text(self):
        program = visor.compile(TEXT)
        self.assertIn("<th>&lt;b&gt;&amp;</th>", program._repr_html_())
        self.assertNotIn("<b>", program._repr_html_())
        self.assertIn("<th>work_groups</th><td>1</td>", visor.run(TEXT)._repr_html_())

    def test_long_ones_end(self):
        table = _shown.table({str(number): number for number in range(70)})
        self.assertEqual(table.count("<tr>"), 65)
        self.assertIn("and 6 more", table)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
