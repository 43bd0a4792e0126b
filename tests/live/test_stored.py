"""Captures of one program by both tools, taken earlier, tell the same of its frame."""

import os
import pathlib
import sys
import unittest

from capturing import ROOT, SKIPPED, lint, structure

DATA = pathlib.Path(os.environ.get('TILEBOUND_EXTRA_DATA', ROOT.parent / 'shared')) / 'data'
PAIRS = (('vkcube_frame21', 'vkcube_frame_3', 1),
         ('vkd3dgears_frame550', 'vkd3dgears_frame_20', 3),
         ('headless_indirect', 'headless_indirect', 1),
         ('glmark_desktop_blur_frame47', 'glmark_desktop_blur_frame_20', 11),
         ('qtquick3d_small_markers', 'qtquick3d_small_frame_10', 13))


class Pairs(unittest.TestCase):
    def test_frames_are_alike(self):
        fields = ('role', 'format', 'samples', 'load', 'store')
        for renderdoc, reconstruct, passes in PAIRS:
            with self.subTest(renderdoc):
                one = lint(DATA / f'renderdoc/{renderdoc}.zip.xml')
                other = lint(DATA / f'gfxreconstruct/{reconstruct}.jsonl')
                self.assertEqual(len(structure(one)), passes)
                self.assertEqual(structure(one, *fields), structure(other, *fields))


if __name__ == '__main__':
    if not DATA.is_dir():
        print(f'skipped: no {DATA}')
        sys.exit(SKIPPED)
    unittest.main()
