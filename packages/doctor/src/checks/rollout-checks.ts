import { isJsonObject } from '@art/protocol';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { must, ok, type Seen, skipped, warning } from '../finding.ts';
import { refusedRollout, rolloutPair, type RolloutSeen } from '../room/rollout-pair.ts';

const todoHandler =
  'Run rollouts through AgentCoreRLApp of @art/agent, or through agentcore-rl-toolkit in Python.';
const whyDocument = 'Trainers read this member of the stored document.';

/** Of an answer that waits for no model; a machine with much to do takes its time. */
const longestAnswerMs = 5_000;

const ofPair = lookAt(rolloutPair);
const ofRefused = lookAt(refusedRollout);

/** Looks at both of two concurrent rollouts. */
const ofEach = (look: (rollout: RolloutSeen) => Seen): AgentCheck['run'] =>
  ofPair(({ rollouts }) => {
    const seen = rollouts.map(look);
    return seen.find(({ verdict }) => verdict !== 'ok') ?? seen[0]!;
  });

const answerOf = ({ answer }: RolloutSeen): Record<string, unknown> =>
  isJsonObject(answer.json) ? answer.json : {};
const statusOf = (pinged: { json: unknown }): unknown =>
  isJsonObject(pinged.json) ? pinged.json['status'] : undefined;
const timeOf = (pinged: { json: unknown }): unknown =>
  isJsonObject(pinged.json) ? pinged.json['time_of_last_update'] : undefined;

