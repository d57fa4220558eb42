/** What each command runs. It is loaded when it is run: a gateway, an AWS SDK and a local AgentCore take their time. */
export const commands = {
  dev: async () => (await import('./dev/run-dev.ts')).runDev,
  init: async () => (await import('@art/create-agent')).runInit,
  invoke: async () => (await import('./invoke/run-invoke.ts')).runInvoke,
  batch: async () => (await import('./batch/run-batch.ts')).runBatch,
  runs: async () => (await import('./runs/run-runs.ts')).runRuns,
  resume: async () => (await import('./runs/run-resume.ts')).runResume,
  stop: async () => (await import('./runs/run-stop.ts')).runStop,
  gc: async () => (await import('./runs/run-gc.ts')).runGc,
  view: async () => (await import('./view/run-view.ts')).runView,
  gateway: async () => (await import('./gateway/run-gateway.ts')).runGateway,
  mockModel: async () => (await import('./mock-model/run-mock-model.ts')).runMockModel,
  collect: async () => (await import('./collect/run-collect.ts')).runCollect,
  doctor: async () => (await import('./doctor/run-doctor.ts')).runDoctor,
  deploy: async () => (await import('./deploy/run-deploy.ts')).runDeploy,
  eval: async () => (await import('./eval/run-eval.ts')).runEval,
  compare: async () => (await import('./eval/run-compare.ts')).runCompare,
  rescore: async () => (await import('./eval/run-rescore.ts')).runRescore,
  ctl: async () => (await import('./eval/run-ctl.ts')).runCtl,
};

/** The commands, for whoever reads a command line: each is given its options. */
export type CliActions = {
  [Name in keyof typeof commands]: (
    options: Parameters<Awaited<ReturnType<(typeof commands)[Name]>>>[0],
  ) => Promise<void>;
};
