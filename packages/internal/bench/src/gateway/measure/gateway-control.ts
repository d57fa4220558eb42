import { request } from 'undici';
import { sessionIdOf } from '../load/load-task.ts';

/** The part of a capture that is compared. */
export interface CaptureOfCall {
  prompt_token_ids: number[];
  completion_token_ids: number[];
  logprobs: number[] | null;
}

export async function capturesOf(url: string, sessionId: string): Promise<CaptureOfCall[]> {
  return (await callJson(`${url}/sessions/${sessionId}/traces`)) as CaptureOfCall[];
}

/** So that no gateway carries the captures of earlier runs along. */
export async function deleteSessions(url: string, prefix: string, count: number): Promise<void> {
  // One at a time: rllm-model-gateway, as published, has no route for many.
  for (let index = 0; index < count; index += 1) {
    await callJson(`${url}/sessions/${sessionIdOf(prefix, index)}`, 'DELETE');
  }
}

async function callJson(url: string, method = 'GET'): Promise<unknown> {
  const { statusCode, body } = await request(url, { method });
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${await body.text()}`);
  return body.json();
}
