"""Runs programs on the software Vulkan driver and captures a frame of them with other people's tools."""

import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TILEBOUND = os.environ.get('TILEBOUND', str(ROOT / 'build/asan/tilebound'))
LAYER = 'VK_LAYER_LUNARG_gfxreconstruct'
LAYERS = [pathlib.Path(folder) / 'vulkan' / kind
          for folder in ('/usr/share', '/etc', '/usr/local/share')
          for kind in ('explicit_layer.d', 'implicit_layer.d')]
PROGRAMS = pathlib.Path(os.environ.get('TILEBOUND_PROGRAMS', ROOT / 'build/asan/tests/live/programs'))
OWN = PROGRAMS / 'indirect_draws'
OWN_GLES = PROGRAMS / 'gles_passes'
SCENE = ROOT / 'tests/live/programs/scene.qml'
TRIGGER = PROGRAMS / 'libtrigger_capture.so'
SKIPPED = 77
SECONDS = 20
QT_VULKAN = {'QSG_RHI_BACKEND': 'vulkan', 'QT_QPA_PLATFORM': 'xcb', 'QSG_RENDER_LOOP': 'basic'}
ZINK = {'LIBGL_ALWAYS_SOFTWARE': '1', 'MESA_LOADER_DRIVER_OVERRIDE': 'zink',
        'GALLIUM_DRIVER': 'zink'}
BLUR = ('-b', 'desktop:effect=blur')


def missing():
    """What this test needs and the machine lacks."""
    absent = [name for name in ('gfxrecon-convert',) if shutil.which(name) is None]
    manifests = [path for folder in LAYERS if folder.is_dir() for path in folder.glob('*.json')]
    if not any(LAYER in path.read_text() for path in manifests):
        absent.append(LAYER)
    return absent


class Display:
    """An X server of our own, on a number that it chooses itself."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ['Xvfb', '-displayfd', str(write), '-screen', '0', '800x600x24'],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as answer:
            self.name = ':' + answer.readline().strip()
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()


def capture(folder, program, *arguments, frame, **variables):
    """Runs a program with the layer until it has recorded one frame; the capture's path."""
    wanted = pathlib.Path(folder) / f'run_frame_{frame}.gfxr'
    with Display() as display:
        environment = dict(os.environ, DISPLAY=display.name, VK_INSTANCE_LAYERS=LAYER,
                           GFXRECON_CAPTURE_FILE=str(pathlib.Path(folder) / 'run.gfxr'),
                           GFXRECON_CAPTURE_FILE_TIMESTAMP='false',
                           GFXRECON_CAPTURE_FRAMES=str(frame), **variables)
        run = subprocess.Popen([program, *arguments], env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = ''
        try:
            # The layer says when the frame is complete; some programs go on until they are ended.
            for line in run.stdout:
                said += line
                if 'Finished recording' in line:
                    break
            run.wait(timeout=1)
        except subprocess.TimeoutExpired:
            run.terminate()
            run.wait(timeout=SECONDS)
        finally:
            run.stdout.close()
    if not wanted.is_file():
        raise AssertionError(f'{program} left no capture: {said[-400:]}')
    return wanted


def render_doc(folder, program, *arguments, **variables):
    """Runs a program under RenderDoc, which captures one frame; the capture's path."""
    start = pathlib.Path(folder) / 'capture'
    with Display() as display:
        environment = dict(os.environ, DISPLAY=display.name, **variables)
        if pathlib.Path(program) not in (OWN, OWN_GLES):
            environment['LD_PRELOAD'] = str(TRIGGER)
        done = subprocess.run(['renderdoccmd', 'capture', '-w', '-c', str(start), program,
                               *arguments], env=environment, capture_output=True, text=True,
                              timeout=SECONDS, check=False)
    written = list(pathlib.Path(folder).glob('*.rdc'))
    if len(written) != 1:
        raise AssertionError(f'{program} left {len(written)} captures: {done.stderr[-400:]}')
    return written[0]


def lint(path, *options):
    done = subprocess.run([TILEBOUND, 'lint', str(path), '--format', 'json', *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def ids(report):
    return [finding['id'] for finding in report['findings']]


def qml():
    """The program that shows a QML file with Vulkan; empty without it."""
    found = shutil.which('qml6') or shutil.which('/usr/lib/qt6/bin/qml')
    return found if found and list(pathlib.Path('/usr/lib').glob('*/qt6/qml/QtQuick3D')) else ''


def structure(report, *attachment_fields):
    """What two captures of one program have in common: render passes, sizes, draws and such of their
    attachments. Uploads differ from frame to frame."""
    return [(p['kind'], p['width'], p['height'], p['draws']['count'],
             [[a[field] for field in attachment_fields] for a in p['attachments']])
            for p in report['passes'] if p['kind'] == 'render']
