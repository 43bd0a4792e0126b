"""A headless Chromium driven through its debugging pipe, with Python's library alone.

Messages of the DevTools protocol are JSON texts that end in a zero byte; the browser reads them from
file descriptor 3 and writes to 4. It opens no port and loads nothing but the file it is given.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

PROGRAM = shutil.which('chromium') or shutil.which('chromium-browser')
FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--disable-default-apps',
         '--no-first-run', '--disable-extensions', '--disable-dev-shm-usage', '--hide-scrollbars',
         '--remote-debugging-pipe', 'about:blank']
SECONDS = 60  # for anything to happen


class Chromium:
    """One page in one browser with a profile of its own."""

    def __init__(self, width=1280, height=900):
        self.profile = tempfile.TemporaryDirectory(prefix='tilebound-chromium-')
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def hand_over():
            # Copies first: a pipe may itself be number 3 or 4.
            reader, writer = os.dup(to_read), os.dup(to_write)
            os.dup2(reader, 3)
            os.dup2(writer, 4)

        self.process = subprocess.Popen(
            [PROGRAM, *FLAGS, f'--user-data-dir={self.profile.name}'], preexec_fn=hand_over,
            close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer = b''
        self.sent = 0
        self.session = None
        self.errors = []  # what the page wrote to the console as an error, and exceptions
        target = next(t for t in self.call('Target.getTargets')['targetInfos']
                      if t['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=target['targetId'],
                                 flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log'):
            self.call(f'{domain}.enable')
        self.resize(width, height)

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=SECONDS)
        os.close(self.read_end)
        os.close(self.write_end)
        self.profile.cleanup()

    def call(self, method, **parameters):
        self.sent += 1
        message = {'id': self.sent, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b'\0')
        while True:
            answer = self._receive()
            if answer.get('id') == self.sent:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            self._event(answer)

    def _receive(self):
        while b'\0' not in self.buffer:
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise RuntimeError('the browser went away')
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b'\0')
        return json.loads(message)

    def _event(self, event):
        method, parameters = event.get('method'), event.get('params', {})
        if method == 'Runtime.exceptionThrown':
            details = parameters['exceptionDetails']
            self.errors.append(details.get('exception', {}).get('description', details['text']))
        elif method == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'assert'):
            self.errors.append(str(parameters['args']))
        elif method == 'Log.entryAdded' and parameters['entry']['level'] == 'error':
            self.errors.append(parameters['entry']['text'])

    def resize(self, width, height):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def theme(self, name):
        """What the reader's system prefers: light or dark."""
        self.call('Emulation.setEmulatedMedia',
                  features=[{'name': 'prefers-color-scheme', 'value': name}])

    def open(self, path):
        self.errors.clear()
        self.call('Page.navigate', url=pathlib.Path(path).resolve().as_uri())
        self.wait('document.readyState === "complete" && !!document.querySelector("main section")')
        self.settle()

    def run(self, expression):
        """The value of an expression in the page; promises are awaited."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True,
                           awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(result['exceptionDetails'].get('exception', {}).get('description'))
        return result['result'].get('value')

    def wait(self, condition):
        until = time.monotonic() + SECONDS
        while not self.run(condition):
            if time.monotonic() > until:
                raise RuntimeError(f'never came: {condition}')
            time.sleep(0.02)

    def settle(self):
        """Until the page has drawn what was asked for."""
        self.run('new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(1))))')

    def key(self, key):
        text = key if len(key) == 1 else ''
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, text=text)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key)
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=f'mouse{kind}', x=x, y=y, **more)

    def click(self, x, y, count=1):
        for kind in ('Pressed', 'Released'):
            self.mouse(kind, x, y, button='left', clickCount=count)
        self.settle()

    def drag(self, x0, x1, y, modifiers=0):
        self.mouse('Moved', x0, y)
        self.mouse('Pressed', x0, y, button='left', clickCount=1, modifiers=modifiers)
        for step in range(1, 6):
            self.mouse('Moved', x0 + (x1 - x0) * step / 5, y, button='left', buttons=1,
                       modifiers=modifiers)
        self.mouse('Released', x1, y, button='left', clickCount=1, modifiers=modifiers)
        self.settle()

    def box(self, selector):
        """Left, top, width, height of an element in the window."""
        return self.run(f'(() => {{ const b = document.querySelector({json.dumps(selector)})'
                        '.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()')

    def screenshot(self, path, whole=True):
        shot = self.call('Page.captureScreenshot', format='png', captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot['data']))
