import { ArtError } from '@art/ground';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { MockRequest } from '../mock-request.ts';
import { type MockTurn, MockTurnSchema } from '../mock-turn.ts';

const MockRuleSchema = Type.Object(
  {
    /** Regular expression that the question must match. @default any question */
    when: Type.Optional(Type.String()),
    /** Turns of the model after the question: the first, the second and so on; the last one repeats itself. */
    turns: Type.Array(Type.Union([Type.String(), MockTurnSchema]), { minItems: 1 }),
  },
  { additionalProperties: false },
);
const MockRulesSchema = Type.Array(MockRuleSchema, { minItems: 1 });

export type MockRule = Static<typeof MockRuleSchema>;

/** Decides what the model says next; a text alone is a turn of nothing else. */
export type MockReply = (request: MockRequest) => MockTurn | string | Promise<MockTurn | string>;

/**
 * A script made of rules: the first that fits the question answers. Texts and arguments may have `{question}`, `{result}`
 * (what a tool answered last), and the groups of `when`: `{1}`, `{name}`. Other braces stay.
 *
 * @throws ArtError `ART_INVALID_OPTION` when the rules are none
 */
export function ruleScript(rules: readonly MockRule[]): MockReply {
  const [problem] = Value.Errors(MockRulesSchema, rules);
  if (problem !== undefined) {
    throw invalid(`at "${problem.instancePath || '/'}": ${problem.message}`);
  }
  const compiled = rules.map((rule) => ({
    pattern: patternOf(rule),
    turns: rule.turns.map((turn) => {
      const { failures = Number.POSITIVE_INFINITY, ...said } =
        typeof turn === 'string' ? { text: turn } : turn;
      return { said, failuresLeft: failures };
    }),
  }));
  return (request) => {
    for (const { pattern, turns } of compiled) {
      const match = pattern.exec(request.question);
      if (match === null) continue;
      const turn = turns[Math.min(request.turn, turns.length - 1)]!;
      const { error, breakAfter, ...said } = turn.said;
      const filled = fill(said, slotsOf(match, request)) as MockTurn;
      if ((error === undefined && breakAfter === undefined) || turn.failuresLeft <= 0) return filled;
      turn.failuresLeft -= 1;
      return { ...filled, ...(error && { error }), ...(breakAfter !== undefined && { breakAfter }) };
    }
    return `No rule of the script fits the question "${request.question}".`;
  };
}

function patternOf({ when = '' }: MockRule): RegExp {
  try {
    return new RegExp(when, 'su');
  } catch (cause) {
    throw invalid(`"when" is no regular expression: ${(cause as Error).message}`, cause);
  }
}

function slotsOf(match: RegExpExecArray, { question, toolResults }: MockRequest): Record<string, string> {
  return {
    ...Object.fromEntries([...match].map((group, index) => [String(index), group ?? ''])),
    ...match.groups,
    question,
    result: toolResults.at(-1) ?? '',
  };
}

/** A copy in which the slots of all texts are filled. */
function fill(value: unknown, slots: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{(\w+)\}/g, (whole, name: string) => slots[name] ?? whole);
  if (Array.isArray(value)) return value.map((item) => fill(item, slots));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, slots)]));
}

function invalid(why: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected a script to be a list of rules such as {"when":"weather","turns":["It is warm."]}, but ${why}.`,
    cause,
  });
}
