import { type Static, Type } from 'typebox';

const NonNegative = Type.Number({ minimum: 0 });
const strict = { additionalProperties: false };

const MockToolCallSchema = Type.Object(
  {
    name: Type.String(),
    /** An object, or JSON as text, which may be broken on purpose. */
    arguments: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String()])),
    /** @default `call_N`, unique within the conversation */
    id: Type.Optional(Type.String()),
  },
  strict,
);

const MockErrorSchema = Type.Object(
  {
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    message: Type.Optional(Type.String()),
    /** Further headers of the reply, such as `retry-after`. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  strict,
);

/** Turn of the model, or what goes wrong instead. All members are optional; an empty turn is an empty reply. */
export const MockTurnSchema = Type.Object(
  {
    text: Type.Optional(Type.String()),
    reasoning: Type.Optional(Type.String()),
    toolCalls: Type.Optional(Type.Array(MockToolCallSchema)),
    /** @default `tool_calls` where there are some, else `stop` */
    finishReason: Type.Optional(
      Type.Union([
        Type.Literal('stop'),
        Type.Literal('tool_calls'),
        Type.Literal('length'),
        Type.Literal('content_filter'),
      ]),
    ),
    /** Time before the first byte of the reply. @default 0 */
    delayMs: Type.Optional(NonNegative),
    /** Time before each later event of a stream. @default 0 */
    chunkDelayMs: Type.Optional(NonNegative),
    /** Answers with this status instead of the reply. */
    error: Type.Optional(MockErrorSchema),
    /** Breaks the connection after so many events of a stream; 0, or any number without a stream, before the first byte. */
    breakAfter: Type.Optional(Type.Integer({ minimum: 0 })),
    /**
     * How many of the requests that come to this turn of a script see its `error` or `breakAfter`; the others see the
     * rest of the turn. @default all
     */
    failures: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
);

export type MockTurn = Static<typeof MockTurnSchema>;
export type MockToolCall = Static<typeof MockToolCallSchema>;
