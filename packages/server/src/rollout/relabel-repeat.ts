import { isJsonObject, type RolloutConfig, type SessionStateName } from '@art/protocol';
import { freshId } from '../context/fresh-id.ts';

/**
 * What a repeated request becomes where this process has never heard of its attempt. Whoever sends with `attempt_repeat`
 * has sent the same before and does not know what became of it: it may have run on a machine that has died since. So the
 * handler gets an attempt id of its own, and the old one under `repeats`; no two runs of a handler ever share an id.
 * @returns undefined where the payload is to be taken as it is
 */
export function relabelRepeat(
  { raw }: RolloutConfig,
  state: SessionStateName,
): ((payload: Record<string, unknown>) => Record<string, unknown>) | undefined {
  if (raw['attempt_repeat'] !== true || state !== 'unknown') return undefined;
  const attemptId = freshId();
  return (payload) => {
    const { _rollout: config } = payload;
    if (!isJsonObject(config)) return payload;
    const { attempt_repeat: _, attempt_id: repeats, ...others } = config;
    return { ...payload, _rollout: { ...others, attempt_id: attemptId, repeats } };
  };
}
