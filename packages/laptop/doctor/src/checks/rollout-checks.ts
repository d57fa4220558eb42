import { isJsonObject } from '@art/ground';
import type { AgentCheck } from '../agent-check.ts';
import { fault, followsFrom, must, ok, skipped, warning } from '../finding.ts';
import { plainAnswer } from '../room/plain-answer.ts';
import { rolloutPair, type RolloutSeen } from '../room/rollout-pair.ts';
import { isUnaware, ofEach, ofPair } from './of-rollouts.ts';

const todoHandler =
  'Run rollouts through AgentCoreRLApp of @art/agent, or through agentcore-rl-toolkit in Python.';

/** Longest time of an answer that waits for no model; a machine with much to do takes its time. */
const longestAnswerMs = 5_000;

const answerOf = ({ answer }: RolloutSeen): Record<string, unknown> =>
  isJsonObject(answer.json) ? answer.json : {};
const statusOf = (pinged: { json: unknown }): unknown =>
  isJsonObject(pinged.json) ? pinged.json['status'] : undefined;
const timeOf = (pinged: { json: unknown }): unknown =>
  isJsonObject(pinged.json) ? pinged.json['time_of_last_update'] : undefined;

/** Requests with `_rollout`, two at the same time: how they are taken. */
export const rolloutChecks: readonly AgentCheck[] = [
  {
    id: 'rollout.accepts',
    title: 'takes a request with "_rollout"',
    why: 'This is how trainers with a bucket ask for rollouts.',
    todo: todoHandler,
    run: async (room) => {
      const { rollouts } = await rolloutPair(room);
      const refused = rollouts.map(({ answer }) => answer).find(({ status }) => status !== 200);
      if (refused === undefined) return ok('status 200');
      const plain = await plainAnswer(room).catch(() => undefined);
      // A payload that does not fit is no fault of rollouts.
      const isSame = plain?.status === refused.status && plain.text === refused.text;
      return isSame
        ? followsFrom('production.answers')
        : must(false, `status ${refused.status}: ${refused.text.slice(0, 200)}`);
    },
  },
  {
    id: 'rollout.processing',
    title: 'answers {"status":"processing"}',
    why: 'The client takes it as the promise of a document.',
    todo: `${todoHandler} Begin at "Adapt your agent" of the documentation (adapt.md): three changes, and the same handler answers users and trainers.`,
    after: 'rollout.accepts',
    run: async (room) => {
      const { rollouts } = await rolloutPair(room);
      const other = rollouts.find((rollout) => answerOf(rollout)['status'] !== 'processing');
      if (other === undefined) return ok('processing');
      const unaware = (await isUnaware(room))
        ? 'It knows nothing of rollouts, and answers as to a user: '
        : '';
      return fault(unaware + other.answer.text.slice(0, 200));
    },
  },
  {
    id: 'rollout.ping-meanwhile',
    title: 'answers a ping within 2 s while it works',
    why: 'A handler that blocks the process makes its session look dead.',
    todo: 'Await what takes long. execSync in a tool is the usual reason. @art/server/ping-thread answers from a thread.',
    after: 'rollout.processing',
    run: ofPair(({ busy }) => must(busy.tookMs < 2_000, `${busy.tookMs.toFixed(0)} ms`)),
  },
  {
    id: 'rollout.at-once',
    title: 'answers before the work is done',
    why: 'AgentCore ends a request after 15 minutes, and every open connection costs the trainer one of its sockets.',
    todo: 'Run the handler in the background, and answer at once.',
    after: 'rollout.ping-meanwhile',
    run: ofEach(({ answer, hasWaited }) =>
      must(
        !hasWaited && answer.tookMs < longestAnswerMs,
        `${answer.tookMs.toFixed(0)} ms${hasWaited ? ', after the reply of its model' : ''}`,
      ),
    ),
  },
  {
    id: 'rollout.result-key',
    title: 'says under which key the result will be',
    why: 'A client that finds another key there than it has computed gives up: it would wait for ever.',
    todo: 'The key is {exp_id}/{input_id}/{session_id}.json.',
    after: 'rollout.processing',
    run: ofEach((rollout) =>
      must(answerOf(rollout)['result_key'] === rollout.resultKey, String(answerOf(rollout)['result_key'])),
    ),
  },
  {
    id: 'rollout.busy',
    title: 'says "HealthyBusy" while it works',
    why: 'AgentCore ends a session that is idle for 15 minutes, with the rollout in it.',
    todo: 'Count the work in the background: addAsyncTask and completeAsyncTask, or AgentCoreRLApp, which does so.',
    after: 'rollout.at-once',
    run: ofPair(({ rollouts, strayCalls, busy }) => {
      const calls = rollouts.flatMap((rollout) => rollout.calls).length + strayCalls;
      if (calls === 0) return skipped('It asked no model here, and had nothing to wait for.');
      return must(statusOf(busy) === 'HealthyBusy', busy.text.slice(0, 200));
    }),
  },
  {
    id: 'rollout.busy-time',
    title: 'sets the time when it becomes busy',
    why: 'AgentCore counts from the last change of the status.',
    todo: 'Set "time_of_last_update" when the status changes.',
    after: 'rollout.busy',
    run: ofPair(({ busy }) => {
      const agoMs = Date.now() - Number(timeOf(busy)) * 1_000;
      return must(agoMs < 120_000 && agoMs > -10_000, `time_of_last_update ${String(timeOf(busy))}`);
    }),
  },
  {
    id: 'rollout.idle-again',
    title: 'says "Healthy" when the documents are stored',
    why: 'A session that stays busy costs money for 8 hours.',
    todo: 'Complete the task in a finally block.',
    after: 'rollout.busy',
    run: ofPair(({ after }) => must(statusOf(after) === 'Healthy', after.text.slice(0, 200))),
  },
  {
    id: 'rollout.no-files',
    title: 'writes nothing beside its code',
    why: 'On AgentCore the folder of the code may not be written, and what one rollout leaves there another one finds.',
    todo: 'Write into a folder of mkdtemp(join(tmpdir(), ...)), made in the handler and removed in its end.',
    requires: 'process',
    after: 'rollout.accepts',
    run: async (room) => {
      await rolloutPair(room);
      const written = await room.writtenFiles();
      if (written === undefined)
        return skipped('It has no folder of this machine, or one with very many files.');
      return written.length === 0
        ? ok('nothing')
        : warning(`${written.slice(0, 5).join(', ')} (${written.length} files)`);
    },
  },
];
