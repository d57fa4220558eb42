import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { Dice } from './dice.fixture.ts';

/** A piece of an answer: the tokens of a step of the engine and what they add to the message, perhaps nothing yet. */
export interface Step {
  ids: number[];
  logprobs: number[];
  delta: Readonly<Record<string, unknown>>;
}

export interface AnsweredChoice {
  steps: Step[];
  finishReason: string;
}

/** Sampled tokens of an engine, and the shape of its answer. */
export interface EngineAnswer {
  flavour: EngineFlavour;
  endpoint: 'chat' | 'completions';
  prompt: number[];
  choices: AnsweredChoice[];
  /** Where the ids of the completion are; `sglext` in one piece behind a stream, `tokens` as `token_id:7` in the logprobs. */
  ids: 'new' | 'so_far' | 'sglext' | 'tokens' | 'meta_info' | 'none';
  promptIds: 'top' | 'first_choice' | 'every_choice' | 'nested' | 'sglext' | 'none';
  usage: 'last' | 'every' | 'finish' | 'none';
  reasoningName: 'reasoning' | 'reasoning_content';
}

const texts = [
  'Hi',
  ' there',
  '\n',
  '😀',
  '👩‍👩‍👧',
  'é',
  '"',
  '\\',
  '\\u0041',
  '{"a": 1.0}',
  'data: x\n\n',
  '\u2028',
  '\u0000',
  '',
];

const callArguments = ['{}', '{"a": 1.0}', '{"t":"\\"😀\\"","n":1152921504606846976}', '', 'no json {'];

/** Any answer that an engine of a kind gives. */
export function anyAnswer(dice: Dice): EngineAnswer {
  const flavour = dice.pick(['vllm', 'vllm', 'sglang', 'sglang', 'trtllm', 'openai'] as const);
  const endpoint = dice.pick(['chat', 'chat', 'completions'] as const);
  const reasoningName = dice.pick(['reasoning', 'reasoning_content'] as const);
  const usage = dice.pick(['last', 'last', 'every', 'finish', 'none'] as const);
  const gives = idPlaces(flavour, endpoint).filter((place) => place !== 'so_far' || usage !== 'none');
  const ids = dice.pick(gives);
  const isFewKinds = usage !== 'none' && dice.chance(0.3);
  return {
    flavour,
    endpoint,
    prompt: Array.from({ length: dice.int(1, 6) }, () => anyId(dice, isFewKinds)),
    choices: Array.from({ length: dice.pick([1, 1, 2, 3]) }, () =>
      anyChoice(dice, endpoint, reasoningName, isFewKinds),
    ),
    ids,
    promptIds: promptPlace(dice, ids, endpoint),
    usage,
    reasoningName,
  };
}

function idPlaces(flavour: EngineFlavour, endpoint: 'chat' | 'completions'): EngineAnswer['ids'][] {
  if (flavour === 'vllm') return ['new', 'new', 'new', 'so_far', 'tokens'];
  if (flavour === 'sglang')
    return endpoint === 'chat' ? ['sglext', 'sglext', 'meta_info', 'new'] : ['new', 'so_far'];
  return flavour === 'trtllm' && endpoint === 'completions' ? ['new', 'none'] : ['none'];
}

function promptPlace(
  dice: Dice,
  ids: EngineAnswer['ids'],
  endpoint: 'chat' | 'completions',
): EngineAnswer['promptIds'] {
  if (ids === 'none') return 'none';
  if (ids === 'sglext') return 'sglext';
  if (endpoint === 'completions') return dice.pick(['first_choice', 'every_choice', 'nested', 'top']);
  return dice.pick(['top', 'top', 'every_choice']);
}

