import { resolve } from 'node:path';
import { type MockReply, type MockRequest, type MockTurn, readScript, startMockModel } from '@art/mock-model';
import { ArtError } from '@art/protocol';
import type { CliContext } from '../cli-context.ts';
import type { MockModelRunOptions } from '../commands/mock-model-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { listenForInterrupts, untilAborted } from '../terminal/interrupts.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { printableText } from '../terminal/printable-text.ts';

const shownCharacters = 100;

/**
 * `art mock-model`: serves until it is told to end.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION` when there is no script in the file, `ART_PORT_TAKEN`
 */
export async function runMockModel(options: MockModelRunOptions, context: CliContext): Promise<number> {
  const { script, port, modelId, json } = options;
  const { stdout, cwd, env } = context;
  const paint = createPaint(stdout, env);
  const reply = script === undefined ? undefined : await readScript(resolve(cwd, script));
  using interrupts = listenForInterrupts(context);
  const model = await startMockModel({
    port,
    modelId,
    reply: disturbed(reply, options),
    onTurn: (request, turn) =>
      stdout.write(json ? plainJson(turnEvent(request, turn)) : formatTurn(request, turn, paint)),
  }).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).syscall !== 'listen') throw cause;
    throw new ArtError({
      code: 'ART_PORT_TAKEN',
      message: `Expected port ${port} of 127.0.0.1 to be free (${(cause as NodeJS.ErrnoException).code}). Choose another --port; 0 takes a free one.`,
      cause,
    });
  });
  const { url, baseUrl } = model;
  stdout.write(
    json
      ? plainJson({ event: 'ready', url, baseUrl, modelId: modelId ?? 'mock-model' })
      : `${paint('bold', 'Mock model')} at ${paint('cyan', url)}\n` +
          `  OpenAI     baseURL ${baseUrl}\n  Anthropic  baseURL ${url}\n  model      ${modelId ?? 'any name'}\n` +
          `  script     ${script ?? 'none: it says the question again'}\nCtrl-C ends it.\n`,
  );
  await untilAborted(interrupts.signal);
  await model.close();
  if (json) stdout.write(plainJson({ event: 'stopped' }));
  return exitCodes.ok;
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

function turnEvent({ wire, model, question, turn: index }: MockRequest, turn: MockTurn): object {
  return { event: 'turn', wire, model, question, index, turn };
}

function formatTurn({ wire, question, turn: index }: MockRequest, turn: MockTurn, paint: Paint): string {
  const asked = paint('dim', `${wire}, turn ${index + 1}:`);
  return `${asked} ${oneLine(question)} ${paint('dim', '->')} ${oneLine(describeTurn(turn))}\n`;
}

function describeTurn({ error, breakAfter, text = '', toolCalls = [] }: MockTurn): string {
  if (error !== undefined) return `error ${error.status}`;
  if (breakAfter !== undefined) return 'a broken connection';
  const calls = toolCalls.map(({ name, arguments: given = {} }) => {
    return `${name}(${typeof given === 'string' ? given : JSON.stringify(given)})`;
  });
  return [...(text === '' ? [] : [text]), ...calls].join(' ');
}

function oneLine(text: string): string {
  const line = printableText(text.replaceAll(/\s+/g, ' ').trim());
  return line.length <= shownCharacters ? line : `${line.slice(0, shownCharacters)}...`;
}
