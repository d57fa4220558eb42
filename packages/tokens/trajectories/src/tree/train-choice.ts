import { agentLabelExpected, isAgentLabel } from '@art/protocol';
import {
  anObject,
  aText,
  custom,
  oneOf,
  optional,
  type OptionRule,
  type OptionRules,
  refuseOption,
} from '@art/ground';
import { MessageKeys } from '../messages/message-keys.ts';

/** Which of a rollout's agents train. A turn trains where it fits everything that is given. */
export interface TrainChoice {
  /** The names of models, as the engine answered: of any of these. */
  models?: readonly string[] | undefined;
  /** Labels that the agent gave its calls (`context.rollout.label`, or the header `x-art-label`): any of these. */
  labels?: readonly string[] | undefined;
  /**
   * `first`: the conversation that the session's first call begins. Its turns are those whose prompt begins with the whole prompt of that
   * call, by messages or by tokens: drifted, branched and repeated ones too. A sub-agent that is asked something of its own does not.
   */
  lineage?: 'first' | undefined;
}

function listOf(item: OptionRule<string>): OptionRule<readonly string[]> {
  const aList: OptionRule<readonly unknown[]> = custom(
    'a list of at least one',
    (value) => Array.isArray(value) && value.length > 0,
  );
  return (given, option) => aList(given, option).map((each, at) => item(each, `${option}[${at}]`));
}

const rules = {
  models: optional(listOf(aText)),
  labels: optional(listOf(custom(agentLabelExpected, isAgentLabel))),
  lineage: optional(oneOf('first')),
} satisfies OptionRules<TrainChoice>;

const aChoice = anObject(rules);

/** The rule of an option that chooses which agents train. An empty choice is refused: nobody could say what it chooses. */
export const aTrainChoice: OptionRule<TrainChoice> = (given, option) => {
  const { models, labels, lineage } = aChoice(given, option);
  if ((models ?? labels ?? lineage) === undefined)
    refuseOption(option, 'an object with `models`, `labels` or `lineage`', given);
  return {
    ...(models && { models }),
    ...(labels && { labels }),
    ...(lineage && { lineage }),
  };
};

/** Members of a call that a choice looks at. */
export interface LabelledCall {
  model: string;
  label: string | undefined;
  /** When it arrived, in milliseconds of any clock. */
  startedAtMs: number;
  /** JSON text each. */
  messages: readonly string[];
  /** Empty where they are not known. */
  promptTokenIds: Int32Array;
}

/** Why each call is not chosen; undefined for one that is. */
export function notChosenBecause(
  calls: readonly LabelledCall[],
  { models, labels, lineage }: TrainChoice,
): (string | undefined)[] {
  const isInLineage = lineage === 'first' ? firstLineage(calls) : () => true;
  return calls.map((call) => {
    const { model, label } = call;
    if (models?.includes(model) === false) return `model ${JSON.stringify(model)}, not ${anyOf(models)}`;
    if (labels !== undefined && (label === undefined || !labels.includes(label)))
      return `${label === undefined ? 'no label' : `label ${JSON.stringify(label)}`}, not ${anyOf(labels)}`;
    return isInLineage(call) ? undefined : 'not of the conversation that the first call began';
  });
}

function anyOf(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(' or ');
}

function firstLineage(calls: readonly LabelledCall[]): (call: LabelledCall) => boolean {
  const [first] = calls.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  if (first === undefined) return () => false;
  const keys = new MessageKeys();
  const keyOf = (message: string): number => keys.withoutReasoning(message).id;
  const begun = first.messages.map(keyOf);
  const tokens = first.promptTokenIds;
  return (call) =>
    call === first ||
    (begun.length > 0 &&
      begun.length <= call.messages.length &&
      begun.every((key, at) => keyOf(call.messages[at]!) === key)) ||
    (tokens.length > 0 &&
      tokens.length <= call.promptTokenIds.length &&
      tokens.every((id, at) => call.promptTokenIds[at] === id));
}
