import type { Dice } from './dice.fixture.ts';

/** JSON in its own spelling: what an engine may write for the same value. */
export interface Spelling {
  dice: Dice;
  /** How probable each oddity is, from 0 (as `JSON.stringify` writes) to 1. */
  oddity: number;
  /** True if texts may have escapes that they do not need; names may in any case. */
  escapesTexts: boolean;
  /** White space between two tokens. */
  gaps: readonly string[];
}

/** A token as it is spelled; white space is none. */
export type JsonToken = string;

/**
 * True if a field is cut. It is named by the names that lead to it (items of arrays have no name) and, where its value
 * is an object, by the names in there that are not null.
 */
export type IsCut = (path: readonly string[], names: readonly string[] | undefined) => boolean;

const keepAll: IsCut = () => false;

type Tree =
  | { kind: 'leaf'; token: JsonToken }
  | { kind: 'array'; items: Tree[] }
  | { kind: 'object'; members: { name: string; token: JsonToken; value: Tree }[] };

/** A value with every name, number and text spelled; two spellings of it are the same JSON. */
export class SpelledJson {
  readonly #tree: Tree;
  readonly #spelling: Spelling;

  constructor(value: unknown, spelling: Spelling) {
    this.#spelling = spelling;
    this.#tree = treeOf(value, spelling);
  }

  /** The tokens that stay where fields are cut. */
  tokens(isCut: IsCut = keepAll): JsonToken[] {
    const tokens: JsonToken[] = [];
    write(this.#tree, [], isCut, tokens);
    return tokens;
  }

  /** All of it, with white space. */
  text(): string {
    const { dice, gaps, oddity } = this.#spelling;
    return this.tokens()
      .map((token) => (dice.chance(oddity) ? dice.pick(gaps) : '') + token)
      .join('');
  }
}

/** The tokens of a JSON text. */
export function jsonTokens(text: string): JsonToken[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
}

function treeOf(value: unknown, spelling: Spelling): Tree {
  if (Array.isArray(value)) return { kind: 'array', items: value.map((item) => treeOf(item, spelling)) };
  if (typeof value === 'object' && value !== null) return objectOf(value, spelling);
  if (typeof value === 'number') return { kind: 'leaf', token: spellNumber(value, spelling) };
  if (typeof value === 'string') {
    const isOdd = spelling.escapesTexts;
    return { kind: 'leaf', token: isOdd ? spellText(value, spelling) : JSON.stringify(value) };
  }
  return { kind: 'leaf', token: JSON.stringify(value) };
}

function objectOf(value: object, spelling: Spelling): Tree {
  const { dice, oddity } = spelling;
  const isOdd = dice.chance(oddity);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  const members = (isOdd ? dice.shuffle(entries) : entries).map(([name, member]) => ({
    name,
    token: spellText(name, spelling),
    value: treeOf(member, spelling),
  }));
  if (isOdd && dice.chance(0.5)) {
    // Of repeated fields the last one counts, so what comes before it may be anything.
    const repeated = members.length === 0 ? undefined : dice.pick(members);
    if (repeated !== undefined && !isNull(repeated.value)) {
      const decoy = treeOf(dice.pick(decoys), { ...spelling, oddity: 0 });
      members.splice(dice.int(0, members.indexOf(repeated)), 0, {
        name: repeated.name,
        token: spellText(repeated.name, spelling),
        value: decoy,
      });
    }
  }
  if (isOdd && dice.chance(0.6)) {
    const at = dice.int(0, members.length);
    const name = dice.pick(unknownNames);
    const unknown = treeOf(dice.pick(unknownValues), spelling);
    members.splice(at, 0, { name, token: spellText(name, spelling), value: unknown });
  }
  return { kind: 'object', members };
}

const decoys = [null, 'decoy', 7, [], {}, [7], [null], { content: 'decoy' }, [{ index: 0 }]];
const unknownNames = ['x-new', '', '__proto__', 'constructor', 'chöices', '😀', 'a"b\\c'];
const unknownValues = [
  null,
  true,
  1e-7,
  [],
  {},
  'data: [DONE]\n\n',
  { token_ids: [1], logprobs: null, choices: [{ prompt_token_ids: [2] }], usage: { completion_tokens: 9 } },
  [[{ meta_info: {} }], '"token_ids":[1]', '}\\"', 12],
];

function write(tree: Tree, path: readonly string[], isCut: IsCut, tokens: JsonToken[]): void {
  if (tree.kind === 'leaf') {
    tokens.push(tree.token);
    return;
  }
  const isArray = tree.kind === 'array';
  tokens.push(isArray ? '[' : '{');
  const before = tokens.length;
  if (isArray) {
    for (const item of tree.items) {
      if (tokens.length > before) tokens.push(',');
      write(item, path, isCut, tokens);
    }
  } else {
    for (const { name, token, value } of tree.members) {
      const memberPath = [...path, name];
      if (isCut(memberPath, namesOf(value))) continue;
      if (tokens.length > before) tokens.push(',');
      tokens.push(token, ':');
      write(value, memberPath, isCut, tokens);
    }
  }
  tokens.push(isArray ? ']' : '}');
}

function namesOf(tree: Tree): string[] | undefined {
  if (tree.kind !== 'object') return undefined;
  return tree.members.filter(({ value }) => !isNull(value)).map(({ name }) => name);
}

function isNull(tree: Tree): boolean {
  return tree.kind === 'leaf' && tree.token === 'null';
}

function spellNumber(value: number, { dice, oddity }: Spelling): JsonToken {
  const plain = Object.is(value, -0) ? '-0' : JSON.stringify(value);
  if (!dice.chance(oddity)) return plain;
  const forms = [
    plain,
    value.toExponential(),
    value.toExponential().replace('e', 'E'),
    plain.includes('e') ? plain : `${plain}e0`,
    plain.includes('e') ? plain : `${plain}${plain.includes('.') ? '' : '.'}000`,
  ];
  const form = dice.pick(forms);
  return Object.is(Number(form), value) ? form : plain;
}

function spellText(value: string, { dice, oddity }: Spelling): JsonToken {
  if (!dice.chance(oddity)) return JSON.stringify(value);
  const probability = dice.pick([0.1, 1]);
  const isAscii = dice.chance(0.5);
  // By characters, not halves of them: a raw half would be no text.
  const inside = Array.from(value, (character) =>
    (isAscii && character > '~') || dice.chance(probability)
      ? escaped(character, dice)
      : JSON.stringify(character).slice(1, -1),
  );
  return `"${inside.join('')}"`;
}

function escaped(character: string, dice: Dice): string {
  return Array.from({ length: character.length }, (_, index) => {
    const digits = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${dice.chance(0.5) ? digits : digits.toUpperCase()}`;
  }).join('');
}
