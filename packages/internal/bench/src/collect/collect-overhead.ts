/**
 * Measures `art collect` beside `@art/client` in process: CPU a rollout of the process that runs the rollouts, and
 * rollouts a minute. Pairs of runs, in turn; the medians are compared. `--groups`, `--pairs`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { startGateway } from '@art/gateway';
import type { CollectMeasurement, CollectTask } from './collect-side.ts';
import { startTinyEngine } from './tiny-engine.ts';

const { values } = parseArgs({
  options: { groups: { type: 'string', default: '40' }, pairs: { type: 'string', default: '3' } },
});
const [groups, pairs] = [Number(values.groups), Number(values.pairs)];
const [rolloutsPerInput, promptTokens, sampledTokens] = [16, 1_000, 256];
const engine = await startTinyEngine(promptTokens, sampledTokens);
const gateway = await startGateway({
  port: 0,
  logLevel: 'silent',
  workers: [{ url: engine.url, flavour: 'vllm' }],
});
const measured: Record<CollectTask['kind'], CollectMeasurement[]> = { client: [], collect: [] };
for (let pair = 0; pair < pairs; pair += 1) {
  for (const kind of ['client', 'collect'] as const) {
    const told = await runSide(kind);
    measured[kind].push(told);
    console.log(
      `${kind.padEnd(8)}${told.rollouts} rollouts  ${(told.cpuMs / told.rollouts).toFixed(3)} ms of CPU each  ${perMinute(told).toFixed(0)} a minute`,
    );
  }
}
const [client, collect] = (['client', 'collect'] as const).map((kind) =>
  median(measured[kind].map(({ cpuMs, rollouts }) => cpuMs / rollouts)),
) as [number, number];
console.log(
  `${rolloutsPerInput} rollouts a group, ${promptTokens} + ${sampledTokens} tokens each. Medians: ${client.toFixed(3)} ms in process, ${collect.toFixed(3)} ms through art collect: ${(((collect - client) / client) * 100).toFixed(1)} % more; ${median(measured.collect.map(perMinute)).toFixed(0)} rollouts a minute.`,
);
await gateway.close();
engine.close();

async function runSide(kind: CollectTask['kind']): Promise<CollectMeasurement> {
  const directory = await mkdtemp(join(tmpdir(), 'art-bench-collect-'));
  const side = spawn(
    process.execPath,
    ['--conditions=@art/source', join(import.meta.dirname, 'collect-side.ts')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  try {
    const lines = createInterface({ input: side.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => (await lines.next()).value as string;
    const task: CollectTask = {
      kind,
      directory,
      gatewayUrl: gateway.url,
      groups,
      warmUpGroups: 8,
      rolloutsPerInput,
      maxConcurrentSessions: 64,
    };
    side.stdin.write(`${JSON.stringify(task)}\n`);
    if (kind === 'collect') await readAll(JSON.parse(await next()) as { url: string }, side, task);
    return JSON.parse(await next()) as CollectMeasurement;
  } finally {
    side.kill();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function readAll({ url }: { url: string }, side: ChildProcess, task: CollectTask): Promise<void> {
  await readRequest(url, 'warm-up', task.warmUpGroups);
  side.stdin!.write('measure\n');
  side.stdin!.write(`${await readRequest(url, 'measured', task.groups)}\n`);
}

/** @returns how many rows came */
async function readRequest(url: string, requestId: string, count: number): Promise<number> {
  const send = (path: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const inputs = Array.from({ length: count }, (_, n) => ({ n }));
  const answer = await send('/groups', {
    request_id: requestId,
    inputs,
    rollouts_per_input: rolloutsPerInput,
    row_format: 'trl',
  });
  let rows = 0;
  let rest = '';
  for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line) as { event: string; id: string; row_members: number[] };
      if (event.event !== 'group') continue;
      rows += event.row_members.length;
      await send(`/requests/${requestId}/acknowledge`, { groups: [event.id] });
    }
  }
  return rows;
}

function perMinute({ rollouts, wallMs }: CollectMeasurement): number {
  return (rollouts / wallMs) * 60_000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
