import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace-packages.ts';

export { workspaceRoot } from '../workspace-packages.ts';

/** A stretch of lines of a README; the first has the number `firstLine`, from 1. */
export interface ReadmePart {
  firstLine: number;
  lines: readonly string[];
}

/** A fenced block, without its fences. */
export interface ReadmeFence extends ReadmePart {
  /** Such as `ts`; empty where none is named. */
  language: string;
}

/** A README by what can be checked in it. */
export interface Readme {
  /** From the root of the workspace: `packages/storage/store/README.md`. */
  path: string;
  text: string;
  fences: readonly ReadmeFence[];
  /**
   * Declarations that its examples take for given: TypeScript declarations in HTML comments that begin with a line `<!-- given`. They hold
   * for all examples below them; what an example declares itself hides them.
   */
  givens: readonly ReadmePart[];
}

/** Every README of the workspace, its pages, what contributors are told, and the skills for coding agents. */
export function readReadmes(): Readme[] {
  return globSync(
    [
      'README.md',
      '{packages/*,examples}/*/README.md',
      'packages/internal/docs/**/*.md',
      'packages/command/create-agent/skills/*/SKILL.md',
      '.github/*.md',
    ],
    { cwd: workspaceRoot, exclude: (path) => path.endsWith('docs/dist') },
  )
    .toSorted()
    .map((path) => parseReadme(path, readFileSync(join(workspaceRoot, path), 'utf8')));
}

export function parseReadme(path: string, text: string): Readme {
  const fences: ReadmeFence[] = [];
  const givens: ReadmePart[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^(\s*)```(\w*)/.exec(lines[at]!);
    const isGiven = lines[at] === '<!-- given';
    if (fence === null && !isGiven) continue;
    const close = lines.findIndex((line, index) => index > at && line.trim() === (isGiven ? '-->' : '```'));
    if (close === -1) throw new Error(`${path}:${at + 1}: what begins here does not end`);
    // A block within a list is indented with its fence.
    const indent = new RegExp(`^\\s{0,${fence?.[1]?.length ?? 0}}`);
    const part = {
      firstLine: at + 2,
      lines: lines.slice(at + 1, close).map((line) => line.replace(indent, '')),
    };
    if (isGiven) givens.push(part);
    else fences.push({ ...part, language: fence?.[2] ?? '' });
    at = close;
  }
  return { path, text, fences, givens };
}
