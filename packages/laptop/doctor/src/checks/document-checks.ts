import type { AgentCheck } from '../agent-check.ts';
import { fault, followsFrom, must, ok, warning } from '../finding.ts';
import { plainAnswer } from '../room/plain-answer.ts';
import { rolloutPair } from '../room/rollout-pair.ts';
import { failsForUsers, ofEach } from './of-rollouts.ts';

const todoHandler =
  'Run rollouts through AgentCoreRLApp of @art/agent, or through agentcore-rl-toolkit in Python.';
const whyDocument = 'Trainers read this member of the stored document.';

/** Checks of what rollouts store. */
export const documentChecks: readonly AgentCheck[] = [
  {
    id: 'rollout.stored',
    title: 'stores a document under the key',
    why: 'A rollout without a document is lost.',
    todo: `${todoHandler} The agent finds S3 by AWS_ENDPOINT_URL_S3 and must have no bucket of its own in mind.`,
    requires: 'process',
    after: 'rollout.result-key',
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
    id: 'rollout.stream-result',
    title: 'returns a result, also where it streams',
    why: 'What an agent yields goes to its users. A trainer reads what the generator returns at its end.',
    todo: 'End "async *process" with "return { text, reward };", and read a stream of a library in the handler.',
    after: 'rollout.document',
    run: ofEach(({ document }) => {
      const reason = String(document?.['stop_reason']);
      return must(!reason.startsWith('Expected the stream of '), reason);
    }),
  },
  {
    id: 'rollout.status-code',
    title: 'stores status_code 200 for what went well',
    why: whyDocument,
    todo: 'Look at stop_reason of the document, which says what failed. Give a payload that the agent understands with --payload.',
    after: 'rollout.stream-result',
    run: async (room) => {
      const { rollouts } = await rolloutPair(room);
      const failed = rollouts.find(({ document }) => document?.['status_code'] !== 200)?.document;
      if (failed === undefined) return ok('status_code 200');
      const { status_code: code, stop_reason: reason, message = reason } = failed;
      return (await failsForUsers(room))
        ? followsFrom('production.answers')
        : fault(
            `status_code ${String(code)}, ${String(reason)}${message === reason ? '' : `: ${String(message)}`}`,
          );
    },
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
    id: 'rollout.no-environment',
    title: 'puts nothing of its environment into a result',
    why: 'The environment has the keys of production. Results are kept for years and read by many.',
    todo: 'Return what the agent found, and no process.env, configuration or client with it.',
    after: 'rollout.stored',
    run: async (room) => {
      const { rollouts } = await rolloutPair(room);
      const answer = await plainAnswer(room).catch(() => undefined);
      const texts = [answer?.text, ...rollouts.map(({ text }) => text)];
      return must(
        texts.every((text) => text?.includes(room.secret) !== true),
        'ART_DOCTOR_SECRET, a variable of the environment, is looked for in what the agent returned',
      );
    },
  },
];
