import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeTasks } from '@art/example-code-migration/make-tasks';
import { scriptedModel, solve } from '@art/example-code-migration/scripted-model';
import type { MockTurn } from '@art/mock-model';
import { eventually } from '@art/tooling/eventually';
import { isRunning } from '@art/tooling/is-running';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type DomainAgent, startDomainAgent } from './domain-agent.fixture.ts';

const agentFile = fileURLToPath(
  new URL('../../../../../examples/code-migration/src/agent.ts', import.meta.url),
);
const tasks = makeTasks();
const first = tasks[0]!;

/** A migrator that writes these files beside those of the solution. */
const writing = (files: Record<string, string>): (MockTurn | string)[] =>
  solve({ solution: { ...first.solution, ...files } });

/** Time limits of the agent for tests: what a test does not wait for ends in time on every machine. */
const patient = () => ({ COMMAND_TIMEOUT_MS: '90000' });

let agent: DomainAgent;
beforeAll(async () => {
  agent = await startDomainAgent(agentFile, patient);
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
  const everything = tasks.map((task) => JSON.stringify(task)).join('\n');
  for (const words of shortlist([everything.slice(0, 20_000), 'It is done.'], 1)) {
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

/** Starts another process, says where it is, and never ends. */
const hanging = writing({
  'index.js': `import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
const { pid } = spawn('sleep', ['300'], { stdio: 'inherit' });
writeFileSync('pid.part', String(pid));
renameSync('pid.part', 'pid');
await new Promise((resolve) => setTimeout(resolve, 300_000));
`,
  // Judged by its files, so that the test need not wait for a second command.
  'package.json': '{}',
});

it('code that writes without end is killed', async () => {
  const chatty = writing({
    'index.js': `setInterval(() => process.stdout.write('x'.repeat(100_000)), 1);\n`,
  });
  const { items, requests } = await agent.rollouts([first.payload], scriptedModel({ [first.id]: chatty }));
  expect(items[0]!.outcome).toMatchObject({ reward: 0, document: { remarks: ['tests: output'] } });
  expect(requests.at(-1)!.toolResults.join('\n')).toContain('The tests wrote too much and were killed.');
});

it('code that hangs is killed', async () => {
  const hasty = await startDomainAgent(agentFile, () => ({ COMMAND_TIMEOUT_MS: '1000' }));
  onTestFinished(() => hasty.close());
  const { items, requests } = await hasty.rollouts([first.payload], scriptedModel({ [first.id]: hanging }));
  expect(items[0]!.outcome).toMatchObject({
    reward: 0,
    document: { remarks: ['package.json: not a module'] },
  });
  expect(requests.at(-1)!.toolResults.join('\n')).toContain('The tests took too long and were killed.');
  expect(await workingCopies(hasty)).toEqual([]);
});

it('a stopped agent leaves no process that the code started, and no folder', async () => {
  const stopping = await startDomainAgent(agentFile, patient);
  onTestFinished(() => stopping.close());
  const stopped = stopping
    .rollouts([first.payload], scriptedModel({ [first.id]: hanging }))
    .catch(() => undefined);
  const pid = await eventually(async () => {
    const [copy] = await workingCopies(stopping);
    return Number(await readFile(join(stopping.temporaryFolder, copy!, 'pid'), 'utf8'));
  });
  expect(isRunning(pid)).toBe(true);
  const exit = once(stopping.process, 'exit');
  stopping.process.kill('SIGTERM');
  await exit;
  await eventually(() => expect(isRunning(pid)).toBe(false));
  expect(await workingCopies(stopping)).toEqual([]);
  await stopping.close();
  await stopped;
});
