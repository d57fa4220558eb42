import type { Readme, ReadmeFence } from './readme.ts';

/** What a reader does at one block of a page. */
export type PageStep = { line: number } & (
  | { kind: 'save'; file: string; text: string }
  | { kind: 'run'; script: string; exitCode: number }
  /** What stays in a terminal of its own until the reader is through with the page. */
  | { kind: 'start'; script: string }
  | { kind: 'skip'; script: string; reason: string }
);

/**
 * The steps of a page. A block is saved where the line before it ends with "save this as `file`:". Blocks of `sh` are run, and
 * have to end with exit code 0. A comment before a block says what else it does:
 *
 * - `<!-- run: goes on -->`: it serves until the reader ends it;
 * - `<!-- run: ends with 1 -->`: another exit code is right;
 * - `<!-- run: not here: it needs AWS -->`: a test cannot run it, with the reason.
 */
export function pageSteps(page: Readme): PageStep[] {
  const lines = page.text.split('\n');
  return page.fences.flatMap((fence): PageStep[] => {
    const line = fence.firstLine;
    const text = fence.lines.join('\n');
    const before = lines.slice(0, line - 2).findLast((candidate) => candidate.trim() !== '') ?? '';
    const file = /\bsave (?:this|it) as `([^`]+)`.*:$/i.exec(before)?.[1];
    if (file !== undefined) return [{ kind: 'save', line, file, text: `${text}\n` }];
    if (!isShell(fence)) return [];
    const marker = /^<!-- run: (.*) -->$/.exec(before.trim())?.[1];
    if (marker === undefined) return [{ kind: 'run', line, script: text, exitCode: 0 }];
    if (marker === 'goes on') return [{ kind: 'start', line, script: text }];
    const exitCode = /^ends with (\d+)$/.exec(marker)?.[1];
    if (exitCode !== undefined) return [{ kind: 'run', line, script: text, exitCode: Number(exitCode) }];
    const reason = /^not here: (.+)$/.exec(marker)?.[1];
    if (reason !== undefined) return [{ kind: 'skip', line, script: text, reason }];
    throw new Error(
      `${page.path}:${line}: expected "goes on", "ends with 1" or "not here: a reason", got "${marker}"`,
    );
  });
}

function isShell({ language }: ReadmeFence): boolean {
  return ['sh', 'bash', 'shell', 'console'].includes(language);
}
