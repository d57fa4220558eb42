import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ArtInside } from '../art-process.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

it('ends at Ctrl-C also while its agent starts', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, 'agent.mjs'),
    "import { writeFileSync } from 'node:fs'; writeFileSync('started', ''); setInterval(() => undefined, 1_000);",
  );
  const collect = new ArtInside(cwd, 'collect', 'agent.mjs', '--base-url', 'http://127.0.0.1:9', '--json');
  await vi.waitFor(() => access(join(cwd, 'started')));
  collect.kill('SIGINT');
  expect(await collect.finished).toEqual({ code: 0, errors: '', output: '' });
});

it.each(['--base-url', '--gateway'])('takes no %s beside --agent-lightning', async (option) => {
  const url = 'http://127.0.0.1:9';
  const collect = new ArtInside(await temporaryFolder(), 'collect', '--agent-lightning', url, option, url);
  const { code, errors } = await collect.finished;
  expect([code, errors]).toEqual([
    2,
    expect.stringContaining(`'--agent-lightning <url>' cannot be used with option '${option} <url>'`),
  ]);
});