/** Requests with `_rollout`, whose results are stored. Two run at the same time. */
export const rolloutChecks: readonly AgentCheck[] = [
  {
    id: 'rollout.accepts',
    title: 'takes a request with "_rollout"',
    why: 'This is how trainers with a bucket ask for rollouts.',
    todo: todoHandler,
    run: ofEach(({ answer }) =>
      must(answer.status === 200, `status ${answer.status}: ${answer.text.slice(0, 200)}`),
    ),
  },
  {
    id: 'rollout.processing',
    title: 'answers {"status":"processing"}',
    why: 'The client takes it as the promise of a document.',
    todo: todoHandler,
    after: 'rollout.accepts',
    run: ofEach((rollout) =>
      must(answerOf(rollout)['status'] === 'processing', rollout.answer.text.slice(0, 200)),
    ),
  },
  {
    id: 'rollout.at-once',
    title: 'answers before the work is done',
    why: 'AgentCore ends a request after 15 minutes, and every open connection costs the trainer one of its sockets.',
    todo: 'Run the handler in the background, and answer at once.',
    after: 'rollout.accepts',
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
    run: ofPair(({ busy }) => must(statusOf(busy) === 'HealthyBusy', busy.text.slice(0, 200))),
  },
  {
    id: 'rollout.ping-meanwhile',
    title: 'answers a ping within 2 s while it works',
    why: 'A handler that blocks the process makes its session look dead.',
    todo: 'Await what takes long. execSync in a tool is the usual reason. @art/server-ping-thread answers from a thread.',
    after: 'rollout.accepts',
    run: ofPair(({ busy }) => must(busy.tookMs < 2_000, `${busy.tookMs.toFixed(0)} ms`)),
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
    id: 'rollout.stored',
    title: 'stores a document under the key',
    why: 'A rollout without a document is lost.',
    todo: `${todoHandler} The agent finds S3 by AWS_ENDPOINT_URL and must have no bucket of its own in mind.`,
    requires: 'process',
    after: 'rollout.accepts',
    run: ofEach(({ text, resultKey }) =>
      must(text !== undefined, text === undefined ? `nothing at ${resultKey} when it was done` : resultKey),
    ),
  },
  {
    id: 'rollout.document',
    title: 'stores a JSON object',
    why: 'Trainers read nothing else.',
    todo: todoHandler,
    after: 'rollout.stored',
    run: ofEach(({ document, text }) => must(document !== undefined, text?.slice(0, 200) ?? '')),
  },
  {
    id: 'rollout.status-code',
    title: 'stores status_code 200 for what went well',
    why: whyDocument,
    todo: 'Look at stop_reason of the document, which says what failed. Give a payload that the agent understands with --payload.',
    after: 'rollout.document',
    run: ofEach(({ document }) =>
      must(
        document?.['status_code'] === 200,
        `status_code ${String(document?.['status_code'])}, ${String(document?.['stop_reason'])}`,
      ),
    ),
  },
  {
    id: 'rollout.reward',
    title: 'stores a reward, a finite number',
    why: 'verl and Tinker refuse a rollout without one.',
    todo: 'Return { reward } from the handler. Give a payload with the right answer in it with --payload.',
    after: 'rollout.status-code',
    run: ofEach(({ document }) => {
      const rewards = document?.['rewards'] ?? document?.['reward'];
      const last: unknown = Array.isArray(rewards) ? rewards.at(-1) : rewards;
      if (typeof last === 'number' && Number.isFinite(last)) return ok(`reward ${last}`);
      return rewards === undefined ? warning('no reward') : must(false, `rewards ${JSON.stringify(rewards)}`);
    }),
  },
  {
    id: 'rollout.input-id',
    title: 'stores the input_id that was asked for',
    why: whyDocument,
    todo: todoHandler,
    after: 'rollout.document',
    run: ofEach(({ document }) =>
      must(/^input-[01]$/.test(String(document?.['input_id'])), String(document?.['input_id'])),
    ),
  },
  {
    id: 'rollout.place',
    title: 'stores its own bucket and key',
    why: whyDocument,
    todo: todoHandler,
    after: 'rollout.document',
    run: ofEach(({ document, resultKey }) =>
      must(
        document?.['result_key'] === resultKey && document['s3_bucket'] === 'art-doctor',
        String(document?.['result_key']),
      ),
    ),
  },
  {
    id: 'rollout.no-secret',
    title: 'stores no API key',
    why: 'Results are kept for years and read by many.',
    todo: 'Leave "api_key" of "_rollout" out of the payload that is stored. AgentCoreRLApp does so.',
    after: 'rollout.stored',
    run: ofEach(({ text, apiKey }) =>
      text!.includes(apiKey) ? warning('The key of the rollout is in the document.') : ok('none'),
    ),
  },
  {
    id: 'rollout.endpoint',
    title: 'asks the model at base_url',
    why: 'The gateway there captures the tokens. What another endpoint says cannot be trained on.',
    todo: 'Make the model client in the handler, with context.rollout.baseUrl.',
    after: 'rollout.accepts',
    run: ofEach(({ calls }) => must(calls.length > 0, `${calls.length} calls at its base_url`)),
  },
  {
    id: 'rollout.own-endpoint',
    title: 'asks the model of this rollout, not that of another one',
    why: 'A client that is made once asks the first endpoint for ever. Tokens of one rollout then are captured for another.',
    todo: 'Make the model client in the handler, for each request; nothing at the top of the file, no environment variables.',
    after: 'rollout.accepts',
    run: ofPair(({ rollouts, strayCalls }) => {
      const silent = rollouts.filter(({ calls }) => calls.length === 0).length;
      if (silent === 2) return skipped('Neither endpoint was asked.');
      return must(
        silent === 0 && strayCalls === 0,
        `${rollouts.map(({ calls }) => calls.length).join(' and ')} calls at their own endpoints, ${strayCalls} at the other one`,
      );
    }),
  },
  {
    id: 'rollout.model-id',
    title: 'names the model that was asked for',
    why: 'Engines with several adapters choose by it.',
    todo: 'Pass context.rollout.modelId on.',
    after: 'rollout.accepts',
    run: async (room) => {
      const { rollouts } = await rolloutPair(room);
      const names = new Set(room.models.flatMap(({ requests }) => requests.map(({ model }) => model)));
      return must(
        rollouts.every(({ modelId }) => names.has(modelId)),
        [...names].slice(0, 3).join(', ') || 'no call',
      );
    },
  },
  {
    id: 'rollout.api-key',
    title: 'uses the key of the rollout, or its session id',
    why: 'Gateways tell sessions apart by the key.',
    todo: 'apiKey: context.rollout.apiKey ?? context.sessionId.',
    after: 'rollout.endpoint',
    run: ofEach(({ calls, apiKey, sessionId }) => {
      const keys = [...new Set(calls.map((call) => call.apiKey))];
      return keys.every((key) => key === apiKey || key === sessionId)
        ? ok('yes')
        : warning('The model was asked with another key.');
    }),
  },
  {
    id: 'rollout.sampling',
    title: 'passes the sampling parameters on',
    why: 'A trainer learns from what was sampled at its temperature. A gateway can set them, too.',
    todo: 'Pass context.rollout.samplingParams to the call of the model.',
    after: 'rollout.endpoint',
    run: ofEach(({ calls }) => {
      const temperatures = [...new Set(calls.map(({ temperature }) => temperature))];
      return temperatures.every((value) => value === 0.375)
        ? ok('temperature 0.375')
        : warning(`temperature ${temperatures.join(', ') || 'not set'} where 0.375 was asked for`);
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
    id: 'rollout.failure-stored',
    title: 'stores a document when the model refuses',
    why: 'Without one the trainer waits until its time is up.',
    todo: 'Store what was thrown, as a document with status_code 500.',
    requires: 'process',
    after: 'rollout.endpoint',
    run: ofRefused(({ text, resultKey }) =>
      must(text !== undefined, text === undefined ? `nothing at ${resultKey} when it was done` : 'yes'),
    ),
  },
  {
    id: 'rollout.failure-told',
    title: 'says in it that it failed',
    why: 'An answer that is made up after a failure looks like a bad answer of the policy, and is learnt from.',
    todo: 'Let errors of the model client pass through the handler. Do not catch them to return a default.',
    after: 'rollout.failure-stored',
    run: ofRefused(({ document }) => {
      const code = document?.['status_code'];
      return must(typeof code === 'number' && code !== 200, `status_code ${String(code)}`);
    }),
  },
  {
    id: 'rollout.failure-idle',
    title: 'is idle again after a failure',
    why: 'A session that stays busy costs money for 8 hours.',
    todo: 'Complete the task in a finally block.',
    after: 'rollout.failure-stored',
    run: async (room) => {
      await refusedRollout(room);
      const { text, json } = await room.ping();
      return must(statusOf({ json }) === 'Healthy', text.slice(0, 200));
    },
  },
];
