#!/usr/bin/env python3
"""docs/rules.md is what the program prints, and the catalogue reads the same as JSON."""
import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TILEBOUND = os.environ.get('TILEBOUND', str(ROOT / 'build/asan/tilebound'))


def rules(form):
    return subprocess.run([TILEBOUND, 'rules', '--format', form], capture_output=True, text=True,
                          check=True).stdout


class RulesPage(unittest.TestCase):
    def test_page_is_the_output(self):
        self.assertEqual((ROOT / 'docs' / 'rules.md').read_text(), rules('markdown'))

    def test_every_rule_in_every_form(self):
        page, text = rules('markdown'), rules('text')
        catalogue = json.loads(rules('json'))['rules']
        self.assertGreater(len(catalogue), 30)
        for rule in catalogue:
            self.assertIn('\n## %s\n' % rule['id'], page)
            self.assertIn('\n%s (%s)\n' % (rule['id'], rule['severity']), text)
            file = ROOT / 'src/lint/rules' / (rule['id'] + '.cpp')
            self.assertTrue(file.exists(), file)


if __name__ == '__main__':
    unittest.main()
