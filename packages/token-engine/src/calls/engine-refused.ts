import type { EngineReply } from '@art/gateway/engine-port';
import { once } from './call-errors.ts';

/** A whole answer of an engine. */
export interface EngineAnswer {
  status: number;
  headers: EngineReply['headers'];
  body: Buffer;
}

/** An engine's refusal that the agent is to have in the engine's own words. */
export class EngineRefused extends Error {
  readonly answer: EngineAnswer;

  constructor(answer: EngineAnswer) {
    super(`The engine refused the call with ${answer.status}.`);
    this.name = 'EngineRefused';
    this.answer = answer;
  }

  /** As a reply. Of the headers only those that its own body has to do with, and when to try again. */
  reply(): EngineReply {
    const { status, headers, body } = this.answer;
    const kept: Record<string, string | string[]> = {
      'content-type': headers['content-type'] ?? 'application/json',
    };
    if (headers['retry-after'] !== undefined) kept['retry-after'] = headers['retry-after'];
    return { status, headers: kept, body: once(body) };
  }
}
