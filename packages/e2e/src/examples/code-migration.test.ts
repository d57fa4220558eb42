import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeTasks } from '@art/example-code-migration/make-tasks';
import { scriptedModel, solve } from '@art/example-code-migration/scripted-model';
import type { MockTurn } from '@art/mock-model';
import { eventually } from '@art/tooling/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type DomainAgent, startDomainAgent, tryExample } from './domain-agent.fixture.ts';

const folder = fileURLToPath(new URL('../../../../examples/code-migration/', import.meta.url));
const agentFile = join(folder, 'src/agent.ts');
const tasks = makeTasks();
const first = tasks[0]!;

/** A migrator that writes these files beside those of the solution. */
const writing = (files: Record<string, string>): (MockTurn | string)[] =>
  solve({ solution: { ...first.solution, ...files } });

let agent: DomainAgent;
beforeAll(async () => {
  agent = await startDomainAgent(agentFile);
});
afterAll(() => agent.close());

async function workingCopies({ temporaryFolder }: DomainAgent): Promise<string[]> {
  return (await readdir(temporaryFolder)).filter((name) => name.startsWith('migration-'));
}

it('a good migrator gets 1 for every package, and leaves nothing on the disk', async () => {
  const { items } = await agent.rollouts(
    tasks.map(({ payload }) => payload),
    scriptedModel(Object.fromEntries(tasks.map((task) => [task.id, solve(task)]))),
  );
  expect(items.map(({ outcome }) => (outcome.kind === 'ok' ? outcome.reward : outcome))).toEqual(
    tasks.map(() => 1),
  );
  const trajectories = await Promise.all(items.map((item) => item.trajectory()));
  expect(trajectories.map(({ rows }) => rows.length)).toEqual(tasks.map(() => 1));
  expect(await workingCopies(agent)).toEqual([]);
});

it('a migrator that calls no tool gets 0 for every task, whatever it says', async () => {
  const said = (words: string) =>
    agent.rollouts(
      tasks.map(({ payload }) => payload),
      () => words,
    );
  for (const words of [
    'It is done.',
    tasks
      .map((task) => JSON.stringify(task))
      .join('\n')
      .slice(0, 20_000),
  ]) {
    const { items } = await said(words);
    expect(items.map(({ outcome }) => (outcome.kind === 'ok' ? outcome.reward : outcome))).toEqual(
      tasks.map(() => 0),
    );
  }
});

it('a bad migrator gets 0, with the reason', async () => {
  const index = first.solution['index.js']!;
  const policies: [(MockTurn | string)[], RegExp][] = [
    [['Done.'], /^package\.json: not a module$/],
    [writing({ 'test/index.test.mjs': '' }), /^tests or dependency: changed$/],
    [writing({ 'node_modules/tinymoney/more.js': '' }), /^tests or dependency: changed$/],
    [writing({ 'lib/old.cjs': '' }), /^lib\/old\.cjs: still CommonJS$/],
    [writing({ 'index.js': `import { createRequire } from 'node:module';\n${index}` }), /still CommonJS$/],
    [writing({ 'index.js': '' }), /^tests: failed$/],
    // The tests end with success by this, but what the functions give is compared in another process.
    [writing({ 'index.js': `process.exit(0);\n${index}` }), /^behaviour: the package cannot be loaded/],
    // Knows the visible tests by heart.
    [
      writing({
        'lib/price.js': `export const price = () => 'only 3.00 EUR', cheaper = (a) => a, amountOf = () => 7.25;`,
      }),
      /^behaviour: price is not as before$/,
    ],
  ];
  const { items, requests } = await agent.rollouts(
    policies.map((_, at) => ({ ...first.payload, name: `policy-${at}` })),
    scriptedModel(Object.fromEntries(policies.map(([turns], at) => [`policy-${at}`, turns]))),
  );
  const judged = items.map(({ outcome }) =>
    outcome.kind === 'ok' ? [outcome.reward, ...(outcome.document['remarks'] as string[])] : [outcome],
  );
  expect(judged).toEqual(policies.map(([, why]) => [0, expect.stringMatching(why)]));
  const told = requests.flatMap(({ toolResults }) => toolResults).join('\n');
  expect(told).toContain('The tests passed.');
  expect(told).toContain('The tests failed.');
});

