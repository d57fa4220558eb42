import { describe, expect, it, vi } from 'vitest';
import { EngineBody, type BodySource } from './http-transport.ts';

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

  it('gives what an engine that continues sends at once', async () => {
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
});
