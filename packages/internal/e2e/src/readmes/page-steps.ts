import type { Readme, ReadmeFence } from './readme.ts';

/** Step of a reader at one block of a page. */
export type PageStep = { line: number } & (
  | { kind: 'save'; file: string; text: string }
  /** With what it has to print: lines, in which `...` stands for anything. A long one is left out of the suite. */
  | { kind: 'run'; script: string; exitCode: number; prints: readonly string[]; isLong: boolean }
  /** Command that stays in a terminal until the reader is through with the page. */
  | { kind: 'start'; script: string; prints: readonly string[] }
  | { kind: 'skip'; script: string; reason: string }
);

/**
 * The steps of a page. A block is saved where the line before it ends with "save this as `file`:". Blocks of `sh` are run, and
 * have to end with exit code 0. A block after "It prints:" or "It ends with:", also
 * with words before the colon, has lines of what the block of `sh` before it prints.
 * A comment before a block says what else it does:
 *
 * - `<!-- run: keeps running -->`: it serves until the reader ends it;
 * - `<!-- run: ends with 1 -->`: another exit code is right;
 * - `<!-- run: long -->`: too long for the suite, and run with everything else by `pages`;
 * - `<!-- run: not here: it needs AWS -->`: a test cannot run it, with the reason.
 */
export function pageSteps(page: Readme): PageStep[] {
  const lines = page.text.split('\n');
  const lineBefore = ({ firstLine }: ReadmeFence): string =>
    lines.slice(0, firstLine - 2).findLast((candidate) => candidate.trim() !== '') ?? '';
  return page.fences.flatMap((fence, index): PageStep[] => {
    const line = fence.firstLine;
    const text = fence.lines.join('\n');
    const before = lineBefore(fence);
    const next = page.fences[index + 1];
    const prints =
      next !== undefined && /^\s*It (prints|ends with)\b.*:$/.test(lineBefore(next)) ? next.lines : [];
    const file = /\bsave (?:this|it) as `([^`]+)`.*:$/i.exec(before)?.[1];
    if (file !== undefined) return [{ kind: 'save', line, file, text: `${text}\n` }];
    if (!isShell(fence)) return [];
    const marker = /^<!-- run: (.*) -->$/.exec(before.trim())?.[1];
    const run = { kind: 'run', line, script: text, exitCode: 0, prints, isLong: false } as const;
    if (marker === undefined) return [run];
    if (marker === 'long') return [{ ...run, isLong: true }];
    if (marker === 'keeps running') return [{ kind: 'start', line, script: text, prints }];
    const exitCode = /^ends with (\d+)$/.exec(marker)?.[1];
    if (exitCode !== undefined) return [{ ...run, exitCode: Number(exitCode) }];
    const reason = /^not here: (.+)$/.exec(marker)?.[1];
    if (reason !== undefined) return [{ kind: 'skip', line, script: text, reason }];
    throw new Error(
      `${page.path}:${line}: expected "keeps running", "ends with 1", "long" or "not here: a reason", got "${marker}"`,
    );
  });
}

function isShell({ language }: ReadmeFence): boolean {
  return ['sh', 'bash', 'shell', 'console'].includes(language);
}