function anyChoice(
  dice: Dice,
  endpoint: 'chat' | 'completions',
  reasoningName: string,
  isFewKinds: boolean,
): AnsweredChoice {
  const steps = Array.from({ length: dice.int(1, 7) }, (_, at): Omit<Step, 'delta'> => {
    // Without a token it could not be told from one whose ids were lost.
    const length = at === 0 ? dice.int(1, 3) : dice.pick([0, 1, 1, 1, 2, 5]);
    const ids = Array.from({ length }, () => anyId(dice, isFewKinds));
    return { ids, logprobs: ids.map(() => anyLogprob(dice)) };
  });
  const calls = new CallPieces(dice);
  const told = steps.map((step): Step => ({
    ...step,
    delta: anyDelta(dice, { endpoint, reasoningName, calls }),
  }));
  while (calls.hasMore) told.push({ ids: [], logprobs: [], delta: calls.next() });
  return { finishReason: dice.pick(['stop', 'length', 'tool_calls']), steps: told };
}

interface DeltaContext {
  endpoint: 'chat' | 'completions';
  reasoningName: string;
  calls: CallPieces;
}

function anyDelta(dice: Dice, { endpoint, reasoningName, calls }: DeltaContext): Step['delta'] {
  if (endpoint === 'completions') return { text: dice.pick(texts) };
  const kind = dice.pick(['content', 'content', 'content', 'reasoning', 'call', 'nothing', 'more'] as const);
  switch (kind) {
    case 'content':
      return { content: dice.pick(texts) };
    case 'reasoning':
      return { [reasoningName]: dice.pick(texts) };
    case 'nothing':
      return dice.pick([{}, { content: null, tool_calls: null }]);
    case 'call':
      return calls.hasMore ? calls.next() : calls.begin();
    case 'more':
      return calls.hasMore ? calls.next() : {};
  }
}

/** Tool calls one after another, each in one or more pieces. */
class CallPieces {
  readonly #dice: Dice;
  #count = 0;
  #left: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  get hasMore(): boolean {
    return this.#left.length > 0;
  }

  begin(): Step['delta'] {
    const text = this.#dice.pick(callArguments);
    const places = [0, ...this.#dice.cuts(text.length, 2), text.length];
    const [first = '', ...others] = places.slice(1).map((end, at) => text.slice(places[at], end));
    this.#left = others;
    this.#count += 1;
    const head = { id: `call_${this.#count}`, type: 'function' };
    return this.#piece({ ...head, function: { name: `f${this.#count}`, arguments: first } });
  }

  next(): Step['delta'] {
    return this.#piece({ function: { arguments: this.#left.shift() ?? '' } });
  }

  #piece(call: object): Step['delta'] {
    return { tool_calls: [{ index: this.#count - 1, ...call }] };
  }
}

function anyId(dice: Dice, isFewKinds: boolean): number {
  if (isFewKinds) return dice.int(5, 6);
  return dice.pick([dice.int(0, 0x7f_ff_ff_ff), dice.int(1_000, 200_000), dice.int(0, 200_000)]);
}

function anyLogprob(dice: Dice): number {
  return dice.pick([
    -0.5,
    -1e-7,
    -9999,
    0,
    -1,
    -Math.fround(dice.next() * 12),
    -dice.next(),
    -1.5e-300,
    -123456789.125,
  ]);
}

/** The message that the steps come to, as an agent puts it together. */
export function messageOf(choice: AnsweredChoice, endpoint: 'chat' | 'completions'): Record<string, unknown> {
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  const calls: { id: unknown; type: unknown; function: Record<string, unknown> }[] = [];
  for (const { delta } of choice.steps) {
    for (const [name, value] of Object.entries(delta)) {
      if (typeof value === 'string') {
        const field = endpoint === 'completions' ? 'content' : name;
        message[field] = `${(message[field] as string | null | undefined) ?? ''}${value}`;
      } else if (name === 'tool_calls' && value !== null) {
        const [call] = value as [
          { index: number; id?: string; function: { name?: string; arguments: string } },
        ];
        const known = calls[call.index];
        if (known === undefined)
          calls.push({ id: call.id, type: 'function', function: { ...call.function } });
        else known.function['arguments'] = `${String(known.function['arguments'])}${call.function.arguments}`;
      }
    }
  }
  if (calls.length > 0) message['tool_calls'] = calls;
  return message;
}
