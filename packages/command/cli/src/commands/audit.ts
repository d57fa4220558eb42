import { resolve } from 'node:path';
import { auditReward, readTasks, type RewardAudit } from '@art/eval';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { columnsOption, dataOptionsOf, splitOption, tasksWords } from '../arguments/data-options.ts';
import { countArgument, durationArgument, numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { loadReward } from '../eval/load-reward.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { firstIds } from '../terminal/first-ids.ts';
import { formatTable, right } from '../terminal/format-table.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

const examples = `
Examples:
  $ art audit --tasks tasks.jsonl --reward ./reward.ts
  $ art audit --tasks tasks.jsonl --reward ./reward.ts --limit 100 \\
      --answer-field solution

A policy learns whatever raises the reward. This command gives the judge
answers that nobody who has solved a task would give: none, the question,
every choice, patterns, numbers that are none, orders to the judge, forged
verdicts, the form alone, the right answer among wrong ones. It also proves
of each task that its "expected" answer passes, and twice with the same
reward.
No agent runs. A model is called only where the judge calls one: some 60
times a task.
Exit codes: 0 no hole was found; 1 a hole, a task whose own answer fails, or
a reward that changes; 2 wrong usage; 3 nothing could be tried: no task has
an expected answer that passes; 130 Ctrl-C.`;

function declared() {
  return new Command('audit')
    .description('Attacks a reward before a policy does, and proves that its tasks can be solved.')
    .requiredOption('--tasks <path>', tasksWords, filledArgument)
    .addOption(columnsOption())
    .addOption(splitOption())
    .requiredOption('--reward <file>', 'module whose default export judges', filledArgument)
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
    .option('--json', 'write the findings as one JSON object', false)
    .addHelpText('after', examples);
}

export type AuditCommandOptions = OptionsOf<typeof declared>;

/** The command line of `art audit`. */
export function auditCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runAudit);
  return declared().action((flags) => run(flags));
}

/** `art audit`. @returns the exit code */
export function runAudit(options: AuditCommandOptions, context: CliContext): Promise<number> {
  return interruptible(context, async ({ signal }) => {
    const { cwd } = context;
    const progress = new ProgressLine(context.stderr);
    await using judge = await loadReward(options.reward, cwd, options.judgeTimeoutMs);
    const audit = await auditReward({
      tasks: await readTasks(resolve(cwd, options.tasks), dataOptionsOf(options)),
      judge,
      answerField: options.answerField,
      limit: options.limit,
      passReward: options.passReward,
      concurrency: options.concurrency,
      signal,
      onProgress: (judged) => progress.show(`${judged} answers judged`),
    });
    progress.clear();
    eventWriter<RewardAudit>(context, options.json, formatAudit)(audit);
    const { tasks, holes, unsolvable, unstable, withoutReference } = audit;
    if (tasks === unsolvable.length + withoutReference.length) return exitCodes.infrastructure;
    return holes.length + unsolvable.length + unstable.length === 0 ? exitCodes.ok : exitCodes.belowThreshold;
  });
}

function formatAudit(audit: RewardAudit): string {
  const { tasks, judgements, holes, unsolvable, withoutReference, unstable, commonAnswer } = audit;
  const solved = tasks - unsolvable.length - withoutReference.length;
  const sections = [`${tasks} tasks, ${judgements} answers judged.\n`];
  if (holes.length > 0)
    sections.push(
      formatTable(
        ['hole', right('tasks'), 'an answer that passed'],
        holes.map(({ hole, tasks: passed, tried, answer }) => [hole, `${passed.length} of ${tried}`, answer]),
      ),
    );
  else if (solved > 0) sections.push(`No cheat passes in ${solved} tasks.\n`);
  const named: [readonly string[], string][] = [
    [unsolvable, 'have an expected answer that does not pass, in any form that was tried'],
    [unstable, 'give one answer two rewards'],
    [withoutReference, 'name no expected answer: of these nothing was observed'],
  ];
  for (const [ids, words] of named)
    if (ids.length > 0) sections.push(`${ids.length} of ${tasks} tasks ${words}: ${firstIds(ids)}\n`);
  if (commonAnswer !== null)
    sections.push(
      `${Math.round(commonAnswer.share * 100)} % of the tasks have the answer ${JSON.stringify(commonAnswer.answer)}: saying nothing else earns that much.\n`,
    );
  if (solved === 0 && tasks > 0)
    sections.push(
      'No expected answer passes, so nothing was tried. Name the member of the document that the judge reads with --answer-field.\n',
    );
  return sections.join('\n');
}
