import { spawnSync } from 'node:child_process';
import { sayMissing } from '@art/tooling/say-missing';
import { isThorough } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { PageReader } from './page-reader.fixture.ts';
import { pageSteps } from './page-steps.ts';
import { parseReadme, readReadmes, type Readme } from './readme.ts';

/** Pages that are read in one folder, one after the other. Every other page begins with an empty one. */
const inOneFolder = [['start.md', 'evaluate.md', 'operate/faults.md', 'train-with.md']];

const folder = 'packages/internal/docs/';
const pages = new Map(
  readReadmes()
    .filter((page) => page.path.startsWith(folder))
    .filter((page) => pageSteps(page).some(({ kind }) => kind !== 'save'))
    .map((page) => [page.path.slice(folder.length), page]),
);
const everyPage = [
  ...inOneFolder,
  ...[...pages.keys()].filter((name) => !inOneFolder.flat().includes(name)).map((name) => [name]),
];
/** All of them alone: `pnpm --filter @art/e2e run pages`. */
const readings = isThorough
  ? everyPage
  : [['as-it-is.md'], ['start.md'], ['custom-store.md'], ['capture-tokens.md']];

const lacksCurl = spawnSync('curl', ['--version']).status !== 0;
if (lacksCurl) sayMissing('no curl on the PATH, so pages that use curl are not followed');

/** Faults of the commands of pages that are read one after the other. */
async function faultOf(read: readonly Readme[], goodbyeMs?: number): Promise<string | undefined> {
  let where = '';
  try {
    await using reader = await PageReader.sitDown(goodbyeMs);
    for (const page of read)
      for (const step of pageSteps(page)) {
        if (step.kind === 'run' && step.isLong && !isThorough) continue;
        where = `${page.path}:${step.line}: `;
        await reader.follow(step);
        reader.checkServers();
      }
    where = '';
    return undefined;
  } catch (error) {
    return `${where}${(error as Error).message}`;
  }
}

it.for(readings.map((names) => ({ title: names.join(', '), names })))(
  'the commands of $title pass from an empty folder',
  { timeout: 900_000 },
  async ({ names }, { skip }) => {
    const read = names.map((name) => pages.get(name)!);
    if (lacksCurl && read.some(({ text }) => /\bcurl /.test(text))) skip('no curl');
    expect(await faultOf(read)).toBeUndefined();
  },
);

it('what no test runs says why', () => {
  const skipped = [...pages].flatMap(([name, page]) =>
    pageSteps(page).flatMap((step) => (step.kind === 'skip' ? [`${name}: ${step.reason}`] : [])),
  );
  expect(skipped).toEqual([
    'adapt.md: it needs an agent',
    'audit.md: it needs a model',
    'before-and-after.md: it needs a training service',
    'before-and-after.md: it needs a training service',
    'before-and-after.md: it needs a training service',
    'before-and-after.md: it needs a training service',
    'before-and-after.md: it needs a training service',
    'coding-agents.md: it needs a project',
    'deploy.md: it needs AWS',
    'deploy.md: it needs AWS',
    'evaluate.md: it needs AWS',
    'export.md: it needs a model',
    'improve.md: it needs a model',
    'ladder.md: it needs a training service',
    'matrix.md: it needs a model',
    'matrix.md: it needs a model',
    'matrix.md: it needs a model',
    'operate/deployment.md: it needs AWS',
    'operate/deployment.md: it needs AWS',
    'operate/deployment.md: it needs AWS',
    'operate/snapshots.md: it needs an agent',
    'operate/stuck-sessions.md: it needs a run that crashed',
    'operate/traces.md: it needs a viewer',
    'plan-and-ceilings.md: it needs a model',
    'reference/reach.md: it needs AWS',
    'reference/s3-events.md: it needs AWS',
    'reference/stores.md: it needs Redis',
    'train-with-agent-lightning.md: it needs a server of Agent Lightning',
    'train.md: it needs the Hugging Face Hub',
    'train.md: it needs a training service',
    'train.md: it needs AWS',
    'training-choices.md: it needs a training service',
    'your-own-task.md: it needs a model',
  ]);
});

/** Commands whose output a reader looks at; what npm says about an installation is none. */
const shown = /^(?:npx --no-install art|npm run|npm test|node) /m;

/** Blocks of commands without a word below them about what they print. */
function withoutOutput(page: Readme): string[] {
  const lines = page.text.split('\n');
  return page.fences
    .filter(({ language, lines: script }) => language === 'sh' && shown.test(script.join('\n')))
    .filter(({ firstLine, lines: script }) => {
      const below = lines.slice(firstLine + script.length).find((line) => line.trim() !== '') ?? '';
      return !/^\s*It (?:prints|ends with)\b/.test(below);
    })
    .map(({ firstLine }) => `${page.path}:${firstLine}`);
}

it('every page says under its commands what they print', () => {
  const isReference = (path: string): boolean => path.startsWith(`${folder}reference/`);
  expect([...pages.values()].filter(({ path }) => !isReference(path)).flatMap(withoutOutput)).toEqual([]);
});

it('a command without its output is told, by page and line', () => {
  const lines = ['```sh', 'npm install zod', '```', 'Then:', '```sh', 'node a.ts', '```', 'It is done.'];
  expect(withoutOutput(parseReadme('page.md', lines.join('\n')))).toEqual(['page.md:6']);
});

it.each([
  [
    'a command that fails',
    ['```sh', 'echo before; false', '```'],
    /^page\.md:2: expected exit code 0, got 1:[\s\S]*before/,
  ],
  [
    'another output',
    [
      '```sh',
      'echo "1  of 3, 0 wrong"',
      '```',
      'It prints:',
      '```text',
      '... of 3,  0 wrong',
      '1 of 2, 0 wrong',
      '```',
    ],
    /^page\.md:2: It does not print\n1 of 2, 0 wrong\n/,
  ],
  [
    'a package that was not installed',
    ['```sh', 'npm init -y', '', 'node -e "require(\'zod\')"', '```'],
    /page\.md:2: .*Cannot find module/s,
  ],
  [
    'what should go on and ends',
    [
      '<!-- run: keeps running -->',
      '',
      '```sh',
      'echo $$ >pid; echo http://x',
      '```',
      '```sh',
      'while kill -0 "$(cat pid)" 2>&-; do sleep 0.05; done',
      '```',
    ],
    /It does not go on:\necho/,
  ],
  [
    'what survives Ctrl-C',
    [
      '<!-- run: keeps running -->',
      '',
      '```sh',
      "trap '' INT; echo http://x; while :; do sleep 1; done",
      '```',
    ],
    /After Ctrl-C there are still/,
  ],
])('%s is told, by page and line', async (_, lines, message) => {
  expect(await faultOf([parseReadme('page.md', lines.join('\n'))], 500)).toMatch(message);
});

it('a marker that is none is refused', () => {
  const page = parseReadme('page.md', ['<!-- run: perhaps -->', '```sh', 'true', '```'].join('\n'));
  expect(() => pageSteps(page)).toThrow(/^page\.md:3: expected "keeps running".*got "perhaps"/);
});
