import { ArtError } from '@art/ground';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.ts';
import { ManualClock } from '@art/ground/testing';

interface Written {
  texts: string[];
  /** Ends the write that is under way. */
  end: (failure?: Error) => Promise<void>;
}

function start(options: { gatherMs?: number; lingerMs?: number } = {}): {
  commits: GroupCommit;
  clock: ManualClock;
  written: Written;
  failures: unknown[];
} {
  const clock = new ManualClock();
  const failures: unknown[] = [];
  let current = Promise.withResolvers<void>();
  const written: Written = {
    texts: [],
    end: async (failure) => {
      if (failure === undefined) current.resolve();
      else current.reject(failure);
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    },
  };
  const commits = new GroupCommit({
    write: (text) => {
      written.texts.push(text);
      current = Promise.withResolvers<void>();
      return current.promise;
    },
    clock,
    gatherMs: options.gatherMs ?? 0,
    lingerMs: options.lingerMs ?? 20,
    asArtError: (cause) => new ArtError({ code: 'ART_JOURNAL_WRITE_FAILED', message: String(cause), cause }),
  });
  commits.broken.addEventListener('abort', () => failures.push(commits.broken.reason));
  return { commits, clock, written, failures };
}

describe('GroupCommit', () => {
  it('writes what came meanwhile in one go', async () => {
    const { commits, written } = start();
    const first = commits.commit('a');
    await Promise.resolve();
    const others = Promise.all([commits.commit('b'), commits.commit('c')]);
    commits.append('d');
    expect(written.texts).toEqual(['a\n']);
    await written.end();
    await first;
    expect(written.texts).toEqual(['a\n', 'b\nc\nd\n']);
    await written.end();
    await others;
  });

  it('lets lines wait that nobody waits for, until somebody does', async () => {
    const { commits, clock, written } = start();
    commits.append('a');
    clock.advance(19);
    expect(written.texts).toEqual([]);
    clock.advance(1);
    expect(written.texts).toEqual(['a\n']);
    await written.end();
    commits.append('b');
    const commit = commits.commit('c');
    await Promise.resolve();
    expect(written.texts).toEqual(['a\n', 'b\nc\n']);
    await written.end();
    await commit;
    expect(clock.timers).toBe(0);
    await commits.flush();
  });

  it('gathers for as long as it was told', async () => {
    const { commits, clock, written } = start({ gatherMs: 100 });
    const commit = Promise.all([commits.commit('a'), commits.commit('b')]);
    clock.advance(99);
    expect(written.texts).toEqual([]);
    clock.advance(1);
    expect(written.texts).toEqual(['a\nb\n']);
    await written.end();
    await commit;
  });

  it('fails everybody who waits, and everybody after, with the first failure', async () => {
    const { commits, written, failures } = start();
    const first = commits.commit('a');
    await Promise.resolve();
    const second = commits.commit('b');
    const rejected = Promise.allSettled([first, second]);
    await written.end(new Error('full'));
    expect((await rejected).map((one) => one.status)).toEqual(['rejected', 'rejected']);
    await expect(commits.commit('c')).rejects.toThrow('full');
    commits.append('d');
    await expect(commits.flush()).rejects.toThrow('full');
    expect(written.texts).toEqual(['a\n']);
    expect(failures).toHaveLength(1);
  });

  it.each([undefined, new Error('and the write fails as well')])(
    'ended from outside while it writes, keeps nobody waiting (%s)',
    async (failure) => {
      const { commits, written, failures } = start();
      const commit = commits.commit('a');
      await Promise.resolve();
      commits.fail(new Error('taken over'));
      const [rejected] = await Promise.all([Promise.allSettled([commit]), written.end(failure)]);
      expect(rejected[0]).toMatchObject({ reason: { cause: { message: 'taken over' } } });
      expect(failures).toEqual([(rejected[0] as PromiseRejectedResult).reason]);
    },
  );
});
