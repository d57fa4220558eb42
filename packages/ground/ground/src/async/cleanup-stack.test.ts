import { describe, expect, it } from 'vitest';
import { CleanupStack } from './cleanup-stack.ts';

const resource = (name: string, closed: string[]) => ({
  name,
  async [Symbol.asyncDispose]() {
    closed.push(name);
  },
});

describe('CleanupStack', () => {
  it('closes the last first, and everything once', async () => {
    const closed: string[] = [];
    const stack = new CleanupStack();
    expect(stack.use(resource('a', closed)).name).toBe('a');
    stack.defer(() => closed.push('b'));
    await stack.disposeAsync();
    await stack.disposeAsync();
    expect(closed).toEqual(['b', 'a']);
  });

  it('continues after a failure, and tells the first', async () => {
    const closed: string[] = [];
    const stack = new CleanupStack();
    stack.use(resource('a', closed));
    stack.defer(() => Promise.reject(new Error('second')));
    stack.defer(() => {
      throw new Error('first');
    });
    await expect(stack.disposeAsync()).rejects.toThrow('first');
    expect(closed).toEqual(['a']);
  });

  it('leaves to another what was moved out of it', async () => {
    const closed: string[] = [];
    let moved: CleanupStack;
    {
      await using stack = new CleanupStack();
      stack.use(resource('a', closed));
      moved = stack.move();
    }
    expect(closed).toEqual([]);
    await moved.disposeAsync();
    expect(closed).toEqual(['a']);
  });
});
