import { isJsonObject, plainJson, stringifyJson } from '@art/ground';
import type { JudgedSample } from '../run/judge.ts';
import type { Task } from '../tasks/task.ts';

/** A task, as an attack sees it. */
export interface AttackedTask {
  task: Task;
  question: string;
  /** Texts that may be the right answer, the likeliest first. */
  references: readonly string[];
  /** Answers that the task offers; empty for a free answer. */
  choices: readonly string[];
}

const questionNames = ['prompt', 'question', 'input', 'text', 'task', 'query', 'problem', 'instruction'];
const referenceNames = [
  'answer',
  'expected',
  'solution',
  'target',
  'value',
  'text',
  'output',
  'label',
  'gold',
];
const choiceNames = ['choices', 'options', 'labels', 'answers'];

export function attackedTask(task: Task): AttackedTask {
  const { payload, expected } = task;
  const asked = questionNames.map((name) => payload[name]).find((value) => typeof value === 'string');
  const question = asked ?? plainJson(payload);
  const named = [expected, ...membersOf(expected)].flatMap(textOf);
  // What a task asks is no reference, whatever its member is called.
  const references =
    named.length > 0
      ? named
      : membersOf(payload)
          .flatMap(textOf)
          .filter((text) => text !== question);
  return {
    task,
    question,
    references: [...new Set(references)],
    choices: [...choicesOf(payload), ...choicesOf(expected)],
  };
}

function membersOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, 1);
  return isJsonObject(value) ? referenceNames.map((name) => value[name]) : [];
}

function textOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return [String(value)];
  return isJsonObject(value) || Array.isArray(value)
    ? [stringifyJson(value, { onNonFinite: () => undefined })]
    : [];
}

function choicesOf(value: unknown): string[] {
  if (!isJsonObject(value)) return [];
  const list = choiceNames
    .map((name) => value[name])
    .find((found) => Array.isArray(found) || isJsonObject(found));
  if (isJsonObject(list)) return Object.keys(list);
  return Array.isArray(list) ? list.flatMap(textOf) : [];
}

/** Members of a document in which agents give their answer. */
const answerNames = [
  'answer',
  'output',
  'response',
  'result',
  'text',
  'content',
  'completion',
  'final_answer',
  'message',
];

/**
 * The sample of an agent that gives an answer, where one was said: in every member in which agents give theirs, and as the last message.
 * @param field member of the document that has the answer; undefined where that is not known
 * @param beside further members of the document
 */
export function sampleWith(
  { task, question }: AttackedTask,
  answer: unknown,
  field: string | undefined,
  beside: Readonly<Record<string, unknown>> = {},
): JudgedSample {
  const names = field === undefined ? answerNames : [field];
  const given = answer === undefined ? {} : Object.fromEntries(names.map((name) => [name, answer]));
  const document = { ...beside, ...given };
  const said = typeof answer === 'string' ? answer : answer === undefined ? '' : JSON.stringify(answer);
  return {
    task,
    sample: 0,
    document,
    transcript: {
      schema: 'art.transcript.v1',
      taskId: task.id,
      sample: 0,
      sessionId: null,
      payload: task.payload as never,
      expected: task.expected,
      document: document as never,
      messages: [
        { role: 'user', content: question },
        { role: 'assistant', content: said },
      ],
      calls: [],
      rows: [],
      log: null,
    } as unknown as JudgedSample['transcript'],
  };
}

/** A text without its case, marks and white space. */
export function plainText(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.,]+/g, ' ');
}

/** True for an answer that is right: some tasks have such answers. */
export function isReference(answer: unknown, { references }: AttackedTask): boolean {
  const text = plainText(typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? ''));
  return references.some((reference) => {
    const right = plainText(reference);
    // Past 2^53 a double has lost digits.
    return (
      right === text ||
      (Number.isSafeInteger(Number(right)) && right !== '' && text !== '' && Number(right) === Number(text))
    );
  });
}
