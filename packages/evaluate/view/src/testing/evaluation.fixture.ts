import { sampleId, type AttemptRecord, type SampleRecord } from '@art/trajectories';
import type { LinePlace } from '@art/ground';
import { mkdir, writeFile } from 'node:fs/promises';
import {
  runPath,
  type RunRecord,
  type StatusRecord,
  type TranscriptRecord,
  writeRunRecord,
  writeStatus,
} from '@art/eval/records';
import type { RolloutOutcomeKind } from '@art/protocol';
import { conversationOf } from './conversation.fixture.ts';
import { seededNumbers } from '@art/tooling/seeded-numbers';

export const startMs = Date.UTC(2026, 10, 20, 9, 30);

export interface EvaluationChoices {
  name?: string;
  tasks: number;
  samples: number;
  seed?: number;
  /** Chance that a sample gets its reward. */
  skill?: number;
  /** True if samples have transcripts. @default true */
  hasTranscripts?: boolean;
  concurrency?: number;
}

/** Writes the folder of an evaluation as "art eval" leaves it behind, the same for the same choices. */
export async function writeEvaluation(folder: string, choices: EvaluationChoices): Promise<SampleRecord[]> {
  const { name = 'flight desk', tasks, samples, seed = 1, skill = 0.7 } = choices;
  const { hasTranscripts = true, concurrency = 24 } = choices;
  const dice = seededNumbers(seed);
  await mkdir(folder, { recursive: true });
  await writeRunRecord(
    folder,
    runRecord({ name, tasks: { source: 'tasks.jsonl', count: tasks, digest: null }, samples, seed }),
  );
  const free = Array.from({ length: concurrency }, (_, lane) => startMs + lane * 40);
  const records: SampleRecord[] = [];
  const transcripts = new TranscriptLines();
  for (let task = 0; task < tasks; task += 1) {
    const difficulty = dice();
    for (let sample = 0; sample < samples; sample += 1) {
      const lane = free.indexOf(Math.min(...free));
      const record = sampleOf(dice, {
        taskId: `${topics[task % topics.length]}-${String(task + 1).padStart(3, '0')}`,
        tag: topics[task % topics.length]!,
        sample,
        submittedAtMs: free[lane]!,
        skill: Math.min(0.98, Math.max(0.02, skill + 0.5 - difficulty)),
      });
      free[lane] = record.recordedAtMs + 30;
      if (hasTranscripts && record.outcome !== 'lost') {
        const transcript = conversationOf(record, dice);
        record.transcript = transcripts.add(transcript);
        record.modelCalls = transcript.calls.length;
        record.tokens = {
          prompt: transcript.calls.reduce((sum, call) => sum + call.promptTokens!, 0),
          completion: transcript.calls.reduce((sum, call) => sum + call.completionTokens!, 0),
        };
      }
      records.push(record);
    }
  }
  records.sort((a, b) => a.recordedAtMs - b.recordedAtMs);
  await writeFile(
    runPath(folder, 'samples'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  await writeFile(runPath(folder, 'transcripts'), transcripts.text);
  await writeStatus(folder, statusRecord(records, { total: tasks * samples }));
  return records;
}

class TranscriptLines {
  text = '';
  #bytes = 0;

  add(transcript: TranscriptRecord): LinePlace {
    const line = JSON.stringify(transcript);
    const place = { atByte: this.#bytes, bytes: Buffer.byteLength(line) };
    this.text += `${line}\n`;
    this.#bytes += place.bytes + 1;
    return place;
  }
}

const topics = ['refund', 'rebook', 'luggage', 'upgrade', 'delay'];

export function runRecord(given: Partial<RunRecord> = {}): RunRecord {
  return {
    schema: 'art.run.v1',
    runId: 'run-20261120-093000',
    name: 'flight desk',
    createdAtMs: startMs,
    agent: 'node agent.ts',
    model: { baseUrl: 'http://127.0.0.1:8000/v1', modelId: 'qwen3-8b' },
    tasks: { source: 'tasks.jsonl', count: null, digest: null },
    samples: 4,
    seed: 1,
    passReward: 1,
    failureReward: 0,
    maxFailures: 0.1,
    options: { maxConcurrentSessions: 24 },
    git: { commit: '5c1e0a97d2b4', branch: 'main', isDirty: true },
    prices: null,
    rescoredFrom: null,
    processes: [
      {
        startedAtMs: startMs,
        pid: 4242,
        host: 'laptop',
        versions: { art: '0.1.0', node: '24.21.0', platform: 'linux-x64' },
      },
    ],
    ...given,
  };
}

export function statusRecord(
  records: readonly SampleRecord[],
  given: Partial<StatusRecord> = {},
): StatusRecord {
  const outcomes: Partial<Record<RolloutOutcomeKind, number>> = {};
  for (const { outcome } of records) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const scores = records.flatMap(({ score }) => (score === null ? [] : [score]));
  return {
    schema: 'art.status.v1',
    runId: 'run-20261120-093000',
    state: 'finished',
    pid: 4242,
    host: 'laptop',
    startedAtMs: startMs,
    updatedAtMs: records.at(-1)?.recordedAtMs ?? startMs,
    total: records.length,
    done: records.length,
    outcomes,
    scored: scores.length,
    meanScore: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    concurrency: 24,
    judging: 0,
    atWork: given.live?.length ?? 0,
    retried: 0,
    throttled: 0,
    tokens: {
      prompt: records.reduce((sum, { tokens }) => sum + (tokens?.prompt ?? 0), 0),
      completion: records.reduce((sum, { tokens }) => sum + (tokens?.completion ?? 0), 0),
    },
    cost: null,
    live: [],
    ...given,
  };
}

interface SampleChoices {
  taskId: string;
  tag: string;
  sample: number;
  submittedAtMs: number;
  skill: number;
}

const failures: readonly [RolloutOutcomeKind, number, string, string][] = [
  ['agent_error', 0.03, 'ART_AGENT_ERROR', 'ValueError: no booking with the locator "QX7T1P"'],
  ['infra_error', 0.015, 'ART_INFRASTRUCTURE_ERROR', 'The model endpoint answered 503: no healthy upstream'],
  [
    'timeout',
    0.015,
    'ART_ROLLOUT_TIMEOUT',
    'No result was stored within 120000 ms while the session was alive.',
  ],
  ['lost', 0.01, 'ART_ROLLOUT_LOST', 'The session ended without storing a result.'],
];

/** A sample whose outcome and times are rolled. */
function sampleOf(
  dice: () => number,
  { taskId, tag, sample, submittedAtMs: firstMs, skill }: SampleChoices,
): SampleRecord {
  const roll = dice();
  let sum = 0;
  const failure = failures.find(([, chance]) => roll < (sum += chance));
  const outcome = failure?.[0] ?? 'ok';
  const attempts: AttemptRecord[] = [];
  let submittedAtMs = firstMs;
  if (dice() < 0.06) {
    const settledMs = 800 + dice() * 4_000;
    attempts.push(attemptOf(0, 'lost', firstMs, settledMs, 0));
    submittedAtMs += settledMs + 400;
  }
  const isThrottled = dice() < 0.04;
  const acceptedMs = 180 + dice() * 700 + (isThrottled ? 2_500 : 0);
  const isStraggler = dice() < 0.012;
  const workMs = (2_500 + dice() * 6_000 + dice() * 4_000) * (isStraggler ? 5 : 1);
  const storedMs = outcome === 'ok' || outcome === 'agent_error' ? acceptedMs + workMs : null;
  const noticedMs = storedMs === null ? null : storedMs + 80 + dice() * 500;
  const settledMs = (noticedMs ?? acceptedMs + workMs) + 4;
  attempts.push(attemptOf(attempts.length, outcome, submittedAtMs, settledMs, isThrottled ? 3 : 0));
  const graded = [0, 0, 0.25, 0.5];
  const reward = outcome === 'ok' ? (dice() < skill ? 1 : graded[Math.floor(dice() * graded.length)]!) : null;
  const isOurs = outcome === 'infra_error' || outcome === 'lost' || outcome === 'timeout';
  return {
    schema: 'art.rollout.v1',
    id: sampleId(taskId, sample),
    taskId,
    sample,
    tags: [tag],
    taskText: null,
    outcome,
    reward,
    rewards: reward === null ? null : [reward],
    rewardedBy: reward === null ? null : 'agent',
    judge: null,
    rewardProblem: null,
    failedCalls: null,
    metrics: {},
    score: isOurs ? null : (reward ?? 0),
    remarks: [],
    error:
      failure === undefined
        ? null
        : {
            code: failure[2],
            message: failure[3],
            stack: `${failure[3]}\n    at lookUp (/app/agent.ts:41:11)\n    at async handler (/app/agent.ts:88:20)`,
          },
    judgeError: null,
    sessionId: `art-${taskId}-${sample}-5d0f6a4b1c2e4f7a9b8c7d6e5f4a3b2c`,
    invocationId: null,
    inputId: taskId,
    resultKey: `run/${taskId}/${sample}.json`,
    submittedAtMs,
    timings: { acceptedMs, storedMs, noticedMs, settledMs, stoppedMs: settledMs + 150 + dice() * 300 },
    attempts,
    latencyMs: settledMs,
    modelCalls: null,
    tokens: null,
    cost: null,
    transcript: null,
    recordedAtMs: Math.round(submittedAtMs + settledMs + 10),
  };
}

function attemptOf(
  attempt: number,
  outcome: RolloutOutcomeKind,
  submittedAtMs: number,
  settledMs: number,
  throttled: number,
): AttemptRecord {
  const unknown = { sessionId: null, resultKey: null, error: null };
  return { attempt, outcome, ...unknown, submittedAtMs, settledMs, throttled, resent: 0 };
}

/** A folder with one sample whose transcript is given. */
export async function writeOneSample(
  folder: string,
  transcript: Partial<TranscriptRecord>,
  record: Partial<SampleRecord> = {},
): Promise<void> {
  const [made] = await writeEvaluation(folder, {
    tasks: 1,
    samples: 1,
    hasTranscripts: false,
    skill: 1,
    seed: 3,
  });
  const sample: SampleRecord = { ...made!, ...record };
  const transcripts = new TranscriptLines();
  sample.transcript = transcripts.add({ ...conversationOf(sample, seededNumbers(3)), ...transcript });
  await writeFile(runPath(folder, 'transcripts'), transcripts.text);
  await writeFile(runPath(folder, 'samples'), `${JSON.stringify(sample)}\n`);
}
