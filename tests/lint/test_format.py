"""Every C++ file is formatted by clang-format with the project's style."""

import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def sources():
    return sorted(p for folder in ('src', 'tests', 'benchmarks') if (ROOT / folder).is_dir()
                  for p in (ROOT / folder).rglob('*') if p.suffix in ('.h', '.cpp'))


class Format(unittest.TestCase):
    def test_all_sources(self):
        tool = shutil.which('clang-format-14') or shutil.which('clang-format')
        done = subprocess.run([tool, '--dry-run', '--Werror', *map(str, sources())],
                              capture_output=True, text=True, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])


if __name__ == '__main__':
    if not (shutil.which('clang-format-14') or shutil.which('clang-format')):
        print('skipped: clang-format is not installed')
        sys.exit(SKIPPED)
    unittest.main()
