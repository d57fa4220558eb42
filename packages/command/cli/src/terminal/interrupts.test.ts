import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { listenForInterrupts } from './interrupts.ts';

describe('listenForInterrupts', () => {
  it('asks at the first signal and forces at a later one', () => {
    const context = capturedContext();
    let nowMs = 1_000;
    using interrupts = listenForInterrupts(context, () => nowMs);
    expect(interrupts.exitCode).toBeUndefined();

    context.signals.emit('SIGINT', 'SIGINT');
    expect(interrupts.signal.aborted).toBe(true);
    expect(interrupts.exitCode).toBe(130);

    // npx passes the same key press on a moment later.
    nowMs += 20;
    context.signals.emit('SIGINT', 'SIGINT');
    expect(context.exits).toEqual([]);

    nowMs += 600;
    context.signals.emit('SIGINT', 'SIGINT');
    expect(context.exits).toEqual([130]);
  });

  it('lets a command that asks for it end at once at the second signal, and forces at the third', () => {
    const context = capturedContext();
    let nowMs = 1_000;
    using interrupts = listenForInterrupts(context, () => nowMs);
    const { urgent } = interrupts;
    for (const expected of [false, false, true]) {
      context.signals.emit('SIGINT', 'SIGINT');
      expect({ urgent: urgent.aborted, exits: context.exits }).toEqual({ urgent: expected, exits: [] });
      nowMs += expected ? 600 : 300;
    }
    context.signals.emit('SIGINT', 'SIGINT');
    expect(context.exits).toEqual([130]);
  });

  it('tells which signal it was, and leaves no listener behind', () => {
    const context = capturedContext();
    {
      using interrupts = listenForInterrupts(context);
      context.signals.emit('SIGTERM', 'SIGTERM');
      expect(interrupts.exitCode).toBe(143);
      expect(interrupts.signal.reason).toMatchObject({ message: 'interrupted by SIGTERM' });
    }
    expect(context.signals.eventNames()).toEqual([]);
  });
});
