import { agentLabelExpected, isAgentLabel } from '@art/protocol';
import { describeValue } from '@art/ground';
import type { TrainChoice } from '@art/trajectories';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { filledArgument } from './text-argument.ts';

export function trainModelOption() {
  return new Option('--train-model <model>', 'only the turns of this model train; repeatable').argParser(
    (text, before: readonly string[] | undefined) => [...(before ?? []), filledArgument(text)],
  );
}

export function trainLabelOption() {
  return new Option(
    '--train-label <label>',
    'only the turns of agents with this label train; repeatable',
  ).argParser((text, before: readonly string[] | undefined) => {
    if (isAgentLabel(text)) return [...(before ?? []), text];
    throw new InvalidArgumentError(`Expected ${agentLabelExpected}, got ${describeValue(text)}.`);
  });
}

export function lineageOption() {
  return new Option(
    '--lineage <which>',
    'only the conversation trains that the first call of a rollout begins',
  ).choices(['first'] as const);
}

/** Choice that the three options make; undefined where none was given: then all agents train. */
export function trainChoiceOf({
  trainModel: models,
  trainLabel: labels,
  lineage,
}: {
  trainModel?: readonly string[] | undefined;
  trainLabel?: readonly string[] | undefined;
  lineage?: 'first' | undefined;
}): TrainChoice | undefined {
  const isGiven = (models ?? labels ?? lineage) !== undefined;
  return isGiven ? { models, labels, lineage } : undefined;
}
