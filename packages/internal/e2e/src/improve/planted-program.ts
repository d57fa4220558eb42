import type { MockRequest } from '@art/mock-model';

/** A task of the planted program: what is said, and how many rules of a prompt the program keeps in mind. */
export interface PlantedTask {
  kind: string;
  word: string;
  attention: number;
}

type Prompts = Readonly<Record<string, string>>;

/** Rules that nobody tells the program: how answers of each kind begin and end. */
const rules: Record<string, { begin: string; end: string }> = {
  radio: { begin: 'ROGER', end: 'OVER' },
  letter: { begin: 'DEAR', end: 'SINCERELY' },
  prayer: { begin: 'LORD', end: 'AMEN' },
};
const kinds = Object.keys(rules);

export const promptsInCode: Prompts = {
  opening: 'This is how answers begin.',
  closing: 'This is how answers end.',
};

/** @param attention few make prompts that help with some kinds at the cost of others, so that the Pareto front has several */
export function plantedTasks(prefix: string, count: number, attention: number): PlantedTask[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: kinds[at % kinds.length]!,
    word: `${prefix}-${at}`,
    attention,
  }));
}

/** Follows the last rules of its prompts to the letter. */
export function plantedAnswer({ kind, word, attention }: PlantedTask, prompts: Prompts): string {
  const obeyed = (name: string, part: string): string => {
    const kept = prompts[name]!.split('\n').slice(1).slice(-attention).join('\n');
    return new RegExp(`^Answers of kind ${kind} ${part} with (\\w+)\\.$`, 'm').exec(kept)?.[1] ?? '-';
  };
  return [obeyed('opening', 'begin'), word, obeyed('closing', 'end')].join(' ');
}

/** Half a point for each end that is as it should be, and a remark for each that is not. */
export function plantedJudgement({ kind }: PlantedTask, text: string): { score: number; remarks: string[] } {
  const { begin, end } = rules[kind]!;
  const remarks = [
    ...(text.startsWith(`${begin} `) ? [] : [`Answers of kind ${kind} begin with ${begin}.`]),
    ...(text.endsWith(` ${end}`) ? [] : [`Answers of kind ${kind} end with ${end}.`]),
  ];
  return { score: 1 - remarks.length / 2, remarks };
}

/**
 * Writes the first remark about its prompt that the prompt has not yet into it. It finds both in any message, no matter who wrote that. As the
 * model `echo` it changes nothing.
 */
export function plantedReflection({ question, model }: Pick<MockRequest, 'question' | 'model'>): string {
  const prompt = /```\n([^]*?)\n```/.exec(question)![1]!;
  const part = prompt.startsWith(promptsInCode['opening']!) ? 'begin' : 'end';
  const remarks = question.match(new RegExp(`^Answers of kind \\w+ ${part} with \\w+\\.$`, 'gm')) ?? [];
  const missing = remarks.find((remark) => !prompt.includes(remark)) ?? 'Be careful.';
  const text = model === 'echo' ? prompt : `${prompt}\n${missing}`;
  return `This is missing.\n\`\`\`\n${text}\n\`\`\``;
}
