import { EventEmitter } from 'node:events';

import { expect, it, vi } from 'vitest';

import { RenderPool, type RenderThread } from './render-pool.ts';
import type { RenderJob, RenderReply } from './render-worker.ts';

class FakeThread extends EventEmitter {
  readonly requests: RenderJob[] = [];
  readonly terminate = vi.fn(() => Promise.resolve(0));
  readonly ref = vi.fn();
  readonly unref = vi.fn();

  postMessage(request: RenderJob): void {
    this.requests.push(request);
  }

  say(reply: RenderReply): void {
    this.emit('message', reply);
  }

  answer(...ids: number[]): void {
    this.say({ kind: 'done', answer: Int32Array.from(ids) });
  }
}

function poolOf(threads: number): { pool: RenderPool; started: FakeThread[] } {
  const started: FakeThread[] = [];
  const pool = new RenderPool({
    data: { checkpoint: '/model' },
    threads,
    startThread: () => {
      const thread = new FakeThread();
      started.push(thread);
      return thread as unknown as RenderThread;
    },
  });
  return { pool, started };
}

const render = (prompt: number) => ({ kind: 'render', task: { messages: [String(prompt)] } }) as const;

it('gives each thread one job at a time, in order', async () => {
  const { pool, started } = poolOf(2);
  const answers = [1, 2, 3].map((id) => pool.run(render(id)));
  started[0]!.say({ kind: 'ready' });
  started[1]!.say({ kind: 'ready' });
  expect(started.map((thread) => thread.requests.length)).toEqual([1, 1]);
  started[1]!.answer(2);
  started[1]!.answer(3);
  started[0]!.answer(1);
  expect(await Promise.all(answers)).toEqual([1, 2, 3].map((id) => Int32Array.of(id)));
});

it('replaces a thread that ended, and fails only the job that it had', async () => {
  const { pool, started } = poolOf(1);
  started[0]!.say({ kind: 'ready' });
  const lost = pool.run(render(1));
  const waiting = pool.run(render(2));
  started[0]!.emit('error', new Error('out of memory'));
  started[0]!.emit('exit', 1);
  await expect(lost).rejects.toMatchObject({
    code: 'ART_RENDER_FAILED',
    message: 'The render thread ended: out of memory.',
  });
  expect(started).toHaveLength(2);
  started[1]!.say({ kind: 'ready' });
  started[1]!.answer(7);
  expect(await waiting).toEqual(Int32Array.of(7));
});

it('does not restart a thread that cannot load its tokenizer', async () => {
  const { pool, started } = poolOf(1);
  const job = pool.run(render(1));
  started[0]!.say({
    kind: 'failed',
    error: { code: 'ART_TOKENIZER_UNREADABLE', message: 'no such decoder' },
  });
  started[0]!.emit('exit', 0);
  await expect(job).rejects.toMatchObject({ code: 'ART_TOKENIZER_UNREADABLE' });
  await expect(pool.run(render(2))).rejects.toMatchObject({ code: 'ART_TOKENIZER_UNREADABLE' });
  expect(started).toHaveLength(1);
});

it('takes an aborted job out of the queue, and lets a running one go', async () => {
  const { pool, started } = poolOf(1);
  started[0]!.say({ kind: 'ready' });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = pool.run(render(1), running.signal);
  const second = pool.run(render(2), waiting.signal);
  const third = pool.run(render(3));
  waiting.abort(new Error('left'));
  running.abort(new Error('left too'));
  await expect(second).rejects.toThrow('left');
  await expect(first).rejects.toThrow('left too');
  started[0]!.answer(1);
  expect(started[0]!.requests).toEqual([render(1), render(3)]);
  started[0]!.answer(3);
  expect(await third).toEqual(Int32Array.of(3));
});

it('keeps the process alive while somebody waits, and only then', async () => {
  const { pool, started } = poolOf(1);
  const thread = started[0]!;
  expect(thread.unref).not.toHaveBeenCalled();
  thread.say({ kind: 'ready' });
  expect(thread.unref).toHaveBeenCalledOnce();
  const job = pool.run(render(1));
  expect(thread.ref).toHaveBeenCalledOnce();
  thread.answer(1);
  await job;
  expect(thread.unref).toHaveBeenCalledTimes(2);
});

it('rejects what is under way when it closes', async () => {
  const { pool, started } = poolOf(1);
  started[0]!.say({ kind: 'ready' });
  const jobs = [pool.run(render(1)), pool.run(render(2))];
  const closing = pool.close();
  for (const job of jobs) await expect(job).rejects.toMatchObject({ code: 'ART_CLOSED' });
  await closing;
  await pool.close();
  expect(started[0]!.terminate).toHaveBeenCalledOnce();
});
