import { aBoolean, unchecked, optional, type OptionRules, readOptions } from '@art/ground';
import type { BatchOptions } from '../batch/batch-options.ts';
import type { Payload, RolloutChoices } from '../request/rollout-request.ts';
import type { GroupOptions } from '../groups/group-options.ts';

/** Options of `client.invoke`. */
export interface InvokeOptions extends RolloutChoices {
  /**
   * True if the agent answers at once and continues to work. `false` keeps the connection open until the rollout is
   * done: `invoke` then resolves with the result from the answer, within the 15 minutes that AgentCore gives a request.
   * @default true
   */
  background?: boolean | undefined;
  /** Gives the submission up and stops the session that it may have started. */
  signal?: AbortSignal | undefined;
}

/** Options of `resume`; what is left out is as the run was started with. */
export type ResumeOptions<P extends Payload = Payload> = Partial<Omit<BatchOptions<P>, 'journal'>>;

/** Options of `resumeGroups`. */
export type ResumeGroupsOptions<Input extends object = Payload> = Partial<
  Omit<GroupOptions<Input>, 'journal'>
>;

/** The place of a rollout that is no part of a run. */
export const single = { index: 0, member: 0, attempt: 0 } as const;

const invokeRules = {
  inputId: unchecked(),
  sessionId: unchecked(),
  overrides: unchecked(),
  background: optional(aBoolean),
  signal: unchecked(),
} satisfies OptionRules<InvokeOptions>;

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkInvokeOptions(options: InvokeOptions): void {
  readOptions('invoke', options, invokeRules);
}
