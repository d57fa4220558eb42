import {
  aNumber,
  aText,
  describeThrown,
  oneOf,
  optional,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
} from '@art/ground';
import { judgeFailed } from '../judge-failed.ts';
import type { RewardContext } from '../reward-context.ts';
import { RewardFunction } from '../reward-function.ts';
import { codeIn } from './code-in.ts';
import { type CodeLanguage, findInterpreter, type Interpreter } from './interpreter.ts';
import { type Isolation, isolationFor } from './isolation.ts';
import { type CodeLimits, runJudged } from './run-judged.ts';

/** An answer with a program in it, and the tests that judge it. */
export interface CodeAnswer {
  /** The last fenced block of the language counts that defines something, else the whole text. */
  responseText: string;
  /**
   * In the same language. The program's names are there; what they are called with and give back are copies of plain values. It throws, or
   * asserts, where something is wrong.
   */
  tests: string;
}

export interface CodeTestsRewardOptions extends Partial<CodeLimits> {
  /** @default 'python' */
  language?: CodeLanguage | undefined;
  /** The interpreter. @default `python3`, or this Node */
  command?: string | undefined;
  /**
   * `required` judges a program only where it can be kept from this machine's files, processes and network (Linux with
   * user namespaces). `best-effort` judges everywhere, and emits a process warning where that is not possible. @default
   * 'best-effort'
   */
  isolation?: 'required' | 'best-effort' | undefined;
  /** `off-where-possible`: none where programs are isolated. `off`: judges only there. @default 'off-where-possible' */
  network?: 'off-where-possible' | 'off' | 'on' | undefined;
}

const rules = {
  language: optional(oneOf('python', 'javascript'), 'python'),
  command: optional(aText),
  timeoutMs: optional(aNumber({ above: 0 }), 10_000),
  memoryBytes: optional(aNumber({ above: 0 }), 512 * 2 ** 20),
  outputBytes: optional(aNumber({ above: 0 }), 64 * 2 ** 10),
  isolation: optional(oneOf('required', 'best-effort'), 'best-effort'),
  network: optional(oneOf('off-where-possible', 'off', 'on'), 'off-where-possible'),
} satisfies OptionRules<CodeTestsRewardOptions>;

/**
 * Reward for a program that passes its tests: 1, else 0. The program runs in its own process, which answers calls; the tests run in
 * another one, which compares the values that come back. So nothing that the program does to its own process changes how it is judged.
 */
export class CodeTestsReward extends RewardFunction<CodeAnswer, number> {
  readonly #options: ReadOptions<typeof rules>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(options: CodeTestsRewardOptions = {}) {
    super();
    this.#options = readOptions('CodeTestsReward', options, rules);
  }

  /**
   * @throws ArtError `ART_INVALID_OPTION` for tests that no program can pass, or that check nothing
   * @throws ArtError `ART_JUDGE_FAILED` where programs cannot be run, or not as isolated as is wanted
   * @throws the signal's reason
   */
  protected override async evaluate(answer: CodeAnswer, { signal, remark }: RewardContext): Promise<number> {
    const { responseText, tests } = answer ?? {};
    if (typeof responseText !== 'string') refuseOption('responseText', 'a string', responseText);
    if (typeof tests !== 'string' || tests.trim() === '') refuseOption('tests', 'a program', tests);
    const { language, command, isolation: _isolation, network, ...limits } = this.#options;
    const interpreter = await findInterpreter(language, command, limits.memoryBytes).catch((error: unknown) =>
      judgeFailed(`${command ?? language} to run the tests`, describeThrown(error).message, error),
    );
    const ended = await runJudged(
      {
        program: codeIn(responseText, language),
        tests,
        interpreter,
        isolation: await this.#isolationOf(interpreter),
        network: network === 'on',
      },
      limits,
      signal,
    );
    switch (ended.kind) {
      case 'passed':
        return 1;
      case 'unavailable':
        return judgeFailed(`${interpreter.program} to run the tests`, ended.why);
      case 'broken':
        return refuseOption('tests', `tests that judge a program. ${ended.why}`, tests);
      default:
        remark?.(describe(ended));
        return 0;
    }
  }

  async #isolationOf({ program, folders }: Interpreter): Promise<Isolation | undefined> {
    const { isolation, network } = this.#options;
    const found = await isolationFor(program, folders);
    if (found === undefined && (isolation === 'required' || network === 'off'))
      judgeFailed(
        'a machine that isolates programs (Linux with unprivileged user namespaces and unshare of util-linux)',
        'none; `isolation: "best-effort"` judges here too',
      );
    if (found === undefined) warnOnce();
    return found;
  }
}

let isWarned = false;

function warnOnce(): void {
  if (isWarned) return;
  isWarned = true;
  process.emitWarning(
    'CodeTestsReward runs programs with the rights of this process: its files, its processes and the network. ' +
      'This machine has no namespaces of Linux for them. `isolation: "required"` refuses to judge here.',
    { code: 'ART_CODE_NOT_ISOLATED' },
  );
}

function describe(
  ended: { kind: 'failed'; why: string; output: string } | { kind: 'timeout' | 'output'; output: string },
): string {
  const how = {
    timeout: 'It took too long and was killed.',
    output: 'It wrote too much and was killed.',
    failed: ended.kind === 'failed' ? ended.why.trim().slice(-2_000) : '',
  }[ended.kind];
  return [how, ended.output].filter((text) => text !== '').join('\n');
}
