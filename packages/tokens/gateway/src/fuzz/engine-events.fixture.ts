import type { Dice } from './dice.fixture.ts';
import { type AnsweredChoice, type EngineAnswer, type Step, messageOf } from './engine-answer.fixture.ts';

const nothing: Step = { ids: [], logprobs: [], delta: {} };

/** The objects of a stream in which an engine tells its answer: choices interleaved, nulls where engines write them. */
export function eventsOf(answer: EngineAnswer, dice: Dice): object[] {
  const events = choiceEvents(answer, dice);
  return answer.choices.length > 1 && dice.chance(0.3) ? paired(events, dice) : events;
}

interface Chunk {
  choices: { index: number }[];
  prompt_token_ids?: unknown;
  usage?: unknown;
}

/** Some events of different choices in one. */
function paired(events: readonly object[], dice: Dice): object[] {
  const merged: Chunk[] = [];
  for (const event of events as Chunk[]) {
    const last = merged.at(-1);
    const indexes = new Set(last?.choices.map(({ index }) => index));
    const isOther =
      indexes.size > 0 && event.choices.length > 0 && event.choices.every(({ index }) => !indexes.has(index));
    if (last === undefined || !isOther || dice.chance(0.5)) merged.push(event);
    else {
      const prompt = last.prompt_token_ids ?? event.prompt_token_ids;
      const usage = event.usage ?? last.usage;
      merged[merged.length - 1] = {
        ...last,
        ...event,
        choices: [...last.choices, ...event.choices],
        ...(prompt === undefined ? {} : { prompt_token_ids: prompt }),
        ...(usage === undefined ? {} : { usage }),
      };
    }
  }
  return merged;
}

function choiceEvents(answer: EngineAnswer, dice: Dice): object[] {
  const left = answer.choices.map((choice, index) => ({ choice, index, sent: 0, isBegun: false }));
  const events: object[] = [];
  const open = [...left];
  while (open.length > 0) {
    const at = dice.int(0, open.length - 1);
    const turn = open[at] as (typeof left)[number];
    const { choice, index } = turn;
    if (!turn.isBegun) {
      turn.isBegun = true;
      const isEmpty = answer.endpoint === 'completions' || dice.chance(0.2);
      const delta = isEmpty ? {} : { role: 'assistant', content: dice.pick([null, undefined]) };
      events.push(event(answer, dice, index, { step: { ...nothing, delta }, before: [], isFirst: true }));
      continue;
    }
    const step = choice.steps[turn.sent] ?? nothing;
    const before = choice.steps.slice(0, turn.sent);
    const isLast =
      turn.sent >= choice.steps.length || (turn.sent === choice.steps.length - 1 && dice.chance(0.5));
    const finishReason = isLast ? choice.finishReason : undefined;
    turn.sent += 1;
    events.push(event(answer, dice, index, { step, before, finishReason }));
    if (isLast) open.splice(at, 1);
  }
  if (answer.ids === 'sglext') {
    const sglext = {
      input_ids: answer.prompt,
      output_ids: answer.choices.map((choice) => idsOf(choice.steps)),
      ...(dice.chance(0.3) ? { routed_experts: null } : {}),
    };
    events.push({ ...head(answer), choices: [], ...dice.pick([{}, { usage: null }]), sglext });
  }
  if (answer.usage === 'last' || answer.usage === 'every') {
    events.push({ ...head(answer), choices: [], usage: usageOf(answer, idsOfAll(answer)) });
  } else if (answer.usage === 'finish') {
    const last = events.findLastIndex((each) => !('sglext' in each));
    events[last] = { ...events[last], usage: usageOf(answer, idsOfAll(answer)) };
  }
  return events;
}

interface Told {
  step: Step;
  before: readonly Step[];
  finishReason?: string | undefined;
  isFirst?: boolean;
}

function event(answer: EngineAnswer, dice: Dice, index: number, told: Told): object {
  const { step, before, finishReason, isFirst = false } = told;
  const isChat = answer.endpoint === 'chat';
  const choice: Record<string, unknown> = {
    // One alone needs no number.
    index: answer.choices.length === 1 && dice.chance(0.1) ? null : index,
    ...(isChat ? { delta: step.delta } : { text: step.delta['text'] ?? '' }),
    ...logprobMember(answer, dice, step, before),
    finish_reason: finishReason ?? null,
    ...(finishReason === undefined
      ? {}
      : dice.pick([{}, { stop_reason: null }, { stop_reason: 7 }, { matched_stop: 'x' }])),
    ...idMember(answer, dice, step, before),
    ...(dice.chance(0.1) ? { avg_decoded_tokens_per_iter: 1.0, disaggregated_params: null } : {}),
  };
  const isTold = isFirst && (answer.promptIds === 'first_choice' || answer.promptIds === 'every_choice');
  if (isTold || answer.promptIds === 'every_choice') choice['prompt_token_ids'] = answer.prompt;
  else if (dice.chance(0.1)) choice['prompt_token_ids'] = null;
  const top: Record<string, unknown> = { ...head(answer), choices: [choice] };
  const isAtTop = answer.promptIds === 'top' || answer.promptIds === 'nested';
  if (isAtTop && isFirst)
    top['prompt_token_ids'] = answer.promptIds === 'nested' ? [answer.prompt] : answer.prompt;
  else if (isAtTop && dice.chance(0.2)) top['prompt_token_ids'] = null;
  const shown = idsOf(before).length + step.ids.length;
  if (answer.usage === 'every') top['usage'] = usageOf(answer, shown);
  else if (dice.chance(0.3)) top['usage'] = null;
  return top;
}

