import { expect, it } from 'vitest';
import { invocationStatus } from './invocation-notes.ts';

it.each([
  ['{"version":1,"invocation_id":"a","status":"in_progress"}', 'in_progress'],
  ['{"version": 1, "invocation_id": "a", "status": "completed", "result": {"status": "x', 'completed'],
  ['{"status":"processing"}', undefined],
  ['data: hello', undefined],
])('%s', (head, status) => {
  expect(invocationStatus(head)).toBe(status);
});
