import { parseArgs } from 'node:util';
import { ArtError, refuseOption } from '@art/ground';
import { parseBaselineLimit, type BaselineLimit } from './baseline-limit.ts';
import { scenarioNames, type ScenarioName } from './scenarios/scenario-name.ts';

export interface BenchOptions {
  names: ScenarioName[];
  isQuick: boolean;
  seed: number;
  outDirectory: string;
  baselineLimit: BaselineLimit;
  /** False for `--baseline-limit none`: nothing in Python runs. */
  hasBaselines: boolean;
}

const defaultBaselineLimit = 'step,overhead:2000,tail:200';

export const help = `pnpm bench [NAME...] [options]

Names: ${scenarioNames.join(', ')}. Without a name all of them run, which takes over an hour.

  --quick                  a small version of each, in seconds; its numbers mean nothing
  --seed NUMBER            decides durations, failures and older keys [1]
  --out DIR                where report.json, report.md and the plots go [bench-results]
  --baseline-limit LIST    where the Python toolkit runs too: NAME or NAME:ROLLOUTS, or "none" [${defaultBaselineLimit}]
                           with "none", gateway does without the one in Python too
  --help                   this text
`;

/** @throws ArtError `ART_INVALID_OPTION` */
export function parseBenchOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const seed = Number(values.seed);
  if (!/^\d{1,9}$/.test(values.seed)) refuseOption('--seed', 'an integer from 0 to 999999999', values.seed);
  for (const name of positionals) {
    if (!scenarioNames.includes(name as ScenarioName))
      refuseOption('the name of a benchmark', `one of ${scenarioNames.join(', ')}`, name);
  }
  return {
    names: scenarioNames.filter((name) => positionals.length === 0 || positionals.includes(name)),
    isQuick: values.quick,
    seed,
    outDirectory: values.out,
    baselineLimit: parseBaselineLimit(values['baseline-limit']),
    hasBaselines: values['baseline-limit'] !== 'none',
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: args.filter((arg) => arg !== '--'),
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        out: { type: 'string', default: 'bench-results' },
        'baseline-limit': { type: 'string', default: defaultBaselineLimit },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    throw new ArtError({ code: 'ART_INVALID_OPTION', message: (cause as Error).message, cause });
  }
}
