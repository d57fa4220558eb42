import { DOMParser, type Element } from '@xmldom/xmldom';
import { strFromU8, unzipSync } from 'fflate';
import type { CellValue } from '../task.ts';

/**
 * The cells of a workbook that are not empty, by `Sheet!A1`; formulas begin with `=`. It reads the XML itself (ECMA-376, part 1, 18.3), and
 * not by the library that the tools write with: what one library gets wrong, the other shows.
 */
export function readCells(bytes: Uint8Array): Map<string, CellValue> {
  const entries = unzipSync(bytes);
  const read = (path: string): Element[] => {
    const entry = entries[path];
    if (entry === undefined) return [];
    return [new DOMParser().parseFromString(strFromU8(entry), 'text/xml').documentElement!];
  };
  const shared = read('xl/sharedStrings.xml').flatMap((root) => children(root, 'si').map(textOf));
  const targets = new Map(
    read('xl/_rels/workbook.xml.rels')
      .flatMap((root) => children(root, 'Relationship'))
      .map((one) => [one.getAttribute('Id'), one.getAttribute('Target') ?? '']),
  );
  const cells = new Map<string, CellValue>();
  for (const sheet of read('xl/workbook.xml').flatMap((root) => descendants(root, 'sheet'))) {
    const target = targets.get(sheet.getAttribute('r:id')) ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    for (const cell of read(path).flatMap((root) => descendants(root, 'c'))) {
      const value = valueOf(cell, shared);
      if (value !== null && value !== '')
        cells.set(`${sheet.getAttribute('name')}!${cell.getAttribute('r')}`, value);
    }
  }
  return cells;
}

function valueOf(cell: Element, shared: readonly string[]): CellValue {
  const [formula] = children(cell, 'f');
  if (formula !== undefined) return `=${formula.textContent}`;
  const text = children(cell, 'v')[0]?.textContent ?? null;
  switch (cell.getAttribute('t')) {
    case 'inlineStr':
      return textOf(cell);
    case 's':
      return shared[Number(text)] ?? null;
    case 'b':
      return text === '1';
    case 'str':
    case 'e':
    case 'd':
      return text;
    default:
      return text === null ? null : Number(text);
  }
}

const descendants = (root: Element, name: string): Element[] => [...root.getElementsByTagNameNS('*', name)];
const children = (parent: Element, name: string): Element[] =>
  descendants(parent, name).filter((one) => one.parentNode === parent);
/** Texts may be cut into runs; hints of how they are spoken (`rPh`) are no part of them. */
const textOf = (parent: Element): string =>
  descendants(parent, 't')
    .filter((one) => (one.parentNode as Element).localName !== 'rPh')
    .map((one) => one.textContent)
    .join('');
