import { ChatMessages } from '../chat/chat-messages.ts';
import { readWholeReply } from '../chat/chat-reply.ts';
import { RequestValue } from '../chat/request-value.ts';
import { TranslatedStream } from '../chat/translated-stream.ts';
import { uniquePart } from '../chat/unique-part.ts';
import type { WireTranslation, WireTranslationOptions } from '../chat/wire-translation.ts';
import { writeObject } from '../../json-bytes/write-json.ts';
import { readResponsesEcho } from './response-object.ts';
import { addResponsesInput } from './responses-items.ts';
import { ResponsesEvents } from './responses-events.ts';
import { translateResponsesTools } from './responses-tools.ts';

// What the Responses wire has and the chat wire has not, or what is translated below. All else is passed on.
const ownMembers = new Set([
  'background',
  'context_management',
  'conversation',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'moderation',
  'n',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'truncation',
]);

/**
 * Translates `POST /v1/responses` of OpenAI to the chat wire. Nothing is kept on the server but single output items
 * (`options.items`), so `previous_response_id`, `conversation` and `background` are refused; so are hosted tools, images
 * and files.
 * @throws WireRequestError with the field at fault
 */
export function translateResponsesRequest(
  body: Uint8Array | string,
  options: WireTranslationOptions = {},
): WireTranslation {
  const request = RequestValue.body(body);
  refuseServerState(request);
  const newId = options.newId ?? uniquePart;
  const now = options.now ?? Date.now;
  const stream = request.member('stream')?.boolean() ?? false;
  const echo = readResponsesEcho(request);
  const chatBody = writeChatBody(request, stream, options);
  const items = request.member('store')?.boolean() === false ? undefined : options.items;
  const context = () => ({ echo, turn: newId(), createdAtMs: now(), newId, items });
  return {
    chatBody,
    stream,
    reply: (chat) => new ResponsesEvents(context()).whole(readWholeReply(chat)),
    openStream: () => new TranslatedStream(new ResponsesEvents(context()), newId),
    error: writeError,
  };
}

function refuseServerState(request: RequestValue): void {
  for (const name of ['previous_response_id', 'conversation', 'prompt']) {
    request
      .member(name)
      ?.refuse(
        `\`${name}\` needs a server that keeps conversations. Send the whole conversation in \`input\`.`,
      );
  }
  if (request.member('background')?.boolean() === true) {
    request
      .member('background')
      ?.refuse('`background` is not supported. Leave it out and wait for the answer.');
  }
  const n = request.member('n');
  if (n !== undefined && n.text !== '1') n.refuse(`Expected \`n\` to be 1 on this wire, got ${n.text}.`);
}

function writeChatBody(request: RequestValue, stream: boolean, options: WireTranslationOptions): string {
  const messages = new ChatMessages();
  const instructions = request.member('instructions');
  if (instructions !== undefined) messages.system(instructions.stringText());
  addResponsesInput(request.required('input'), messages, options.items);
  if (messages.isEmpty) request.refuse('Expected `input` or `instructions` to hold at least one message.');

  const { tools, toolChoice } = translateResponsesTools(request);
  const wantsLogprobs = (request.member('include')?.elements() ?? []).some(
    (entry) => entry.string() === 'message.output_text.logprobs',
  );
  const passedOn = [...request.members()]
    .filter(([name]) => !ownMembers.has(name))
    .map(([name, value]) => [name, value.text] as const);
  return writeObject([
    ...passedOn,
    ['messages', messages.toJson()],
    ['tools', tools],
    // Without tools there is nothing to choose, and engines refuse the choice.
    ['tool_choice', tools === undefined ? undefined : toolChoice],
    ['max_tokens', request.member('max_output_tokens')?.text],
    ['reasoning_effort', request.member('reasoning')?.member('effort')?.text],
    ['response_format', responseFormat(request)],
    ['verbosity', request.member('text')?.member('verbosity')?.text],
    ['logprobs', wantsLogprobs ? 'true' : undefined],
    ['top_logprobs', wantsLogprobs ? request.member('top_logprobs')?.text : undefined],
    ['stream', stream ? 'true' : undefined],
    ['stream_options', stream ? '{"include_usage":true}' : undefined],
  ]);
}

function responseFormat(request: RequestValue): string | undefined {
  const format = request.member('text')?.member('format');
  const type = format?.required('type').string();
  if (format === undefined || type === 'text') return undefined;
  if (type === 'json_object') return '{"type":"json_object"}';
  if (type !== 'json_schema') {
    format.refuse(`Expected \`${format.path}.type\` to be text, json_object or json_schema, got "${type}".`);
  }
  return writeObject([
    ['type', '"json_schema"'],
    [
      'json_schema',
      writeObject(
        (['name', 'description', 'schema', 'strict'] as const).map(
          (name) => [name, format.member(name)?.text] as const,
        ),
      ),
    ],
  ]);
}

const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** OpenAI's error object. */
function writeError(status: number, message: string): string {
  const type = errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return JSON.stringify({ error: { message, type, param: null, code: null } });
}
