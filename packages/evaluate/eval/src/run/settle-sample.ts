import { sumOfKnown } from '@art/ground/figures';
import { settleWithin, type JsonObject, type JsonLinesFile } from '@art/ground';
import { type BatchItem, errorRecord, outcomeRecord } from '@art/rollout';
import { readConversation, rolloutSchema, sampleId, type SampleRecord } from '@art/trajectories';
import type { RunRecord } from '../records/run-record.ts';
import { taskText } from '../tasks/task-text.ts';
import type { TranscriptRecord } from '../records/transcript-record.ts';
import { costOf } from './costs.ts';
import type { EvaluatedAgent } from './evaluated-agent.ts';
import type { JudgedSample } from './judge.ts';
import type { MissingSample } from './missing-samples.ts';
import { scoreOf } from '../records/score.ts';
import { ofAgent, unjudged, type SampleVerdict } from './verdict.ts';

/** How long a line waits for the time at which its session was stopped. */
const stopWaitMs = 2_000;

export interface SettleDeps {
  run: RunRecord;
  agent: EvaluatedAgent;
  transcripts: JsonLinesFile;
  /** Undefined where the agent's own rewards count. */
  judge: ((sample: JudgedSample) => Promise<SampleVerdict>) | undefined;
  onNotice: (message: string) => void;
}

/** Makes the line of a sample whose outcome is known: reads what was said, judges it, and writes the transcript. */
export async function settleSample(
  item: BatchItem,
  missing: MissingSample,
  deps: SettleDeps,
): Promise<SampleRecord> {
  const { task, sample } = missing;
  const { outcome } = item;
  let { timings } = item;
  const finished = item.finished().then((whole) => void (timings = whole));
  const stopped = settleWithin([finished], stopWaitMs);
  const { transcript, isCaptured } = await readTranscriptOf(item, missing, deps);
  const verdict =
    outcome.kind !== 'ok'
      ? unjudged
      : ((await deps.judge?.({ task, sample, document: outcome.document, transcript })) ??
        ofAgent(outcome.document));
  await stopped;
  const place = await deps.transcripts.append(transcript);
  const { calls } = transcript;
  const counts =
    item.sessionId === ''
      ? undefined
      : await deps.agent.capture?.callCounts(item.sessionId).catch(() => undefined);
  const [prompt, completion] = (['promptTokens', 'completionTokens'] as const).map((tokens) =>
    sumOfKnown(calls.map((call) => call[tokens])),
  ) as [number | null, number | null];
  const record = outcomeRecord({ ...item, timings }, item.attempts);
  return {
    schema: rolloutSchema,
    id: sampleId(task.id, sample),
    taskId: task.id,
    sample,
    tags: [...task.tags],
    taskText: taskText(task.payload),
    ...record,
    ...verdict,
    score: scoreOf(outcome.kind, verdict.reward, deps.run.failureReward),
    inputId: item.inputId,
    timings: {
      ...record.timings,
      storedMs: sinceSubmission(deps.agent.storedAtMs?.(item.sessionId), record.submittedAtMs),
    },
    latencyMs: record.timings.settledMs,
    modelCalls: isCaptured ? calls.length : null,
    failedCalls: counts?.failed ?? null,
    ...((counts?.kept ?? 0) > 0 && { keptAnswers: counts!.kept! }),
    tokens: isCaptured && prompt !== null && completion !== null ? { prompt, completion } : null,
    cost: isCaptured ? costOf(calls, deps.run.prices, deps.run.model.modelId) : null,
    transcript: place,
    recordedAtMs: Date.now(),
  };
}

async function readTranscriptOf(
  item: BatchItem,
  { task, sample }: MissingSample,
  { agent, onNotice }: SettleDeps,
): Promise<{ transcript: TranscriptRecord; isCaptured: boolean }> {
  const { outcome, sessionId } = item;
  const isSent = sessionId !== '';
  const told =
    (what: string) =>
    (error: unknown): undefined => {
      onNotice(`${sampleId(task.id, sample)}: ${what} cannot be read: ${errorRecord(error).message}`);
    };
  const [captures, trajectory, log] = await Promise.all([
    isSent ? agent.capture?.captures(sessionId).catch(told('what the agent said')) : undefined,
    isSent && agent.capture !== undefined ? item.trajectory().catch(told('its training rows')) : undefined,
    // Of what went well nobody reads the log.
    isSent && outcome.kind !== 'ok' ? agent.logOf?.(sessionId).catch(() => undefined) : undefined,
  ]);
  const rows = trajectory?.rows ?? [];
  const transcript: TranscriptRecord = {
    schema: 'art.transcript.v1',
    taskId: task.id,
    sample,
    sessionId: isSent ? sessionId : null,
    payload: task.payload as JsonObject,
    expected: task.expected ?? null,
    document:
      'document' in outcome && outcome.document !== undefined ? withoutPayload(outcome.document) : null,
    ...readConversation(captures ?? [], rows),
    rows: [...rows],
    log: log ?? null,
  };
  // What cannot be read is not nothing: the agent may have called its model.
  return { transcript, isCaptured: agent.capture !== undefined && (!isSent || captures !== undefined) };
}

/** The agent server puts the whole request into its document, the model's key included. */
function withoutPayload(document: Record<string, unknown>): JsonObject {
  const { payload: _, ...rest } = document;
  return rest as JsonObject;
}

/** Forgets what was said once the line of the sample is there. Also of the attempts before: only the last one is told. */
export async function dropCapture(item: BatchItem, { capture }: EvaluatedAgent): Promise<void> {
  if (capture === undefined) return;
  const sessions = item.attempts.map(({ sessionId }) => sessionId);
  await Promise.all(
    sessions.filter((sessionId) => sessionId !== '').map(async (sessionId) => capture.drop(sessionId)),
    // What stays behind costs the gateway some memory, and the sample nothing.
  ).catch(() => undefined);
}

function sinceSubmission(atMs: number | undefined, submittedAtMs: number | null): number | null {
  return atMs === undefined || submittedAtMs === null ? null : Math.max(0, atMs - submittedAtMs);
}
