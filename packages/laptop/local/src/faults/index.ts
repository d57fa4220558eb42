export { FaultInjection } from './fault-injection.ts';
export { checkFaultPlan } from './plan/check-fault-plan.ts';
export type { FaultMatch, FaultOperation } from './plan/fault-target.ts';
export type { FaultPlan, FaultRule } from './plan/fault-plan.ts';
export type {
  DelayFault,
  DropFault,
  DuplicateFault,
  ErrorFault,
  Fault,
  FaultDuration,
  FaultKind,
  FaultMoment,
  ForgetFault,
  HideFromListsFault,
  HideFromReadsFault,
  KillFault,
  LosePingsFault,
  ResetFault,
  SlowBodyFault,
} from './plan/fault.ts';
export type { InjectedFault } from './strike/injected-fault.ts';
