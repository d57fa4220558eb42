import { vi } from 'vitest';

/** A call as it went over the wire, and its answer. */
export interface RecordedCall {
  /** Operation of the control plane, or the one in the path. */
  operation: string;
  path: string;
  body: unknown;
  status: number;
  /** Type of an error. */
  errorType: string | undefined;
  answer: unknown;
}

const byPath: readonly (readonly [method: string, path: RegExp, operation: string])[] = [
  ['POST', /\/operations$/, 'ExecuteTrainingOperation'],
  ['GET', /\/operations\/[^/]+$/, 'GetTrainingOperationResult'],
  ['POST', /\/sampling-operations$/, 'ExecuteSamplingOperation'],
  ['GET', /\/sampling-operations\/[^/]+$/, 'GetSamplingOperationResult'],
];

/** Records every call of `fetch` until the test ends. */
export function recordCalls(): RecordedCall[] {
  const calls: RecordedCall[] = [];
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init = {}) => {
    const answer = await send(address, init);
    const { pathname } = new URL(address instanceof Request ? address.url : address);
    const target = new Headers(init.headers).get('x-amz-target');
    const found = byPath.find(([method, path]) => method === init.method && path.test(pathname));
    const text = await answer.clone().text();
    calls.push({
      operation: target?.replace('SageMaker.', '') ?? found?.[2] ?? pathname,
      path: pathname,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      status: answer.status,
      errorType: answer.headers.get('x-amzn-errortype') ?? undefined,
      answer: text === '' ? undefined : JSON.parse(text),
    });
    return answer;
  });
  return calls;
}
