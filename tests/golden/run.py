"""Runs golden folders: tests/golden/<verb>/<case>/.

A case holds `cmd` (the arguments of tilebound, one command a line, run in order in the case's
folder), its input files and `expected` (exit codes, standard output and standard error of all
commands). `$EXTRA` in cmd is the folder of extra captures; such a case is skipped when it is absent.
`$TMP` is an empty folder.

    run.py --tilebound PROGRAM [--extra-data DIR] [--update] CASE...
"""

import argparse
import difflib
import pathlib
import shlex
import subprocess
import sys
import tempfile

SKIPPED = 77


def run_case(case, options, tmp):
    """The text that `expected` should hold."""
    out = []
    for line in (case / 'cmd').read_text().splitlines():
        if not line.strip() or line.startswith('#'):
            continue
        arguments = [a.replace('$EXTRA', str(options.extra_data)).replace('$TMP', tmp)
                     for a in shlex.split(line)]
        done = subprocess.run([options.tilebound, *arguments], cwd=case, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=300)
        out.append(f'$ tilebound {line}\n')
        for name, text in (('', done.stdout), ('stderr: ', done.stderr)):
            for row in text.decode('utf-8', 'backslashreplace').splitlines():
                out.append(f'{name}{row}'.rstrip() + '\n')
        out.append(f'exit {done.returncode}\n')
    return ''.join(out).replace(str(options.extra_data), '$EXTRA').replace(tmp, '$TMP')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tilebound', required=True, type=pathlib.Path)
    parser.add_argument('--extra-data', type=pathlib.Path, default=pathlib.Path('/nonexistent'))
    parser.add_argument('--update', action='store_true')
    parser.add_argument('cases', nargs='+', type=pathlib.Path)
    options = parser.parse_args()
    options.tilebound = options.tilebound.resolve()
    options.extra_data = options.extra_data.resolve()
    failed = skipped = 0
    for case in options.cases:
        if '$EXTRA' in (case / 'cmd').read_text() and not options.extra_data.is_dir():
            print(f'{case}: skipped, {options.extra_data} is absent')
            skipped += 1
            continue
        with tempfile.TemporaryDirectory() as tmp:
            actual = run_case(case.resolve(), options, tmp)
        expected = case / 'expected'
        if options.update:
            expected.write_text(actual)
        wanted = expected.read_text() if expected.exists() else ''
        if actual != wanted:
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(
                wanted.splitlines(True), actual.splitlines(True), str(expected), 'actual'))
    if failed:
        return 1
    return SKIPPED if skipped == len(options.cases) else 0


if __name__ == '__main__':
    sys.exit(main())
