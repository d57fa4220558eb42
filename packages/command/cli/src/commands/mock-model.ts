import { resolve } from 'node:path';
import { type MockReply, type MockRequest, type MockTurn, readScript, startMockModel } from '@art/mock-model';
import { ArtError } from '@art/ground';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import {
  countArgument,
  durationArgument,
  numberArgument,
  portArgument,
} from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { filledArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { cutLine } from '../terminal/cut-line.ts';
import { serving, untilAborted } from '../terminal/interrupts.ts';
import type { Paint } from '../terminal/paint.ts';

const examples = `
Examples:
  $ art mock-model                             says the question again
  $ art mock-model script.json
      rules: what to say to which question
  $ art mock-model script.ts --port 8000
      a module: export default (request) => 'text'
  $ art mock-model script.json --delay-ms 500 --fail-every 10 \\
      --fail-status 429

A script of rules is JSON. The first rule that fits the question says its
turns one after the other:
  [ { "when": "^What is (?<sum>.+)\\\\?$",
      "turns": [ { "toolCalls": [
                   { "name": "calculator",
                     "arguments": { "expression": "{sum}" } } ] },
                 "It is {result}." ] },
    { "turns": [ "I do not know." ] } ]
A turn may also have reasoning, finishReason, delayMs, chunkDelayMs, error,
breakAfter and failures; all of it is described in the README of
@art/mock-model.

Served: /v1/chat/completions (token ids and logprobs as vLLM gives them),
/v1/responses, /v1/messages, /v1/models, /health.
Exit codes: 0 ended by Ctrl-C or a signal; 2 wrong usage; 3 the port is
taken, or a similar obstacle.`;

function declared() {
  return new Command('mock-model')
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

export type MockModelRunOptions = OptionsOf<typeof declared> & { script?: string | undefined };

/** The command line of `art mock-model`. */
export function mockModelCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runMockModel);
  return declared().action((script, flags) => run({ ...flags, script }));
}

const shownCharacters = 100;

/** Events of `art mock-model`, with `--json` an object a line. */
type MockModelEvent =
  | { event: 'ready'; url: string; baseUrl: string; modelId: string }
  | {
      event: 'turn';
      wire: MockRequest['wire'];
      model: string;
      question: string;
      index: number;
      turn: MockTurn;
    }
  | { event: 'stopped' };

/**
 * `art mock-model`: serves until it is stopped.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION` when there is no script in the file, `ART_PORT_TAKEN`
 */
export function runMockModel(options: MockModelRunOptions, context: CliContext): Promise<number> {
  const { script, port, modelId, json } = options;
  const tell = eventWriter<MockModelEvent>(context, json, (event, paint) =>
    describeEvent(event, options, paint),
  );
  return serving(context, async ({ signal }) => {
    const reply = script === undefined ? undefined : await readScript(resolve(context.cwd, script));
    const model = await startMockModel({
      port,
      modelId,
      reply: disturbed(reply, options),
      onTurn: ({ wire, model: asked, question, turn: index }, turn) =>
        tell({ event: 'turn', wire, model: asked, question, index, turn }),
    }).catch((cause: unknown) => {
      if ((cause as NodeJS.ErrnoException).syscall !== 'listen') throw cause;
      throw new ArtError({
        code: 'ART_PORT_TAKEN',
        message: `Expected port ${port} of 127.0.0.1 to be free (${(cause as NodeJS.ErrnoException).code}). Choose another --port; 0 takes a free one.`,
        cause,
      });
    });
    tell({ event: 'ready', url: model.url, baseUrl: model.baseUrl, modelId: modelId ?? 'mock-model' });
    await untilAborted(signal);
    await model.close();
    tell({ event: 'stopped' });
    return exitCodes.ok;
  });
}

/** The script with the delay and the failures that the command line asks for. */
function disturbed(
  script: MockReply = ({ question }) => `You said: ${question}`,
  { delayMs, failEvery, failStatus }: MockModelRunOptions,
): MockReply {
  let requests = 0;
  return async (request) => {
    requests += 1;
    const said = await script(request);
    const turn = typeof said === 'string' ? { text: said } : said;
    return {
      ...turn,
      delayMs: delayMs ?? turn.delayMs ?? 0,
      ...(failEvery !== undefined && requests % failEvery === 0 && { error: { status: failStatus } }),
    };
  };
}

function describeEvent(
  event: MockModelEvent,
  { script, modelId }: MockModelRunOptions,
  paint: Paint,
): string {
  switch (event.event) {
    case 'ready':
      return [
        `${paint('bold', 'Mock model')} at ${paint('cyan', event.url)}`,
        `  OpenAI     baseURL ${event.baseUrl}`,
        `  Anthropic  baseURL ${event.url}`,
        `  model      ${modelId ?? 'any name'}`,
        `  script     ${script ?? 'none: it says the question again'}`,
        'Ctrl-C ends it.\n',
      ].join('\n');
    case 'turn': {
      const asked = paint('dim', `${event.wire}, turn ${event.index + 1}:`);
      return `${asked} ${cutLine(event.question, shownCharacters)} ${paint('dim', '->')} ${cutLine(describeTurn(event.turn), shownCharacters)}\n`;
    }
    case 'stopped':
      return '';
  }
}

function describeTurn({ error, breakAfter, text = '', toolCalls = [] }: MockTurn): string {
  if (error !== undefined) return `error ${error.status}`;
  if (breakAfter !== undefined) return 'a broken connection';
  const calls = toolCalls.map(({ name, arguments: given = {} }) => {
    return `${name}(${typeof given === 'string' ? given : JSON.stringify(given)})`;
  });
  return [...(text === '' ? [] : [text]), ...calls].join(' ');
}
