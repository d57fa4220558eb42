export { type AgentCoreCall, type CallPlace, deployCalls, runDeployCalls } from './agentcore-cli.ts';
export {
  agentcoreFiles,
  agentcorePaths,
  type AgentCoreOptions,
  type AgentCoreProject,
  type RuntimeEntry,
} from './agentcore-files.ts';
export { projectNameFrom, runtimeNameFrom } from './deployment-names.ts';
export { dockerfile, dockerignore } from './dockerfile.ts';
export { mergeFileSystems } from './merge-file-systems.ts';
export { buildIn, projectNameIn } from './merge-project.ts';
export { type Deployment, type DeploymentOptions, planDeployment } from './plan-deployment.ts';
export type { RuntimeSettingsOptions } from './runtime-settings.ts';
export { planFiles, type PlannedFile, writePlannedFiles } from './plan-files.ts';
export {
  agentPolicy,
  clientPolicy,
  type PolicyDocument,
  type ResultPlace,
  type RuntimePlace,
} from './policies.ts';
