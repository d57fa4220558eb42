export { ChatMessages } from './chat/chat-messages.ts';
export { readSpeech, type ChatSpeech, type ChatToolCall } from './chat/chat-reply.ts';
export { writeToolCall } from './chat/chat-tools.ts';
export { hasGivenUp } from './chat/has-given-up.ts';
export { MemoryResponseItems } from './chat/memory-response-items.ts';
export { ToolCallPlaces } from './chat/tool-call-places.ts';
export { WireReplyError } from './chat/wire-reply-error.ts';
export { WireRequestError, type WireRequestErrorInit } from './chat/wire-request-error.ts';
export type {
  ResponseItems,
  StreamFailure,
  TranslatedWire,
  WireStream,
  WireTranslation,
  WireTranslationOptions,
} from './chat/wire-translation.ts';
export { countTokensReply, translateCountTokensRequest } from './messages/count-tokens.ts';
export { messagesError } from './messages/messages-errors.ts';
export { translateMessagesRequest } from './messages/translate-messages-request.ts';
export { translateResponsesRequest } from './responses/translate-responses-request.ts';
