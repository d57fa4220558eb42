import { type Static, Type } from 'typebox';

const ToolCallSchema = Type.Object({
  id: Type.String(),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});

const ContentSchema = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) })),
]);

const ChatMessageSchema = Type.Object({
  role: Type.String(),
  content: Type.Optional(ContentSchema),
  tool_calls: Type.Optional(Type.Array(ToolCallSchema)),
  tool_call_id: Type.Optional(Type.String()),
});

/**
 * The part of a chat completion request that the scripted model looks at; further fields are accepted and ignored
 * (https://platform.openai.com/docs/api-reference/chat/create).
 */
export const ChatRequestSchema = Type.Object({
  model: Type.String(),
  messages: Type.Array(ChatMessageSchema, { minItems: 1 }),
  tools: Type.Optional(
    Type.Array(Type.Object({ function: Type.Optional(Type.Object({ name: Type.String() })) })),
  ),
  temperature: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  seed: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  logprobs: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  /** vLLM's: the ids of the prompt and of what was sampled come with the reply. */
  return_token_ids: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  stream_options: Type.Optional(
    Type.Union([Type.Object({ include_usage: Type.Optional(Type.Boolean()) }), Type.Null()]),
  ),
});

export type ChatRequest = Static<typeof ChatRequestSchema>;
export type ChatMessage = Static<typeof ChatMessageSchema>;

/** The text of a message, whichever way it was sent. */
export function messageText(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}
