import type { Rollout, RolloutListener } from '../lifecycle/rollout.ts';
import type { LiveRollouts } from '../live/live-rollouts.ts';
import type { Payload } from '../request/rollout-request.ts';
import type { InvokeOptions } from './call-options.ts';
import { keepAlive } from './keep-alive.ts';

/**
 * Starts one rollout that is part of no run; resolves when the agent has accepted it.
 * @throws what it was not accepted for; the signal's reason
 */
export async function submitSingle(
  payload: Payload,
  options: InvokeOptions & { inputId: string },
  live: LiveRollouts,
): Promise<Rollout> {
  const { signal, background, inputId } = options;
  const inSession = background === false ? 'foreground' : undefined;
  const begun = Promise.withResolvers<void>();
  const onEvent: RolloutListener = ({ type }) => {
    if (type === 'settled' || (type === 'accepted' && inSession === undefined)) begun.resolve();
  };
  const rollout = live.start({ payload, index: 0, choices: options, inSession, onEvent }, inputId);
  const onAbort = (): void => rollout.cancel(signal?.reason);
  const release = keepAlive();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await begun.promise;
    const { state } = rollout;
    if (state.phase === 'settled' && state.acceptedMs === undefined && !('document' in state.outcome)) {
      await rollout.finished;
      signal?.throwIfAborted();
      throw state.outcome.error;
    }
    return rollout;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    release();
  }
}
