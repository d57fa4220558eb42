import { join } from 'node:path';
import { gatewayPlan, type CellName, type GatewayPlan } from './gateway-plan.ts';
import type { GatewayRun } from './gateway-run.ts';
import { startLoadGenerator, type LoadGenerator } from './load/start-load-generator.ts';
import type { CellResult } from './measure/call-cell.ts';
import { checkOrder } from './measure/check-order.ts';
import { measureCell } from './measure/measure-cell.ts';
import { measureLoad } from './measure/measured-load.ts';
import { measureMemory, type MemoryRun } from './measure/measure-memory.ts';
import { measureStreams } from './measure/measure-streams.ts';
import { formatCell, formatMemory, formatStreams } from './format-gateway-run.ts';
import { canPin } from './subjects/core-pinning.ts';
import { spawnNode } from './subjects/spawn-node.ts';
import type { RunningSubject } from './subjects/running-subject.ts';
import { startSubject } from './subjects/start-subject.ts';
import { subjectKinds } from './subjects/subject-kind.ts';

export interface GatewayScenarioOptions {
  isQuick: boolean;
  /** An interpreter that has rllm-model-gateway; without one it does not take part. */
  pythonExecutable: string | undefined;
  log: (line: string) => void;
}

/** Measures the token-capture gateway beside a bare pipe, the gateway in Python and the engine itself. */
export async function runGatewayScenario(options: GatewayScenarioOptions): Promise<GatewayRun> {
  const { isQuick, pythonExecutable, log } = options;
  const plan = gatewayPlan(isQuick);
  const engineScript = join(import.meta.dirname, 'engine/engine-process.ts');
  await using engine = await spawnNode('load', engineScript);
  await using load = await startLoadGenerator();
  const parts = { engineUrl: String(engine.hello['url']), pythonExecutable, load };
  const kinds = subjectKinds.filter((kind) => kind !== 'rllm' || pythonExecutable !== undefined);
  const measured = await withSubjects(kinds, parts, async (subjects) => {
    await warmUp(plan, load, subjects);
    const cells = {} as Record<CellName, CellResult>;
    for (const [name, cell] of Object.entries(plan.cells)) {
      const result = await measureCell(cell, plan.rounds, { load, subjects });
      cells[name as CellName] = result;
      log(formatCell(result));
    }
    const streamed = subjects.filter(({ kind }) => kind !== 'art_raw');
    const runs = await measureStreams(plan.streams, { load, subjects: streamed });
    log(formatStreams(runs));
    return { cells, streams: { plan: plan.streams, runs } };
  });
  const memory: MemoryRun[] = [];
  // The second one with the young generation that the README of the gateway recommends.
  for (const flags of [[], ['--max-semi-space-size=16']]) {
    const run = await measureMemory(plan.memory, flags, parts);
    memory.push(run);
    log(formatMemory(run));
  }
  const objections = Object.entries(measured.cells).flatMap(([name, cell]) => checkOrder(name, cell));
  for (const objection of objections) log(`  NOT VALID: ${objection}`);
  return { isPinned: canPin(), subjects: kinds, ...measured, memory, objections };
}

async function withSubjects<T>(
  kinds: readonly RunningSubject['kind'][],
  parts: { engineUrl: string; pythonExecutable: string | undefined },
  use: (subjects: readonly RunningSubject[]) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const subjects: RunningSubject[] = [];
  for (const kind of kinds) subjects.push(stack.use(await startSubject(kind, parts)));
  return await use(subjects);
}

// Compiled code and warm pools are what a gateway has after its first minute.
async function warmUp(
  { warmUp, cells }: GatewayPlan,
  load: LoadGenerator,
  subjects: readonly RunningSubject[],
): Promise<void> {
  for (const { promptTokens, completionTokens } of [cells.short_c16, cells.long_c16]) {
    const model = { kind: 'whole', promptTokens, completionTokens, delayMs: 0 } as const;
    const share = 2_000 / promptTokens;
    for (const subject of subjects) {
      const calls = Math.ceil(share * (subject.kind === 'rllm' ? warmUp.python : warmUp.node));
      await measureLoad(load, subject, { kind: 'calls', model, concurrency: 16, calls });
    }
  }
}
