import { parseMessage } from '../tokens/template-messages.ts';
import { stringifyLossless } from '../tokens/lossless-json.ts';
import type { ChatCall } from '../calls/chat-call.ts';
import type { LineageMatch, SessionLineages } from './session-lineages.ts';
import type { EngineAddress, RenderedPrompt, Tokenization } from './tokenization.ts';

/** A prompt, and what to do once it has been answered. */
export interface Prompt extends RenderedPrompt {
  /** How it came about. */
  origin: 'rendered' | 'bridged' | 'resent';
  /** Keeps the turn for the next prompt of the session. */
  answered(turn: { completion: Int32Array; reply: string; isClosed: boolean }): void;
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
  let prompt: RenderedPrompt | undefined;
  let origin: Prompt['origin'] = 'rendered';
  if (match.kind === 'resend') {
    // An engine that renders says besides how to sample.
    const rendered = tokenization.isLocal ? undefined : (await tokenization.render(call, at)).rendered;
    prompt = { ids: match.lineage.prompt, rendered };
    origin = 'resent';
  } else if (match.kind === 'continues') {
    prompt = await bridge(match, call, tokenization, at);
    origin = 'bridged';
  }
  if (prompt === undefined) {
    match = { kind: 'new' };
    prompt = await tokenization.render(call, at);
    origin = 'rendered';
  }
  const found = match;
  const { ids } = prompt;
  return {
    ...prompt,
    origin,
    answered(turn) {
      lineages.record(sessionId, scope, found, { ...turn, messages, prompt: ids });
    },
  };
}

function bridge(
  match: Extract<LineageMatch, { kind: 'continues' }>,
  call: ChatCall,
  tokenization: Tokenization,
  at: EngineAddress,
): Promise<RenderedPrompt | undefined> {
  const toolCalls = parseMessage(match.echo).get('tool_calls');
  return tokenization.bridge(
    {
      previousPrompt: match.lineage.prompt,
      previousCompletion: match.lineage.completion,
      call,
      isClosed: match.lineage.isClosed,
      newMessages: match.newMessages,
      tools: call.tools,
      templateArguments: call.templateArguments,
      toolCalls: Array.isArray(toolCalls) ? stringifyLossless(toolCalls) : undefined,
    },
    at,
  );
}
