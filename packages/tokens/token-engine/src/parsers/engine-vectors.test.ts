import { describe, expect, it } from 'vitest';

import { vectorTools as tools, type EngineVector } from './engine-vector.fixture.ts';
import { jsonVectors } from './json-vectors.fixture.ts';
import { markupVectors } from './markup-vectors.fixture.ts';
import { spoiltVectors } from './spoilt-vectors.fixture.ts';
import { tokenVectors } from './token-vectors.fixture.ts';
import { TurnParser } from './turn-parser.ts';

function parserOf({ parser, reasoningParser }: Pick<EngineVector, 'parser' | 'reasoningParser'>): TurnParser {
  return new TurnParser({ toolCallParser: parser, reasoningParser });
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
    },
  );

  it.each(spoiltVectors)('%s, spoilt: %s', (parser, text) => {
    const expected = { content: text, reasoning: null, toolCalls: [], illFormed: true };
    expect(parserOf({ parser }).parse(text, { tools })).toEqual(expected);
  });
});
