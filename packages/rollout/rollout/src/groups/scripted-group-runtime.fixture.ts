import type { CallOptions, InvocationAnswer, InvokeRequest } from '@art/protocol';
import { ScriptedRuntime, type SessionScript } from '../scripted-runtime.fixture.ts';
import type { AttemptPlace } from '../items/attempt.ts';

/** A runtime whose sessions do what is written for their place; `_rollout.place` tells it, see `placeOverrides`. */
export class ScriptedGroupRuntime extends ScriptedRuntime {
  readonly places: AttemptPlace[] = [];
  scriptOf: (place: AttemptPlace) => SessionScript = () => ({});

  override invoke(request: InvokeRequest, options?: CallOptions): Promise<InvocationAnswer> {
    const payload = JSON.parse(request.body) as { _rollout: { place: AttemptPlace } };
    const { place } = payload._rollout;
    this.places.push(place);
    const body = JSON.stringify({ ...payload, script: this.scriptOf(place) });
    return super.invoke({ ...request, body }, options);
  }
}

/** The `overrides` that tell the runtime which attempt a session works for. */
export const placeOverrides = (_input: unknown, place: AttemptPlace): Record<string, unknown> => ({ place });

/** The document of a rollout with these rewards, as text. */
export const documentWith = (rewards: unknown): string => JSON.stringify({ rewards, status_code: 200 });
