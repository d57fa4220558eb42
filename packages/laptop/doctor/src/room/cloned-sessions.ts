import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, pause } from '@art/ground';
import { playedSnapshot, type SharedUse } from '@art/local';
import { acceptedAnswers, runtimeHeaders } from '@art/protocol';
import { ask } from './ask.ts';
import { onThisMachine } from './place.ts';
import { openRecordingModel } from './recording-model.ts';
import type { Room } from './room.ts';
import { withSessionFiles } from './session-files.ts';
import { shortestMs, type TimeSpan } from './kept-times.ts';
import { flattened, type SessionOutput, type SharedValue, sharedValues } from './shared-values.ts';

/** The wall clock jumps so far at a restore: no time and no duration that an agent has by chance. */
export const movedMs = 11_861_000;

/** One session in its own process. */
export interface ClonedSession {
  output: SessionOutput;
  /** Names and texts of files in the agent's folder, where sessions were played one after the other. */
  files: SessionOutput;
  /** Its uses of values that clones share. */
  uses: SharedUse[];
  /** From the start of the process to the end of its session, by the clock of this machine. */
  lived: TimeSpan;
}

export interface ClonesSeen {
  clones: readonly [ClonedSession, ClonedSession];
  shared: SharedValue[];
}

const documentWaitMs = 500;
const busyWaitMs = 60_000;

/**
 * Two sessions that are played as clones of one snapshot, and one without a snapshot to compare them with. Undefined where nothing was
 * played, for the agent does not take its requests through Node.
 */
export function clonedSessions(room: Room): Promise<ClonesSeen | undefined> {
  return room.once('cloned sessions', async () => {
    let [first, second, control] = await Promise.all([
      runSession(room, 'first'),
      runSession(room, 'second'),
      runSession(room, 'control'),
    ]);
    const written = await room.writtenFiles();
    const folder = written === undefined || written.length === 0 ? undefined : room.folder;
    // Which session wrote a file is known by their order, which takes longer.
    if (folder !== undefined) {
      first = await runSession(room, 'first', folder);
      second = await runSession(room, 'second', folder);
      control = await runSession(room, 'control', folder);
    }
    const clones = [first, second] as const;
    if (clones.some(({ uses }) => uses.every(({ kind }) => kind !== 'restored'))) return undefined;
    const outputs = [outputOf(first), outputOf(second)] as const;
    const suspected = sharedUnlike(outputOf(control), outputs);
    if (suspected.length === 0) return { clones, shared: [] };
    // What runs side by side may have come in another order once.
    const again = sharedUnlike(outputOf(await runSession(room, 'control', folder)), outputs);
    return { clones, shared: inBoth(suspected, again) };
  });
}

function outputOf({ output, files }: ClonedSession): SessionOutput {
  return new Map([...output, ...files]);
}

/** Values that the clones share, and the other process has neither as it is nor under the clones' name of the host. */
function sharedUnlike(
  control: SessionOutput,
  outputs: readonly [SessionOutput, SessionOutput],
): SharedValue[] {
  return inBoth(sharedValues(outputs, control), sharedValues(outputs, asIfHere(control)));
}

function inBoth(some: readonly SharedValue[], others: readonly SharedValue[]): SharedValue[] {
  return some.filter(({ where, value }) =>
    others.some((other) => other.where === where && other.value === value),
  );
}

/** With the name that every clone has for its host: that one is looked at by its own check. */
function asIfHere(output: SessionOutput): SessionOutput {
  const host = hostname();
  return new Map(
    [...output].map(([where, value]) => [
      where,
      typeof value === 'string' && host !== '' ? value.replaceAll(host, 'localhost') : value,
    ]),
  );
}

/** @param folder where its files are looked at */
async function runSession(
  room: Room,
  part: 'first' | 'second' | 'control',
  folder?: string,
): Promise<ClonedSession> {
  const files = new Map<string, string>();
  const play = (): Promise<Omit<ClonedSession, 'files'>> =>
    playSession(room, {
      isClone: part !== 'control',
      payload: part === 'second' ? room.otherPayload : room.payload,
    });
  if (folder === undefined) return { ...(await play()), files };
  const shared = (await room.writtenFiles()) ?? [];
  return { ...(await withSessionFiles({ folder, shared }, files, play)), files };
}

async function playSession(
  room: Room,
  { isClone, payload }: { isClone: boolean; payload: Room['payload'] },
): Promise<Omit<ClonedSession, 'files'>> {
  const folder = await mkdtemp(join(tmpdir(), 'art-clone-'));
  const model = await openRecordingModel(onThisMachine);
  const recordFile = join(folder, 'uses.jsonl');
  const fromMs = Date.now();
  try {
    const agent = await room.startAgent((env) =>
      isClone
        ? playedSnapshot(env, {
            movedMs,
            recordFile,
            libraries: room.bundle === undefined ? [] : [room.bundle],
          })
        : env,
    );
    const sessionId = randomUUID();
    // So that what is measured from the start is long enough to be known.
    if (isClone) await pause(shortestMs);
    const answer = await ask(`${agent.url}/invocations`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: acceptedAnswers,
        [runtimeHeaders.sessionId]: sessionId,
      },
      body: JSON.stringify({
        ...payload,
        _rollout: {
          exp_id: 'doctor-clones',
          input_id: 'input',
          session_id: sessionId,
          s3_bucket: room.bucket.name,
          base_url: model.baseUrl,
          model_id: 'doctor-clone',
          api_key: `key-of-${sessionId}`,
          sampling_params: {},
        },
      }),
      timeoutMs: 60_000,
    });
    const key = `doctor-clones/input/${sessionId}.json`;
    let document: string | undefined;
    if (answer.status >= 200 && answer.status < 300) {
      const until = performance.now() + busyWaitMs;
      for (let isBusy = true; isBusy && document === undefined && performance.now() < until;) {
        const ping = await ask(`${agent.url}/ping`, { timeoutMs: 10_000 }).catch(() => undefined);
        isBusy = ping?.text.includes('HealthyBusy') === true;
        document = await room.bucket.document(key, documentWaitMs);
      }
    }
    const toMs = Date.now();
    await agent.kill();
    const output = new Map<string, string | number>();
    flattened(answer.json ?? answer.text, 'answer ', output);
    flattened(parsed(document), 'document ', output);
    for (const [index, { body, headers }] of model.requests.entries()) {
      flattened(body, `model call ${index + 1} `, output);
      for (const name of tellingHeaders)
        if (typeof headers[name] === 'string')
          output.set(`model call ${index + 1} header ${name}`, headers[name]);
    }
    const lines = await readFile(recordFile, 'utf8').catch(() => '');
    const uses = lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as SharedUse);
    return { output, uses, lived: { fromMs, toMs } };
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

const tellingHeaders = [
  'traceparent',
  'x-request-id',
  'idempotency-key',
  'x-idempotency-key',
  'x-session-id',
];

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : text;
  } catch {
    return text;
  }
}
