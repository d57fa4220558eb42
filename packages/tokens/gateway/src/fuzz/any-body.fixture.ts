import type { Dice } from './dice.fixture.ts';
import { SpelledJson } from './spelled-json.fixture.ts';

interface BodyMember {
  name: string;
  /** The name as it is sent, with what is around it: white space and the colon. */
  head: string;
  /** JSON text. */
  value: string;
  /** White space behind it. */
  tail: string;
}

/** An agent's body, taken apart. */
export interface AnyBody {
  start: string;
  members: BodyMember[];
  end: string;
}

/** `stream_options` of an agent, and what they are to become where the counts are wanted. */
export const streamOptions: readonly (readonly [given: string, sent: string])[] = [
  ['null', '{"include_usage":true}'],
  ['{ }', '{ "include_usage":true}'],
  ['{ "include_usage" : false , "x":1.0}', '{ "include_usage" : true , "x":1.0}'],
  ['{"x":1e-07\n}', '{"x":1e-07,"include_usage":true\n}'],
  ['{"include_us\\u0061ge":null,"include_usage":0}', '{"include_us\\u0061ge":true,"include_usage":true}'],
  [
    '{"include_usage":true,"x":{"include_usage":false}}',
    '{"include_usage":true,"x":{"include_usage":false}}',
  ],
  ['[]', '[]'],
  ['"x"', '"x"'],
];

const contents = [
  'Hi',
  '😀 raw',
  '👩‍👩‍👧',
  '"logprobs":false}',
  '\\u0000',
  '\u2028\u0000\t',
  [{ type: 'text', text: '𐍈', logprobs: null, stream_options: {} }],
  null,
];

/** Texts that a parser would not give back as they were. */
const fragile = [
  '1.0',
  '1152921504606846976',
  '1e-07',
  '-0',
  '1E400',
  '0.10',
  '"\\ud83d\\ude00"',
  '"\\/"',
  '"\\ud800"',
  '[ 1.0 ,\n[] ]',
];
const otherNames = [
  'temperature',
  'top_p',
  'seed',
  'n',
  'x',
  '',
  '__proto__',
  'tools',
  'Logprobs',
  'logprobs ',
  '😀',
];

/** Any body of a chat or completions call. */
export function anyBody(dice: Dice, endpoint: 'chat' | 'completions'): AnyBody {
  const oddity = dice.pick([0, 0.3]);
  const gap = (): string => (dice.chance(oddity) ? dice.pick([' ', '\n', '\r\n', '\t', '  ']) : '');
  const spell = (value: unknown): string =>
    new SpelledJson(value, { dice, oddity, gaps: [' ', '\n', '\r\n'], escapesTexts: true }).text().trim();
  const members = anyMembers(dice, endpoint, spell).map(([name, value]) => ({
    name,
    head: `${gap()}${spell(name)}${gap()}:${gap()}`,
    value,
    tail: gap(),
  }));
  const mark = dice.chance(oddity / 2) ? '\ufeff' : '';
  return {
    start: `${mark}${gap()}{`,
    members,
    end: `${members.length === 0 ? gap() : ''}}${dice.pick(['', '\n', ' '])}`,
  };
}

function anyMembers(
  dice: Dice,
  endpoint: 'chat' | 'completions',
  spell: (value: unknown) => string,
): [name: string, value: string][] {
  if (dice.chance(0.05)) return [];
  const message = (): object => ({ role: dice.pick(['user', 'assistant']), content: dice.pick(contents) });
  const prompt = dice.pick(['Hi 😀', [1, 2, 3], ['a', 'b']]);
  const members: [string, string][] = [
    ['model', spell('m')],
    endpoint === 'chat' ? ['messages', spell([message(), message()])] : ['prompt', spell(prompt)],
  ];
  const sometimes = (name: string, values: readonly string[]): void => {
    if (dice.chance(0.4)) members.push([name, dice.pick(values)]);
  };
  sometimes('logprobs', ['true', 'false', 'null', '1', '0', '5', '[]', '0.0', '-1', '"x"']);
  sometimes('return_token_ids', ['true', 'false', 'null', '1']);
  sometimes('return_input_ids_in_sglext', ['true', 'false']);
  sometimes('stream', ['true', 'true', 'false', '1', 'null']);
  sometimes(
    'stream_options',
    streamOptions.map(([given]) => given),
  );
  for (let more = dice.int(0, 3); more > 0; more -= 1)
    members.push([dice.pick(otherNames), dice.pick(fragile)]);
  // Repeated fields, the last of which counts.
  if (dice.chance(0.3)) members.push(dice.pick(members));
  return dice.shuffle(members);
}

/** The body as it is sent, with these values in place of its own, and fields behind them that it lacks. */
export function bodyText(
  { start, members, end }: AnyBody,
  set: ReadonlyMap<string, string> = new Map(),
): string {
  const missing = [...set].filter(([name]) => members.every((member) => member.name !== name));
  const added = missing.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  if (members.length === 0) return `${start}${end.replace('}', `${added}}`)}`;
  const texts = members.map(({ name, head, value, tail }, index) => {
    const extra = index === members.length - 1 && added !== '' ? `,${added}` : '';
    return `${head}${set.get(name) ?? value}${extra}${tail}`;
  });
  return `${start}${texts.join(',')}${end}`;
}
