import type { RolloutOutcomeKind } from '@art/protocol';
import type { JSX } from 'preact';

const names: Record<RolloutOutcomeKind, string> = {
  ok: 'ok',
  agent_error: 'agent error',
  infra_error: 'infra error',
  timeout: 'timeout',
  lost: 'lost',
  throttled: 'throttled',
  rejected: 'rejected',
  ceiling: 'ceiling',
  invalid_result: 'invalid result',
  cancelled: 'cancelled',
};

export const outcomeKinds = Object.keys(names) as readonly RolloutOutcomeKind[];

export function outcomeName(kind: RolloutOutcomeKind): string {
  return names[kind] ?? kind;
}

/** An outcome in its colour and in words. */
export function OutcomeLabel({ kind }: { kind: RolloutOutcomeKind }): JSX.Element {
  return (
    <span class={`outcome is-${kind}`}>
      <span class="dot" aria-hidden="true" />
      {outcomeName(kind)}
    </span>
  );
}
