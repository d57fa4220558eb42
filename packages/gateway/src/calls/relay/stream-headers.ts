import { forwardedReplyHeaders } from '../../http/forwarded-headers.ts';
import type { StreamReply } from '../send/received-reply.ts';

/** An engine's headers for a stream that goes on to the agent. */
export function streamHeaders(reply: StreamReply): Record<string, string | string[]> {
  return {
    ...forwardedReplyHeaders(reply.headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    // Proxies in between that buffer would turn the stream into one late answer.
    'x-accel-buffering': 'no',
  };
}
