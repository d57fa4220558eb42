import { RewardFunction } from '@art/agent';
import type { RewardContext } from '@art/reward';
import { WordDocument } from '../files/document.ts';
import type { OfficeFiles } from '../files/office-files.ts';
import type { CellValue, Expected } from '../task.ts';
import { readCells } from './read-cells.ts';

export interface OfficeWork {
  before: OfficeFiles;
  after: OfficeFiles;
  expected: Expected;
}

/** 1 where all files are what they must be, in every cell and paragraph; else 0. */
export class OfficeReward extends RewardFunction<OfficeWork, number> {
  protected override evaluate({ before, after, expected }: OfficeWork, { remark }: RewardContext): number {
    const problems = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
      const [was, is] = [before.get(name), after.get(name)];
      if (was === undefined || is === undefined) return [`${name} must not ${was ? 'go' : 'come'}`];
      const problem = name.endsWith('.xlsx')
        ? cellProblem(readCells(was), readCells(is), expected.cells?.[name] ?? {})
        : documentProblem(new WordDocument(was), new WordDocument(is), expected.paragraphs?.[name]);
      return problem === undefined ? [] : [`${name}: ${problem}`];
    });
    for (const problem of problems) remark?.(problem);
    return problems.length === 0 ? 1 : 0;
  }
}

function cellProblem(
  was: ReadonlyMap<string, CellValue>,
  is: ReadonlyMap<string, CellValue>,
  wanted: Readonly<Record<string, CellValue | CellValue[]>>,
): string | undefined {
  for (const ref of new Set([...Object.keys(wanted), ...was.keys(), ...is.keys()])) {
    const got = is.get(ref) ?? null;
    const isAsked = Object.hasOwn(wanted, ref);
    const choices = isAsked ? [wanted[ref]!].flat() : [was.get(ref) ?? null];
    if (!choices.some((choice) => (isAsked ? isSameCell(choice, got) : choice === got)))
      return `${ref} must be ${choices.map((one) => JSON.stringify(one)).join(' or ')}, and is ${JSON.stringify(got)}`;
  }
  return undefined;
}

function isSameCell(wanted: CellValue, got: CellValue): boolean {
  if (typeof wanted === 'number' && typeof got === 'number') return Math.abs(wanted - got) < 1e-9;
  if (typeof wanted === 'string' && typeof got === 'string')
    return wanted.startsWith('=') ? plainFormula(wanted) === plainFormula(got) : wanted === got.trim();
  return wanted === got;
}

/** However it is spelled: `= sum($B$2:$B$5)` is `=SUM(B2:B5)`. */
const plainFormula = (formula: string): string => formula.replaceAll(/[\s$]/g, '').toUpperCase();

function documentProblem(
  was: WordDocument,
  is: WordDocument,
  wanted: readonly string[] | undefined,
): string | undefined {
  const [before, after] = [was.paragraphs(), is.paragraphs()];
  const texts = wanted ?? before.map(({ text }) => text);
  const at = Array.from({ length: Math.max(texts.length, after.length) }).findIndex(
    (_, index) => plainText(texts[index]) !== plainText(after[index]?.text),
  );
  if (at !== -1)
    return `paragraph ${at + 1} must be ${JSON.stringify(texts[at] ?? null)}, and is ${JSON.stringify(after[at]?.text ?? null)}`;
  // A paragraph whose text stays keeps its styles, too.
  const restyled = after.findIndex(
    ({ text, xml }) => before.some((one) => one.text === text) && !before.some((one) => one.xml === xml),
  );
  return restyled === -1 ? undefined : `paragraph ${restyled + 1} must keep its style`;
}

const plainText = (text: string | undefined): string | undefined => text?.trim().replaceAll(/\s+/g, ' ');
