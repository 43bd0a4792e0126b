"""Rejects includes that floors.txt does not allow. Usage: check_floors.py REPOSITORY_ROOT"""

import pathlib
import re
import sys


def read_floors(path):
    floors = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith('#'):
            name, _, below = line.partition(':')
            floors[name.strip()] = set(below.split())
    return floors


def forbidden(root):
    """Yields 'file:line: message' for each include of a floor that is not below the file's own."""
    floors = read_floors(root / 'floors.txt')
    for path in sorted((root / 'src').rglob('*')):
        if path.suffix not in ('.h', '.cpp'):
            continue
        floor = path.relative_to(root / 'src').parts[0]
        if floor not in floors:
            yield f'{path}: the folder {floor} is not in floors.txt'
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*"([^/"]+)/', line)
            if match and match[1] != floor and match[1] not in floors[floor]:
                yield f'{path}:{number}: {floor} may not include {match[1]}'


def main():
    problems = list(forbidden(pathlib.Path(sys.argv[1])))
    print('\n'.join(problems) or 'every include goes to a floor below')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
