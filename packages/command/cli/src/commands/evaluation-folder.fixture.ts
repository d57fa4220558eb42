import { JsonLinesFile } from '@art/ground';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runPath, type TranscriptRecord, writeRunRecord } from '@art/eval/records';
import type { Conversation, SampleRecord } from '@art/trajectories';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

/** Members of a sample that a test is about. */
export interface WrittenSample extends Partial<SampleRecord> {
  taskId: string;
  /** Undefined where the run had no gateway. */
  said?: Partial<Conversation> | undefined;
}

/** A run in a folder that is there, without samples. */
export async function writeRun(folder: string, taskCount: number): Promise<void> {
  await writeRunRecord(folder, {
    schema: 'art.run.v1',
    runId: 'one',
    name: 'one',
    createdAtMs: 0,
    agent: 'agent.ts',
    model: { baseUrl: null, modelId: null },
    tasks: { source: 'tasks.jsonl', count: taskCount, digest: null },
    samples: 1,
    seed: 0,
    passReward: 1,
    failureReward: null,
    maxFailures: 0.1,
    options: {},
    git: null,
    prices: null,
    rescoredFrom: null,
    processes: [],
  });
}

/** A finished evaluation on the disk. @returns its folder */
export async function evaluationFolder(samples: readonly WrittenSample[]): Promise<string> {
  const folder = join(await temporaryFolder(), 'run');
  await mkdir(folder);
  await writeRun(folder, samples.length);
  await using transcripts = await JsonLinesFile.open(runPath(folder, 'transcripts'));
  await using lines = await JsonLinesFile.open(runPath(folder, 'samples'));
  for (const { said, ...given } of samples) {
    const { taskId, sample = 0, reward = 1 } = given;
    const transcript: TranscriptRecord = {
      schema: 'art.transcript.v1',
      taskId,
      sample,
      sessionId: `s-${taskId}-${sample}`,
      payload: {},
      expected: null,
      document: null,
      messages: [],
      calls: [],
      rows: [],
      log: null,
      ...said,
    };
    const place = await transcripts.append(transcript);
    await lines.append({
      schema: 'art.rollout.v1',
      id: `${taskId}#${sample}`,
      sample,
      taskText: null,
      metrics: {},
      tags: [],
      outcome: 'ok',
      reward,
      rewards: null,
      rewardedBy: 'agent',
      score: reward,
      remarks: [],
      error: null,
      judgeError: null,
      sessionId: transcript.sessionId,
      invocationId: null,
      inputId: taskId,
      rewardProblem: null,
      judge: null,
      failedCalls: null,
      resultKey: null,
      submittedAtMs: 1_000,
      timings: { acceptedMs: 1, storedMs: null, noticedMs: 2, settledMs: 3, stoppedMs: 4 },
      attempts: [],
      latencyMs: 3,
      modelCalls: said === undefined ? null : transcript.calls.length,
      tokens: null,
      cost: null,
      transcript: place,
      recordedAtMs: 2_000,
      ...given,
    } satisfies SampleRecord);
  }
  return folder;
}

/** One question and one answer, as any call of a text-only model. */
export function saidOnce(question: string, answer: string): Conversation {
  return {
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
    calls: [
      {
        captureId: 't',
        startedAtMs: 0,
        latencyMs: 1,
        model: 'm',
        wire: 'chat',
        finishReason: 'stop',
        prompt: [0],
        answer: 1,
        tools: [],
        promptTokens: 1,
        completionTokens: 1,
        tokens: null,
        capture: 'text_only',
        problems: [],
        weightVersion: null,
      },
    ],
  };
}
