import { parseMessage } from '../tokens/template-messages.ts';
import { stringifyLossless } from '../tokens/lossless-json.ts';
import type { ChatCall } from './chat-call.ts';
import type { LineageMatch, SessionLineages } from './session-lineages.ts';
import type { EngineAddress, RenderedPrompt, Tokenization } from './tokenization.ts';

/** A prompt, and what to do once it has been answered. */
export interface Prompt extends RenderedPrompt {
  /** How it came about. */
  origin: 'rendered' | 'bridged' | 'resent';
  /** Keeps the turn for the next prompt of the session. */
  answered(completion: Int32Array, reply: string): void;
}

/**
 * Finds the prompt of a call: in cumulative mode the tokens of the turns before, verbatim, wherever the messages are those
 * of a turn that was sampled here and more; else rendered from the messages.
 * @param lineages undefined outside of cumulative mode
 */
export async function findPrompt(
  call: ChatCall,
  sessionId: string | undefined,
  tokenization: Tokenization,
  lineages: SessionLineages | undefined,
  at: EngineAddress,
): Promise<Prompt> {
  if (lineages === undefined || sessionId === undefined) {
    return { ...(await tokenization.render(call, at)), origin: 'rendered', answered: () => undefined };
  }
  const { messages, tools, templateArguments } = call;
  const scope = JSON.stringify([call.model, tools, templateArguments]);
  let match = lineages.find(sessionId, scope, messages);
  let ids: Int32Array | undefined;
  let origin: Prompt['origin'] = 'rendered';
  if (match.kind === 'resend') {
    ids = match.lineage.prompt;
    origin = 'resent';
  } else if (match.kind === 'continues') {
    ids = await bridge(match, call, tokenization, at);
    origin = 'bridged';
  }
  if (ids === undefined) {
    match = { kind: 'new' };
    ids = (await tokenization.render(call, at)).ids;
    origin = 'rendered';
  }
  const [found, prompt] = [match, ids];
  return {
    ids: prompt,
    origin,
    answered(completion, reply) {
      lineages.record(sessionId, scope, found, { messages, prompt, completion, reply });
    },
  };
}

function bridge(
  match: Extract<LineageMatch, { kind: 'continues' }>,
  call: ChatCall,
  tokenization: Tokenization,
  at: EngineAddress,
): Promise<Int32Array | undefined> {
  const toolCalls = parseMessage(match.echo).get('tool_calls');
  return tokenization.bridge(
    {
      previousPrompt: match.lineage.prompt,
      previousCompletion: match.lineage.completion,
      newMessages: match.newMessages,
      tools: call.tools,
      templateArguments: call.templateArguments,
      toolCalls: Array.isArray(toolCalls) ? stringifyLossless(toolCalls) : undefined,
    },
    at,
  );
}
