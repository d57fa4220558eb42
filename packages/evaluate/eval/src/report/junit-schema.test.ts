import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Thresholds } from '../results/thresholds.ts';
import { evaluate } from '../run/evaluate.ts';
import { failedOutcome, okOutcome, scriptedAgent } from '../run/scripted-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { writeJunitXml } from './junit-xml.ts';

interface Element {
  children: string[];
  needed?: string[];
  attributes: string[];
}

const said: Element = { children: [], attributes: ['type', 'message'] };

/** As Jenkins' xUnit plugin takes it (its schema junit-10), of the elements that are written. */
const schema: Record<string, Element> = {
  testsuites: { children: ['testsuite'], attributes: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    needed: ['name', 'tests', 'failures', 'errors'],
    attributes: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
  },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    needed: ['name'],
    attributes: ['time', 'classname', 'group'],
  },
  failure: said,
  error: said,
  skipped: said,
  'system-out': { children: [], attributes: [] },
};

function problemsOf(xml: string): string[] {
  const problems: string[] = [];
  const open: string[] = [];
  for (const [, end, name = '', given = '', closed] of xml.matchAll(
    /<(\/?)([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/g,
  )) {
    if (end === '/') {
      if (open.pop() !== name) problems.push(`${name} is closed`);
      continue;
    }
    const parent = open.at(-1);
    const { attributes = [], needed = [] } = schema[name] ?? {};
    if (parent === undefined ? name !== 'testsuites' : schema[parent]?.children.includes(name) !== true)
      problems.push(`${name} in ${parent}`);
    const names = Array.from(given.matchAll(/ ([\w-]+)="([^"]*)"/g), ([, attribute = '', value = '']) => {
      if (attribute === 'time' && !/^\d+\.\d{3}$/.test(value)) problems.push(`time ${value}`);
      return attribute;
    });
    problems.push(
      ...needed.filter((attribute) => !names.includes(attribute)).map((it) => `${name} lacks ${it}`),
    );
    const known = [...needed, ...attributes];
    problems.push(...names.filter((attribute) => !known.includes(attribute)).map((it) => `${it} of ${name}`));
    if (closed !== '/') open.push(name);
  }
  return open.length === 0 ? problems : [...problems, `${open.join(' ')} stay open`];
}

it('knows what the schema does not have', () => {
  expect(
    problemsOf('<testsuites skipped="0"><testcase name="a"><properties/></testcase></testsuites>'),
  ).toEqual(['skipped of testsuites', 'testcase in testsuites', 'properties in testcase']);
  expect(problemsOf('<testsuites><testsuite name="a"/>')).toHaveLength(4);
});

it.each<[string, Thresholds]>([
  ['without thresholds', {}],
  ['with one that is reached', { minReward: 0.1 }],
  ['with one that is not', { minPassAt: { 1: 1 } }],
  ['with one of tasks', { minTasks: { 1: 1 } }],
  ['that could not be judged', { minReward: 0.4, isConfident: true }],
])('a report %s is of the schema, whatever samples are like and are called', async (_, thresholds) => {
  const folder = join(await temporaryFolder(), 'run');
  const hostile = '<b a="1">&amp;]]>\u0000';
  const { agent } = scriptedAgent(({ at }) => {
    if (at === 0) return failedOutcome('lost');
    if (at === 1) return failedOutcome('timeout');
    return okOutcome({ reward: (at as number) % 2, metrics: { [hostile]: 1, turns: 0.5 } });
  });
  const tasks = Array.from({ length: 6 }, (__, at) => ({ id: `${hostile}${at}`, payload: { at } }));
  const done = await evaluate({
    agent,
    tasks,
    folder,
    name: hostile,
    maxFailures: 0.5,
    onNotice: () => undefined,
  });
  const path = join(folder, 'junit.xml');
  await writeJunitXml(folder, done.record, done.results, path, done.check(thresholds));
  const xml = await readFile(path, 'utf8');
  expect(problemsOf(xml)).toEqual([]);
  expect(xml.match(/<testcase /g)!.length).toBeGreaterThanOrEqual(6);
  expect(xml).toContain(thresholds.minTasks === undefined ? 'turns 0.5' : '0 of 1 samples passed, wanted 1');
});
