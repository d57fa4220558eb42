/** What a way to engines is made against: the port, and HTTP, which another transport sits on. */
export type {
  EngineReply,
  EngineRequest,
  EngineTransport,
  OpenTransport,
  ReplyNotes,
  VirtualEngine,
} from './engines/engine-transport.ts';
export { EngineUnreachable } from './engines/engine-transport.ts';
export { isMissingRoute } from './engines/is-missing-route.ts';
export { ApiError, apiErrorBody } from './http/api-error.ts';
export { HttpTransport, type HttpTransportOptions } from './engines/http-transport.ts';
export { SseDataLines } from './capture/sse-events.ts';
