import type { JsonObject } from '@art/protocol';
import { Type } from 'typebox';

const Json = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));
const Ids = Type.Array(Type.Integer());
const NullOr = <Schema extends Type.TSchema>(schema: Schema): Type.TUnion<[Schema, Type.TNull]> =>
  Type.Union([schema, Type.Null()]);

/** `TraceRecord` on the wire; unknown members are allowed. */
export const TraceRecordSchema = Type.Object(
  {
    trace_id: Type.String({ minLength: 1 }),
    session_id: Type.String({ minLength: 1 }),
    model: Type.String(),
    messages: Type.Array(Json),
    prompt_token_ids: Ids,
    response_message: Json,
    completion_token_ids: Ids,
    logprobs: NullOr(Type.Array(Type.Number())),
    routing_matrices: NullOr(Type.Array(Type.String())),
    finish_reason: NullOr(Type.String()),
    weight_version: NullOr(Type.Integer()),
    latency_ms: Type.Number(),
    token_counts: Type.Record(Type.String(), Type.Integer()),
    timestamp: Type.Number(),
    metadata: Json,
    raw_request: NullOr(Json),
    raw_response: NullOr(Json),
    choice_index: Type.Optional(Type.Integer({ minimum: 0 })),
    choice_count: Type.Optional(Type.Integer({ minimum: 1 })),
    wire: Type.Optional(
      Type.Union([
        Type.Literal('chat'),
        Type.Literal('completions'),
        Type.Literal('responses'),
        Type.Literal('messages'),
      ]),
    ),
    engine: Type.Optional(Type.String()),
    worker: Type.Optional(Type.String()),
    capture: Type.Optional(
      Type.Union([
        Type.Literal('complete'),
        Type.Literal('incomplete'),
        Type.Literal('partial'),
        Type.Literal('text_only'),
      ]),
    ),
    capture_problems: Type.Optional(Type.Array(Type.String())),
    weight_versions: Type.Optional(
      Type.Array(Type.Object({ version: Type.String(), start: Type.Integer(), end: Type.Integer() })),
    ),
    routed_experts: Type.Optional(
      Type.Object({
        data: Type.String(),
        encoding: Type.String(),
        shape: Type.Optional(Type.Array(Type.Integer())),
      }),
    ),
    temperature: Type.Optional(NullOr(Type.Number())),
    top_p: Type.Optional(NullOr(Type.Number())),
    tools: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: true },
);
