import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import {
  countArgument,
  durationArgument,
  numberArgument,
  portArgument,
} from '../arguments/number-argument.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art mock-model                             says the question again
  $ art mock-model script.json                 rules: what to say to which question
  $ art mock-model script.ts --port 8000       a module: export default (request) => 'text'
  $ art mock-model script.json --delay-ms 500 --fail-every 10 --fail-status 429

A script of rules is JSON. The first rule that fits the question says its turns one after the other:
  [ { "when": "^What is (?<sum>.+)\\\\?$",
      "turns": [ { "toolCalls": [ { "name": "calculator", "arguments": { "expression": "{sum}" } } ] },
                 "It is {result}." ] },
    { "turns": [ "I do not know." ] } ]
A turn may also have reasoning, finishReason, delayMs, chunkDelayMs, error, breakAfter and failures; all of it is described in
the README of @art/mock-model.

Served: /v1/chat/completions (token ids and logprobs as vLLM gives them), /v1/responses, /v1/messages, /v1/models, /health.
Exit codes: 0 ended by Ctrl-C or a signal; 2 wrong usage; 3 the port is taken, or a similar obstacle.`;

function declared() {
  return new Command('mock-model')
    .summary('serve a scripted model, to try an agent without a model')
    .description(
      'Serves a scripted model on loopback with the APIs of OpenAI and Anthropic, and tells what it was asked.',
    )
    .argument('[script]', 'JSON rules, or a module that exports a function by default')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', portArgument, 8_000)
    .option('--model-id <name>', 'serve this name only (default: any)', filledArgument)
    .option('--delay-ms <ms>', 'wait so long before each reply', durationArgument)
    .option('--fail-every <count>', 'answer every so many-th request with an error', countArgument())
    .option('--fail-status <status>', 'status of these errors', numberArgument({ min: 400, max: 599 }), 500)
    .option('--json', 'write one JSON event a line', false)
    .addHelpText('after', examples);
}

export type MockModelRunOptions = OptionsOf<typeof declared> & { script?: string };

/** `art mock-model`: how it is written. What it does is in `mock-model/run-mock-model.ts`. */
export function mockModelCommand(run: (options: MockModelRunOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action((script, flags) => run({ ...flags, ...(script !== undefined && { script }) }));
}
