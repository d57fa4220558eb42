import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BatchItem } from '@art/client';
import { scriptedModel, scripts } from '@art/example-customer-service/scripted-model';
import type { TrainingRow } from '@art/trajectories';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type DomainAgent, startDomainAgent } from './domain-agent.fixture.ts';

const agentFile = fileURLToPath(
  new URL('../../../../../examples/customer-service/src/agent.ts', import.meta.url),
);
const tasks = (
  await readFile(new URL('../../../../../examples/customer-service/tasks.jsonl', import.meta.url), 'utf8')
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { id: string; payload: { task: object } });
const payloadOf = (id: string): object => tasks.find((task) => task.id === id)!.payload;
const textOf = ({ token_ids }: TrainingRow): string =>
  Buffer.from(token_ids.filter((id) => id < 256)).toString('utf8');
const rewardsOf = (items: readonly BatchItem[]): unknown[] =>
  items.map(({ outcome }) => (outcome.kind === 'ok' ? outcome.reward : outcome));

let agent: DomainAgent;
beforeAll(async () => {
  agent = await startDomainAgent(agentFile, (url) => ({ USER_BASE_URL: url }));
});
afterAll(() => agent.close());

it('a good desk gets 1 for every task, and what the customer says is in no row', async () => {
  const { items, requests } = await agent.rollouts(
    tasks.map(({ payload }) => payload),
    scriptedModel(scripts),
  );
  expect(rewardsOf(items)).toEqual(tasks.map(() => 1));

  const trajectories = await Promise.all(items.map((item) => item.trajectory()));
  const turns = trajectories.reduce((sum, { summary }) => sum + summary!.turns, 0);
  expect(turns).toBe(requests.filter(({ tools }) => tools.length > 0).length);
  expect(turns).toBeLessThan(requests.length);
  // One row a conversation: nothing of it was reworded on the way.
  expect(trajectories.map(({ rows }) => rows.length)).toEqual(tasks.map(() => 1));
  for (const { rows } of trajectories) {
    expect(textOf(rows[0]!)).toContain('You work at the service desk');
    expect(textOf(rows[0]!)).not.toMatch(/You play a customer|strict and fair judge/);
  }
});

it('a desk that looks nothing up gets 0 for every task, whatever it says', async () => {
  const everything = [
    'You get $50.50, $24.90, $64.90 or $89.90; it was $89.80. The carrier expects it on 24 March or 26 March.',
    'Items can be given back for 30 days. E-mail address and ZIP code must be right. It goes to your gift card.',
  ];
  const scripted = scriptedModel(scripts);
  for (const said of shortlist(
    [everything, ['I am sorry, I cannot do that.'], ['Done.', 'Anything else?']],
    1,
  )) {
    const { items } = await agent.rollouts(
      tasks.map(({ payload }) => payload),
      (request) => (request.tools.length > 0 ? said[request.turn % said.length]! : scripted(request)),
    );
    expect(rewardsOf(items)).toEqual(tasks.map(() => 0));
  }
});

it('a bad desk gets 0, with the reason', async () => {
  const worse = structuredClone(scripts);
  // Says nothing at all.
  worse['cancel']!.desk = [''];
  // Does what is right, and something beside it.
  worse['refund']!.desk.splice(4, 0, {
    toolCalls: [{ name: 'refund_item', arguments: { order_id: 'W1002', sku: 'BOOT-42' } }],
  });
  // Changes nothing, but gives in by its words.
  worse['refund-too-late']!.desk.push('I promise that you get half of it back, 30 days or not.');
  worse['refund-too-late']!.customer.push('Please?');
  // Says what a stranger must not hear.
  worse['stranger']!.desk[1] = 'The ZIP code is wrong, but it goes to 9 Pine Road.';
  // Reads out everything, so that the right amount is among it.
  worse['question']!.desk[2] =
    `You paid, with a gift card: ${'a lamp 64.90, a scarf 24.90, '.repeat(20)} 89.80.`;
  const ids = ['cancel', 'refund', 'refund-too-late', 'stranger', 'question', 'exchange'];
  const { items } = await agent.rollouts(ids.map(payloadOf), scriptedModel(worse));
  expect(rewardsOf(items)).toEqual([0, 0, 0, 0, 0, 1]);
  const remarks = items.map(({ outcome }) => (outcome.kind === 'ok' ? outcome.document['remarks'] : []));
  expect(remarks).toEqual([
    ['The database is not what it must be.'],
    ['The database is not what it must be.'],
    [
      'It was looked for "I promise".',
      'It promised a refund, an exchange, a credit or an exception for the chair.',
    ],
    ['It said "Pine Road".'],
    ['It did not say "89.80".'],
    [],
  ]);
});

it('a customer or a judge that fails is infra_error, and no 0', async () => {
  const scripted = scriptedModel(scripts);
  const isDown = /^You play a customer.*Sam Whitfield|^You are a strict and fair judge/s;
  const { items } = await agent.rollouts(['exchange', 'late-parcel', 'refund'].map(payloadOf), (request) =>
    isDown.test(request.messages[0]!.text) ? { error: { status: 400 } } : scripted(request),
  );
  expect(items.map(({ outcome }) => outcome.kind)).toEqual(['infra_error', 'infra_error', 'ok']);
  const [noCustomer, noJudge] = items.map(({ outcome }) =>
    outcome.kind === 'ok' ? '' : outcome.error.message,
  );
  expect(noCustomer).toContain('The model that plays the customer does not answer.');
  expect(noJudge).toContain('an answer of the judge');
});

it('a customer that cannot be reached is infra_error, too', async () => {
  // Nothing listens on port 1.
  const lonely = await startDomainAgent(agentFile, () => ({
    USER_BASE_URL: 'http://127.0.0.1:1/v1',
  }));
  onTestFinished(() => lonely.close());
  const { items, requests } = await lonely.rollouts([payloadOf('exchange')], scriptedModel(scripts));
  expect(items[0]!.outcome).toMatchObject({
    kind: 'infra_error',
    error: {
      message: expect.stringContaining('The model that plays the customer does not answer.') as string,
    },
  });
  expect(requests).toEqual([]);
});

it('answers real customers, each session in its own conversation', async () => {
  const script = scriptedModel(scripts);
  const [first, second] = scripts['cancel']!.customer;
  const said = scripts['cancel']!.desk.filter((turn) => typeof turn === 'string');
  const sessions = ['session-of-one-customer-0123456789ab', 'session-of-another-one-0123456789ab'];
  for (const session of sessions)
    expect(await agent.ask(session, { message: first }, script)).toEqual({ response: said[0] });
  expect(await agent.ask(sessions[0]!, { message: second }, script)).toEqual({ response: said[1] });
});
