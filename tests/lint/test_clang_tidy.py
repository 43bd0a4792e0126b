"""clang-tidy finds no fault in the program's own sources (checks in .clang-tidy)."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('TILEBOUND', ROOT / 'build/asan/tilebound')).parent
RUNNER = shutil.which('run-clang-tidy-14')
SKIPPED = 77


class ClangTidy(unittest.TestCase):
    def test_sources(self):
        commands = json.loads((BUILD / 'compile_commands.json').read_text())
        files = {c['file'] for c in commands}
        sources = sorted(f for f in files if f.startswith(str(ROOT / 'src'))
                         and not f.endswith(('_test.cpp', '_fuzz.cpp')))
        self.assertGreater(len(sources), 40)
        done = subprocess.run([RUNNER, '-quiet', '-p', str(BUILD), *(f'^{f}$' for f in sources)],
                              capture_output=True, text=True, cwd=ROOT)
        faults = [line for line in done.stdout.splitlines() if 'error:' in line]
        self.assertEqual((done.returncode, faults), (0, []), done.stderr[-2000:])


if __name__ == '__main__':
    if RUNNER is None or not (BUILD / 'compile_commands.json').exists():
        print('skipped: clang-tidy or its compile commands are not there')
        sys.exit(SKIPPED)
    unittest.main()
