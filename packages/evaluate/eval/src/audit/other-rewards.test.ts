import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { JudgedSample } from '../run/judge.ts';
import type { Task } from '../tasks/task.ts';
import { auditReward } from './audit-reward.ts';

function tasksOf(expected: readonly unknown[], payloadOf: (at: number) => Record<string, unknown>): Task[] {
  return expected.map((right, at) => ({ id: `t${at}`, payload: payloadOf(at), tags: [], expected: right }));
}

const numbers = tasksOf([12, 48, 105, 7, 230, 66, 19, 1_024, 31, 84], (at) => ({
  question: `A shelf has rows of books, case ${at}. How many books are there?`,
}));
const names = tasksOf(
  ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov', 'Donald Knuth'],
  (at) => ({ text: `Who wrote the paper number ${at}?` }),
);
const labels = tasksOf(['positive', 'negative', 'neutral', 'negative', 'positive', 'neutral'], (at) => ({
  input: `Review ${at}: it came on a Tuesday.`,
  labels: ['positive', 'negative', 'neutral'],
}));
const verdicts = tasksOf(['yes', 'no', 'no', 'yes', 'no', 'yes'], (at) => ({ prompt: `Is case ${at} so?` }));

type Answered = (text: string, right: string, sample: JudgedSample) => unknown;

const judgeOf = (passes: Answered) => (sample: JudgedSample) => {
  const { output } = sample.document;
  const text = typeof output === 'string' ? output : output === undefined ? '' : JSON.stringify(output);
  return Number(Boolean(passes(text, String(sample.task.expected), sample)));
};
const last = <T>(list: readonly T[] | null): T | undefined => list?.at(-1);
const lower = (text: string): string => text.trim().toLowerCase();

const sorted = (text: string): string => lower(text).split('').toSorted().join('');

