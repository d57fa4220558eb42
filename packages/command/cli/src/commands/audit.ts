import { join, resolve } from 'node:path';
import {
  auditReport,
  type AuditReport,
  type AuditRecord,
  auditReward,
  judgedAnswer,
  measureJudge,
  readTasks,
  referenceVerdict,
  writeAudit,
} from '@art/eval';
import { refuseOption } from '@art/ground';
import { searchHoles } from '@art/improve';
import { newRunId } from '@art/journal';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { columnsOption, dataOptionsOf, splitOption, tasksWords } from '../arguments/data-options.ts';
import { countArgument, durationArgument, numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { ceilingOption, pricesOption } from '../arguments/ceiling-options.ts';
import { filledArgument, urlArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { openAttackModel } from '../eval/attack-model.ts';
import { loadReward } from '../eval/load-reward.ts';
import { shownPath } from '../eval/shown-path.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { cutLine } from '../terminal/cut-line.ts';
import { formatTable } from '../terminal/format-table.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

const examples = `
Examples:
  $ art audit reward.ts --tasks tasks.jsonl
  $ art audit reward.ts --tasks tasks.jsonl --limit 100 \\
      --answer-field solution --labels human.jsonl
  $ art audit reward.ts --tasks tasks.jsonl --search --model qwen \\
      --base-url http://127.0.0.1:8000/v1 --checker strict.ts \\
      --ceiling "200 calls"

A policy learns whatever raises the reward. This command gives the judge
answers that nobody who has solved a task would give: none, the question,
every choice, patterns, numbers that are none, orders to the judge, forged
verdicts, the form alone, the right answer among wrong ones. It also proves
of each task that its "expected" answer passes, and twice with the same
reward.
No agent runs. A model is called only where the judge calls one, some 100
times a task, and by --search: it reads what came close and proposes answers
until the reward pays one that the second checker does not. REFLECT_API_KEY
is sent as its key. Ctrl-C leaves what was found.
Exit codes: 0 no hole was found; 1 a hole, a task whose own answer fails or
that nothing solves, or a reward that changes; 2 wrong usage; 3 nothing
could be tried: no task has an expected answer that passes, or the model of
--search has failed or given no answer; 130 Ctrl-C.`;

function declared() {
  return new Command('audit')
    .description('Attacks a reward before a policy does, and proves that its tasks can be solved.')
    .requiredOption('--tasks <path>', tasksWords, filledArgument)
    .addOption(columnsOption())
    .addOption(splitOption())
    .argument('[reward]', 'module whose default export judges', filledArgument)
    .option('--reward <file>', 'the same', filledArgument)
    .option('--limit <count>', 'most tasks that are attacked (default: 20)', countArgument())
    .option(
      '--answer-field <name>',
      'member of the agent\'s document with its answer (default: "answer", "output", "text" and the like)',
      filledArgument,
    )
    .option(
      '--pass-reward <reward>',
      'reward from which an answer has passed (default: 1)',
      numberArgument({ min: -1e9, max: 1e9, whole: false }),
    )
    .option('--judge-timeout-ms <ms>', 'longest time of a judgement (default: 300000)', durationArgument)
    .option('--concurrency <count>', 'most judgements at once (default: 16)', countArgument(10_000))
    .option(
      '--labels <file>',
      'labels with texts, or human.jsonl of a run, beside which the judge is measured',
      filledArgument,
    )
    .option('--out <folder>', 'where the audit is kept (default: below .art/audits)', filledArgument)
    .option('--search', 'have a model look for further holes', false)
    .option('--model <id>', 'the model of --search', filledArgument)
    .option('--base-url <url>', 'its OpenAI-compatible endpoint', urlArgument)
    .option(
      '--checker <file>',
      'module that says which answers are wrong, or "reference": the expected answer stands nowhere in it (default: reference)',
      filledArgument,
    )
    .option(
      '--rounds <count>',
      'most answers of the model, each an attack on four tasks (default: 20)',
      countArgument(),
    )
    .addOption(ceilingOption('the search'))
    .addOption(pricesOption())
    .option('--json', 'write the findings as one JSON object', false)
    .addHelpText('after', examples);
}

export type AuditCommandOptions = OptionsOf<typeof declared> & { file?: string | undefined };

/** The command line of `art audit`. */
export function auditCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runAudit);
  return declared().action(async (file, flags, command) => {
    const { search, model, baseUrl } = flags;
    if ((file === undefined) === (flags.reward === undefined))
      command.error('error: Expected the module that judges, once: art audit reward.ts --tasks tasks.jsonl');
    if (search && (model === undefined || baseUrl === undefined))
      command.error('error: Expected --model and --base-url beside --search: a model looks for holes.');
    const ofSearch = ['model', 'baseUrl', 'checker', 'rounds', 'ceiling', 'prices'] as const;
    const idle = ofSearch.find((name) => !search && flags[name] !== undefined);
    if (idle !== undefined) command.error(`error: Expected --search beside ${idle}: only it calls a model.`);
    await run({ ...flags, file });
  });
}

