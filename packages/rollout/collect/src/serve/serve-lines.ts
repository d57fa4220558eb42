import {
  ArtError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  readTextLines,
} from '@art/ground';
import { duration, versionOf } from '../request/collect-request.ts';
import type { CollectService } from '../run/collect-service.ts';

export interface ServeLinesOptions {
  service: CollectService;
  input: AsyncIterable<string | Buffer>;
  /** Gets a line; resolves when there is room for the next one. */
  write: (line: string) => Promise<void>;
  signal: AbortSignal;
}

/**
 * The service over two pipes. A line that comes in is an object with `op` (`groups`, `acknowledge`, `cancel`, `drain`, `continue`,
 * `requests`), the fields that the HTTP route has, and `call`, which the answer repeats. Streams of several requests mix; their
 * lines name their request. Ends when the input does.
 */
export async function serveLines({ service, input, write, signal }: ServeLinesOptions): Promise<void> {
  const ending = new AbortController();
  const over = AbortSignal.any([signal, ending.signal]);
  const under = new Set<Promise<void>>();
  const lines = readTextLines(untilAborted(input, signal), 'the input');
  try {
    for await (const { text } of lines) {
      if (text.trim() === '') continue;
      const answer = answerLine(text, { service, write, signal: over });
      under.add(answer);
      void answer.finally(() => under.delete(answer));
    }
  } finally {
    ending.abort(new Error('the input has ended'));
    await Promise.all(under);
  }
}

/** The pieces of an input until the signal aborts. A piece that is waited for then is given up. */
async function* untilAborted(
  input: AsyncIterable<string | Buffer>,
  signal: AbortSignal,
): AsyncGenerator<string | Buffer, void, undefined> {
  const pieces = input[Symbol.asyncIterator]();
  const { promise: aborted, resolve } = Promise.withResolvers<IteratorReturnResult<undefined>>();
  const onAbort = (): void => resolve({ done: true, value: undefined });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      const next = await Promise.race([pieces.next(), aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: it ends behind a piece that may never come.
    void pieces.return?.();
  }
}

type Answering = Omit<ServeLinesOptions, 'input'>;

async function answerLine(line: string, answering: Answering): Promise<void> {
  const { write, signal } = answering;
  let call: JsonValue = null;
  try {
    const message = parseJson(line);
    if (!isJsonObject(message)) refuse('a line to be a JSON object', message);
    const { op, call: given = null, ...fields } = message;
    call = given;
    if (op === 'groups') {
      for await (const text of await answering.service.groups(fields, signal)) await write(text);
      return;
    }
    await write(JSON.stringify({ event: 'answer', call, ...(await perform(op, fields, answering)) }));
  } catch (error) {
    if (signal.aborted) return;
    const code = ArtError.isInstance(error) ? error.code : 'internal';
    await write(JSON.stringify({ event: 'error', call, code, message: (error as Error).message }));
  }
}

async function perform(op: unknown, fields: JsonObject, { service, signal }: Answering): Promise<object> {
  const { request_id: requestId, groups } = fields;
  switch (op) {
    case 'acknowledge':
      return { acknowledged: await service.acknowledge(requestId, groups) };
    case 'cancel':
      await service.cancel(requestId);
      return { cancelled: requestId };
    case 'drain': {
      const { drained, openGroups } = await service.drain(
        duration('deadline_ms', fields['deadline_ms']),
        signal,
      );
      return { drained, open_groups: openGroups };
    }
    case 'continue':
      await service.continue(versionOf(fields['policy_version']));
      return { continued: true };
    case 'requests':
      return { requests: await service.requests() };
    default:
      return refuse('op to be groups, acknowledge, cancel, drain, continue or requests', op);
  }
}

function refuse(expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${expected}, got ${JSON.stringify(got)}.`,
  });
}
