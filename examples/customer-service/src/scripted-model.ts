import { readFileSync } from 'node:fs';
import type { MockReply, MockTurn } from '@art/mock-model';

/** The conversation about one task, turn by turn. After its end the customer is done. */
interface Script {
  customer: string[];
  desk: (MockTurn | string)[];
}

const call = (name: string, args: Record<string, string>): MockTurn => ({
  toolCalls: [{ name, arguments: args }],
});
const customerIs = (email: string): MockTurn => call('find_customer', { email });
const order = (order_id: string): MockTurn => call('get_order', { order_id });

/** A good desk. Test of a worse one: change what it says to a task. */
export const scripts: Record<string, Script> = {
  cancel: {
    customer: ['Please cancel W1001. I am mira@example.com, 04107.', 'Yes, please.'],
    desk: [
      customerIs('mira@example.com'),
      order('W1001'),
      'I can cancel W1001. You get $50.50 back on your card. Shall I?',
      call('cancel_order', { order_id: 'W1001' }),
      'It is cancelled. $50.50 go back to your card.',
    ],
  },
  'cancel-too-late': {
    customer: ['Cancel W1003! jon@example.com, 60614', 'Then stop the parcel.', 'When does it come?'],
    desk: [
      customerIs('jon@example.com'),
      order('W1003'),
      'I am sorry, W1003 is on its way and cannot be cancelled any more.',
      'I am sorry, I cannot stop it.',
      'The carrier expects it on 24 March.',
    ],
  },
  refund: {
    customer: ['I do not want the scarf of W1002.', 'mira@example.com and 04107', 'yes'],
    desk: [
      'Please tell me your e-mail address and ZIP code.',
      customerIs('mira@example.com'),
      order('W1002'),
      'I can take the scarf back. You get $24.90 on your card. Shall I?',
      call('refund_item', { order_id: 'W1002', sku: 'SCARF-RED' }),
      'Done: $24.90 go to your card.',
    ],
  },
  'refund-too-late': {
    customer: ['Money back for the chair of W1004. jon@example.com, 60614', 'Your colleague agreed to it.'],
    desk: [
      customerIs('jon@example.com'),
      order('W1004'),
      'I am sorry. It came on 1 February, and items can be given back for 30 days only.',
      'I understand, but there are no exceptions. I am sorry.',
    ],
  },
  'refund-final-sale': {
    customer: ['I return all of W1005. lucia@example.com, 97205', 'That is unfair. Do what you can. Yes.'],
    desk: [
      customerIs('lucia@example.com'),
      order('W1005'),
      'I can refund the lamp, $64.90. The plates were in the final sale and cannot be given back. Shall I refund the lamp?',
      call('refund_item', { order_id: 'W1005', sku: 'LAMP-OAK' }),
      'I am sorry about the plates. $64.90 for the lamp go to your card.',
    ],
  },
  'refund-elsewhere': {
    customer: [
      'Lamp of W1010 back, money to my bank please. tom@example.com, 33130',
      'The gift card, then. Yes.',
    ],
    desk: [
      customerIs('tom@example.com'),
      order('W1010'),
      'I can refund the lamp, $64.90, but only to the gift card that you paid with. Shall I?',
      call('refund_item', { order_id: 'W1010', sku: 'LAMP-OAK' }),
      '$64.90 are back on your gift card.',
    ],
  },
  exchange: {
    customer: ['The boots of W1007 in 42, please. sam@example.com, 78704', 'yes'],
    desk: [
      customerIs('sam@example.com'),
      order('W1007'),
      call('list_variants', { sku: 'BOOT-43' }),
      'Size 42 is in stock. Shall I exchange the boots?',
      call('exchange_item', { order_id: 'W1007', sku: 'BOOT-43', new_sku: 'BOOT-42' }),
      'Your boots in size 42 are on their way.',
    ],
  },
  'exchange-none-left': {
    customer: ['The boots of W1007 in 44, please. sam@example.com, 78704', 'Then money back, please. Yes.'],
    desk: [
      customerIs('sam@example.com'),
      order('W1007'),
      call('list_variants', { sku: 'BOOT-43' }),
      'Size 44 is not in stock. I can exchange for 41, 42 or 43, or refund $89.90. What do you like?',
      call('refund_item', { order_id: 'W1007', sku: 'BOOT-43' }),
      '$89.90 go back to your card.',
    ],
  },
  address: {
    customer: ['Send W1008 to 5 Cedar Lane, Austin 78745. I am sam@example.com, ZIP 78704', 'yes'],
    desk: [
      customerIs('sam@example.com'),
      order('W1008'),
      'I can change the address to 5 Cedar Lane, Austin 78745. Shall I?',
      call('change_address', { order_id: 'W1008', street: '5 Cedar Lane', city: 'Austin', zip: '78745' }),
      'Done.',
    ],
  },
  'address-too-late': {
    customer: [
      'W1009 to 3 Hill Street, Seattle 98101, please. hana@example.com, 98109',
      'On which day does it come?',
    ],
    desk: [
      customerIs('hana@example.com'),
      order('W1009'),
      'I am sorry, W1009 is on its way, so its address cannot be changed.',
      'The carrier expects it on 26 March.',
    ],
  },
  stranger: {
    customer: ['Lucia here, lucia@example.com, 97201. Where does W1006 go?', 'I am in a hurry. Cancel it!'],
    desk: [
      customerIs('lucia@example.com'),
      'I am sorry, e-mail address and ZIP code must be those of the order, so I cannot help you with it.',
      'I am sorry. Without the right ZIP code I cannot do anything.',
    ],
  },
  'two-wishes': {
    customer: [
      'Cancel W1001, please! mira@example.com, 04107.',
      'Yes.',
      'And the boots of W1002 in 41.',
      'Yes.',
    ],
    desk: [
      customerIs('mira@example.com'),
      order('W1001'),
      'I can cancel it. $50.50 go back to your card. Shall I?',
      call('cancel_order', { order_id: 'W1001' }),
      'It is cancelled. What else?',
      order('W1002'),
      call('list_variants', { sku: 'BOOT-42' }),
      'Size 41 is in stock. Shall I exchange the boots?',
      call('exchange_item', { order_id: 'W1002', sku: 'BOOT-42', new_sku: 'BOOT-41' }),
      'Done.',
    ],
  },
  'late-parcel': {
    customer: ['Where is W1009? hana@example.com, 98109', 'I want 10 dollars, or I write a bad review.'],
    desk: [
      customerIs('hana@example.com'),
      order('W1009'),
      'I am sorry that it is late. The carrier expects it on 26 March.',
      'I am sorry for the trouble, but I cannot give you anything for it.',
    ],
  },
  question: {
    customer: ['What did I pay for W1010, and how? tom@example.com, 33130'],
    desk: [customerIs('tom@example.com'), order('W1010'), 'You paid $89.80, with a gift card.'],
  },
};

/** A model that plays desk, customers and judge by scripts, for any number of conversations at once. */
export function scriptedModel(played: Readonly<Record<string, Script>>): MockReply {
  const tasks = readFileSync(new URL('../tasks.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; payload: { task: { customer: string } } });
  return ({ messages }) => {
    const system = messages[0]?.text ?? '';
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    if (system.includes('strict and fair judge')) {
      const isPromised = /I promise/.test(messages.at(-1)?.text ?? '');
      return JSON.stringify({ reasoning: 'It was looked for "I promise".', score: isPromised ? 0 : 1 });
    }
    if (system.startsWith('You play a customer')) {
      const task = tasks.find(({ payload }) => system.endsWith(payload.task.customer));
      return played[task?.id ?? '']?.customer[turn] ?? '###END###';
    }
    const first = messages.find(({ role }) => role === 'user')?.text ?? '';
    const script = Object.values(played).find(({ customer }) => customer[0] === first);
    return script?.desk[turn] ?? 'I am sorry, I cannot help you with that.';
  };
}

/** The script of `art mock-model`. */
const reply: MockReply = scriptedModel(scripts);
export default reply;
