import { readFile } from 'node:fs/promises';
import { MachineRefusal } from './machine-refusal.ts';

/** Facts of a machine that decide if vLLM runs on it. */
export interface Machine {
  platform: string;
  arch: string;
  /** Text of /proc/cpuinfo; empty where there is none. */
  cpuInfo: string;
  /** Less than the machine's where a container limits it. */
  freeMemoryBytes: number;
}

const gigabyte = 1e9;
const neededMemoryBytes = 6 * gigabyte;

export async function readMachine(): Promise<Machine> {
  const { platform, arch } = process;
  const cpuInfo = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return { platform, arch, cpuInfo, freeMemoryBytes: process.availableMemory() };
}

/** @throws MachineRefusal */
export function checkMachine({ platform, arch, cpuInfo, freeMemoryBytes }: Machine): void {
  if (platform !== 'linux' || arch !== 'x64') {
    throw new MachineRefusal(
      `Expected Linux on x64, for which vLLM is built for processors, got ${platform} on ${arch}. A Linux container on such a machine will do.`,
    );
  }
  if (!/^flags\s*:.*\b(avx2|avx512f)\b/m.test(cpuInfo)) {
    throw new MachineRefusal(
      'Expected a processor with AVX2 or AVX-512, which vLLM needs, got one without (/proc/cpuinfo). A virtual machine may hide them: give it the processor of its host.',
    );
  }
  if (freeMemoryBytes < neededMemoryBytes) {
    throw new MachineRefusal(
      `Expected 6 GB of free memory, got ${(freeMemoryBytes / gigabyte).toFixed(1)} GB. Close other programs.`,
    );
  }
}
