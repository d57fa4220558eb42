import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const refused = {
  named: "import { mkdir } from 'node:fs/promises';\nvoid mkdir('a', { recursive: true });",
  renamed: "import { mkdir as make } from 'node:fs/promises';\nvoid make('a', { recursive: true });",
  synchronous: "import { mkdirSync } from 'node:fs';\nmkdirSync('a', { recursive: true });",
  whole: "import * as fs from 'node:fs';\nfs.mkdirSync('a', { recursive: true });",
  byDefault: "import fs from 'node:fs/promises';\nvoid fs.mkdir('a', { recursive: true });",
  promises: "import { promises } from 'node:fs';\nvoid promises.mkdir('a', { recursive: true });",
};
const taken = {
  others: "import { mkdtemp, readFile } from 'node:fs/promises';\nvoid mkdtemp('a');\nvoid readFile('a');",
};

it("the linter refuses Node's own way to make directories, however it is imported", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'art-lint-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ ...refused, ...taken }))
    await writeFile(join(folder, `${name}.ts`), text);
  const root = resolve(import.meta.dirname, '../../../..');
  const { promise, resolve: done } = Promise.withResolvers<string>();
  const options = ['--config', join(root, '.oxlintrc.json'), '--format', 'json', folder];
  execFile(join(root, 'node_modules/.bin/oxlint'), options, { cwd: root }, (_error, stdout) => done(stdout));
  const { diagnostics } = JSON.parse(await promise) as {
    diagnostics: { code: string; help: string; filename: string }[];
  };
  const found = diagnostics.filter(({ code }) => code.includes('no-restricted-imports'));
  expect(found.map(({ filename }) => basename(filename, '.ts')).toSorted()).toEqual(
    Object.keys(refused).toSorted(),
  );
  for (const { help } of found) expect(help).toMatch(/makeDirectory of @art\/ground/);
});