it('answers users with the migrated files', async () => {
  const { probes: _, ...payload } = first.payload;
  const answer = await agent.ask(
    'session-of-a-user-0123456789abcdefgh',
    payload,
    scriptedModel({ [first.id]: solve(first) }),
  );
  expect(answer).toEqual({ response: expect.any(String), files: { ...payload.files, ...first.solution } });
});

it('what is outside of the package cannot be reached', async () => {
  const paths = ['../../etc/passwd', '/etc/passwd', 'lib/../../x'];
  const turns = [
    { toolCalls: paths.map((path) => ({ name: 'read_file', arguments: { path } })) },
    { toolCalls: paths.map((path) => ({ name: 'write_file', arguments: { path, content: 'x' } })) },
    'Done.',
  ];
  const { requests } = await agent.rollouts([first.payload], scriptedModel({ [first.id]: turns }));
  expect(requests.at(-1)!.toolResults).toEqual(
    [...paths, ...paths].map((path) => `Error: "${path}" is not in the package.`),
  );
});

it('code that hangs is killed with all that it started; a stopped agent leaves no folder', async () => {
  const hasty = await startDomainAgent(agentFile, () => ({ COMMAND_TIMEOUT_MS: '5000' }));
  onTestFinished(() => hasty.close());
  const hanging = `import { spawn } from 'node:child_process';
const child = spawn('sleep', ['300'], { stdio: 'inherit' });
process.stdout.write('child ' + child.pid + '\\n');
await new Promise((resolve) => setTimeout(resolve, 300_000));
`;
  // Judged by its files, so that the test need not wait for a second command.
  const turns = writing({ 'index.js': hanging, 'package.json': '{}' });
  const chatty = writing({
    'index.js': `setInterval(() => process.stdout.write('x'.repeat(100_000)), 1);\n`,
  });
  const names = [first.id, 'chatty'];
  const { items, requests } = await hasty.rollouts(
    names.map((name) => ({ ...first.payload, name })),
    scriptedModel({ [first.id]: turns, chatty }),
  );
  expect(
    items.map(({ outcome }) =>
      outcome.kind === 'ok' ? [outcome.reward, outcome.document['remarks']] : outcome,
    ),
  ).toEqual([
    [0, ['package.json: not a module']],
    [0, ['tests: output']],
  ]);
  const told = requests.flatMap(({ toolResults }) => toolResults).join('\n');
  const pid = Number(/took too long and were killed\..*^child (\d+)$/ms.exec(told)?.[1]);
  expect(told).toContain('The tests wrote too much and were killed.');
  await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  expect(await workingCopies(hasty)).toEqual([]);

  const stopped = hasty
    .rollouts([first.payload], scriptedModel({ [first.id]: turns }))
    .catch(() => undefined);
  await eventually(async () => expect(await workingCopies(hasty)).toHaveLength(1));
  const exit = once(hasty.process, 'exit');
  hasty.process.kill('SIGTERM');
  await exit;
  expect(await workingCopies(hasty)).toEqual([]);
  await hasty.close();
  await stopped;
});

it('npm run try prints the table by tag', async () => {
  const out = await mkdtemp(join(tmpdir(), 'art-try-'));
  onTestFinished(() => rm(out, { recursive: true, force: true }));
  const table = await tryExample(folder, '--limit', '1', '--out', join(out, 'run'));
  expect(table).toMatch(/^mean reward +1\.000/m);
  expect(table).toMatch(/^easy +1 +1\.000/m);
});
