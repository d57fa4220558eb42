import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type RunProgress, RolloutClient, type TrainingRow } from '@art/client';
import { startGateway } from '@art/gateway';
import { type LocalRuntime, startLocalRuntime } from '@art/local';
import { FileResultStore } from '@art/store';
import type { Problem } from '../problems/problem.ts';
import { addCapture, nothingCaptured } from './capture-counts.ts';
import type { EvaluationOptions } from './evaluation-options.ts';
import { evaluationRecord, type EvaluationRecord } from './evaluation-record.ts';
import { openModel } from './open-model.ts';
import { RecordFile } from './record-file.ts';
import type { SummaryContext } from './evaluation-summary.ts';

export interface EvaluationHooks {
  /** Ends the evaluation early: every session is stopped, what was done so far is returned. */
  signal: AbortSignal;
  onProgress: (progress: RunProgress) => void;
}

/** What an evaluation came to. */
export interface Evaluation extends SummaryContext {
  records: EvaluationRecord[];
  interrupted: boolean;
  logDir: string;
  rowsPath: string;
}

const agentPath = fileURLToPath(import.meta.resolve('@art/example-math-agent/agent'));

/** Runs the agent on every problem. Whatever happens, no process and no temporary folder is left behind. */
export async function runEvaluation(
  problems: readonly Problem[],
  options: EvaluationOptions,
  hooks: EvaluationHooks,
): Promise<Evaluation> {
  const { signal } = hooks;
  const logDir = join(dirname(options.out), `${basename(options.out, '.jsonl')}-logs`);
  const rowsPath = join(dirname(options.out), `${basename(options.out, '.jsonl')}-rows.jsonl`);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const file = await RecordFile.create<EvaluationRecord>(options.out);
    closers.push(() => file.close());
    const rowFile = await RecordFile.create<TrainingRow>(rowsPath);
    closers.push(() => rowFile.close());
    const model = await openModel(options);
    closers.push(() => model.close());
    // Stands between agents and model, and records the tokens of every call.
    const worker = { url: model.baseUrl, flavour: model.flavour };
    const gateway = await startGateway({ port: 0, logLevel: 'error', workers: [worker] });
    closers.push(() => gateway.close());
    const storeRoot = await mkdtemp(join(tmpdir(), 'art-math-agent-'));
    closers.push(() => rm(storeRoot, { recursive: true, force: true }));
    const runtime = await startRuntime(options, storeRoot, logDir);
    closers.push(() => runtime.close());
    const client = new RolloutClient({
      runtime: runtime.runtime('math'),
      store: new FileResultStore({ root: storeRoot }),
      bucket: 'math-agent',
      expId: 'evaluate',
      gateway: { url: gateway.url },
      modelId: model.modelId,
      samplingParams: { temperature: options.temperature, seed: options.seed },
    });
    closers.push(() => client.close());

    const records: EvaluationRecord[] = [];
    let captured = nothingCaptured;
    const startedMs = performance.now();
    const interrupted = await untilAborted(signal, async () => {
      const payloads = problems.map(({ question, answer }) => ({ prompt: question, answer }));
      for await (const item of client.runBatch(payloads, {
        maxConcurrentSessions: options.concurrency,
        timeoutMs: options.timeoutMs,
        signal,
        onProgress: hooks.onProgress,
      })) {
        const record = evaluationRecord(item, problems[item.index]!);
        records.push(record);
        await file.write(record);
        const trajectory = await item.trajectory();
        captured = addCapture(captured, trajectory);
        for (const row of trajectory.rows) await rowFile.write(row);
      }
    });
    const elapsedMs = performance.now() - startedMs;
    return {
      records,
      total: problems.length,
      elapsedMs,
      scripted: model.scripted(),
      captured,
      interrupted,
      logDir,
      rowsPath,
    };
  } finally {
    // In reverse: the client stops its sessions before the runtime ends, the runtime its processes before the store goes.
    await closeAll(closers.toReversed());
  }
}

/** Closes everything, also after one of them has failed; then throws the first failure. */
async function closeAll(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function startRuntime(
  options: EvaluationOptions,
  storeRoot: string,
  logDir: string,
): Promise<LocalRuntime> {
  return await startLocalRuntime({
    agents: {
      math: {
        command: [process.execPath, ...process.execArgv, agentPath],
        env: { ART_RESULT_STORE: pathToFileURL(storeRoot).href },
      },
    },
    logDir,
    warmPoolSize: options.warm,
  });
}

/** Whether `action` was ended by the signal; other failures are passed on. */
async function untilAborted(signal: AbortSignal, action: () => Promise<void>): Promise<boolean> {
  try {
    signal.throwIfAborted();
    await action();
    return false;
  } catch (error) {
    if (signal.aborted) return true;
    throw error;
  }
}
