import { parseMessage } from '../tokens/template-messages.ts';
import { stringifyLossless } from '../tokens/lossless-json.ts';
import type { CalledEngine } from '../calls/called-engine.ts';
import type { ChatCall } from '../calls/chat-call.ts';
import { joined, type LineageMatch, type SessionLineages } from './session-lineages.ts';
import type { RenderedPrompt, Tokenization } from './tokenization.ts';

/** A prompt, and what to do once it has been answered. */
export interface Prompt extends RenderedPrompt {
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
  engine: CalledEngine,
  tokenization: Tokenization,
  lineages: SessionLineages | undefined,
): Promise<Prompt> {
  const { sessionId } = engine;
  if (lineages === undefined || sessionId === undefined) {
    return { ...(await tokenization.render(call, engine)), answered: () => undefined };
  }
  const { messages, tools, templateArguments } = call;
  const scope = JSON.stringify([call.model, tools, templateArguments]);
  const found = lineages.find(sessionId, scope, messages);
  const known = await continued(found, call, engine, tokenization);
  const prompt = known ?? (await tokenization.render(call, engine));
  const match: LineageMatch = known === undefined ? { kind: 'new' } : found;
  return {
    ...prompt,
    answered(turn) {
      lineages.record(sessionId, scope, match, { ...turn, messages, prompt: prompt.ids });
    },
  };
}

/** Undefined where the conversation has to be rendered anew. */
async function continued(
  match: LineageMatch,
  call: ChatCall,
  engine: CalledEngine,
  tokenization: Tokenization,
): Promise<RenderedPrompt | undefined> {
  switch (match.kind) {
    case 'new':
      return undefined;
    case 'resend':
      // An engine that renders says besides how to sample.
      return { ...(await tokenization.render(call, engine)), ids: match.lineage.prompt };
    case 'continues': {
      const toolCalls = parseMessage(match.echo).get('tool_calls');
      const { prompt, completion, isClosed } = match.lineage;
      const next = await tokenization.bridge(
        {
          call,
          lastToken: completion.at(-1),
          isClosed,
          newMessages: match.newMessages,
          toolCalls: Array.isArray(toolCalls) ? stringifyLossless(toolCalls) : undefined,
        },
        engine,
      );
      return next && { ...next, ids: joined([prompt, completion, next.ids]) };
    }
  }
}
