import { describe, expect, it, vi } from 'vitest';
import { EngineBody, type BodySource } from './engine-dispatch.ts';

const source = () => ({
  pause: vi.fn<BodySource['pause']>(),
  resume: vi.fn<BodySource['resume']>(),
  abort: vi.fn<BodySource['abort']>(),
});
const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe('EngineBody', () => {
  it('holds the engine back while nobody reads, and lets it go on', async () => {
    const engine = source();
    const body = new EngineBody(engine);
    body.push(bytes(60_000));
    expect(engine.pause).not.toHaveBeenCalled();
    body.push(bytes(10_000));
    expect(engine.pause).toHaveBeenCalledTimes(1);
    const reader = body[Symbol.asyncIterator]();
    expect((await reader.next()).value).toHaveLength(60_000);
    expect((await reader.next()).value).toHaveLength(10_000);
    expect(engine.resume).not.toHaveBeenCalled();
    const next = reader.next();
    await vi.waitFor(() => expect(engine.resume).toHaveBeenCalledTimes(1));
    body.push(bytes(1));
    expect((await next).value).toHaveLength(1);
    body.finish();
    expect((await reader.next()).done).toBe(true);
    expect(engine.abort).not.toHaveBeenCalled();
  });

  it('gives what an engine that goes on sends at once', async () => {
    const engine = source();
    const body = new EngineBody(engine);
    engine.resume.mockImplementationOnce(() => body.push(bytes(80_000)));
    body.push(bytes(70_000));
    const reader = body[Symbol.asyncIterator]();
    expect((await reader.next()).value).toHaveLength(70_000);
    expect((await reader.next()).value).toHaveLength(80_000);
    const last = reader.next();
    await vi.waitFor(() => expect(engine.resume).toHaveBeenCalledTimes(2));
    body.finish();
    expect((await last).done).toBe(true);
  });

  it('gives what came before an error, then the error', async () => {
    const body = new EngineBody(source());
    body.push(bytes(1));
    body.finish(new Error('reset'));
    const reader = body[Symbol.asyncIterator]();
    expect((await reader.next()).value).toHaveLength(1);
    await expect(reader.next()).rejects.toThrow('reset');
  });

  it('stops the engine where the reader stops', async () => {
    const engine = source();
    const body = new EngineBody(engine);
    body.push(bytes(1));
    for await (const _chunk of body) break;
    expect(engine.abort).toHaveBeenCalledTimes(1);
  });

  it('is given as a whole without being held back', async () => {
    const engine = source();
    const body = new EngineBody(engine);
    body.push(bytes(70_000));
    const whole = body.whole();
    expect(engine.resume).toHaveBeenCalledTimes(1);
    body.push(bytes(70_000));
    expect(engine.pause).toHaveBeenCalledTimes(1);
    body.finish();
    expect(await whole).toHaveLength(2);
    const broken = new EngineBody(source());
    const failing = broken.whole();
    broken.finish(new Error('reset'));
    await expect(failing).rejects.toThrow('reset');
  });

  it('hands every chunk on the moment it comes', async () => {
    const engine = source();
    const body = new EngineBody(engine);
    body.push(bytes(1));
    const taken: number[] = [];
    const all = body.each((chunk) => void taken.push(chunk.length));
    expect(taken).toEqual([1]);
    body.push(bytes(2));
    expect(taken).toEqual([1, 2]);
    body.finish();
    await all;
    expect(engine.abort).not.toHaveBeenCalled();
  });

  it('hands on no faster than it is taken, and holds the engine back meanwhile', async () => {
    const engine = source();
    const body = new EngineBody(engine);
    const gates: (() => void)[] = [];
    const taken: number[] = [];
    const all = body.each((chunk) => {
      taken.push(chunk.length);
      return new Promise((resolve) => gates.push(resolve));
    });
    body.push(bytes(1));
    body.push(bytes(40_000));
    body.push(bytes(40_000));
    body.finish();
    expect(taken).toEqual([1]);
    expect(engine.pause).toHaveBeenCalledTimes(1);
    for (const expected of [2, 3]) {
      expect(engine.resume).not.toHaveBeenCalled();
      gates.shift()!();
      await vi.waitFor(() => expect(taken).toHaveLength(expected));
    }
    gates.shift()!();
    await all;
    expect(engine.resume).toHaveBeenCalledTimes(1);
  });

  it('lets an engine go on that was held back before anybody read', async () => {
    const engine = source();
    const body = new EngineBody(engine);
    engine.resume.mockImplementationOnce(() => body.push(bytes(3)));
    body.push(bytes(70_000));
    const taken: number[] = [];
    const all = body.each((chunk) => void taken.push(chunk.length));
    expect(taken).toEqual([70_000, 3]);
    body.finish();
    await all;
  });

  it('tells of an error behind the chunks that came before, also while one is being taken', async () => {
    const early = new EngineBody(source());
    early.push(bytes(1));
    early.finish(new Error('reset'));
    const taken = vi.fn<(chunk: Uint8Array) => undefined>();
    await expect(early.each(taken)).rejects.toThrow('reset');
    expect(taken).toHaveBeenCalledOnce();

    const late = new EngineBody(source());
    const gate = Promise.withResolvers<void>();
    const all = late.each(() => gate.promise);
    late.push(bytes(1));
    late.finish(new Error('reset'));
    gate.resolve();
    await expect(all).rejects.toThrow('reset');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['fails later', () => Promise.reject(new Error('full'))],
  ])('stops the engine where what takes a chunk %s', async (_name, take) => {
    const engine = source();
    const body = new EngineBody(engine);
    const all = body.each(take);
    body.push(bytes(1));
    await expect(all).rejects.toThrow('full');
    expect(engine.abort).toHaveBeenCalledTimes(1);
    body.push(bytes(1));
    body.finish(new Error('given up'));
  });
});
