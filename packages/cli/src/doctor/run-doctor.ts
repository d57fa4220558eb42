import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkAgent, type CheckAgentOptions, checkClient, type Finding, type Verdict } from '@art/doctor';
import { agentCommand } from '@art/local';
import { readPayload } from '../arguments/read-payload.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { createPaint } from '../terminal/paint.ts';
import { plainJson } from '../terminal/plain-json.ts';
import type { DoctorOptions } from '../commands/doctor-command.ts';
import { formatFinding } from './format-finding.ts';

/**
 * `art doctor`: checks an agent, or the way to one on AgentCore.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`, `ART_INVALID_ARN`, `ART_NO_CONTAINER_ENGINE`
 */
export async function runDoctor(options: DoctorOptions, context: CliContext): Promise<number> {
  const { agent, bucket, gateway, qualifier, json } = options;
  const { stdout, env, cwd } = context;
  const paint = createPaint(stdout, env);
  const onFinding = (finding: Finding): void =>
    void stdout.write(json ? plainJson(finding) : formatFinding(finding, paint));
  const [first = ''] = agent;
  using interrupts = listenForInterrupts(context);
  const { signal } = interrupts;
  let findings: Finding[];
  try {
    findings = first.startsWith('arn:')
      ? await checkClient({ agentRuntimeArn: first, bucket, gatewayUrl: gateway, qualifier, onFinding })
      : await checkAgent({
          agent: agentOf(agent, cwd),
          payload: await readPayload(options.payload, context, signal),
          env,
          onFinding,
          signal,
        });
  } catch (error) {
    if (interrupts.exitCode !== undefined) return interrupts.exitCode;
    throw error;
  }
  const count = (verdict: Verdict): number =>
    findings.filter((finding) => finding.verdict === verdict).length;
  const summary = {
    ok: count('ok'),
    warnings: count('warning'),
    faults: count('fault'),
    skipped: count('skipped'),
  };
  if (json) stdout.write(plainJson({ event: 'summary', ...summary }));
  else
    stdout.write(
      `\n${summary.ok} of ${findings.length} checks are ok: ${summary.faults} faults, ${summary.warnings} warnings, ${summary.skipped} skipped.\n`,
    );
  return summary.faults === 0 ? exitCodes.ok : exitCodes.faultsFound;
}

const image = /^[a-z0-9][\w./:-]*(?::[\w.-]+|@sha256:[0-9a-f]{64})$/;

/** One file of JavaScript may be a bundle, which the doctor finds out. */
function agentOf(words: readonly string[], cwd: string): CheckAgentOptions['agent'] {
  const [first = ''] = words;
  if (/^https?:\/\//.test(first)) return { url: first };
  // With a tag, as an image is pushed: a command has none.
  if (words.length === 1 && !existsSync(resolve(cwd, first)) && image.test(first)) return { image: first };
  const bundle = words.length === 1 && /\.[cm]?js$/.test(first) ? resolve(cwd, first) : undefined;
  return { command: agentCommand(words, cwd), cwd, bundle };
}
