import { expect, it } from 'vitest';
import { prepareCall } from '../capture/prepare-call.fixture.ts';
import type { InjectionPlan, ReadPlan } from '../capture/prepare-call.ts';
import { anyBody, bodyText, streamOptions, type AnyBody } from './any-body.fixture.ts';
import { checked, fuzzCases, fuzzTimeoutMs } from './checked.fixture.ts';
import type { Dice } from './dice.fixture.ts';

/** True if Python takes the value for true. */
function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Fields to add for an engine, in their order; without those that the agent has already. */
function wanted(
  { flavour, endpoint, model, samplingParams }: ReadPlan & InjectionPlan,
  body: AnyBody,
): Map<string, string> {
  const texts = new Map(body.members.map(({ name, value }) => [name, value]));
  const value = (name: string): unknown => JSON.parse(texts.get(name) ?? 'null');
  const set = new Map<string, string>();
  if (model !== undefined) set.set('model', JSON.stringify(model));
  for (const name of Object.keys(samplingParams)) set.set(name, sampling[name] as string);
  if (flavour === 'openai') return set;

  const logprobs = value('logprobs');
  const isCount = typeof logprobs === 'number' && Number.isInteger(logprobs) && logprobs >= 0;
  if (endpoint === 'chat') {
    if (!isTrue(logprobs)) set.set('logprobs', 'true');
  } else if (!(logprobs === true || (isCount && texts.get('logprobs') !== '0.0'))) set.set('logprobs', '1');
  if (flavour === 'trtllm') return set;

  const isStream = isTrue(value('stream'));
  const inSglext = ['return_input_ids_in_sglext', 'return_output_ids_in_sglext'];
  const flags = flavour === 'sglang' && endpoint === 'chat' && isStream ? inSglext : ['return_token_ids'];
  for (const flag of flags) if (!isTrue(value(flag))) set.set(flag, 'true');
  if (isStream) {
    const given = texts.get('stream_options') ?? 'null';
    set.set('stream_options', streamOptions.find(([text]) => text === given)?.[1] as string);
  }
  return set;
}

const sampling: Readonly<Record<string, string>> = {
  temperature: '0.5',
  seed: '1152921504606846976',
  stop: '["😀"]',
};

function anyPlan(dice: Dice): ReadPlan & InjectionPlan {
  return {
    flavour: dice.pick(['vllm', 'sglang', 'trtllm', 'openai']),
    endpoint: dice.pick(['chat', 'completions']),
    addLogprobs: true,
    addTokenIds: true,
    model: dice.chance(0.2) ? 'o"😀' : undefined,
    samplingParams: dice.pick([{}, {}, { temperature: 0.5 }, { seed: 2n ** 60n, stop: ['😀'] }]),
  };
}

it(
  'changes of any body only what an engine has to be told, byte for byte',
  { timeout: fuzzTimeoutMs },
  () => {
    const count = checked(fuzzCases * 10, (dice) => {
      const plan = anyPlan(dice);
      const body = anyBody(dice, plan.endpoint);
      const bytes = Buffer.from(bodyText(body));
      const prepared = prepareCall(bytes, plan);
      const set = wanted(plan, body);
      expect(Buffer.from(prepared!.body).toString()).toBe(bodyText(body, set));
      if (set.size === 0) expect(prepared!.body).toBe(bytes);
      // What was sent is JSON to any reader, and says what was wanted.
      const sent = JSON.parse(bodyText(body, set).replace(/^\ufeff/, '')) as Record<string, unknown>;
      for (const [name, value] of set) expect(sent[name]).toEqual(JSON.parse(value));
    });
    expect(count).toBe(fuzzCases * 10);
  },
);

it('remembers of any body what it asks and says, as JSON.parse reads it', { timeout: fuzzTimeoutMs }, () => {
  const count = checked(fuzzCases * 10, (dice) => {
    const plan = { ...anyPlan(dice), endpoint: 'chat', model: undefined, samplingParams: {} } as const;
    const text = bodyText(anyBody(dice, 'chat'));
    const given = JSON.parse(text.replace(/^\ufeff/, '')) as Record<string, unknown>;
    const prepared = prepareCall(Buffer.from(text), plan)!;
    const options = given['stream_options'] as Record<string, unknown> | undefined;
    expect(prepared.stream).toBe(isTrue(given['stream']));
    expect(prepared.model).toBe(given['model']);
    expect(prepared.messages.map((message): unknown => JSON.parse(Buffer.from(message).toString()))).toEqual(
      given['messages'] ?? [],
    );
    expect(prepared.temperature).toBe(
      typeof given['temperature'] === 'number' ? given['temperature'] : undefined,
    );
    expect(prepared.clientWants).toMatchObject({
      logprobs: isTrue(given['logprobs']),
      tokenIds: isTrue(given['return_token_ids']),
      usage: isTrue(given['stream']) && isTrue(options?.['include_usage']),
    });
  });
  expect(count).toBe(fuzzCases * 10);
});
