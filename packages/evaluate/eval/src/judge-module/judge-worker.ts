/** Entry of the thread in which a user's judge works: what blocks there can be ended. */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { describeThrown, describeValue, readMember } from '@art/ground';
import type { Judge, JudgeContext, JudgedSample } from '../run/judge.ts';

export interface JudgeThreadData {
  file: string;
  /** The call whose judge has the thread, so that it is known who blocks; 0 for none. */
  running: SharedArrayBuffer;
}

export type JudgeRequest = { judge: number; sample: JudgedSample } | { abort: number } | 'ping';

export type JudgeReply =
  /** `problem` says what the module exports in place of a judge. */
  | { loaded: { problem?: { isGroup: boolean; got: string } } | { error: ThrownText } }
  | { started: number }
  | { remark: string; of: number }
  | { usage: Parameters<NonNullable<JudgeContext['onUsage']>>[0]; of: number }
  | { done: number; given: unknown }
  | { failed: number; error: ThrownText }
  | 'pong';

export interface ThrownText {
  message: string;
  code: string | undefined;
  stack: string | undefined;
}

const port = parentPort!;
const { file, running } = workerData as JudgeThreadData;
const cell = new Int32Array(running);
const aborts = new Map<number, AbortController>();
const reply = (message: JudgeReply): void => port.postMessage(message);

function thrownText(error: unknown): ThrownText {
  const { message, stack } = describeThrown(error);
  const code = readMember(error, 'code');
  return { message, code: typeof code === 'string' ? code : undefined, stack };
}

async function judge(
  call: number,
  compute: Extract<Judge, (...given: never[]) => unknown>,
  sample: JudgedSample,
) {
  const abort = new AbortController();
  aborts.set(call, abort);
  reply({ started: call });
  try {
    Atomics.store(cell, 0, call);
    let given: unknown;
    try {
      given = compute(sample, {
        signal: abort.signal,
        remark: (text) => reply({ remark: text, of: call }),
        onUsage: (usage) => reply({ usage, of: call }),
      });
    } finally {
      Atomics.store(cell, 0, 0);
    }
    reply({ done: call, given: await given });
  } catch (error) {
    reply({ failed: call, error: thrownText(error) });
  } finally {
    aborts.delete(call);
  }
}

function problemOf(exported: unknown): { isGroup: boolean; got: string } | undefined {
  if (typeof exported === 'function' || typeof readMember(exported, 'compute') === 'function')
    return undefined;
  return { isGroup: typeof readMember(exported, 'scores') === 'function', got: describeValue(exported) };
}

try {
  const { default: exported } = (await import(pathToFileURL(file).href)) as { default?: Judge };
  const problem = problemOf(exported);
  port.on('message', (request: JudgeRequest) => {
    if (request === 'ping') reply('pong');
    else if ('abort' in request) aborts.get(request.abort)?.abort(new Error('The judge took too long.'));
    else {
      const compute = typeof exported === 'function' ? exported : exported!.compute.bind(exported);
      void judge(request.judge, compute, request.sample);
    }
  });
  reply({ loaded: problem === undefined ? {} : { problem } });
} catch (error) {
  reply({ loaded: { error: thrownText(error) } });
}
