import {
  aNumber,
  aText,
  oneOf,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
} from '@art/protocol';
import { judgeFailed } from '../judge-failed.ts';
import type { RewardContext } from '../reward-context.ts';
import { RewardFunction } from '../reward-function.ts';
import { codeIn } from './code-in.ts';
import { type CodeLimits, runBounded } from './run-bounded.ts';
import { type CodeLanguage, testProgram } from './test-program.ts';

/** An answer with a program in it, and the tests that judge it. */
export interface CodeAnswer {
  /** The last fenced block counts, else the whole text. */
  responseText: string;
  /** In the same language; runs behind the program, in the same names. It throws, or asserts, where something is wrong. */
  tests: string;
}

export interface CodeTestsRewardOptions extends Partial<CodeLimits> {
  /** @default 'python' */
  language?: CodeLanguage | undefined;
  /** The interpreter. @default `python3`, or this Node */
  command?: string | undefined;
}

const rules = {
  language: optional(oneOf('python', 'javascript'), 'python'),
  command: optional(aText),
  timeoutMs: optional(aNumber({ above: 0 }), 10_000),
  memoryBytes: optional(aNumber({ above: 0 }), 512 * 2 ** 20),
  outputBytes: optional(aNumber({ above: 0 }), 64 * 2 ** 10),
  network: optional(oneOf('off-where-possible', 'off', 'on'), 'off-where-possible'),
} satisfies OptionRules<CodeTestsRewardOptions>;

/**
 * Reward for a program that passes its tests: 1, else 0. It runs in a process of its own with bounds, in an empty folder, without this
 * process's environment, and is killed with everything that it started. That keeps mistakes in, not an attacker: run hostile code on a
 * machine that you can throw away.
 */
export class CodeTestsReward extends RewardFunction<CodeAnswer, number> {
  readonly #options: ReadOptions<typeof rules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: CodeTestsRewardOptions = {}) {
    super();
    this.#options = readOptions('CodeTestsReward', options, rules);
  }

  /** @throws ArtError `ART_JUDGE_FAILED` where programs cannot be run; the signal's reason */
  protected override async evaluate(answer: CodeAnswer, { signal, remark }: RewardContext): Promise<number> {
    const { responseText, tests } = answer ?? {};
    if (typeof responseText !== 'string') refuseOption('responseText', 'a string', responseText);
    if (typeof tests !== 'string' || tests.trim() === '') refuseOption('tests', 'a program', tests);
    const { language, command, ...limits } = this.#options;
    const program = testProgram(language, codeIn(responseText), tests, command);
    const ended = await runBounded(program, limits, signal);
    if (ended.kind === 'unavailable') judgeFailed(`${program.command[0]} to run the tests`, ended.message);
    if (ended.kind === 'ended' && ended.exitCode === 0 && ended.output.includes(program.passedMark)) return 1;
    remark?.(describe(ended, program.passedMark));
    return 0;
  }
}

function describe(
  ended: Exclude<Awaited<ReturnType<typeof runBounded>>, { kind: 'unavailable' }>,
  mark: string,
): string {
  const said = ended.output.replaceAll(mark, '').trim().slice(-2_000);
  const how = {
    timeout: 'It took too long and was killed.',
    output: 'It wrote too much and was killed.',
    ended:
      ended.kind === 'ended' && ended.exitCode === 0 ? 'It ended before its tests.' : 'Its tests failed.',
  }[ended.kind];
  return said === '' ? how : `${how}\n${said}`;
}
