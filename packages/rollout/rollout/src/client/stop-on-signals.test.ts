import { EventEmitter, once } from 'node:events';
import type { ArtError } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { StopOnSignals, type SignalHost } from './stop-on-signals.ts';

class FakeProcess extends EventEmitter {
  exitCode: number | undefined;
  readonly exits: number[] = [];
  written = '';
  readonly stderr = { write: (text: string) => (this.written += text) };
  exit(code: number): void {
    this.exits.push(code);
    this.emit('exited');
  }
}

function rig() {
  const host = new FakeProcess();
  const stopped = Promise.withResolvers<void>();
  let nowMs = 0;
  const reasons: ArtError[] = [];
  const signals = new StopOnSignals({
    host: host as unknown as SignalHost,
    nowMs: () => nowMs,
    stop: (reason) => {
      reasons.push(reason);
      return stopped.promise;
    },
  });
  const pass = (ms: number): void => void (nowMs += ms);
  return { host, signals, reasons, stopped, pass };
}

describe('StopOnSignals', () => {
  it('listens only while there is something to stop', () => {
    const { host, signals } = rig();
    const first = signals.hold();
    const second = signals.hold();
    expect(host.eventNames()).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
    first();
    expect(host.listenerCount('SIGINT')).toBe(1);
    second();
    expect(host.eventNames()).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('at %s stops everything once, begins nothing more, and ends with %i', async (name, exitCode) => {
    const { host, signals, reasons, stopped } = rig();
    signals.hold();
    expect(() => signals.throwIfStopped()).not.toThrow();
    host.emit(name, name);
    host.emit(name, name);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatchObject({ code: 'ART_ROLLOUT_CANCELLED' });
    expect(() => signals.throwIfStopped()).toThrow(reasons[0]);
    expect(host.exitCode).toBe(exitCode);
    // The loop's error reaches nobody who would catch it; another loop may still be stopping its sessions.
    host.emit('uncaughtException', reasons[0]);
    await Promise.resolve();
    expect(host.exits).toEqual([]);
    const exited = once(host, 'exited');
    stopped.resolve();
    await exited;
    expect([host.exits, host.written]).toEqual([[exitCode], '']);
  });

  it('ends the process at once at a second press, and not at the echo of the first', () => {
    const { host, signals, pass } = rig();
    signals.hold();
    host.emit('SIGINT', 'SIGINT');
    pass(400);
    host.emit('SIGINT', 'SIGINT');
    expect(host.exits).toEqual([]);
    pass(100);
    host.emit('SIGINT', 'SIGINT');
    expect(host.exits).toEqual([130]);
  });

  it('knows its error as the cause of another one, and shows what is none of its own', async () => {
    const { host, signals, reasons, stopped } = rig();
    signals.hold();
    stopped.resolve();
    host.emit('SIGINT', 'SIGINT');
    host.emit('uncaughtException', new Error('cancelled', { cause: reasons[0] }));
    await once(host, 'exited');
    expect([host.exits, host.written]).toEqual([[130], '']);
    const other = rig();
    other.signals.hold();
    other.stopped.resolve();
    other.host.emit('SIGINT', 'SIGINT');
    other.host.emit('uncaughtException', new Error('a bug'));
    await once(other.host, 'exited');
    expect(other.host.exits).toEqual([1]);
    expect(other.host.written).toContain('Error: a bug');
  });
});
