import { agentLabelHeaders, type RolloutConfig } from '@art/protocol';

/** The trainer's settings of a rollout, in the form for its handler. */
export interface HandlerRollout extends RolloutConfig {
  /**
   * Headers for the model client of one of several agents: `{ 'x-art-label': label }`. The trainer can then choose by label which
   * agents train. Not enumerable, so that the rollout can be cloned.
   * @param label 1 to 64 letters, digits, ".", "_" and "-"
   * @throws ArtError `ART_INVALID_OPTION`
   */
  label(label: string): Record<string, string>;
}

export function handlerRollout(config: RolloutConfig): HandlerRollout {
  return Object.defineProperty({ ...config }, 'label', { value: agentLabelHeaders }) as HandlerRollout;
}
