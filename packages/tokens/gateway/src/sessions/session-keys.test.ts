import { describe, expect, it } from 'vitest';
import { SessionKeys } from './session-keys.ts';

describe('SessionKeys', () => {
  it('makes keys that name their session', () => {
    const keys = new SessionKeys('secret');
    const key = keys.keyOf('harbor/hello world:0');
    expect(key).toMatch(/^sk-art-[\w-]+\.[\w-]+$/);
    expect(keys.read(key)).toEqual({ kind: 'valid', sessionId: 'harbor/hello world:0' });
    expect(new SessionKeys('secret').read(key)).toEqual({ kind: 'valid', sessionId: 'harbor/hello world:0' });
  });

  it('recognises keys of another secret and keys that were changed', () => {
    const key = new SessionKeys('secret').keyOf('one');
    expect(new SessionKeys('other').read(key)).toEqual({ kind: 'forged' });
    expect(new SessionKeys(undefined).read(key)).toEqual({ kind: 'forged' });
    const two = Buffer.from('two').toString('base64url');
    const forged = key.replace(/^sk-art-[^.]+/, `sk-art-${two}`);
    expect(new SessionKeys('secret').read(forged)).toEqual({ kind: 'forged' });
    expect(new SessionKeys('secret').read('sk-art-')).toEqual({ kind: 'forged' });
  });

  it('leaves other keys alone', () => {
    expect(new SessionKeys('secret').read('sk-proj-123')).toEqual({ kind: 'none' });
    expect(new SessionKeys('secret').read('EMPTY')).toEqual({ kind: 'none' });
  });
});
