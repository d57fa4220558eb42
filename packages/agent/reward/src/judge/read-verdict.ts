import { isJsonObject, jsonIn } from '@art/ground';
import { jsonValuesIn } from '../json/json-in-text.ts';
import { withoutThinking } from '../without-thinking.ts';

export type JudgeVerdict = Readonly<Record<string, unknown>>;

/**
 * The verdict in a judge's answer. An endpoint of structured answers says nothing else; elsewhere the verdict carries the marker of this request.
 * So what a judge quotes of a response is never its verdict.
 * @param fields names that a structured answer has, the marker left out; undefined where none was asked for
 * @throws Error where there is none, or more than one that is meant
 */
export function readVerdict(
  text: string,
  marker: string,
  fields: readonly string[] | undefined,
): JudgeVerdict {
  const structured = fields === undefined ? undefined : structuredVerdict(text, marker, fields);
  if (structured !== undefined) return structured;
  const said = withoutThinking(text);
  const found = jsonValuesIn(said).flatMap(({ value, end }) =>
    isJsonObject(value) ? [{ verdict: value, end }] : [],
  );
  const marked = found.filter(({ verdict }) => isMarked(verdict, marker));
  const last = marked.at(-1);
  if (last === undefined) throw new Error(`an answer without a marked verdict: ${text.slice(0, 200)}`);
  if (new Set(marked.map(({ verdict }) => JSON.stringify(verdict))).size > 1)
    throw new Error('two verdicts that disagree');
  // A quotation in the verdict that was not escaped may have ended it.
  if (/["{}[\]]/.test(said.slice(last.end))) throw new Error('an answer that continues behind its verdict');
  return last.verdict;
}

function structuredVerdict(
  text: string,
  marker: string,
  fields: readonly string[],
): JudgeVerdict | undefined {
  const [, fenced] = /^```(?:json)?\n([^`]*)\n```$/.exec(text.trim()) ?? [];
  const value = jsonIn(fenced ?? text);
  if (!isJsonObject(value)) return undefined;
  const names = Object.keys(value).filter((name) => name !== 'marker');
  const isWhole = names.length === fields.length && fields.every((field) => Object.hasOwn(value, field));
  return isWhole && (!Object.hasOwn(value, 'marker') || isMarked(value, marker)) ? value : undefined;
}

function isMarked(value: JudgeVerdict, marker: string): boolean {
  return Object.hasOwn(value, 'marker') && value['marker'] === marker;
}
