import { ArtError } from '@art/ground';
import { isClientScenario, scenarioNames, type ClientScenarioName } from './scenarios/scenario-name.ts';

/** In which benchmarks the Python toolkit runs too, and with at most how many rollouts. */
export type BaselineLimit = ReadonlyMap<ClientScenarioName, number>;

/**
 * Reads `step,tail:200`; `none` is empty.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function parseBaselineLimit(text: string): BaselineLimit {
  if (text === 'none') return new Map();
  return new Map(
    text.split(',').map((part) => {
      const [, name, most] = /^([a-z]+)(?::([1-9]\d*))?$/.exec(part.trim()) ?? [];
      if (!isClientScenario(name)) {
        throw new ArtError({
          code: 'ART_INVALID_OPTION',
          message: `Expected --baseline-limit to be "none" or a list of NAME or NAME:ROLLOUTS with names from ${scenarioNames.filter(isClientScenario).join(', ')}, got ${JSON.stringify(part)}.`,
        });
      }
      return [name, most === undefined ? Number.POSITIVE_INFINITY : Number(most)];
    }),
  );
}
