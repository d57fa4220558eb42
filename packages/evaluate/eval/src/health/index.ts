export { checkHealth, type HealthReport, RunHealth } from './report/check-health.ts';
export { checkLogprobGap, type LogprobGapOptions } from './report/check-logprob-gap.ts';
export type { HealthCheckResult, HealthFinding, HealthLevel } from './result/health-check-result.ts';
export { healthDefaults, type HealthOptions } from './run/health-options.ts';
export { SilentStart } from './run/silent-start.ts';
export type { HealthPlace } from './result/health-place.ts';
