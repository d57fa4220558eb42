import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const module = import.meta.resolve('./index.ts');
const app = import.meta.resolve('../index.ts');

/** Runs a program in its own process, and reads the JSON that it writes. */
function run(program: string, ...flags: string[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'art-snapshot-safe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const argv = ['--conditions=@art/source', ...flags, file];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
}

/** Lets the kernel answer 7 always: what is made of sevens came from it. */
const sevens = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { readSync } = fs;
fs.readSync = (descriptor, view, ...rest) =>
  fs.fstatSync(descriptor).isCharacterDevice() ? view.fill(7).length : readSync(descriptor, view, ...rest);
syncBuiltinESMExports();
`;
const sevenId = '07070707-0707-4707-8707-070707070707';

const draws = `
import crypto, * as whole from 'node:crypto';
import { randomBytes, randomFill, randomFillSync, randomInt, randomUUID, getRandomValues, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
const hex = (bytes) => Buffer.from(bytes.buffer ?? bytes, bytes.byteOffset, bytes.byteLength).toString('hex');
const sync = (name, draw) => [name, draw()];
const results = Object.fromEntries([
  sync('Math.random', () => Math.random()),
  sync('randomUUID', () => randomUUID()),
  sync('randomUUID without its cache', () => randomUUID({ disableEntropyCache: true })),
  sync('crypto.randomUUID', () => crypto.randomUUID()),
  sync('whole.randomUUID', () => whole.randomUUID()),
  sync('randomUUIDv7', () => crypto.randomUUIDv7?.().replace(/^.{13}/, 'the-timestamp')),
  sync('webcrypto.randomUUID', () => webcrypto.randomUUID()),
  sync('globalThis.crypto.randomUUID', () => globalThis.crypto.randomUUID()),
  sync('randomBytes', () => hex(randomBytes(3))),
  sync('pseudoRandomBytes', () => hex(crypto.pseudoRandomBytes(3))),
  sync('randomFillSync', () => hex(randomFillSync(Buffer.alloc(4), 1, 2))),
  sync('randomFillSync of wider elements', () => hex(randomFillSync(new Uint16Array(3), 1, 1))),
  sync('randomFillSync of a buffer', () => hex(randomFillSync(new ArrayBuffer(2)))),
  sync('getRandomValues', () => hex(getRandomValues(new Uint8Array(2)))),
  sync('webcrypto.getRandomValues', () => hex(webcrypto.getRandomValues(new Uint16Array(2)))),
  sync('globalThis.crypto.getRandomValues', () => hex(globalThis.crypto.getRandomValues(new Uint8Array(2)))),
  sync('randomInt', () => [randomInt(1000), randomInt(5, 1005)]),
  ['randomBytes later', hex(await promisify(randomBytes)(3))],
  ['randomFill', hex(await promisify(randomFill)(Buffer.alloc(3)))],
  ['randomFill of a part', hex(await promisify(randomFill)(Buffer.alloc(3), 2))],
  ['randomInt later', await promisify(randomInt)(1000)],
  ['randomInt of a range later', await promisify(randomInt)(5, 1005)],
]);
`;
const seven48 = 0x07_07_07_07_07_07;
const ofSevens = {
  'Math.random': expect.closeTo(0.0274, 3) as number,
  randomUUID: sevenId,
  'randomUUID without its cache': sevenId,
  'crypto.randomUUID': sevenId,
  'whole.randomUUID': sevenId,
  ...('randomUUIDv7' in crypto && { randomUUIDv7: 'the-timestamp-7707-8707-070707070707' }),
  'webcrypto.randomUUID': sevenId,
  'globalThis.crypto.randomUUID': sevenId,
  randomBytes: '070707',
  pseudoRandomBytes: '070707',
  randomFillSync: '00070700',
  'randomFillSync of wider elements': '000007070000',
  'randomFillSync of a buffer': '0707',
  getRandomValues: '0707',
  'webcrypto.getRandomValues': '07070707',
  'globalThis.crypto.getRandomValues': '0707',
  randomInt: [seven48 % 1000, (seven48 % 1000) + 5],
  'randomBytes later': '070707',
  randomFill: '070707',
  'randomFill of a part': '000007',
  'randomInt later': seven48 % 1000,
  'randomInt of a range later': (seven48 % 1000) + 5,
};

describe('@art/server/snapshot-safe', () => {
  it('draws from the kernel, whichever way a program imports the draws', () => {
    const program = `${sevens}${draws}console.log(JSON.stringify(results));`;
    expect(run(program, '--import', module)).toEqual(ofSevens);
    // The test of the test: without it nothing comes from there.
    const without = run(program) as Record<string, unknown>;
    for (const [name, value] of Object.entries(ofSevens)) expect(without[name]).not.toEqual(value);
  });

  it('is installed by app.run, unless the app is told not to', () => {
    const program = (options: string): string => `
      ${sevens}${draws.replace('const results =', 'const drawAll = async () =>')}
      const { AgentCoreRLApp } = await import(${JSON.stringify(app)});
      const app = new AgentCoreRLApp({ config: { logging: { enabled: false } }, ${options} });
      await app.run({ port: 0 });
      console.log(JSON.stringify(await drawAll()));
      process.exit();`;
    expect(run(program(''))).toEqual(ofSevens);
    expect(run(program('snapshotSafe: false'))).not.toMatchObject({ randomBytes: '070707' });
  });

  it('refuses what Node refuses, in its words', () => {
    const program = `
      import crypto, { webcrypto } from 'node:crypto';
      const said = (call) => { try { return ['value', call()]; } catch ({ code, name }) { return [name, code]; } };
      console.log(JSON.stringify([
        () => crypto.randomBytes(-1), () => crypto.randomBytes('4'), () => crypto.randomBytes(4, 'x'),
        () => crypto.randomInt(3, 3), () => crypto.randomInt(0, 2 ** 48), () => crypto.randomInt(2 ** 48),
        () => crypto.randomUUID(null), () => crypto.randomUUID({ disableEntropyCache: 1 }),
        () => crypto.randomFillSync('x'), () => crypto.randomFillSync(Buffer.alloc(2), 3),
        () => webcrypto.getRandomValues(new Float32Array(1)), () => webcrypto.getRandomValues(new Uint8Array(65537)),
        () => (0, webcrypto.getRandomValues)(new Uint8Array(1)),
      ].map(said)));`;
    const without = run(program) as string[][];
    expect(without.every(([name]) => name !== 'value')).toBe(true);
    expect(run(program, '--import', module)).toEqual(without);
  });

  it('keeps a generator that a program has seeded, and is installed once', () => {
    const program = `
      Math.random = () => 0.5;
      await import(${JSON.stringify(module)});
      const { randomBytes } = await import('node:crypto');
      const first = randomBytes;
      await import(${JSON.stringify(`${module}?again`)});
      console.log(JSON.stringify([Math.random(), first === randomBytes, randomBytes.name]));`;
    expect(run(program)).toEqual([0.5, true, 'randomBytes']);
  });

  it('draws every integer of a range about as often', () => {
    const program = `
      import { randomInt } from 'node:crypto';
      const counts = Array(7).fill(0);
      for (let n = 0; n < 14000; n += 1) counts[randomInt(10, 17) - 10] += 1;
      console.log(JSON.stringify(counts));`;
    // 2,000 are expected of each; ten standard deviations are 414.
    for (const count of run(program, '--import', module) as number[])
      expect(Math.abs(count - 2_000)).toBeLessThan(414);
  });
});
