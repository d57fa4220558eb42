import { createHmac } from 'node:crypto';

/** Line that a handler writes down first of all, outside of any store. */
export interface HandlerRun {
  round: number;
  n: number;
  /** Id of the invocation. */
  attemptId: string;
  sessionId: string;
  pid: number;
  atMs: number;
}

/** Proof that only an agent can put into a document: the client does not know the secret. */
export function handlerProof(
  secret: string,
  { round, n, attemptId }: Pick<HandlerRun, 'round' | 'n' | 'attemptId'>,
): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([round, n, attemptId]))
    .digest('hex');
}
