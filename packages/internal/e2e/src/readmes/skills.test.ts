import { basename, dirname } from 'node:path';
import { isThorough, shortlist } from '@art/tooling/thorough';
import { expect, it } from 'vitest';
import { PageReader } from './page-reader.fixture.ts';
import { pageSteps, type PageStep } from './page-steps.ts';
import { readReadmes } from './readme.ts';

/** In the order in which a project needs them: the reward is the one that a skill writes anew. */
const order = ['art-evaluate', 'art-debug-rollout', 'art-adapt-agent', 'art-write-reward', 'art-train'];
const skills = readReadmes().filter(({ path }) => path.endsWith('/SKILL.md'));
const nameOf = ({ path }: { path: string }): string => basename(dirname(path));
const skillNamed = (name: string) => skills.find((skill) => nameOf(skill) === name)!;

const project: PageStep = {
  kind: 'run',
  line: 0,
  script: 'npm create @art/agent my-agent -- --framework openai\ncd my-agent\nnpm install',
  exitCode: 0,
  prints: [],
  isLong: false,
};

/** Where a step of the skills does not end or print as it says. */
async function faultOf(names: readonly string[]): Promise<string | undefined> {
  await using reader = await PageReader.sitDown();
  await reader.follow(project);
  for (const name of names)
    for (const step of pageSteps(skillNamed(name))) {
      if (step.kind === 'run' && step.isLong && !isThorough) continue;
      const fault = await reader.follow(step).then(
        () => undefined,
        (error: Error) => `${name}:${step.line}: ${error.message}`,
      );
      if (fault !== undefined) return fault;
    }
  return undefined;
}

it(
  'what every skill tells to run ends and prints as it says, in a new project',
  { timeout: 900_000 },
  async () => {
    expect(await faultOf(shortlist(order, 3))).toBeUndefined();
  },
);

it('every skill has a name and a description that coding agents take, and is short', () => {
  expect(skills.map(nameOf).toSorted()).toEqual(order.toSorted());
  for (const { path, text } of skills) {
    const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    const [, name] = /^name: (.+)$/m.exec(front) ?? [];
    // https://agentskills.io/specification: as the folder, and at most 1,024 characters that YAML reads as they are.
    expect(name).toBe(nameOf({ path }));
    expect(front).toMatch(/^description: [^:#\n]{40,1024}$/m);
    expect(body.split(/\s+/).length).toBeLessThan(600);
    expect(body).toMatch(/^## Check$/m);
  }
});

it('what is left out of the suite or not run at all says why', () => {
  const left = order.flatMap((name) =>
    pageSteps(skillNamed(name)).flatMap((step) =>
      step.kind === 'skip'
        ? [`${name}: ${step.reason}`]
        : step.kind === 'run' && step.isLong
          ? [`${name}: long`]
          : [],
    ),
  );
  expect(left).toEqual([
    'art-evaluate: it needs two runs',
    'art-train: long',
    'art-train: it needs a training service',
  ]);
});
