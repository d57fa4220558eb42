import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { exampleModule, fileModule } from './example-module.ts';
import { foreignModules } from './foreign-modules.ts';
import { pageSteps } from './page-steps.ts';
import { parseReadme, readReadmes, type Readme } from './readme.ts';

const tsc = createRequire(createRequire(import.meta.url).resolve('typescript/package.json')).resolve(
  './bin/tsc',
);
const made: string[] = [];

afterEach(async () => {
  await Promise.all(made.splice(0).map((path) => rm(path, { recursive: true, force: true })));
});

/** Within this package, so that the examples' imports are found; one program for all. */
async function compile(readmes: readonly Readme[]): Promise<{ errors: string[]; examples: number }> {
  const folder = await mkdtemp(join(import.meta.dirname, '../../.readmes-'));
  made.push(folder);
  const files = ['foreign-modules.d.ts'];
  for (const readme of readmes) {
    await mkdir(join(folder, readme.path), { recursive: true });
    const saved = new Map(
      pageSteps(readme).flatMap((step) => (step.kind === 'save' ? [[step.line, step.file] as const] : [])),
    );
    for (const fence of readme.fences) {
      if (!['ts', 'typescript', 'js', 'javascript'].includes(fence.language)) continue;
      const name = saved.get(fence.firstLine);
      const file = join(readme.path, name ?? `line-${fence.firstLine}.ts`);
      // What a reader saves is a module by itself, and others of its page import it.
      const module = name === undefined ? exampleModule(readme, fence) : fileModule(fence);
      await writeFile(join(folder, file), module);
      files.push(file);
    }
  }
  await writeFile(join(folder, 'foreign-modules.d.ts'), foreignModules);
  const config = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: {
      noEmit: true,
      declaration: false,
      declarationMap: false,
      // An example may name what it has no room to use.
      noUnusedLocals: false,
      noUnusedParameters: false,
    },
    files,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      // On one thread, and with a heap that grows, it takes less than half of the processor seconds.
      [tsc, '-p', folder, '--pretty', 'false', '--singleThreaded'],
      { cwd: folder, env: { ...process.env, GOGC: '400' } },
      (failure, stdout, stderr) => resolve(failure === null ? '' : `${stdout}${stderr}` || failure.message),
    );
  });
  return { examples: files.length - 1, errors: output.split('\n').filter((line) => line !== '') };
}

it('every example of every README compiles', async () => {
  const { errors, examples } = await compile(readReadmes());
  expect(errors).toEqual([]);
  expect(examples).toBeGreaterThan(25);
});

it('no example has what Node 22 cannot parse', () => {
  const using = readReadmes().flatMap(({ path, fences }) =>
    fences
      .filter(({ lines }) => lines.some((line) => /^\s*(await )?using \w+ =/.test(line)))
      .map(({ firstLine }) => `${path}:${firstLine}`),
  );
  expect(using).toEqual([]);
});

it('an example that is wrong is told, by its README and line', async () => {
  const text = [
    '<!-- given',
    'declare const problems: { id: string }[];',
    'declare const store: string;',
    '-->',
    '```ts',
    "import { MemoryResultStore } from '@art/store';",
    '',
    'const store = new MemoryResultStore();',
    'await store.get({ bucket: problems[0]!.id, keys: 1 });',
    '```',
    '```ts',
    'const length: boolean = store.length;',
    '```',
  ].join('\n');
  const { errors } = await compile([parseReadme('packages/x/README.md', text)]);
  expect(errors).toEqual([
    expect.stringMatching(/^packages\/x\/README\.md\/line-12\.ts\(12,\d+\): error TS2322/),
    expect.stringMatching(/^packages\/x\/README\.md\/line-6\.ts\(9,\d+\): error TS2561.*'keys'/),
  ]);
});