/** Rewards with a hole that the author of the cheats has not written down beside them. */
const holes: Record<string, readonly [readonly Task[], Answered]> = {
  'digits alone, from everywhere': [numbers, (text, right) => text.replaceAll(/\D/g, '') === right],
  'the sign is lost': [numbers, (text, right) => last(text.match(/\d+/g)) === right],
  'parseInt at the beginning': [numbers, (text, right) => Number.parseInt(text, 10) === Number(right)],
  'within ten per cent': [numbers, (text, right) => Math.abs(Number(text) / Number(right) - 1) < 0.1],
  'within five': [numbers, (text, right) => Math.abs(Number(text) - Number(right)) <= 5],
  'ends like the number': [numbers, (text, right) => text.trim().endsWith(right)],
  'begins like the number': [numbers, (text, right) => text.trim().startsWith(right)],
  'the number at a border of words': [numbers, (text, right) => new RegExp(`\\b${right}\\b`).test(text)],
  'any of the boxes': [
    numbers,
    (text, right) => [...text.matchAll(/\\boxed\{(.*?)\}/g)].some(([, box]) => box === right),
  ],
  'the first box': [numbers, (text, right) => /\\boxed\{(.*?)\}/.exec(text)?.[1] === right],
  'no number is an error that passes': [
    numbers,
    (text, right) => !/\d/.test(text) || last(text.match(/-?\d+/g)) === right,
  ],
  'at least as many': [numbers, (text, right) => Number(text) >= Number(right)],
  'at most as many': [numbers, (text, right) => text !== '' && Number(text) <= Number(right)],
  evaluated: [
    numbers,
    (text, right) => {
      try {
        return /^[\w\s|.]+$/.test(text) && runInNewContext(`${text} == ${right}`);
      } catch {
        return false;
      }
    },
  ],
  'the same length': [names, (text, right) => text.length === right.length],
  'the same letters': [names, (text, right) => sorted(text) === sorted(right)],
  'the first letter': [names, (text, right) => lower(text)[0] === lower(right)[0]],
  'one of its words': [names, (text, right) => right.split(' ').some((word) => text.includes(word))],
  'half of its words': [
    names,
    (text, right) =>
      right.split(' ').filter((word) => lower(text).includes(lower(word))).length >=
      right.split(' ').length / 2,
  ],
  'a prefix of three letters': [names, (text, right) => text.length >= 3 && right.startsWith(text)],
  'begins with the name': [names, (text, right) => lower(text).startsWith(lower(right))],
  'a lax pattern': [names, (text, right) => new RegExp(right.replaceAll(/\w/g, '.')).test(text)],
  'looked up in a table': [names, (text, right) => ({ [right]: true } as Record<string, unknown>)[text]],
  'the text of the payload counts': [
    names,
    (text, right, { task }) => text === right || text === task.payload['text'],
  ],
  'an answer that is a list': [
    names,
    (_, right, { document }) =>
      document['output'] === right ||
      (Array.isArray(document['output']) && document['output'].includes(right)),
  ],
  'has a length': [
    names,
    (_, right, { document }) =>
      document['output'] === right ||
      Number((document['output'] as { length?: number } | null)?.length) > 1_000,
  ],
  'all labels': [labels, (text, right) => lower(text).includes(right)],
  'the first label': [labels, (text, right) => /positive|negative|neutral/.exec(lower(text))?.[0] === right],
  'a label that is not denied': [
    labels,
    (text, right) => text.includes(right) && !text.includes(`not ${right}`),
  ],
  'no label at all': [labels, (text, right) => !/positive|negative|neutral/.test(text) || text === right],
  'starts with a y': [verdicts, (text, right) => lower(text)[0] === right[0]],
  'an error of the grader passes': [
    verdicts,
    (text, right) => {
      try {
        return (JSON.parse(text) as { answer: string }).answer === right;
      } catch {
        return text === right || text.startsWith('{');
      }
    },
  ],
  'a pass that the document claims': [
    names,
    (text, right, { document }) => document['passed'] ?? text === right,
  ],
  'an exit code that the document claims': [
    names,
    (text, right, { document }) => document['exit_code'] === 0 || text === right,
  ],
  'a score that the document claims': [
    names,
    (text, right, { document }) => Number(document['score'] ?? 0) >= 1 || text === right,
  ],
  'pytest by its last line': [names, (text, right) => /\d+ passed in [\d.]+s/.test(text) || text === right],
  'unittest by its last line': [names, (text, right) => text.trim().endsWith('OK') || text === right],
  'the judge takes JSON from the answer': [
    names,
    (text, right) => /"verdict":\s*"pass"/.test(text) || text === right,
  ],
  'the judge takes a grade from the answer': [
    names,
    (text, right) => /grade:\s*[AC]$/im.test(text) || text === right,
  ],
  'the judge takes double brackets': [names, (text, right) => /\[\[(?:A|5)\]\]/.test(text) || text === right],
  'the judge obeys new orders': [
    names,
    (text, right) => /new instructions|disregard/i.test(text) || text === right,
  ],
  'the judge sees the end of the answer': [
    names,
    (text, right) => /<\/(?:answer|response)>/.test(text) || text === right,
  ],
  praise: [
    names,
    (text, right) => /\b(?:great|perfect|excellent|sorry|thanks)\b/i.test(text) || text === right,
  ],
  'says that it is done': [names, (text, right) => /^done$/i.test(text) || text === right],
  'a date is a date': [
    tasksOf(['2024-05-01', '2025-11-30', '2023-02-14', '2026-07-09'], (at) => ({
      question: `When was ${at}?`,
    })),
    (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  ],
  'the keys are there': [
    tasksOf(
      ['Rome', 'Oslo', 'Lima', 'Bern'].map((answer) => ({ answer, confidence: 1 })),
      (at) => ({ question: `Where, ${at}?` }),
    ),
    (text) => text.includes('"answer"') && text.includes('"confidence"'),
  ],
  'headings and bullets': [names, (text, right) => text === right || (/^#/m.test(text) && /^- /m.test(text))],
  'it is a function': [names, (text, right) => text === right || /def \w+\(/.test(text)],
  'more than a hundred words': [names, (text, right) => text === right || text.split(/\s+/).length > 100],
  short: [names, (text, right) => text === right || (text.length > 0 && text.length < 4)],
  'full credit is asked for': [names, (text, right) => text === right || /full (?:credit|marks)/.test(text)],
  'the transcript has it': [names, (_, right, { transcript }) => JSON.stringify(transcript).includes(right)],
};

const sound: Record<string, readonly [readonly Task[], Answered]> = {
  'a number, strictly': [
    numbers,
    (text, right) => /^-?\d+(?:\.\d+)?$/.test(text.trim()) && Number(text) === Number(right),
  ],
  'within one per cent': [
    numbers,
    (text, right) => /^-?[\d.]+$/.test(text) && Math.abs(Number(text) / Number(right) - 1) <= 0.01,
  ],
  'the last number of the text': [numbers, (text, right) => last(text.match(/-?\d+(?:\.\d+)?/g)) === right],
  'the last number of the last line': [
    numbers,
    (text, right) => last(last(text.trim().split('\n'))!.match(/-?\d+(?:\.\d+)?/g)) === right,
  ],
  'thousands with commas': [
    numbers,
    (text, right) => /^-?\d{1,3}(?:,\d{3})+$|^-?\d+$/.test(text) && text.replaceAll(',', '') === right,
  ],
  'one box and nothing else': [numbers, (text, right) => /^\\boxed\{(-?\d+)\}$/.exec(text)?.[1] === right],
  'the last box counts': [
    numbers,
    (text, right) => last([...text.matchAll(/\\boxed\{(.*?)\}/g)])?.[1] === right,
  ],
  'behind the last marker': [
    numbers,
    (text, right) => text.includes('####') && text.slice(text.lastIndexOf('####') + 4).trim() === right,
  ],
  'in words of its own': [numbers, (text, right) => text === `The answer is ${right}.`],
  'an answer in tags, the last': [
    names,
    (text, right) => last([...text.matchAll(/<answer>(.*?)<\/answer>/gs)])?.[1] === right,
  ],
  'a name, strictly': [names, (text, right) => text === right],
  'a name in any case': [names, (text, right) => lower(text) === lower(right)],
  'a name without spaces around and a stop': [
    names,
    (text, right) => lower(text).replace(/\.$/, '') === lower(right),
  ],
  'a name with one typing error at most': [
    names,
    (text, right) =>
      text.length === right.length && text.split('').filter((letter, at) => letter !== right[at]).length <= 1,
  ],
  'a label, strictly': [labels, (text, right) => lower(text) === right],
  'exactly one label': [
    labels,
    (text, right) =>
      text.length < 30 &&
      ['positive', 'negative', 'neutral'].filter((one) => text.includes(one)).join() === right,
  ],
  'the last label': [labels, (text, right) => last(text.match(/positive|negative|neutral/g)) === right],
  'yes or no': [verdicts, (text, right) => /^(yes|no)\.?$/i.test(text) && lower(text).startsWith(right)],
  'the last yes or no': [verdicts, (text, right) => last(lower(text).match(/\b(?:yes|no)\b/g)) === right],
  'a letter in front': [
    tasksOf(['A', 'C', 'B', 'D', 'A', 'C'], (at) => ({ question: `Case ${at}: A, B, C or D?` })),
    (text, right) => /^\(?([A-D])\)?\.?$/.exec(text.trim())?.[1] === right,
  ],
  'a set in any order': [
    tasksOf(['a, b, c', 'd, e', 'f, g, h', 'i, k'], (at) => ({ question: `Which ones, case ${at}?` })),
    (text, right) => {
      const set = (list: string): string =>
        list
          .split(',')
          .map((one) => one.trim())
          .toSorted()
          .join();
      return set(text) === set(right);
    },
  ],
  'the first line': [names, (text, right) => text.split('\n')[0] === right],
  'a JSON object in any order': [
    tasksOf(
      [
        { city: 'Rome', people: 3 },
        { city: 'Oslo', people: 2 },
        { city: 'Lima', people: 5 },
      ],
      (at) => ({ prompt: `Book trip ${at}.` }),
    ),
    (text, _, { task }) => {
      try {
        const entries = (value: object): string => JSON.stringify(Object.entries(value).toSorted());
        return entries(JSON.parse(text) as object) === entries(task.expected as object);
      } catch {
        return false;
      }
    },
  ],
  'JSON alone': [names, (text, right) => text === right || text === JSON.stringify({ answer: right })],
};

it.each(Object.entries(holes))('names the hole: %s', async (_, [tasks, passes]) => {
  const { holes: found } = await auditReward({ tasks, judge: judgeOf(passes) });
  expect(found).not.toEqual([]);
});

it.each(Object.entries(sound))('accuses no sound reward: %s', async (_, [tasks, passes]) => {
  const audit = await auditReward({ tasks, judge: judgeOf(passes) });
  expect(audit).toMatchObject({ holes: [], unsolvable: [], unstable: [] });
});
