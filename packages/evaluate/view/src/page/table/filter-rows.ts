import { isAbove, isAtLeast, isSameFigure } from '@art/ground/figures';
import type { SampleRow } from '../../report/sample-row.ts';

/** Figures that can be compared with a number: `score<0.5`, `latency>=10s`. */
const measures = {
  score: (row: SampleRow) => row.score,
  reward: (row: SampleRow) => row.reward,
  latency: (row: SampleRow) => row.latencyMs,
  tokens: (row: SampleRow) => row.tokens,
  calls: (row: SampleRow) => row.modelCalls,
  attempts: (row: SampleRow) => row.attempts.length,
  cost: (row: SampleRow) => row.cost,
} as const;

/** Conditions of a sample: `is:retried`. */
export const conditions = ['failed', 'retried', 'throttled', 'straggler', 'unjudged'] as const;
export type Condition = (typeof conditions)[number];

export function isCondition(row: SampleRow, condition: Condition, limitMs: number | undefined): boolean {
  switch (condition) {
    case 'failed':
      return row.outcome !== 'ok';
    case 'retried':
      return row.attempts.length > 1 || row.attempts.some(({ resent }) => resent > 0);
    case 'throttled':
      return row.attempts.some(({ throttled }) => throttled > 0);
    case 'straggler':
      return limitMs !== undefined && row.latencyMs !== null && row.latencyMs > limitMs;
    case 'unjudged':
      return row.outcome === 'ok' && row.reward === null;
  }
}

type Test = (row: SampleRow) => boolean;
type Found = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * The rows for which a query holds. Its words must all hold, and stand anywhere in task, its text, session, tags, problem or remark; `-word` must not.
 * `task:x`, `tag:x`, `outcome:x` and `is:x` ask for one thing, of several with the same name one must hold; `score<0.5` compares.
 * `said:x` asks for a text of the transcript, `finding:x` for the samples that a check found something about.
 * @param limitMs Latency above which a sample is a straggler.
 * @param said Positions of the samples in whose transcripts a text was found, by the text.
 * @param findings Positions of the samples that a check is about, by the check.
 */
export function filterRows(
  rows: readonly SampleRow[],
  query: string,
  limitMs: number | undefined,
  said: Found = new Map(),
  findings: Found = new Map(),
): readonly SampleRow[] {
  const tests = testsOf(query, { limitMs, said, findings });
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
}

interface Known {
  limitMs: number | undefined;
  said: Found;
  findings: Found;
}

function testsOf(query: string, known: Known): Test[] {
  const tests: Test[] = [];
  const choices = new Map<string, Test[]>();
  for (const term of termsOf(query)) {
    const isNegated = term.length > 1 && term.startsWith('-');
    const plain = isNegated ? term.slice(1) : term;
    const named = namedTest(plain, known);
    const test = named?.test ?? textTest(plain);
    if (isNegated) tests.push((row) => !test(row));
    else if (named === undefined || named.name === undefined) tests.push(test);
    else choices.set(named.name, [...(choices.get(named.name) ?? []), test]);
  }
  for (const either of choices.values()) tests.push((row) => either.some((test) => test(row)));
  return tests;
}

/** Words of a query; quotes hold words together. */
export function termsOf(query: string): string[] {
  return [...query.matchAll(/(?:[^\s"]|"[^"]*"?)+/g)].map(([term]) => term.replaceAll('"', ''));
}

/** The texts that a query asks for in transcripts. */
export function saidTerms(query: string): string[] {
  return termsOf(query).flatMap((term) => /^-?said:(.+)$/s.exec(term)?.[1] ?? []);
}

function namedTest(
  term: string,
  { limitMs, said, findings }: Known,
): { name: string | undefined; test: Test } | undefined {
  const compared = /^([a-z]+)(<=|>=|<|>|=)(-?[\d.]+)(ms|s|min)?$/.exec(term);
  const [, measured = '', operator, number, unit] = compared ?? [];
  if (Object.hasOwn(measures, measured)) {
    const measure = measures[measured as keyof typeof measures];
    const bound = Number(number) * (unit === 's' ? 1_000 : unit === 'min' ? 60_000 : 1);
    const holds = comparisons[operator as keyof typeof comparisons];
    return {
      name: undefined,
      test: (row) => {
        const value = measure(row);
        return value !== null && holds(value, bound);
      },
    };
  }
  const [, name, wanted] = /^(task|tag|outcome|is|said|finding):(.+)$/s.exec(term) ?? [];
  if (name === undefined || wanted === undefined) return undefined;
  if (name === 'task') return { name, test: (row) => row.taskId === wanted };
  if (name === 'tag') return { name, test: (row) => row.tags.includes(wanted) };
  // Of several texts all must stand there.
  if (name === 'said') return { name: undefined, test: (row) => said.get(wanted)?.has(row.at) === true };
  if (name === 'finding') return { name, test: (row) => findings.get(wanted)?.has(row.at) === true };
  if (name === 'outcome') return { name, test: (row) => row.outcome === wanted };
  const condition = conditions.find((known) => known === wanted);
  return condition && { name, test: (row) => isCondition(row, condition, limitMs) };
}

const comparisons = {
  '<': (a: number, b: number) => isAbove(b, a),
  '<=': (a: number, b: number) => isAtLeast(b, a),
  '>': isAbove,
  '>=': isAtLeast,
  '=': isSameFigure,
} as const;

function textTest(word: string): Test {
  const wanted = word.toLowerCase();
  return (row) => searchText(row).includes(wanted);
}

const texts = new WeakMap<SampleRow, string>();

function searchText(row: SampleRow): string {
  let text = texts.get(row);
  if (text === undefined) {
    const { taskId, sample, taskText, sessionId, tags, problem, remark, outcome } = row;
    text = [`${taskId}#${sample}`, taskText, sessionId, outcome, ...tags, problem, remark]
      .join('\n')
      .toLowerCase();
    texts.set(row, text);
  }
  return text;
}

/** The query with a term taken in, or out where it has it. */
export function toggledTerm(query: string, term: string): string {
  const terms = termsOf(query);
  const others = terms.filter((known) => known !== term);
  const next = others.length < terms.length ? others : [...terms, term];
  return next.map((known) => (/\s/.test(known) ? `"${known}"` : known)).join(' ');
}
