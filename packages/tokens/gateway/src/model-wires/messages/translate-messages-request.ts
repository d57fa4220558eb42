import { ChatMessages } from '../chat/chat-messages.ts';
import { readWholeReply } from '../chat/chat-reply.ts';
import { RequestValue } from '../chat/request-value.ts';
import { TranslatedStream } from '../chat/translated-stream.ts';
import { uniquePart } from '../chat/unique-part.ts';
import { messagesError } from './messages-errors.ts';
import type { WireTranslation, WireTranslationOptions } from '../chat/wire-translation.ts';
import { writeObject } from '../../json-bytes/write-json.ts';
import { addMessages, systemText } from './messages-content.ts';
import { writeMessagesReply } from './messages-reply.ts';
import { MessagesEvents } from './messages-events.ts';
import { translateMessagesTools, type MessagesTools } from './messages-tools.ts';

// What the Messages wire has and the chat wire has not, or what is translated below. All else is passed on.
const ownMembers = new Set([
  'anthropic_beta',
  'anthropic_version',
  'betas',
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'fallbacks',
  'inference_geo',
  'mcp_servers',
  'messages',
  'metadata',
  'output_config',
  'output_format',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'thinking',
  'tool_choice',
  'tools',
]);

/**
 * Translates `POST /v1/messages` of Anthropic, the beta fields included, to the chat wire. Images, documents, server tools
 * and MCP servers are refused; what only steers Anthropic's own service (caching, context management, thinking budgets)
 * is left out.
 * @throws WireRequestError with the field at fault
 */
export function translateMessagesRequest(
  body: Uint8Array | string,
  options: WireTranslationOptions = {},
): WireTranslation {
  const request = RequestValue.body(body);
  const newId = options.newId ?? uniquePart;
  const stream = request.member('stream')?.boolean() ?? false;
  const stopSequences = (request.member('stop_sequences')?.elements() ?? []).map((stop) => stop.string());
  const chatBody = writeChatBody(request, stream);
  const context = () => ({
    id: `msg_${newId()}`,
    model: request.member('model')?.string() ?? '',
    newId: () => newId().slice(0, 24),
    stopSequences,
  });
  return {
    chatBody,
    stream,
    reply: (chat) => writeMessagesReply(readWholeReply(chat), context()),
    openStream: () => {
      const of = context();
      return new TranslatedStream(new MessagesEvents(of), of.newId);
    },
    error: (status, message) => JSON.stringify(messagesError(status, message)),
  };
}

/** The prompt of a request in the chat wire. */
export interface ChatPrompt {
  /** `model`, `messages` and `tools`, as JSON text. */
  members: (readonly [name: string, text: string | undefined])[];
  tools: MessagesTools;
  /** True if the last message is the beginning of the answer. */
  endsOpen: boolean;
}

/** @throws WireRequestError */
export function writePrompt(request: RequestValue): ChatPrompt {
  const messages = new ChatMessages();
  const system = request.member('system');
  const systemPrompt = system === undefined ? undefined : systemText(system);
  if (systemPrompt !== undefined) messages.system(systemPrompt);
  addMessages(request.required('messages'), messages);
  const tools = translateMessagesTools(request);
  return {
    members: [
      ['model', request.member('model')?.text],
      ['messages', messages.toJson()],
      ['tools', tools.tools],
    ],
    tools,
    endsOpen: messages.endsWithAssistantText,
  };
}

function writeChatBody(request: RequestValue, stream: boolean): string {
  const servers = request.member('mcp_servers');
  if (servers !== undefined && servers.elements().length > 0) {
    servers.refuse(
      '`mcp_servers` are run by Anthropic only. Connect the agent to them and offer their tools.',
    );
  }
  const prompt = writePrompt(request);
  const passedOn = [...request.members()]
    .filter(([name]) => !ownMembers.has(name) && name !== 'model')
    .map(([name, value]) => [name, value.text] as const);
  return writeObject([
    ...prompt.members,
    ['tool_choice', prompt.tools.toolChoice],
    ['parallel_tool_calls', prompt.tools.parallelToolCalls],
    ...passedOn,
    ['stop', stopTexts(request)],
    ['user', request.member('metadata')?.member('user_id')?.text],
    ['response_format', responseFormat(request)],
    // A last assistant message is the beginning of the answer on this wire, which vLLM and SGLang can do when told.
    ['add_generation_prompt', prompt.endsOpen ? 'false' : undefined],
    ['continue_final_message', prompt.endsOpen ? 'true' : undefined],
    ['stream', stream ? 'true' : undefined],
    ['stream_options', stream ? '{"include_usage":true}' : undefined],
  ]);
}

function stopTexts(request: RequestValue): string | undefined {
  const stops = request.member('stop_sequences');
  return stops === undefined || stops.elements().length === 0 ? undefined : stops.text;
}

function responseFormat(request: RequestValue): string | undefined {
  const format = request.member('output_config')?.member('format') ?? request.member('output_format');
  if (format === undefined) return undefined;
  const type = format.required('type').string();
  if (type !== 'json_schema')
    format.refuse(`Expected \`${format.path}.type\` to be json_schema, got "${type}".`);
  return writeObject([
    ['type', '"json_schema"'],
    [
      'json_schema',
      writeObject([
        ['name', '"output"'],
        ['schema', format.required('schema').text],
        ['strict', 'true'],
      ]),
    ],
  ]);
}
