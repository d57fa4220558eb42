import { ArtError, describeThrown } from '@art/ground';
import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';

import { formatDate } from './format-date.ts';
import type { LosslessJson, LosslessObject } from './lossless-json.ts';
import { pythonFunctions } from './python-functions.ts';
import { rewriteForPython, type TemplateProgram } from './rewrite-for-python.ts';
import { templateFunction, toTemplateValue } from './template-values.ts';

/** Input of a chat template. */
export interface TemplateInput {
  messages: readonly LosslessJson[];
  tools?: LosslessJson | undefined;
  addGenerationPrompt: boolean;
  /** Further variables, as `chat_template_kwargs` of a request has them. They win. */
  variables?: LosslessObject | undefined;
}

/** A checkpoint's chat template, rendered as Python's `apply_chat_template` renders it. */
export class ChatTemplate {
  readonly #program: TemplateProgram;
  readonly #specialTokens: Readonly<Record<string, string>>;
  readonly #now: () => Date;
  /** True if the template knows the role `developer`; where it does not, such messages are shown as `system`. */
  readonly knowsDeveloper: boolean;

  /**
   * @param specialTokens `bos_token`, `eos_token` and the like, which templates use by name
   * @throws ArtError `ART_TOKENIZER_UNREADABLE` where the template cannot be parsed
   */
  constructor(
    source: string,
    specialTokens: Readonly<Record<string, string>> = {},
    now: () => Date = () => new Date(),
  ) {
    try {
      this.#program = rewriteForPython(parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true })));
    } catch (cause) {
      throw new ArtError({
        code: 'ART_TOKENIZER_UNREADABLE',
        message: `The chat template cannot be parsed: ${describeThrown(cause).message}.`,
        cause,
      });
    }
    this.#specialTokens = specialTokens;
    this.#now = now;
    this.knowsDeveloper = /['"]developer['"]/.test(source);
  }

  /** @throws ArtError `ART_TEMPLATE_FAILED` where the template refuses these messages or cannot cope with them */
  render(input: TemplateInput): string {
    const environment = this.#environment();
    const set = (name: string, value: LosslessJson | undefined): void => {
      environment.setVariable(name, toTemplateValue(value));
    };
    set('messages', [...input.messages]);
    set('tools', input.tools ?? null);
    set('documents', null);
    set('add_generation_prompt', input.addGenerationPrompt);
    for (const [name, value] of input.variables ?? []) set(name, value);
    try {
      return String(new Interpreter(environment).run(this.#program).value);
    } catch (cause) {
      throw new ArtError({
        code: 'ART_TEMPLATE_FAILED',
        message: `The model's chat template does not accept these messages: ${describeThrown(cause).message}`,
        cause,
      });
    }
  }

  #environment(): Environment {
    const environment = new Environment();
    for (const [name, value] of [
      ['true', true],
      ['false', false],
      ['none', null],
      ['True', true],
      ['False', false],
      ['None', null],
    ] as const) {
      environment.set(name, value);
    }
    environment.set('raise_exception', (message: unknown) => {
      throw new Error(String(message));
    });
    environment.set('range', pythonRange);
    environment.set('strftime_now', (format: unknown) => formatDate(this.#now(), String(format)));
    for (const [name, value] of Object.entries(this.#specialTokens)) environment.set(name, value);
    for (const [name, call] of Object.entries(pythonFunctions)) {
      environment.setVariable(name, templateFunction(call));
    }
    return environment;
  }
}

function pythonRange(first: number, second?: number, step = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  if (step === 0) throw new Error('range() arg 3 must not be zero');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  return Array.from({ length: count }, (_, index) => start + index * step);
}
