import { describeValue, jsonIn } from '@art/ground';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { countArgument, numberArgument } from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';

/** A flag that says a choice of a run. */
interface ChoiceFlag {
  flags: string;
  about: string;
  read: (text: string) => unknown;
  /** The choice, by its name in the configuration: `adam.beta2`. */
  sets: string;
  /** In force where neither flag nor file says anything. */
  usual?: string | number;
}

const positive = numberArgument({ min: Number.MIN_VALUE, whole: false });
const anyNumber = numberArgument({ min: -Number.MAX_VALUE, whole: false });
const fromZero = numberArgument({ min: 0 });

/** The flags of choices, and what is usual: a name is in `--config` and `--set` what it is in `@art/train`. */
export const choiceFlags: readonly ChoiceFlag[] = [
  { flags: '--steps <count>', about: 'steps in all', read: countArgument(), sets: 'steps', usual: 100 },
  {
    flags: '--groups <count>',
    about: 'groups of rollouts in a step',
    read: countArgument(),
    sets: 'groupsPerStep',
    usual: 8,
  },
  {
    flags: '--rollouts <count>',
    about: 'rollouts in a group, for one task',
    read: numberArgument({ min: 2 }),
    sets: 'rolloutsPerGroup',
    usual: 8,
  },
  {
    flags: '--learning-rate <rate>',
    about: 'at most 0.01',
    read: positive,
    sets: 'learningRate',
    usual: 4e-5,
  },
  {
    flags: '--loss <name>',
    about: 'importance_sampling, ppo or cispo',
    read: oneOfArgument('importance_sampling', 'ppo', 'cispo'),
    sets: 'loss.name',
    usual: 'ppo',
  },
  {
    flags: '--max-steps-off-policy <count>',
    about: '1: the trainer does not wait for the slowest rollout',
    read: fromZero,
    sets: 'maxStepsOffPolicy',
    usual: 0,
  },
  {
    flags: '--max-version-lag <steps>',
    about: 'leave out rows of weights that many steps ago (default: none)',
    read: fromZero,
    sets: 'maxVersionLag',
  },
  {
    flags: '--kl <coefficient>',
    about: 'what staying near the base model is worth',
    read: numberArgument({ min: 0, whole: false }),
    sets: 'klCoefficient',
    usual: 0,
  },
  {
    flags: '--temperature <number>',
    about: 'of every sample, whatever the agent asks for (default: as it asks)',
    read: numberArgument({ min: 0, max: 2, whole: false }),
    sets: 'sampling.temperature',
  },
  {
    flags: '--top-p <share>',
    about: 'the same for the nucleus of tokens',
    read: numberArgument({ min: Number.MIN_VALUE, max: 1, whole: false }),
    sets: 'sampling.topP',
  },
  {
    flags: '--max-rollout-ms <ms>',
    about: 'ends a rollout that hangs',
    read: countArgument(),
    sets: 'maxRolloutMs',
    usual: 900_000,
  },
  {
    flags: '--concurrency <count>',
    about: 'most sessions at once (default: all of a step)',
    read: countArgument(10_000),
    sets: 'maxConcurrentSessions',
  },
  {
    flags: '--checkpoint-every <steps>',
    about: 'steps between two states',
    read: countArgument(),
    sets: 'checkpointEverySteps',
    usual: 20,
  },
  {
    flags: '--from <which>',
    about: 'last, or best: go back to the version that was measured best',
    read: oneOfArgument('last', 'best'),
    sets: 'from',
    usual: 'last',
  },
  {
    flags: '--roll-back <drop>',
    about: 'go back to the best version by itself where the held-out score falls by more',
    read: numberArgument({ min: 0, whole: false }),
    sets: 'rollBack.drop',
  },
  {
    flags: '--draw <how>',
    about:
      'teaching, or in_turn: tasks whose groups have different rewards come more often behind the first pass',
    read: oneOfArgument('teaching', 'in_turn'),
    sets: 'draw',
    usual: 'teaching',
  },
  { flags: '--seed <number>', about: 'of the order of the tasks', read: fromZero, sets: 'seed', usual: 0 },
  {
    flags: '--eval-every <steps>',
    about: 'steps between two measurements',
    read: countArgument(),
    sets: 'evaluation.everySteps',
    usual: 10,
  },
  {
    flags: '--eval-samples <count>',
    about: 'samples of each task in a measurement',
    read: countArgument(),
    sets: 'evaluation.samples',
    usual: 1,
  },
  {
    flags: '--eval-until <goal>',
    about: 'end a measurement once this is answered about the first version: "difference > 0"',
    read: filledArgument,
    sets: 'evaluation.until',
  },
  {
    flags: '--stop-at <score>',
    about: 'end when a measurement has this mean',
    read: anyNumber,
    sets: 'stopWhen.score',
  },
  {
    flags: '--patience <count>',
    about: 'end after so many measurements without progress',
    read: countArgument(),
    sets: 'stopWhen.evaluationsWithoutProgress',
  },
  {
    flags: '--budget <money>',
    about: 'end when so much was spent; needs --prices',
    read: positive,
    sets: 'stopWhen.money',
  },
  {
    flags: '--budget-tokens <count>',
    about: 'end when so many tokens of all kinds were used',
    read: countArgument(),
    sets: 'stopWhen.tokens',
  },
  {
    flags: '--reward-min <reward>',
    about: 'least reward that there can be',
    read: anyNumber,
    sets: 'guards.rewardRange.0',
  },
  {
    flags: '--reward-max <reward>',
    about: 'greatest one; one outside stops the run',
    read: anyNumber,
    sets: 'guards.rewardRange.1',
  },
  {
    flags: '--lora-rank <rank>',
    about: 'of the adapter',
    read: countArgument(256),
    sets: 'service.loraRank',
    usual: 32,
  },
];

/** The values of these flags by their names in camelCase, where they were given. */
export type ChoiceValues = Readonly<Record<string, unknown>>;

/** The choices of the flags, by name. */
export function choicesOfFlags(values: ChoiceValues): [choice: string, value: unknown][] {
  return choiceFlags.flatMap(({ flags, sets }): [string, unknown][] => {
    const value = values[new Option(flags).attributeName()];
    return value === undefined ? [] : [[sets, value]];
  });
}

/** The usual choices, by name. */
export const usualChoices: readonly [choice: string, value: unknown][] = choiceFlags.flatMap(
  ({ sets, usual }): [string, unknown][] => (usual === undefined ? [] : [[sets, usual]]),
);

/** Reads `choice=value`: JSON, or else a text. */
export function setArgument(
  text: string,
  before: readonly [string, unknown][] = [],
): readonly [choice: string, value: unknown][] {
  const [, choice, value] = /^([A-Za-z][\w.]*)=(.*)$/s.exec(text) ?? [];
  if (choice === undefined || value === undefined)
    throw new InvalidArgumentError(
      `Expected a choice and its value such as adam.beta2=0.99, got ${describeValue(text)}.`,
    );
  return [...before, [choice, jsonIn(value, value)]];
}

function oneOfArgument(...names: string[]): (text: string) => string {
  return (text) => {
    if (names.includes(text)) return text;
    throw new InvalidArgumentError(`Expected one of ${names.join(', ')}, got ${describeValue(text)}.`);
  };
}
