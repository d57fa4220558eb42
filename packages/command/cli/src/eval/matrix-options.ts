import { isAbsolute, relative } from 'node:path';
import { readOptionJson } from '../arguments/read-option-file.ts';
import { isJsonObject, refuseOption } from '@art/ground';
import { agentCommand } from '@art/local';
import { countArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { reduceOption } from '../arguments/shared-options.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import { chosenAgentCommand } from './agent-options.ts';
import { repeatedArgument, rewardRangeOption, seedOption } from './eval-options.ts';

const examples = `
Examples:
  $ art matrix old.ts new.ts --tasks tasks.jsonl --samples 4 \\
      --base-url http://127.0.0.1:8000/v1 --model-id small --model-id large
  $ art matrix agent.ts --tasks tasks.jsonl \\
      --base-url http://127.0.0.1:8000/v1 --model-id qwen \\
      --prompts code --prompts better.json
  $ art matrix "python agent.py" agent.ts --tasks tasks.jsonl \\
      --base-url https://api.example/v1 --model-id m --prices prices.json \\
      --ceiling 20usd --markdown table.md --out matrix
  $ art matrix --resume matrix --ceiling 40usd
  $ art view matrix

Each word is an agent: a file for Node, or a command in quotes. Each agent
runs with each model and each prompts: a JSON file of texts by name, as
"art improve" writes it, or "code" for those of the agent. A cell is an
ordinary run of "art eval" in a folder of --out; a run that another command
has put there is in the table, too.

Every cell is compared with the first one, or with --baseline, task by task.
A cell is better or worse where its p, adjusted by Holm for all comparisons,
is below 0.05. Intervals are not adjusted. --ceiling is for all cells
together; they run one after the other.

Exit codes: 0 all cells are there; 2 wrong usage; 3 a cell is missing or
cannot be relied on, or something that is needed is missing; 130 Ctrl-C,
which stops the sessions.`;

/** A command that runs several agents on the same tasks. @param argument its words */
export function cellsCommand(
  name: 'matrix' | 'compare',
  argument?: readonly [name: '[agent...]', about: string],
) {
  return chosenAgentCommand(name, 'matrices', repeatedArgument, argument)
    .option(
      '--prompts <file>',
      'texts that replace prompts of the agent, by name, or "code"; repeatable',
      repeatedArgument,
    )
    .option('--samples <count>', 'how often each task is tried (default: 1)', countArgument(1_000_000))
    .addOption(reduceOption())
    .option(
      '--until <goal>',
      'of two cells: ask both side by side, and end as soon as this is answered: "difference > 0", from the baseline',
      filledArgument,
    )
    .addOption(rewardRangeOption())
    .addOption(seedOption())
    .option('--limit <count>', 'take only the first tasks', countArgument())
    .option('--markdown <file>', 'write the table as Markdown', filledArgument)
    .option('--json', 'write the table as one JSON object', false);
}

/** The options of `art matrix`. */
export function declaredMatrix() {
  return cellsCommand('matrix')
    .description('Evaluates agents x models x prompts on the same tasks, and compares them in one table.')
    .option(
      '--baseline <cell>',
      'cell that the others are compared with (default: the first)',
      filledArgument,
    )
    .addHelpText('after', examples);
}

export type MatrixOptions = OptionsOf<typeof declaredMatrix> & { agent: string[] };

/** A cell that is to be run. */
export interface WantedCell {
  /** Its folder. */
  name: string;
  agent: string[];
  modelId: string | undefined;
  prompts: Record<string, string> | undefined;
}

/**
 * Every agent with every model and all prompts.
 * @throws ArtError `ART_INVALID_OPTION` for agents and prompts that cannot be read, and cells of one name
 */
export function wantedCells(
  { agent, agentRuntimeArn, modelId, prompts }: MatrixOptions,
  cwd: string,
): WantedCell[] {
  const agents = agentRuntimeArn === undefined ? agent.map((one) => [one]) : [[]];
  for (const one of agents) if (one.length > 0) agentCommand(one, cwd);
  const texts = (prompts ?? ['code']).map((file) => ({ file, prompts: readPrompts(file, cwd) }));
  const cells = agents.flatMap((one) =>
    (modelId ?? [undefined]).flatMap((model) =>
      texts.map(({ file, prompts: replaced }) => {
        const parts = [...one, model, prompts && file].filter((part) => part !== undefined);
        const name = parts.map((part) => slugOf(part, cwd)).join('+') || 'agent';
        return { name, agent: one, modelId: model, prompts: replaced };
      }),
    ),
  );
  const twice = cells.find(({ name }, at) => cells.findIndex((cell) => cell.name === name) < at);
  if (twice !== undefined)
    refuseOption('agents, --model-id and --prompts', 'of different names each', twice.name);
  return cells;
}

function slugOf(text: string, cwd: string): string {
  const short = isAbsolute(text) ? relative(cwd, text) : text;
  return short.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '');
}

function readPrompts(file: string, cwd: string): Record<string, string> | undefined {
  if (file === 'code') return undefined;
  const texts = readOptionJson('--prompts', file, cwd);
  if (!isJsonObject(texts) || Object.values(texts).some((text) => typeof text !== 'string'))
    refuseOption('--prompts', '"code", or a file with an object of texts', file);
  return texts as Record<string, string>;
}
