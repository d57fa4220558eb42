import { closeSync, mkdtempSync, openSync, readlinkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KernelSource } from './kernel-source.ts';

function device(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'art-device-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'device'), content);
  return join(folder, 'device');
}

function read(source: KernelSource, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  source.fill(bytes);
  return bytes;
}

describe('KernelSource', () => {
  it('reads what is asked for from the device, and continues where it was', () => {
    const source = new KernelSource(device('0123456789'));
    expect(read(source, 4).toString()).toBe('0123');
    expect(read(source, 5).toString()).toBe('45678');
  });

  it('reads more than a kernel gives at once', () => {
    const bytes = read(new KernelSource(), 40_000_000);
    expect(bytes.subarray(-64).equals(Buffer.alloc(64))).toBe(false);
  });

  it('says what is missing where there is no device, or one that ends', () => {
    const source = new KernelSource('/nowhere/urandom', 'linux');
    expect(() => read(source, 16)).toThrow(
      expect.objectContaining({
        code: 'ART_NO_RANDOM_DEVICE',
        message: expect.stringMatching(/Expected \/nowhere\/urandom.*ENOENT.*Mount the device/) as string,
      }),
    );
    expect(() => read(new KernelSource(device('0123'), 'linux'), 16)).toThrow(/the device ended/);
  });

  it('needs none on Windows', () => {
    const source = new KernelSource('/nowhere/urandom', 'win32');
    expect(read(source, 16).equals(read(source, 16))).toBe(false);
  });

  it.runIf(process.platform === 'linux')('opens the device again where its descriptor was closed', () => {
    const path = device('0123456789');
    const source = new KernelSource(path);
    read(source, 2);
    const mine = readdirSync('/proc/self/fd').find((fd) => target(fd) === path)!;
    closeSync(Number(mine));
    expect(read(source, 2).toString()).toBe('01');
    expect(openSync(path, 'r')).toBeGreaterThan(0);
  });
});

function target(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
