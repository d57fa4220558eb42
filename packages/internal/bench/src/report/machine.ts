import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, platform, release, totalmem } from 'node:os';

/** Where and with what a report was made. */
export interface Machine {
  system: string;
  processor: string;
  cores: number;
  memoryGiB: number;
  versions: Record<string, string>;
}

const requireHere = createRequire(import.meta.url);

export function describeMachine(): Machine {
  const [processor] = cpus();
  return {
    system: `${platform()} ${release()} ${arch()}`,
    processor: processor?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    versions: {
      node: process.version,
      '@art/client': versionOf('@art/client'),
      '@aws-sdk/client-bedrock-agentcore': versionOf('@aws-sdk/client-bedrock-agentcore'),
      '@aws-sdk/client-s3': versionOf('@aws-sdk/client-s3'),
    },
  };
}

function versionOf(name: string): string {
  const manifest = requireHere.resolve(`${name}/package.json`);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
