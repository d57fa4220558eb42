import { CallRefusal } from '../calls/call-refusal.ts';
import type { TurnReader } from './turn-reader.ts';

/** For engines that take an answer apart on the way on which they sample it. */
export const sampledMessageReader: TurnReader = {
  canStream: () => false,
  openStream: () => Promise.reject(new TypeError('An answer that comes as a whole is no stream.')),
  read({ message, ids }) {
    if (message !== undefined) return Promise.resolve(message);
    // The context was full before anything was sampled.
    if (ids.length === 0) {
      return Promise.resolve({ content: null, reasoning: null, toolCalls: [], illFormed: false });
    }
    return Promise.reject(
      new CallRefusal('The engine gave tokens without a message.', undefined, undefined, {
        status: 502,
        code: 'engine_bad_reply',
      }),
    );
  },
};
