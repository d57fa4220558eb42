import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtError } from '@art/ground';
import { ManualClock } from '@art/ground/testing';
import type { RolloutOutcome } from '@art/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeGateway } from './fake-gateway.fixture.ts';
import { resolveGateway } from './gateway-options.ts';
import { GatewaySession } from './gateway-session.ts';
import { GatewaySessions } from './gateway-sessions.ts';
import { RunBudget, type RunBudgetInit } from './run-budget.ts';

const none = { ceiling: {}, sampleCeiling: {}, prices: undefined };
const nothing = { calls: 0, tokens: 0, usd: 0 };

async function spendingFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-budget-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'spending.jsonl');
}

describe('a budget', () => {
  it('continues in a later process under its id, also behind a torn line', async () => {
    const file = await spendingFile();
    const init = { ...none, ceiling: { calls: 5 }, file };
    const first = new RunBudget(init);
    expect(first.sessionCeilings().run).toEqual({ id: first.id, ceiling: { calls: 5 }, spent: nothing });
    first.count({ calls: 3, tokens: 40, usd: 0 });
    await writeFile(file, `${await readFile(file, 'utf8')}\n{"id":"x","calls`);
    const second = new RunBudget(init);
    expect([second.id, second.spent, second.reached]).toEqual([
      first.id,
      expect.objectContaining({ calls: 3, tokens: 40 }),
      undefined,
    ]);
    second.count({ calls: 5, tokens: 60, usd: 0 });
    expect(new RunBudget(init).reached).toMatchObject({ unit: 'calls' });
    expect(new RunBudget({ ...init, ceiling: { calls: 6 } }).reached).toBeUndefined();
  });

  it('counts what judges spend beside it, in later processes too, and the gateway gets what is left', async () => {
    const file = await spendingFile();
    const prices = { judge: { input: 1e6, output: 1e6 } };
    const init = { ...none, prices, ceiling: { calls: 5, usd: 100 }, file };
    const first = new RunBudget(init);
    first.count({ calls: 2, tokens: 10, usd: 1 });
    first.spend({ model: 'judge', promptTokens: 3, completionTokens: 1 });
    expect(first.spent).toMatchObject({ calls: 3, tokens: 14, usd: 5 });
    first.count({ calls: 3, tokens: 15, usd: 2 });
    const second = new RunBudget(init);
    expect(second.spent).toMatchObject({ calls: 4, tokens: 19, usd: 6 });
    expect(second.sessionCeilings().run).toEqual({
      id: first.id,
      ceiling: { calls: 4, usd: 96 },
      spent: { calls: 3, tokens: 15, usd: 2 },
    });
    second.spend({ model: 'judge', promptTokens: 0, completionTokens: 0 });
    expect(second.reached).toMatchObject({ unit: 'calls' });
    const unpriced = new RunBudget({ ...init, file: undefined });
    unpriced.spend({ model: 'other', promptTokens: 1, completionTokens: 1 });
    expect(unpriced.reached?.message).toMatch(/model other of a judge has no price/);
  });

  it('counts the seconds of all processes', async () => {
    const init = { ...none, ceiling: { seconds: 10 }, file: await spendingFile() };
    const clock = new ManualClock();
    const first = new RunBudget({ ...init, clock });
    clock.advance(4_000);
    expect(first.sessionCeilings().run?.ceiling).toEqual({ seconds: 6 });
    first.keep();
    const second = new RunBudget({ ...init, clock });
    clock.advance(6_000);
    expect([second.spent.seconds, second.reached]).toEqual([
      10,
      expect.objectContaining({ unit: 'seconds' }),
    ]);
  });

  it.each<[Partial<RunBudgetInit>, RegExp | undefined]>([
    [{}, /Expected a price of the model, .*--prices/],
    [{ modelId: 'm', prices: { other: { input: 1, output: 1 } } }, /price of the model m/],
    [{ modelId: 'm', prices: { m: { input: 0, output: 0 } } }, undefined],
    [{ modelId: 'm', prices: { '*': { input: 1, output: 1 } } }, undefined],
  ])('of money with %j needs the price of the model', (init, message) => {
    for (const side of ['ceiling', 'sampleCeiling'] as const) {
      const open = (): RunBudget => new RunBudget({ ...none, [side]: { usd: 1 }, ...init });
      if (message === undefined) expect(open().spent.usd).toBe(0);
      else expect(open).toThrow(message);
    }
  });
});

