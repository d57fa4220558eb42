import type { Desk, DeskCall } from './desk/desk.ts';
import type { SimulatedCustomer } from './simulated-customer.ts';

export interface Conversation {
  /** `calls` are those of tools before what the desk says. */
  messages: ({ from: 'customer'; text: string } | { from: 'desk'; text: string; calls: DeskCall[] })[];
  ended: 'by the customer' | 'the desk was silent' | 'too long';
}

/** Messages of the customer. */
const mostTurns = 8;

/** Lets a customer talk to the desk. */
export async function converse(
  desk: Desk,
  customer: SimulatedCustomer,
  signal: AbortSignal,
): Promise<Conversation> {
  const messages: Conversation['messages'] = [];
  let said = 'Hello! What can I do for you?';
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const asked = await customer.reply(said, signal);
    if (asked === undefined) return { messages, ended: 'by the customer' };
    messages.push({ from: 'customer', text: asked });
    const before = desk.calls.length;
    said = await desk.answer(asked, signal);
    if (said === '') return { messages, ended: 'the desk was silent' };
    messages.push({ from: 'desk', text: said, calls: desk.calls.slice(before) });
  }
  return { messages, ended: 'too long' };
}
