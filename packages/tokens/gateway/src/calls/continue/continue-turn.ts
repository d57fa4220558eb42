import { hash } from 'node:crypto';
import type { Continuation, ReadCall } from '../../capture/prepare-call.ts';
import { engineProfiles, type EngineFlavour } from '../../engines/engine-profiles.ts';
import type { Worker } from '../../routing/worker.ts';
import type { TextBytes, TurnBefore } from '../../store/capture-store.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { PreparationServices } from '../call/gateway-services.ts';
import { bridgePrompt } from './bridge-prompt.ts';

/**
 * Finds the turn of its session that a chat call continues from, and makes its prompt of that turn's very tokens and of what the
 * template writes behind them. A template that renders the conversation anew need not give the tokens that were sampled.
 * @returns undefined where the call takes no part in it
 */
export async function continueTurn(
  services: PreparationServices,
  call: AdmittedCall,
  read: ReadCall,
  { worker, flavour }: { worker: Worker; flavour: EngineFlavour },
): Promise<Continuation | undefined> {
  const { session } = call;
  if (!services.options.cumulativeTokenMode || !engineProfiles[flavour].takesPromptIds) return undefined;
  if (session === undefined || read.endpoint !== 'chat' || shapesItsPrompt(read)) return undefined;
  const scope = scopeOf(read);
  const { messages } = read;
  const before = await services.store.turnBefore(session.sessionId, { messages, scope });
  const newMessages = messages.slice(before?.messageCount ?? 0);
  // Engines ignore the ids of prompts with images. What was before the turn had no images, or could not be continued.
  if (newMessages.some(hasMedia)) return undefined;
  const promptIds = before && (await goOn(services, call, { read, before, worker }));
  return { scope, stopTokenIds: numbersIn(read.value('stop_token_ids')), promptIds };
}

async function goOn(
  services: PreparationServices,
  call: AdmittedCall,
  { read, before, worker }: { read: ReadCall; before: TurnBefore; worker: Worker },
): Promise<Int32Array | undefined> {
  const { tokenIds, messageCount } = before;
  const bridge = await call.meter.engineTime(() =>
    bridgePrompt(services, call, {
      read,
      worker,
      lastToken: tokenIds.at(-1)!,
      echo: read.messages[messageCount - 1]!,
      newMessages: read.messages.slice(messageCount),
    }),
  );
  if (bridge === undefined) {
    services.metrics.turnContinued('rendered');
    return undefined;
  }
  const ids = new Int32Array(tokenIds.length + bridge.length);
  ids.set(tokenIds);
  ids.set(bridge, tokenIds.length);
  return ids;
}

// With these a prompt is more than its messages, tools and template, or is given as tokens already.
const shapingFields = [
  'continue_final_message',
  'documents',
  'input_ids',
  'prompt_token_ids',
  'reasoning_effort',
  'truncate_prompt_tokens',
];

function shapesItsPrompt({ value }: ReadCall): boolean {
  const isSet = (name: string): boolean => !['null', 'false', undefined].includes(value(name));
  return shapingFields.some(isSet) || value('add_generation_prompt') === 'false';
}

/** The key that two prompts share if they differ only in their messages. */
function scopeOf({ value }: ReadCall): string {
  const isWithoutTools = value('tool_choice') === '"none"';
  const parts = [
    value('model'),
    isWithoutTools ? undefined : value('tools'),
    value('chat_template'),
    value('chat_template_kwargs'),
  ];
  return hash('sha256', JSON.stringify(parts), 'base64');
}

// In a text the quotes would be escaped.
const mediaPart = /"type"\s*:\s*"(?:input_)?(?:image|audio|video|file|document)(?:_url)?"/;

function hasMedia(message: TextBytes): boolean {
  return mediaPart.test(typeof message === 'string' ? message : Buffer.from(message).toString('latin1'));
}

function numbersIn(text: string | undefined): number[] {
  return (text?.match(/\d+/g) ?? []).map(Number);
}