describe('a rollout with ceilings', () => {
  const failed: RolloutOutcome = {
    kind: 'agent_error',
    document: { status_code: 500 },
    error: new ArtError({ code: 'ART_AGENT_ERROR', message: '402' }),
  };
  const late: RolloutOutcome = {
    kind: 'timeout',
    error: new ArtError({ code: 'ART_ROLLOUT_TIMEOUT', message: 'late' }),
  };

  async function opened(init: Partial<RunBudgetInit>): Promise<{
    budget: RunBudget;
    gateway: FakeGateway;
    session: GatewaySession;
  }> {
    const gateway = new FakeGateway();
    const budget = new RunBudget({ ...none, ...init });
    const resolved = resolveGateway(Object.assign(gateway, { budget }))!;
    const sessions = new GatewaySessions(resolved, new ManualClock(), () => undefined);
    const address = { sessionId: 's', inputId: 'i', invocationId: 'n' } as never;
    const session = new GatewaySession(address, () => null, sessions);
    await session.open(new AbortController().signal);
    return { budget, gateway, session };
  }

  it('is made with them', async () => {
    const { gateway, budget } = await opened({ sampleCeiling: { calls: 2 } });
    expect(gateway.sessions.get('s')?.input.ceilings).toEqual({
      sample: { calls: 2 },
      run: { id: budget.id, ceiling: {}, spent: nothing },
      prices: undefined,
    });
  });

  it('ends as its own ceiling, whatever its agent made of that, with its document', async () => {
    const { gateway, session, budget } = await opened({ sampleCeiling: { calls: 2 } });
    expect(await session.bounded(failed)).toBe(failed);
    const spent = { calls: 2, tokens: 9, usd: 0 };
    gateway.status = { spent, ceiling: { of: 'sample', unit: 'calls', message: 'All 2 calls.' } };
    const ok: RolloutOutcome = { kind: 'ok', document: { rewards: 1 }, reward: 1 };
    for (const outcome of [failed, ok])
      expect(await session.bounded(outcome)).toMatchObject({
        kind: 'ceiling',
        document: outcome.document,
        error: { code: 'ART_CEILING_REACHED', message: 'All 2 calls.' },
      });
    expect(budget.spent).toMatchObject(spent);
  });

  it('is cancelled by the ceiling of its run, which begins no further one', async () => {
    const { gateway, session, budget } = await opened({ ceiling: { calls: 2 } });
    const ceiling = { of: 'run', unit: 'calls', message: 'All.' } as const;
    gateway.status = { ceiling, spent: { ...nothing, calls: 2 } };
    const error = { code: 'ART_RUN_CEILING_REACHED' };
    expect(await session.bounded(failed)).toMatchObject({ kind: 'cancelled', error });
    expect(budget.reached).toMatchObject({ unit: 'calls' });
    await expect(session.open(new AbortController().signal)).rejects.toMatchObject(error);
  });

  it('that is called off once the ceiling is reached says so: a later process takes no document of a refused call', async () => {
    const calledOff = (code: 'ART_ROLLOUT_CANCELLED' | 'ART_ROLLOUT_DETACHED'): RolloutOutcome => ({
      kind: 'cancelled',
      error: new ArtError({ code, message: 'The run ends.' }),
    });
    const { session, budget } = await opened({ ceiling: { calls: 2 } });
    const early = calledOff('ART_ROLLOUT_CANCELLED');
    expect(await session.bounded(early)).toBe(early);
    budget.count({ ...nothing, calls: 2 });
    expect(await session.bounded(calledOff('ART_ROLLOUT_CANCELLED'))).toMatchObject({
      kind: 'cancelled',
      error: { code: 'ART_RUN_CEILING_REACHED' },
    });
    const left = calledOff('ART_ROLLOUT_DETACHED');
    expect(await session.bounded(left)).toBe(left);
  });

  it('that takes too long ends as its ceiling where that was the shorter time', async () => {
    const { session } = await opened({ sampleCeiling: { seconds: 2 } });
    expect(await session.bounded(late, 2_000)).toMatchObject({ kind: 'ceiling' });
    expect(await session.bounded(late, 1_000)).toBe(late);
    expect(await session.bounded(late, undefined)).toBe(late);
  });

  it('of several gateways is refused', () => {
    const budget = new RunBudget({ ...none, ceiling: { calls: 1 } });
    const urls = ['http://one', 'http://two'];
    expect(() => resolveGateway({ urls, budget })).toThrow(/one gateway beside budget/);
  });
});
