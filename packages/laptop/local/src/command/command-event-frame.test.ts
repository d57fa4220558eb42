import { expect, it } from 'vitest';
import { commandEventFrame } from './command-event-frame.ts';

it('writes the frame that AWS SDKs were seen to read', () => {
  const hex = Buffer.from(commandEventFrame({ contentStart: {} })).toString('hex');
  expect(hex).toMatch(/^0000006e0000004ba22e8e5d0d3a6d6573736167652d74797065/);
  expect(hex).toMatch(/7b7d7d1ff311ca$/);
});
