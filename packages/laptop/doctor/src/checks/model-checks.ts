import { isJsonObject } from '@art/ground';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { fault, followsFrom, must, ok, skipped, warning } from '../finding.ts';
import { plainTurn } from '../room/recording-model.ts';
import { refusedRollout, rolloutPair } from '../room/rollout-pair.ts';
import { failsForUsers, ofEach, ofPair } from './of-rollouts.ts';

const ofRefused = lookAt(refusedRollout);

const statusOf = (pinged: { json: unknown }): unknown =>
  isJsonObject(pinged.json) ? pinged.json['status'] : undefined;

/** How rollouts ask their models, and what they do when these fail. */
export const modelChecks: readonly AgentCheck[] = [
  {
    id: 'rollout.endpoint',
    title: 'asks the model at base_url',
    why: 'The gateway there captures the tokens. What another endpoint says cannot be trained on.',
    todo: 'Make the model client in the handler, with context.rollout.baseUrl.',
    after: 'rollout.processing',
    run: async (room) => {
      const { rollouts } = await rolloutPair(room);
      if (rollouts.some(({ calls }) => calls.length > 0)) return ok('yes');
      return (await failsForUsers(room))
        ? followsFrom('production.answers')
        : fault('0 and 0 calls at the base_url of two rollouts');
    },
  },
  {
    id: 'rollout.own-endpoint',
    title: 'asks the model of this rollout, not that of another one',
    why: 'A client that is made once asks the first endpoint for ever. Tokens of one rollout then are captured for another.',
    todo: 'Make the model client in the handler, for each request; nothing at the top of the file, no environment variables.',
    after: 'rollout.endpoint',
    run: ofPair(({ rollouts, strayCalls }) => {
      const silent = rollouts.filter(({ calls }) => calls.length === 0).length;
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
    after: 'rollout.endpoint',
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
    id: 'rollout.own-history',
    title: 'begins each rollout without what an earlier one said',
    why: 'A conversation that is kept in the process continues in the next rollout. It learns from answers that are not its own.',
    todo: 'Make the agent and its list of messages in the handler, or keep them by context.sessionId.',
    after: 'rollout.endpoint',
    run: ofRefused(({ calls }, room) => {
      const first = calls[0];
      if (first === undefined) return skipped('The model was not asked a second time.');
      return must(
        !JSON.stringify(first.body).includes(room.word),
        `${first.messages.length} messages in the first call of a rollout`,
      );
    }),
  },
  {
    id: 'rollout.failure-stored',
    title: 'stores a document when the model refuses',
    why: 'Without one the trainer waits until its time is up.',
    todo: 'Store what was thrown, as a document with status_code 500.',
    requires: 'process',
    after: ['rollout.stored', 'rollout.endpoint'],
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
    after: ['rollout.failure-stored', 'rollout.idle-again'],
    run: async (room) => {
      await refusedRollout(room);
      const { text, json } = await room.ping();
      return must(statusOf({ json }) === 'Healthy', text.slice(0, 200));
    },
  },
  {
    id: 'production.own-model',
    title: 'does not use the model of a rollout for a user',
    why: 'Users would get the answers of a policy that is still learning, through an endpoint that soon is gone.',
    todo: 'Take the endpoint from context.rollout of this request, else from your configuration. Keep neither.',
    after: ['production.answers', 'rollout.endpoint'],
    run: async (room) => {
      const { rollouts } = await rolloutPair(room);
      for (const model of room.models) model.turn = plainTurn;
      const before = room.models.map(({ requests }) => requests.length);
      await room.invoke(room.payload).catch(() => undefined);
      const since = room.models.flatMap(({ requests }, index) => requests.slice(before[index]));
      const strange = since.filter(({ model, apiKey }) =>
        rollouts.some((rollout) => rollout.modelId === model || rollout.apiKey === apiKey),
      );
      return strange.length === 0
        ? ok('no call')
        : warning(`${strange.length} calls with the settings of an earlier rollout`);
    },
  },
];
