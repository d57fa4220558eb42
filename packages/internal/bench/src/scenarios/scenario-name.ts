/** Benchmarks by name, in the order in which they run. */
export const scenarioNames = [
  'step',
  'tail',
  'scale',
  'outstanding',
  'short',
  'stream',
  'session',
  'session_scale',
  'overhead',
  'history',
  'quota',
  'limit',
  'ids',
  'faults',
  'server',
  'gateway',
] as const;

export type ScenarioName = (typeof scenarioNames)[number];

/** The ones in which rollout clients are driven; `server` drives an agent, `gateway` a token-capture gateway. */
export type ClientScenarioName = Exclude<ScenarioName, 'server' | 'gateway'>;

export function isClientScenario(name: string | undefined): name is ClientScenarioName {
  const isKnown = (scenarioNames as readonly (string | undefined)[]).includes(name);
  return isKnown && name !== 'server' && name !== 'gateway';
}
