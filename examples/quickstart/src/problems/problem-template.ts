/**
 * A kind of word problem, as data: the generator fills its slots, and a reader who knows the kind can find them again.
 */
export interface ProblemTemplate {
  name: string;
  /** The question, with slots such as `{eggs}` and `{name}`. */
  text: string;
  /** Smallest and largest value of each number slot. */
  numbers: Readonly<Record<string, readonly [min: number, max: number]>>;
  /** The choices for each word slot; single words. */
  words?: Readonly<Record<string, readonly string[]>>;
  /** How to solve it: expressions over number slots, and `#1`, `#2` for what earlier steps gave. The last is the answer. */
  steps: readonly string[];
}

/** Puts values into the slots of a text or a step. */
export function fillSlots(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_slot, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Expected a value for the slot {${name}} of "${text}".`);
    return value;
  });
}

/** Puts the results of earlier steps, in order, in place of `#1`, `#2` ... */
export function fillResults(step: string, results: readonly string[]): string {
  return step.replaceAll(/#(\d+)/g, (_reference, number: string) => {
    const result = results[Number(number) - 1];
    if (result === undefined) throw new Error(`Expected the result of step ${number} before "${step}".`);
    // A negative result would otherwise run into the operator before it.
    return result.startsWith('-') ? `(${result})` : result;
  });
}
