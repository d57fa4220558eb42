/** Benchmarks by name, in the order in which they run. */
export const scenarioNames = [
  'step',
  'tail',
  'scale',
  'stream',
  'overhead',
  'history',
  'quota',
  'ids',
  'faults',
  'server',
] as const;

export type ScenarioName = (typeof scenarioNames)[number];

/** The ones in which rollout clients are driven; `server` drives an agent. */
export type ClientScenarioName = Exclude<ScenarioName, 'server'>;
