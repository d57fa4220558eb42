import { expect, it } from 'vitest';
import { lacksModel } from './plain-answer.ts';

const failed = (text: string) => ({ status: 500, headers: {}, text, json: undefined, tookMs: 1 });

it.each([
  'OPENAI_API_KEY or demo not found. The API key is missing.',
  'workloadIdentityToken not provided and no context available.',
  'Workload access token has not been set.',
  'getaddrinfo ENOTFOUND bedrock-agentcore.us-west-2.amazonaws.com',
])('takes an agent that has no way to the model of its users for no fault: %s', (said) => {
  expect(lacksModel(failed(said), '')).toBe(true);
  expect(lacksModel(failed('Internal Server Error'), said)).toBe(true);
});

it('blames an agent that fails by itself', () => {
  expect(lacksModel(failed("Cannot read properties of undefined (reading 'text')"), '')).toBe(false);
});
