import { expect, it } from 'vitest';
import { OperationOrder } from './operation-order.ts';

it('numbers operations when they are called, and sends each when the one before was accepted', async () => {
  const order = new OperationOrder();
  const accepted = Promise.withResolvers<string>();
  const sent: number[] = [];
  const first = order.submit((number) => {
    sent.push(number);
    return accepted.promise;
  });
  const second = order.submit(async (number) => {
    sent.push(number);
    return 'two';
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([1]);
  accepted.resolve('one');
  expect([await first, await second, sent]).toEqual(['one', 'two', [1, 2]]);
});

it('sends nothing behind an operation that was not accepted', async () => {
  const order = new OperationOrder();
  const sent: number[] = [];
  const refused = order.submit(async () => {
    throw new Error('the session has ended');
  });
  const later = order.submit(async (number) => void sent.push(number));
  await expect(refused).rejects.toThrow('the session has ended');
  await expect(later).rejects.toThrow('the session has ended');
  await expect(order.submit(async (number) => void sent.push(number))).rejects.toThrow('has ended');
  expect(sent).toEqual([]);
});

it('sends nothing behind an operation that was accepted and failed', async () => {
  const order = new OperationOrder();
  await order.submit(async () => 'accepted');
  order.fail(new Error('the pass failed'));
  await expect(order.submit(async () => 'sent')).rejects.toThrow('the pass failed');
});