function head(answer: EngineAnswer): object {
  const object = answer.endpoint === 'chat' ? 'chat.completion.chunk' : 'text_completion';
  return { id: 'r-1', object, created: 1, model: 'm' };
}

function idMember(answer: EngineAnswer, dice: Dice, step: Step, before: readonly Step[]): object {
  if (answer.ids === 'meta_info') {
    const tuples = step.ids.map((id, at) => [step.logprobs[at], id, null]);
    return {
      meta_info: { id: 'r', finish_reason: null, output_token_logprobs: tuples, weight_version: '3' },
    };
  }
  if (answer.ids !== 'new' && answer.ids !== 'so_far') return dice.chance(0.1) ? { token_ids: null } : {};
  const ids = answer.ids === 'so_far' ? [...idsOf(before), ...step.ids] : step.ids;
  return ids.length === 0 ? dice.pick([{}, { token_ids: null }, { token_ids: [] }]) : { token_ids: ids };
}

function logprobMember(answer: EngineAnswer, dice: Dice, step: Step, before: readonly Step[]): object {
  if (answer.ids === 'meta_info' || answer.ids === 'none') return dice.pick([{}, { logprobs: null }]);
  const isSoFar = answer.ids === 'so_far';
  const all = isSoFar ? [...before, step] : [step];
  const ids = idsOf(all);
  const values = all.flatMap(({ logprobs }) => logprobs);
  if (values.length === 0) return dice.pick([{}, { logprobs: null }]);
  return { logprobs: logprobsJson(answer, dice, ids, values) };
}

function logprobsJson(
  answer: EngineAnswer,
  dice: Dice,
  ids: readonly number[],
  values: readonly number[],
): object {
  const name = (id: number): string =>
    answer.ids === 'tokens' ? `token_id:${id}` : dice.pick(['x', 'a:b:c:d:e', '"', '😀']);
  const hasBytes = dice.chance(0.5);
  if (answer.endpoint === 'completions') {
    return {
      text_offset: ids.map((_, at) => at),
      token_logprobs: values,
      tokens: ids.map(name),
      top_logprobs: dice.pick([null, ids.map(() => ({ x: -1 }))]),
    };
  }
  const content = values.map((logprob, at) => ({
    token: name(ids[at] as number),
    logprob,
    ...(hasBytes ? { bytes: [104, 0, 255] } : { bytes: null }),
    top_logprobs: dice.chance(0.2) ? [{ token: 'y', logprob: -3, bytes: null }] : [],
  }));
  return { content, ...dice.pick([{}, { refusal: null }]) };
}

function idsOf(steps: readonly Step[]): number[] {
  return steps.flatMap(({ ids }) => ids);
}

function idsOfAll(answer: EngineAnswer): number {
  return answer.choices.reduce((sum, choice) => sum + idsOf(choice.steps).length, 0);
}

function usageOf(answer: EngineAnswer, completion: number): object {
  const prompt = answer.prompt.length;
  return {
    prompt_tokens: prompt,
    total_tokens: prompt + completion,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: 0 },
  };
}

/** The same answer as one reply. */
export function replyOf(answer: EngineAnswer, dice: Dice): object {
  const choices = answer.choices.map((choice, index) => wholeChoice(answer, dice, choice, index));
  const { promptIds } = answer;
  return {
    ...head(answer),
    object: answer.endpoint === 'chat' ? 'chat.completion' : 'text_completion',
    choices,
    usage: answer.usage === 'none' ? null : usageOf(answer, idsOfAll(answer)),
    ...(promptIds === 'top' ? { prompt_token_ids: answer.prompt } : {}),
    ...(promptIds === 'nested' ? { prompt_token_ids: [answer.prompt] } : {}),
    ...(answer.ids === 'sglext'
      ? { sglext: { input_ids: answer.prompt, output_ids: answer.choices.map(({ steps }) => idsOf(steps)) } }
      : {}),
    ...dice.pick([
      {},
      { prompt_logprobs: null, kv_transfer_params: null },
      { metadata: { weight_version: '3' } },
    ]),
  };
}

function wholeChoice(answer: EngineAnswer, dice: Dice, choice: AnsweredChoice, index: number): object {
  const step: Step = {
    ids: idsOf(choice.steps),
    logprobs: choice.steps.flatMap(({ logprobs }) => logprobs),
    delta: {},
  };
  const message = messageOf(choice, answer.endpoint);
  const hasPrompt = answer.promptIds === 'first_choice' || answer.promptIds === 'every_choice';
  return {
    index,
    ...(answer.endpoint === 'chat' ? { message } : { text: message['content'] ?? '' }),
    ...logprobMember(answer, dice, step, []),
    finish_reason: choice.finishReason,
    stop_reason: null,
    ...idMember(answer, dice, step, []),
    ...(hasPrompt ? { prompt_token_ids: answer.prompt } : {}),
  };
}
