/** Entry of the thread in which policies train and sample. */
import { parentPort } from 'node:worker_threads';
import { ArtError, describeThrown } from '@art/ground';
import {
  type CallArguments,
  type CallName,
  PolicySession,
  type PolicySessionOptions,
  stoppedError,
} from './policy-session.ts';

/** The work for a session. `open` creates it. */
export type SessionWork<Name extends CallName = CallName> =
  | { open: PolicySessionOptions }
  | { call: Name; args: CallArguments<Name> };

export interface ThreadRequest {
  id: number;
  session: string;
  work: SessionWork;
}

export type ThreadReply = { id: number; counts: PolicySession['tokenCounts'] | undefined } & (
  | { result: unknown }
  | { error: { code: string | undefined; message: string } }
);

const sessions = new Map<string, PolicySession>();
const aborts = new Map<number, AbortController>();

async function carryOut({ session: name, work }: ThreadRequest, signal: AbortSignal): Promise<unknown> {
  if ('open' in work) return void sessions.set(name, new PolicySession(work.open));
  const session = sessions.get(name);
  if (session === undefined) throw stoppedError();
  const { call, args } = work;
  if (call === 'stop') sessions.delete(name);
  return await (session[call] as (...given: unknown[]) => Promise<unknown>).call(session, ...args, signal);
}

async function answer(request: ThreadRequest): Promise<ThreadReply> {
  const { id, session } = request;
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    const result = await carryOut(request, abort.signal);
    return { id, result, counts: sessions.get(session)?.tokenCounts };
  } catch (error) {
    const code = ArtError.isInstance(error) ? error.code : undefined;
    const { message } = describeThrown(error);
    return { id, error: { code, message }, counts: sessions.get(session)?.tokenCounts };
  } finally {
    aborts.delete(id);
  }
}

const port = parentPort;
port?.on('message', (message: ThreadRequest | { abort: number }) => {
  if ('abort' in message) return aborts.get(message.abort)?.abort(new Error('nobody waits for it any more'));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void answer(message).then((reply) => port.postMessage(reply));
});