/** `art audit`. @returns the exit code */
export function runAudit(options: AuditCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async (interrupts) => {
    const { cwd } = context;
    const { signal } = interrupts;
    const { answerField, passReward, concurrency, judgeTimeoutMs, checker = 'reference' } = options;
    const file =
      options.file ?? options.reward ?? refuseOption('--reward', 'a module that judges', undefined);
    const model = options.search ? openAttackModel(options, context) : undefined;
    const folder = resolve(cwd, options.out ?? join('.art', 'audits', newRunId()));
    const progress = new ProgressLine(context.stderr);
    await using judge = await loadReward(file, cwd, judgeTimeoutMs);
    await using second =
      model === undefined || checker === 'reference'
        ? undefined
        : await loadReward(checker, cwd, judgeTimeoutMs);
    const tasks = await readTasks(resolve(cwd, options.tasks), dataOptionsOf(options));
    const shared = { judge, answerField, passReward, signal };
    const audit = await auditReward({
      ...shared,
      tasks,
      limit: options.limit,
      concurrency,
      onProgress: (judged) => progress.show(`${judged} answers judged`),
    });
    const labels = options.labels && resolve(cwd, options.labels);
    const measure =
      labels === undefined
        ? undefined
        : await measureJudge({ labels, judge, passReward, concurrency, signal });
    const search =
      model === undefined
        ? null
        : {
            ...(await searchHoles({
              ...shared,
              tasks: tasks.slice(0, options.limit ?? 20),
              checker: (task, answer) =>
                second === undefined
                  ? referenceVerdict(task, answer)
                  : judgedAnswer(second, task, answer, { answerField, signal }),
              reflect: model.reflect,
              rounds: options.rounds ?? 20,
              reached: model.reached,
              onRound: (round, found) => progress.show(`round ${round}: ${found} holes found by search`),
            })),
            checker: second?.name ?? 'reference',
            model: model.id,
            spent: model.spent,
          };
    progress.clear();
    const record: AuditRecord = {
      schema: 'art.audit.v1',
      createdAtMs: Date.now(),
      tasks: options.tasks,
      reward: file,
      audit,
      search,
      judge: measure ?? null,
    };
    await writeAudit(folder, record);
    const report = auditReport(record);
    eventWriter<AuditRecord>(context, options.json, () => formatAudit(report, shownPath(cwd, folder)))(
      record,
    );
    if (signal.aborted) return interrupts.exitCode ?? exitCodes.interrupted;
    const { unsolvable, withoutReference } = audit;
    if (audit.tasks === unsolvable.length + withoutReference.length) return exitCodes.infrastructure;
    if (!report.isSound) return exitCodes.belowThreshold;
    return report.isTried ? exitCodes.ok : exitCodes.infrastructure;
  });
}

/** Three lines, what is to be mended, and where the page is. */
function formatAudit({ lines, tables }: AuditReport, folder: string): string {
  return [
    `${lines.join('\n')}\n`,
    ...tables.map(({ columns, rows }) =>
      formatTable(
        columns,
        rows.map((row) => row.map((cell) => cutLine(cell))),
      ),
    ),
    `art view ${folder} shows it.\n`,
  ].join('\n');
}
