import { countArgument, numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument, urlArgument } from '../arguments/text-argument.ts';
import { chosenAgentCommand } from './agent-options.ts';
import { rewardRangeOption } from './eval-options.ts';

const examples = `
Examples:
  $ art improve agent.ts --tasks train.jsonl --held-out heldout.jsonl \\
      --budget 300 --base-url http://127.0.0.1:8000/v1 --model-id qwen \\
      --reflect-model qwen
  $ art improve agent.ts --tasks train.jsonl --held-out heldout.jsonl \\
      --budget 300 --reward ./reward.ts --reflect-model gpt-5 \\
      --reflect-url https://api.openai.com/v1
  $ art improve \\
      --agent-runtime-arn arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123 \\
      --gateway https://gateway.example --tasks train.jsonl --budget 300 \\
      --reflect-model gpt-5 --reflect-url https://api.openai.com/v1
  $ art improve --resume .art/improve/20260131-120000-3f9a1c
      after Ctrl-C or a crash
  $ art improve --resume .art/improve/20260131-120000-3f9a1c --budget 600
      spend more
  $ art view .art/improve/20260131-120000-3f9a1c/evaluations

The agent reads its prompts by context.prompt('system', 'You are ...'): the
text in the code, unless a rollout replaces it. The model of --reflect-model
reads what the agent did with a few tasks, what the judge remarked, and
rewrites a prompt. What does better is kept and rewritten further (GEPA).
Half of the tasks, drawn by --seed, select the candidates; --validate gives
others for that. The best prompts are compared with those in the code on the
tasks of --held-out, by which nothing was decided.
--budget bounds all rollouts, those on held-out tasks included. A rollout
whose infrastructure failed counts, and is repeated; it is never a score of
0. Rollouts that are under way when the process is killed are run again.
REFLECT_API_KEY is sent to the reflecting model as its key. The gateway of
--gateway gets ART_GATEWAY_ADMIN_TOKEN.
The folder has prompts.json (the best ones), iterations.jsonl, and every
evaluation for "art view" and "art compare".
Exit codes: 0 the search has ended, better or not, as it says; 2 wrong
usage; 3 the comparison cannot be relied on, or something that is needed is
missing; 130 Ctrl-C, which stops the sessions.`;

/** The options of `art improve`. */
export function declaredImprove() {
  return chosenAgentCommand('improve', 'improve', filledArgument)
    .description(
      'Finds better prompts for an agent: a model rewrites them by what the agent did, within a budget of rollouts.',
    )
    .option('--budget <count>', 'most rollouts in all', countArgument())
    .option('--reflect-model <id>', 'model that rewrites the prompts', filledArgument)
    .option(
      '--reflect-url <url>',
      'its OpenAI-compatible endpoint (default: where the model of the agent is)',
      urlArgument,
    )
    .option(
      '--held-out <path>',
      'tasks for the comparison at the end (default: no comparison)',
      filledArgument,
    )
    .option(
      '--until <goal>',
      'end the comparison on --held-out as soon as this is answered: "difference > 0"',
      filledArgument,
    )
    .addOption(rewardRangeOption())
    .option(
      '--validate <path>',
      'tasks that select candidates (default: half of --tasks, drawn by --seed)',
      filledArgument,
    )
    .option(
      '--minibatch <count>',
      'tasks by which a candidate is first compared with its parent (default: 3)',
      countArgument(10_000),
    )
    .option(
      '--seed <number>',
      'of the split, the minibatches and the selection (default: 0)',
      numberArgument({ min: 0, max: 2 ** 32 - 1 }),
    )
    .option('--json', 'write the result as one JSON object', false)
    .addHelpText('after', examples);
}

/** Options of the command; with `resume`, those that are left out are as the search was started with. */
export type ImproveCommandOptions = OptionsOf<typeof declaredImprove> & { agent: string[] };

/** Names what is missing; undefined where nothing is. */
export function missingOfImprove(flags: OptionsOf<typeof declaredImprove>): string | undefined {
  if (flags.resume !== undefined) return undefined;
  if (flags.budget === undefined) return 'Expected --budget with the most rollouts that the search may have.';
  if (flags.reflectModel === undefined)
    return 'Expected --reflect-model with the model that rewrites the prompts.';
  return undefined;
}
