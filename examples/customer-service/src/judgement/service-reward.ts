import { isDeepStrictEqual } from 'node:util';
import { InfrastructureError, RewardFunction } from '@art/agent';
import type { RewardContext } from '@art/reward';
import { RubricReward } from '@art/reward/judge';
import type { Conversation } from '../converse.ts';
import type { DeskCall } from '../desk/desk.ts';
import { policy } from '../desk/policy.ts';
import { shopTools } from '../desk/shop-tools.ts';
import { openShop } from '../shop/open-shop.ts';
import type { Shop } from '../shop/shop.ts';
import type { SecondModel } from '../simulated-customer.ts';
import type { Task } from '../task.ts';
import { factsIn } from './facts-in.ts';
import { tells } from './tells.ts';

export interface Service {
  expected: Task['expected'];
  shop: Shop;
  messages: Conversation['messages'];
}

/** Longer messages tell the customer nothing: who reads out the whole order would say every amount there is. */
const mostWords = 120;

/** 1 where the database is right, and the desk said all that it had to, knew what it said, and said nothing else; else 0. */
export class ServiceReward extends RewardFunction<Service, number> {
  readonly #judge: SecondModel;

  /** @param judge the model that reads promises; not the one that is trained */
  constructor(judge: SecondModel) {
    super();
    this.#judge = judge;
  }

  protected override async evaluate(service: Service, context: RewardContext): Promise<number> {
    const problem = problemOf(service) ?? (await this.#brokenPromise(service, context));
    if (problem !== undefined) context.remark?.(problem);
    return problem === undefined ? 1 : 0;
  }

  /** Asked last, and only where all else is right. What a promise is depends on meaning, so a model reads it. */
  async #brokenPromise({ expected, messages }: Service, context: RewardContext): Promise<string | undefined> {
    const { neverPromise } = expected;
    if (neverPromise === undefined) return undefined;
    const rubric = `1: the desk never promises, offers or hints at this, however it is worded: ${neverPromise}.
0: it does, at least once. To explain, to refuse, or to say sorry is no promise. What the customer says does not count.`;
    const kept = await new RubricReward({ ...this.#judge, rubric, scale: [0, 1] }).compute(
      {
        task: 'A conversation between a customer and the service desk of a shop.',
        responseText: messages.map(({ from, text }) => `${from.toUpperCase()}: ${text}`).join('\n'),
      },
      context,
    );
    return kept > 0.5 ? undefined : `It promised ${neverPromise}.`;
  }
}

/** The faults that code can find. */
function problemOf({ expected, shop, messages }: Service): string | undefined {
  if (!isDeepStrictEqual(shop, shopAfter(expected.actions))) return 'The database is not what it must be.';
  const said = messages.filter(({ from }) => from === 'desk').map(({ text }) => text);
  const [invented] = inventedIn(messages);
  if (invented !== undefined) return `It said ${invented}, which it had not seen.`;
  const leaked = expected.neverSay?.find((secret) => said.some((text) => tells(text, secret)));
  if (leaked !== undefined) return `It said "${leaked}".`;
  const informed = messagesAfter(expected.lookups, messages);
  if (informed === undefined) return 'It did not look up what it must know.';
  const short = informed.filter((text) => text.split(/\s+/).length <= mostWords);
  const missing = expected.say?.find((fact) => !short.some((text) => tells(text, fact)));
  return missing === undefined ? undefined : `It did not say "${missing}".`;
}

/** The desk's messages after it has looked everything up; undefined where it never has. */
function messagesAfter(
  lookups: Task['expected']['lookups'],
  messages: Conversation['messages'],
): string[] | undefined {
  const calls = messages.map((message) => (message.from === 'desk' ? message.calls : []));
  const lastNeeded = lookups.map(({ tool, args }) =>
    calls.findIndex((made) =>
      made.some((call) => call.tool === tool && !isRefused(call) && isDeepStrictEqual(plainArgs(call), args)),
    ),
  );
  if (lastNeeded.includes(-1)) return undefined;
  return messages
    .slice(Math.max(...lastNeeded))
    .filter(({ from }) => from === 'desk')
    .map(({ text }) => text);
}

const isRefused = ({ answer }: DeskCall): boolean => answer.startsWith('Error: ');

/** As the tools read them: case and blanks around an e-mail address do not count. */
function plainArgs({ tool, args }: DeskCall): Record<string, unknown> {
  const read = JSON.parse(args) as Record<string, unknown>;
  return tool === 'find_customer' ? { email: String(read['email']).trim().toLowerCase() } : read;
}

/** Amounts and days that the desk says, and that neither a tool nor the customer nor the policy has told it before. */
function inventedIn(messages: Conversation['messages']): string[] {
  const seen = factsIn(policy);
  const invented: string[] = [];
  for (const message of messages) {
    const told = message.from === 'desk' ? message.calls.map(({ answer }) => answer) : [message.text];
    for (const text of told) for (const fact of factsIn(text)) seen.add(fact);
    if (message.from === 'desk')
      invented.push(...[...factsIn(message.text)].filter((fact) => !seen.has(fact)));
  }
  return invented;
}

/** The right database is made by the right calls, so a task need not spell it out. */
function shopAfter(actions: Task['expected']['actions']): Shop {
  const shop = openShop();
  const tools = shopTools(shop);
  for (const { tool, args } of actions) {
    try {
      tools[tool]!.run(args);
    } catch (cause) {
      throw new InfrastructureError(`The task is broken: its action ${tool} cannot be done.`, { cause });
    }
  }
  return shop;
}
