import { fileURLToPath } from 'node:url';
import { makeTasks } from '@art/example-office-work/make-tasks';
import { scriptedModel, working } from '@art/example-office-work/scripted-model';
import type { MockToolCall } from '@art/mock-model';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DomainAgent, startDomainAgent } from './domain-agent.fixture.ts';

const agentFile = fileURLToPath(new URL('../../../../../examples/office-work/src/agent.ts', import.meta.url));
const tasks = await makeTasks();
const taskOf = (id: string) => tasks.find((task) => task.id === id)!;

let agent: DomainAgent;
beforeAll(async () => {
  agent = await startDomainAgent(agentFile);
});
afterAll(() => agent.close());

it('a good clerk gets 1 for every task', async () => {
  const { items } = await agent.rollouts(
    tasks.map(({ payload }) => payload),
    scriptedModel(Object.fromEntries(tasks.map((task) => [task.payload.request, working(task.calls)]))),
  );
  expect(items.map(({ outcome }) => (outcome.kind === 'ok' ? outcome.reward : outcome))).toEqual(
    tasks.map(() => 1),
  );
  const trajectories = await Promise.all(items.map((item) => item.trajectory()));
  expect(trajectories.map(({ rows }) => rows.length)).toEqual(tasks.map(() => 1));
});

it('a clerk that calls no tool gets 0 for every task, whatever it says', async () => {
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

it('a bad clerk gets 0, with the reason', async () => {
  const [sum, price, report] = [taskOf('sum-1'), taskOf('price-1'), taskOf('report-1')];
  const [sums, prices] = [sum, price].map(({ payload }) => Object.keys(payload.files)[0]!) as [
    string,
    string,
  ];
  const text = Object.keys(report.payload.files).find((name) => name.endsWith('.docx'))!;
  const setCells = (file: string, sheet: string, cells: object): MockToolCall => ({
    name: 'set_cells',
    arguments: { file, sheet, cells },
  });
  const policies: [typeof sum, MockToolCall[], RegExp][] = [
    [sum, [], /Orders!A\d+ must be "Total", and is null/],
    // Right, and a cell beside it.
    [sum, [...sum.calls, setCells(sums, 'Orders', { C2: 1 })], /Orders!C2 must be [\d.]+, and is 1$/],
    [sum, [...sum.calls, setCells(sums, 'Orders', { Z9: 'x' })], /Orders!Z9 must be null, and is "x"/],
    // A number that is right today, where a formula was asked for.
    [
      sum,
      [
        ...sum.calls,
        setCells(sums, 'Orders', { [Object.keys(sum.payload.expected!.cells![sums]!)[1]!.slice(7)]: 5 }),
      ],
      /must be "=SUM\(B2:B\d+\)", and is 5/,
    ],
    [
      price,
      [...price.calls, setCells(prices, 'Last year', { B2: 0 })],
      /Last year!B2 must be [\d.]+, and is 0/,
    ],
    // The same words, but no longer the bold one among them.
    [
      report,
      [
        ...report.calls,
        {
          name: 'set_paragraph',
          arguments: { file: text, paragraph: 3, text: 'All figures are without tax.' },
        },
      ],
      /paragraph 3 must keep its style/,
    ],
  ];
  const { items, requests } = await agent.rollouts(
    policies.map(([{ payload }], at) => ({ ...payload, request: `Policy ${at}: ${payload.request}` })),
    scriptedModel(
      Object.fromEntries(
        policies.map(([{ payload }, calls], at) => [`Policy ${at}: ${payload.request}`, working(calls)]),
      ),
    ),
  );
  const judged = items.map(({ outcome }) =>
    outcome.kind === 'ok' ? [outcome.reward, ...(outcome.document['remarks'] as string[])] : [outcome],
  );
  expect(judged).toEqual(policies.map(([, , why]) => [0, expect.stringMatching(why)]));
  expect(requests.flatMap(({ toolResults }) => toolResults).join('\n')).not.toContain('Error');
});

it('answers users with the changed files', async () => {
  const { payload, calls } = taskOf('clauses-1');
  const { expected: _, ...request } = payload;
  const script = scriptedModel({ [request.request]: working(calls) });
  const { response, files } = await agent.ask('session-of-a-user-0123456789abcdefgh', request, script);
  expect(response).toBe('It is done.');
  const [[name, was]] = Object.entries(request.files) as [[string, string]];
  expect(Object.keys(files as object)).toEqual([name]);
  expect((files as Record<string, string>)[name]).not.toBe(was);
});

it('a call that cannot be done is answered in words', async () => {
  const { payload } = taskOf('sum-1');
  const [file] = Object.keys(payload.files) as [string];
  const calls: [MockToolCall, string][] = [
    [{ name: 'read_sheets', arguments: { file: '../x.xlsx' } }, 'there is no file "../x.xlsx"'],
    [{ name: 'read_document', arguments: { file } }, `"${file}" is no .docx file`],
    [{ name: 'read_sheets', arguments: { file: 'broken.xlsx' } }, '"broken.xlsx" cannot be read: '],
    [{ name: 'set_cells', arguments: { file, sheet: 'No', cells: {} } }, 'there is no sheet "No"'],
    [{ name: 'set_cells', arguments: { file, sheet: 'Orders', cells: { XFD1000000: 1 } } }, 'too far away'],
    [{ name: 'set_cells', arguments: { file, sheet: 'Orders', cells: 'B2' } }, 'the arguments do not fit'],
    [{ name: 'set_cells', arguments: '{' }, 'the arguments are not JSON'],
  ];
  const { requests } = await agent.rollouts(
    [{ ...payload, files: { ...payload.files, 'broken.xlsx': 'AAAA' } }],
    scriptedModel({ [payload.request]: working(calls.map(([call]) => call)) }),
  );
  expect(requests.at(-1)!.toolResults.slice(1)).toEqual(
    calls.map(([, words]) => expect.stringContaining(words)),
  );
});
