import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../workspace-packages.ts';

/** Folders of code that runs in an agent. */
const inAgents = [
  'packages/agent/*/src',
  'packages/storage/store/src',
  'packages/storage/store-s3/src',
  'packages/ground/ground/src',
  'packages/ground/protocol/src/reach',
];

/** The use that each file has for such a value, although it is equal in every session of a runtime that restores them from a snapshot. */
const allowed: Record<string, string> = {
  'packages/ground/ground/src/draws/kernel-source.ts': 'Windows, where nothing is restored',
  'packages/ground/ground/src/draws/replace-draws.ts': 'they are what it replaces',
  'packages/ground/ground/src/files/hold-folder.ts': 'for people; what holds is a lock of the system',
};

const drawing =
  'randomUUID|randomBytes|randomInt|randomFillSync|randomFill|getRandomValues|pseudoRandomBytes|generateKeySync|webcrypto';
const shared: Record<string, RegExp> = {
  'Math.random': /\bMath\s*(?:\?\.|\.)\s*random\b|\bMath\s*\[|\brandom\b[^=;]*\}\s*=\s*Math\b/,
  'node:crypto': new RegExp(`\\b(?:${drawing})\\b`),
  'the id of the process':
    /\bp?pid\b\s*[,}][^=;]*\}?\s*=\s*process\b|\bprocess\s*(?:\?\.|\.)\s*p?pid\b|from 'node:process'/,
  'the name of the host':
    /\bhostname\b\s*[,}(][^;]*(?:'node:os')|\bos\s*\.\s*hostname\b|\bimport\b[^;]*\bhostname\b[^;]*'node:os'/,
};

/** The values in a program that sessions of one snapshot share. */
function sharedDraws(text: string): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*$/gm, '');
  return Object.keys(shared).filter((name) => shared[name]!.test(code));
}

it('nothing in an agent takes an id, a name or a jitter from what clones of a snapshot share', () => {
  const found: Record<string, string[]> = {};
  const files = inAgents.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: workspaceRoot }));
  expect(files.length).toBeGreaterThan(200);
  for (const file of files) {
    if (/\.(test|fixture|engine|peer)\.ts$|\/(?:conformance|testing)\//.test(file)) continue;
    const draws = sharedDraws(readFileSync(join(workspaceRoot, file), 'utf8'));
    if (draws.length > 0) found[file] = draws;
  }
  // Use freshId, freshBytes and freshNumber of @art/ground.
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(allowed).toSorted());
});

describe('the rule', () => {
  it.each([
    ['Math.random', 'const x = Math.random();'],
    ['Math.random', 'const { random = Math.random } = deps;'],
    ['Math.random', 'const { random } = Math;'],
    ['Math.random', "const x = Math['random']();"],
    ['node:crypto', "import { randomUUID } from 'node:crypto';"],
    ['node:crypto', "import { randomUUID as id } from 'node:crypto';"],
    ['node:crypto', "import * as c from 'node:crypto';\nc.randomBytes(3);"],
    ['node:crypto', 'const id = crypto.randomUUID();'],
    ['node:crypto', 'globalThis.crypto.getRandomValues(view);'],
    ['the id of the process', 'const name = `${process.pid}.tmp`;'],
    ['the id of the process', 'const { pid } = process;'],
    ['the id of the process', "import { pid } from 'node:process';"],
    ['the name of the host', "import { hostname } from 'node:os';"],
    ['the name of the host', "import os from 'node:os';\nconst owner = os.hostname();"],
  ])('finds %s in %s', (name, code) => {
    expect(sharedDraws(code)).toEqual([name]);
  });

  it.each([
    '// Math.random() would be shared.',
    'const hostname = new URL(url).hostname;',
    'const { pid } = child;',
    'Math.floor(freshNumber() * 6);',
    "import { tmpdir } from 'node:os';\nconst { hostname } = url;",
    'process.kill(child.pid);',
  ])('takes %s', (code) => {
    expect(sharedDraws(code)).toEqual([]);
  });
});
