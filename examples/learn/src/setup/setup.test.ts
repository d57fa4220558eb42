import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkMachine, type Machine } from './check-machine.ts';
import { findPython } from './find-python.ts';
import { MachineRefusal } from './machine-refusal.ts';
import {
  announceInstallation,
  checkDisk,
  installEnvironment,
  locateEnvironment,
  type PythonEnvironment,
} from './python-environment.ts';

const never = new AbortController().signal;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'art-setup-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

async function program(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('checkMachine', () => {
  const machine: Machine = {
    platform: 'linux',
    arch: 'x64',
    cpuInfo: 'processor\t: 0\nflags\t\t: fpu sse4_2 avx avx2 bmi1\n',
    freeMemoryBytes: 8e9,
  };

  it('takes AVX2 and AVX-512', () => {
    expect(() => checkMachine(machine)).not.toThrow();
    expect(() => checkMachine({ ...machine, cpuInfo: 'flags\t\t: fpu avx512f\n' })).not.toThrow();
  });

  it.each([
    [{ cpuInfo: 'flags\t\t: fpu sse4_2 avx\n' }, 'AVX2'],
    [{ cpuInfo: '' }, 'AVX2'],
    [{ platform: 'darwin' }, 'got darwin on x64'],
    [{ arch: 'arm64' }, 'got linux on arm64'],
    [{ freeMemoryBytes: 5.9e9 }, 'got 5.9 GB'],
  ])('refuses %j', (lack, words) => {
    expect(() => checkMachine({ ...machine, ...lack })).toThrow(words);
    expect(() => checkMachine({ ...machine, ...lack })).toThrow(MachineRefusal);
  });
});

describe('findPython', () => {
  it('takes the first of the right version that has venv', async () => {
    const old = await program('old', 'echo 3.9');
    const bare = await program('bare', 'echo "ModuleNotFoundError: No module named ensurepip" >&2; exit 1');
    const shim = await program('shim', 'echo "not installed" >&2; exit 127');
    const right = await program('right', 'echo 3.12');
    expect(await findPython(['/no/such', old, bare, shim, right])).toEqual({
      program: right,
      version: '3.12',
    });
    await expect(findPython(['/no/such', old, bare, shim])).rejects.toThrow(
      `Expected Python 3.11 to 3.14 with venv in PATH, got ${old} 3.9, ${bare} without venv.`,
    );
    await expect(findPython(['/no/such'])).rejects.toThrow('got none');
  });
});

describe('the environment', () => {
  it('is one for each Python and each list of versions, in the cache folder', async () => {
    await program('python3', 'echo 3.13');
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
    const found = await locateEnvironment({ XDG_CACHE_HOME: folder });
    expect(found.folder).toMatch(new RegExp(`^${folder}/art-learn/python-3\\.13-[0-9a-f]{12}$`));
    expect(found).toMatchObject({ isThere: false, base: { program: 'python3', version: '3.13' } });
    await mkdir(join(found.folder, 'bin'), { recursive: true });
    await writeFile(found.python, '');
    expect(await locateEnvironment({ XDG_CACHE_HOME: folder })).toMatchObject({ isThere: true });
  });

  it('is announced with what it takes, or refused', async () => {
    vi.stubEnv('PATH', folder);
    expect(() => checkDisk(7.9e9, '/full')).toThrow('Expected 8 GB of free disk in /full, got 7.9 GB');
    expect(() => checkDisk(8e9, '/full')).not.toThrow();
    const words = await announceInstallation(planned('python3')).catch((error: Error) => error.message);
    expect(words).toMatch(/3\.2 GB[\s\S]*8 GB of disk[\s\S]*6 GB of memory|got .* GB\. Make room/);
  });

  // A Python whose venv has a Python that does what `install` says.
  async function fakePython(install: string): Promise<string> {
    return await program(
      'python3',
      `mkdir -p "$3/bin" && cat > "$3/bin/python" <<'END'\n#!/bin/sh\n${install}\nEND\nchmod +x "$3/bin/python"`,
    );
  }

  function planned(base: string): PythonEnvironment {
    const at = join(folder, 'cache', 'python-3.12-x');
    return {
      folder: at,
      python: join(at, 'bin', 'python'),
      isThere: false,
      base: { program: base, version: '3.12' },
    };
  }

  async function withoutUv(): Promise<void> {
    await program('uv', 'exit 1');
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
    await mkdir(join(folder, 'cache'));
  }

  it('is there when all is installed, and what killed installations left is gone', async () => {
    await withoutUv();
    await mkdir(join(folder, 'cache', 'installing-999999999'));
    const args = join(folder, 'arguments');
    await installEnvironment(planned(await fakePython(`echo "$@" > ${args}; test -d "$TMPDIR"`)), never);
    expect(await readdir(join(folder, 'cache'))).toEqual(['python-3.12-x']);
    expect(await readdir(join(folder, 'cache', 'python-3.12-x'))).toEqual(['bin']);
    expect(await readFile(args, 'utf8')).toMatch(
      /^-m pip install .*--no-deps --require-hashes --only-binary :all: -r \/.*requirements\.txt\n$/,
    );
  });

  it('is installed by uv where that is', async () => {
    const args = join(folder, 'arguments');
    // As `uv venv --quiet --python BASE FOLDER` and `uv pip install`.
    await program('uv', `echo "$@" >> ${args}; if [ "$1" = venv ]; then mkdir -p "$5/bin"; fi`);
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
    await mkdir(join(folder, 'cache'));
    await installEnvironment(planned('python3'), never);
    expect(await readdir(join(folder, 'cache'))).toEqual(['python-3.12-x']);
    expect(await readFile(args, 'utf8')).toMatch(
      /^--version\nvenv --quiet --python python3 \S+\npip install --python \S+ --no-deps --require-hashes /,
    );
  });

  it('is not there when installing failed', async () => {
    await withoutUv();
    await expect(installEnvironment(planned(await fakePython('exit 7')), never)).rejects.toThrow(
      'exit code 7',
    );
    expect(await readdir(join(folder, 'cache'))).toEqual([]);
  });

  it('is not there when installing was interrupted', async () => {
    await withoutUv();
    const begun = join(folder, 'begun');
    const interruption = new AbortController();
    const installing = installEnvironment(
      planned(await fakePython(`touch ${begun}; exec sleep 600`)),
      interruption.signal,
    );
    const outcome = installing.catch((error: Error) => error.message);
    await vi.waitFor(async () => expect(await readdir(folder)).toContain('begun'));
    interruption.abort(new Error('enough'));
    expect(await outcome).toBe('enough');
    expect(await readdir(join(folder, 'cache'))).toEqual([]);
  });
});
