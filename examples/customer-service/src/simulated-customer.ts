import { InfrastructureError } from '@art/agent';
import OpenAI from 'openai';

const end = '###END###';

const rules = `You play a customer who writes to the service desk of a shop. Stay in this role. Write short messages, as people do in a chat.
Say only what your instructions below say, and say it when it is asked for. Never invent facts, and never help the desk to do its work.
When your request is settled, or the desk has refused it for good, answer with ${end} and nothing else.

Your instructions:
`;

/** Plays the customer, and judges what was promised. */
export interface SecondModel {
  baseUrl: string;
  model: string;
  apiKey: string;
}

/**
 * The second model of a rollout. It has its own address, so that its calls do not pass the session of the gateway:
 * what it says is never captured, and never a row to train on.
 * @throws InfrastructureError where no address is set
 */
export function secondModel(env: NodeJS.ProcessEnv): SecondModel {
  const baseUrl = env['USER_BASE_URL'] ?? '';
  if (baseUrl === '')
    throw new InfrastructureError(
      'Expected USER_BASE_URL to be the endpoint of the model that plays the customer, got nothing. Set it in the environment of the agent.',
    );
  return { baseUrl, model: env['USER_MODEL_ID'] ?? 'customer', apiKey: env['USER_API_KEY'] ?? 'customer' };
}

export class SimulatedCustomer {
  readonly #client: OpenAI;
  readonly #model: string;
  readonly #messages: OpenAI.ChatCompletionMessageParam[];

  constructor(instructions: string, { baseUrl, apiKey, model }: SecondModel) {
    this.#client = new OpenAI({ baseURL: baseUrl, apiKey });
    this.#model = model;
    this.#messages = [{ role: 'system', content: rules + instructions }];
  }

  /**
   * The next message to the desk; undefined where the customer is done.
   * @throws InfrastructureError whatever goes wrong, for it is never the fault of the desk
   */
  async reply(heard: string, signal: AbortSignal): Promise<string | undefined> {
    this.#messages.push({ role: 'user', content: heard });
    let said: string;
    try {
      const completion = await this.#client.chat.completions.create(
        { model: this.#model, messages: this.#messages },
        { signal },
      );
      said = completion.choices[0]?.message.content?.trim() ?? '';
    } catch (cause) {
      signal.throwIfAborted();
      throw new InfrastructureError('The model that plays the customer does not answer.', { cause });
    }
    if (said === '') throw new InfrastructureError('The model that plays the customer said nothing.');
    this.#messages.push({ role: 'assistant', content: said });
    return said.includes(end) ? undefined : said;
  }
}
