/** What a call goes through around its transport, for tests of a transport: prepared before, captured after. */
export { captureReply } from './capture/capture-reply.ts';
export type { CapturedReply } from './capture/captured-reply.ts';
export { prepareCall } from './capture/prepare-call.ts';
export { StreamCapture } from './capture/stream-capture.ts';
