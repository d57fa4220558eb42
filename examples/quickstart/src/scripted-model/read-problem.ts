import { type ProblemTemplate, fillSlots } from '../problems/problem-template.ts';
import { problemTemplates } from '../problems/problem-templates.ts';

/** The scripted model's reading of a question. */
export interface ProblemReading {
  /** The kind of problem it recognised. */
  kind: string;
  /** Expressions to compute one after the other; `#1` stands for the result of the first. */
  steps: string[];
}

const patterns = problemTemplates.map((template) => ({ template, pattern: patternOf(template) }));

/**
 * Understands a question by its wording: finds the numbers in the text and what is to be done with them. It knows the
 * sentences of the generator's templates and nothing else; undefined for any other text.
 */
export function readProblem(question: string): ProblemReading | undefined {
  const text = question.trim().replaceAll(/\s+/g, ' ');
  for (const { template, pattern } of patterns) {
    const slots = pattern.exec(text)?.groups;
    if (slots === undefined) continue;
    const numbers = Object.fromEntries(
      Object.entries(slots).map(([slot, value]) => [slot, value.replaceAll(',', '')]),
    );
    return { kind: template.name, steps: template.steps.map((step) => fillSlots(step, numbers)) };
  }
  return undefined;
}

function patternOf(template: ProblemTemplate): RegExp {
  const seen = new Set<string>();
  const source = template.text
    .split(/(\{\w+\})/)
    .map((part) => {
      const slot = /^\{(\w+)\}$/.exec(part)?.[1];
      if (slot === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      // The second mention of a person or thing must be the same as the first.
      if (seen.has(slot)) return `\\k<${slot}>`;
      seen.add(slot);
      return `(?<${slot}>${slot in template.numbers ? String.raw`\d[\d,]*` : '[A-Za-z]+'})`;
    })
    .join('');
  return new RegExp(`^${source}$`);
}
