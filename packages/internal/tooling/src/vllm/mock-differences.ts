import { differencesFromVllm } from './vllm-dialect.ts';
import { type Exchange, readVllmRecording } from './vllm-recording.ts';

/**
 * Asks a mock engine what the real vLLM was asked, and tells in what its answers differ from what vLLM may answer; each difference
 * once.
 * @param isAsked which of the recorded calls it can answer. @default all that were answered
 */
export async function mockDifferences(
  mockUrl: string,
  isAsked: (exchange: Exchange) => boolean = () => true,
): Promise<string[]> {
  const differences = new Set<string>();
  const asked = readVllmRecording()
    .flatMap(({ exchanges }) => exchanges)
    .filter((exchange) => exchange.status === 200 && isAsked(exchange));
  if (asked.length === 0) throw new Error('Expected some of the recorded calls to be asked, got none.');
  for (const { method, path, request } of asked)
    for (const difference of differencesFromVllm(await exchangeWith(mockUrl, { method, path, request })))
      differences.add(difference);
  return [...differences];
}

/** One call and its answer. */
export async function exchangeWith(
  url: string,
  { method, path, request }: Pick<Exchange, 'method' | 'path' | 'request'>,
): Promise<Exchange> {
  const body =
    request === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) };
  const reply = await fetch(`${url}${path}`, { method, ...body });
  return {
    method,
    path,
    request,
    status: reply.status,
    headers: [...reply.headers],
    pieces: [await reply.text()],
  };
}
