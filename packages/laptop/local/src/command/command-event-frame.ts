import { EventStreamCodec } from '@smithy/eventstream-codec';

/** Report of a running command, in the order of the stream: one start, output, one stop. */
export type CommandEvent =
  | { contentStart: Record<string, never> }
  | { contentDelta: { stdout: string } | { stderr: string } }
  | { contentStop: { exitCode: number; status: 'COMPLETED' | 'TIMED_OUT' } };

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

/** One frame of `application/vnd.amazon.eventstream`. */
export function commandEventFrame(event: CommandEvent): Uint8Array {
  return codec.encode({
    headers: {
      ':message-type': { type: 'string', value: 'event' },
      ':event-type': { type: 'string', value: 'chunk' },
      ':content-type': { type: 'string', value: 'application/json' },
    },
    body: Buffer.from(JSON.stringify(event), 'utf8'),
  });
}
