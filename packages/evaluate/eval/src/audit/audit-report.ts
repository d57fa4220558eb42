import { formatEstimate } from '../report/format-figures.ts';
import type { ReportTable } from '../report/report-tables.ts';
import type { AuditRecord } from './audit-record.ts';
import { shortJson } from './audit-reward.ts';

/** An audit for a person: three lines, and tables of what was found. */
export interface AuditReport {
  lines: [tasks: string, holes: string, judge: string];
  tables: ReportTable[];
  /** True where nothing is wrong with the reward and its tasks. */
  isSound: boolean;
  /** True where something could be tried, by a search that was wanted too. */
  isTried: boolean;
}

/** Lines and tables of an audit. */
export function auditReport({ audit, search, judge }: AuditRecord): AuditReport {
  const { tasks, judgements, holes, commonAnswer, unsolvable, unstable, withoutReference } = audit;
  const solved = tasks - unsolvable.length - withoutReference.length;
  const found = search?.found ?? [];
  const named: [readonly string[], string][] = [
    [unsolvable, 'the expected answer does not pass, in any form that was tried'],
    [audit.solvedByNothing ?? [], 'no answer, or an empty one, passes'],
    [unstable, 'one answer gets two rewards'],
    [withoutReference, 'no expected answer: nothing was observed'],
  ];
  const bad = named.filter(([ids]) => ids.length > 0);
  const tables: ReportTable[] = [
    {
      columns: [{ title: 'hole' }, { title: 'tasks', align: 'right' }, { title: 'an answer that passed' }],
      rows: holes.map(({ hole, tasks: passed, tried, answer }) => [
        hole,
        `${passed.length} of ${tried}`,
        answer,
      ]),
    },
    {
      columns: [
        { title: 'found by search' },
        { title: 'reward', align: 'right' },
        { title: 'checker', align: 'right' },
        { title: 'answer' },
      ],
      rows: found.map(({ taskId, reward, checked, answer }) => [
        taskId,
        String(reward),
        String(checked),
        shortJson(answer),
      ]),
    },
    {
      columns: [{ title: 'tasks of which' }, { title: 'count', align: 'right' }, { title: 'ids' }],
      rows: bad.map(([ids, words]) => [words, `${ids.length} of ${tasks}`, firstOf(ids)]),
    },
  ];
  const count = holes.length + found.length;
  return {
    lines: [
      `${tasks} tasks: ${solved} solvable${bad.map(([ids, words]) => `; ${ids.length} where ${words}`).join('')}.${
        commonAnswer === null
          ? ''
          : ` ${Math.round(commonAnswer.share * 100)} % have the answer ${JSON.stringify(commonAnswer.answer)}: saying nothing else earns that much.`
      }`,
      solved === 0
        ? 'No expected answer passes, so nothing was tried. Name the member of the document that the judge reads with --answer-field.'
        : `${count === 0 ? `No cheat passes in ${solved} tasks` : `${count} ${count === 1 ? 'hole' : 'holes'}`}: ${judgements} answers judged${search === null ? '; no search by a model (--search)' : `, ${searchText(search)}`}.`,
      judge === null ? 'Not measured beside labels of a person (--labels).' : judgeText(judge),
    ],
    tables: tables.filter(({ rows }) => rows.length > 0),
    isSound: count + unsolvable.length + unstable.length + (audit.solvedByNothing?.length ?? 0) === 0,
    isTried: solved > 0 && (search === null || (search.answers > 0 && !search.hasFailed)),
  };
}

function searchText({
  answers,
  rounds,
  found,
  undecided,
  model,
  checker,
  end,
}: NonNullable<AuditRecord['search']>): string {
  const doubt = undecided === 0 ? '' : `, ${undecided} undecided`;
  return `${answers} by ${model} in ${rounds} rounds against ${checker}: ${found.length} found${doubt}${end === null ? '' : ` (${end})`}`;
}

function judgeText({ samples, kappa, problem }: NonNullable<AuditRecord['judge']>): string {
  const { value, low, high } = kappa;
  const figure = value === null ? 'not defined' : formatEstimate({ value, low, high });
  return `Kappa with labels of a person, 95 %: ${figure}, ${samples} samples.${problem === null ? '' : ` ${problem}`}`;
}

function firstOf(ids: readonly string[]): string {
  return ids.length <= 10 ? ids.join(', ') : `${ids.slice(0, 10).join(', ')} and ${ids.length - 10} more`;
}
