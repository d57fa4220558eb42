import { expect, it } from 'vitest';
import { classifyRuntimeFailure } from './classify-runtime-failure.ts';

it('what never left this process is certainly not delivered', () => {
  const unsent = classifyRuntimeFailure({ operation: 'InvokeAgentRuntime', hasLeft: false });
  expect(unsent).toMatchObject({ code: 'ART_RUNTIME_UNAVAILABLE', delivery: 'never' });
  expect(unsent.message).toMatch(/Nothing was sent/);
  const sent = { operation: 'InvokeAgentRuntime', hasLeft: true };
  expect(classifyRuntimeFailure(sent).delivery).toBe('unknown');
  // Who has an answer has sent something.
  expect(classifyRuntimeFailure({ ...sent, hasLeft: false, httpStatus: 503 }).delivery).toBe('unknown');
});

it('a session that did not start is told from a container that failed, by what the service says', () => {
  const sayings = [
    'Runtime initialization time exceeded. Please make sure that initialization completes in 30s.',
    "The agent did not start: Error: MODEL_ID is not set. The agent's process exited with code 3.",
    'Received error (500) from runtime. Please check your CloudWatch logs for more information.',
    'Received error (500) from runtime. It said: The agent did not start: no',
    'Received error (500) from runtime. It said: runtime initialization time exceeded',
    'Runtime health check failed or timed out.',
  ];
  const failures = sayings.map((serviceMessage) =>
    classifyRuntimeFailure({ operation: 'InvokeAgentRuntime', httpStatus: 424, serviceMessage }),
  );
  expect(failures.map(({ code, delivery }) => [code, delivery])).toEqual([
    ['ART_RUNTIME_START_FAILED', 'never'],
    ['ART_RUNTIME_START_FAILED', 'never'],
    ['ART_CONTAINER_ERROR', 'delivered'],
    ['ART_CONTAINER_ERROR', 'delivered'],
    ['ART_CONTAINER_ERROR', 'delivered'],
    ['ART_CONTAINER_ERROR', 'delivered'],
  ]);
});

it.each([
  [429, 'ART_RUNTIME_THROTTLED', 'never'],
  [402, 'ART_RUNTIME_QUOTA', 'never'],
  [409, 'ART_RUNTIME_CONFLICT', 'never'],
  [424, 'ART_CONTAINER_ERROR', 'delivered'],
  [400, 'ART_RUNTIME_REJECTED', 'never'],
  [403, 'ART_RUNTIME_REJECTED', 'never'],
  [404, 'ART_RUNTIME_REJECTED', 'never'],
  [408, 'ART_RUNTIME_UNAVAILABLE', 'unknown'],
  [500, 'ART_RUNTIME_UNAVAILABLE', 'unknown'],
  [503, 'ART_RUNTIME_UNAVAILABLE', 'unknown'],
  [undefined, 'ART_RUNTIME_UNAVAILABLE', 'unknown'],
])('HTTP %s is %s, delivery %s', (httpStatus, code, delivery) => {
  const error = classifyRuntimeFailure({
    operation: 'InvokeAgentRuntime',
    httpStatus,
    serviceMessage: 'because',
  });
  expect(error).toMatchObject({ code, delivery, httpStatus });
  expect(error.message).toMatch(/^InvokeAgentRuntime failed \((HTTP \d+|no response)\): because\. \w/);
});
