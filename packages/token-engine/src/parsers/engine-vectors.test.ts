import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { vectorTools as tools, type EngineVector } from './engine-vector.fixture.ts';
import { jsonVectors } from './json-vectors.fixture.ts';
import { markupVectors } from './markup-vectors.fixture.ts';
import type { ParsedTurn } from './parsed-turn.ts';
import { spoiltVectors } from './spoilt-vectors.fixture.ts';
import { tokenVectors } from './token-vectors.fixture.ts';
import { TurnParser } from './turn-parser.ts';

function parserOf({ parser, reasoningParser }: Pick<EngineVector, 'parser' | 'reasoningParser'>): TurnParser {
  return new TurnParser({ toolCallParser: parser, reasoningParser });
}

/** The answer taken apart as it comes, in pieces that end at the cuts. */
function streamed(parser: TurnParser, text: string, cuts: readonly number[]): ParsedTurn | undefined {
  const stream = parser.openStream({ tools });
  if (stream === undefined) return undefined;
  const at = [0, ...cuts.toSorted((left, right) => left - right), text.length];
  let [content, reasoning] = ['', ''];
  for (const [index, end] of at.slice(1).entries()) {
    const delta = stream.push(text.slice(at[index], end));
    content += delta.content;
    reasoning += delta.reasoning;
  }
  const { parsed, ...rest } = stream.finish();
  expect(content + rest.content).toBe(parsed.content ?? '');
  expect(reasoning + rest.reasoning).toBe(parsed.reasoning ?? '');
  return parsed;
}

/**
 * The cases of the engines' own tests (vLLM `tests/tool_parsers`, SGLang `test/registered/unit/function_call`), with other
 * tools and values. Where an engine throws text around a call away it is content here.
 */
const engineVectors = [...jsonVectors, ...markupVectors, ...tokenVectors];

describe('what the parsers of engines are tested with', () => {
  it.each(engineVectors.map((vector) => [vector.parser, vector.case, vector] as const))(
    '%s: %s',
    (_parser, _case, vector) => {
      const { text, calls, content, reasoning = null } = vector;
      const whole = parserOf(vector).parse(text, { tools });
      expect(whole).toMatchObject({ content, reasoning, illFormed: false });
      expect(
        whole.toolCalls.map((call) => [
          call.name,
          JSON.parse(call.arguments) as unknown,
          ...(call.id === undefined ? [] : [call.id]),
        ]),
      ).toEqual(calls);
      const cuts = fc.array(fc.nat(text.length), { maxLength: 8 });
      fc.assert(
        fc.property(cuts, (at) => {
          const parsed = streamed(parserOf(vector), text, at);
          if (parsed !== undefined) expect(parsed).toEqual(whole);
        }),
        { numRuns: 25 },
      );
    },
  );

  it.each(spoiltVectors)('%s, spoilt: %s', (parser, text) => {
    const expected = { content: text, reasoning: null, toolCalls: [], illFormed: true };
    expect(parserOf({ parser }).parse(text, { tools })).toEqual(expected);
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(streamed(parserOf({ parser }), text, [cut])).toEqual(expected);
    }
  });
});
