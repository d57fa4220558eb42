import type { MockReply } from '@art/mock-model';
import { chooseReply, type ScriptedBehaviour } from './choose-reply.ts';

/**
 * A script for `@art/mock-model`, and not a neural network: it understands the generator's problems by their wording, really uses the
 * calculator tool, and makes seeded mistakes. It lets the example run without a model.
 */
export function scriptedReply(behaviour: ScriptedBehaviour): MockReply {
  return (request) => {
    const reply = chooseReply(request, behaviour);
    if (reply.kind !== 'call') return reply.content;
    return {
      text: reply.content,
      toolCalls: [{ name: 'calculator', arguments: { expression: reply.expression } }],
    };
  };
}
