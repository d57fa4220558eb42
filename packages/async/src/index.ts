export { askPatiently, type AskOptions, type TakeTurn } from './ask-patiently.ts';
export { callWithin, type CallBounds } from './call-within.ts';
export { CleanupStack } from './cleanup-stack.ts';
export { backgroundClock, systemClock, type Clock } from './clock.ts';
export { linkSignals, type LinkedSignal } from './linked-signal.ts';
export { pause, type PauseOptions } from './pause.ts';
export { Semaphore } from './semaphore.ts';
export { retryPatiently, type RetryOptions } from './retry-patiently.ts';
export { settleWithin } from './settle-within.ts';
