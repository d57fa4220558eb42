import type { FaultyRuntime, RuntimeFaultHooks, RuntimeFaults } from '../session/runtime-faults.ts';
import { refuseOption } from '@art/ground';
import { checkFaultPlan } from './plan/check-fault-plan.ts';
import type { FaultPlan } from './plan/fault-plan.ts';
import { AttachedFaults } from './runtime/attached-faults.ts';
import type { InjectedFault } from './strike/injected-fault.ts';

/** Makes things go wrong on purpose: `startLocalRuntime({ agents, faults: new FaultInjection(plan) })`. */
export class FaultInjection implements RuntimeFaults {
  #plan: FaultPlan | undefined;
  #attached: AttachedFaults | undefined;

  /**
   * @param plan what is to go wrong; nothing without one
   * @throws ArtError `ART_INVALID_OPTION`, naming the field of the plan
   */
  constructor(plan?: FaultPlan) {
    this.setPlan(plan);
  }

  /**
   * Replaces the plan, which starts from its beginning; `undefined` ends injecting. What the plan before has pending does not
   * happen any more, and objects that it has hidden show again.
   * @throws ArtError `ART_INVALID_OPTION`; the plan before stays then.
   */
  setPlan(plan: FaultPlan | undefined): void {
    this.#plan = plan === undefined ? undefined : checkFaultPlan(plan);
    if (this.#attached?.isOpen === true) this.#attached.setPlan(this.#plan);
  }

  /** The last 10,000 faults that were injected, oldest first; with a number only those behind it. */
  injected(afterSeq?: number): readonly InjectedFault[] {
    return this.#attached?.injected(afterSeq) ?? [];
  }

  /**
   * Called by the runtime. The plan starts from its beginning.
   * @throws ArtError `ART_INVALID_OPTION` while another runtime has it
   */
  attach(runtime: FaultyRuntime): RuntimeFaultHooks {
    if (this.#attached?.isOpen === true) {
      refuseOption('faults', 'those of no other runtime that still runs', this, {
        advice: 'Make a new FaultInjection.',
      });
    }
    this.#attached = new AttachedFaults(runtime, this.#plan);
    return this.#attached;
  }
}
