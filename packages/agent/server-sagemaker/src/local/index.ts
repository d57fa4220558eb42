export {
  type JobCall,
  type JobFault,
  type LocalJobRuntime,
  type LocalJobRuntimeOptions,
  startLocalJobRuntime,
} from './start-local-job-runtime.ts';
export type { JobTrajectory, TrajectoryName } from './trajectory-table.ts';
