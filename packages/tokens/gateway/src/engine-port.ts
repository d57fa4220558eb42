/** The port for a transport of your own. */
export type {
  EngineReply,
  EngineRequest,
  EngineTransport,
  OpenEngine,
  ReplyNotes,
} from './engines/engine-transport.ts';
export { EngineUnreachable } from './engines/engine-transport.ts';
export { ApiError, apiErrorBody } from './http/api-error.ts';
export { noRoomFor, overflowCode } from './http/context-overflow.ts';
