import { checkAgent, checkClient, type Finding, type Verdict } from '@art/doctor';
import { agentCommand } from '@art/local';
import { readPayload } from '../arguments/read-payload.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { printableText } from '../terminal/printable-text.ts';
import type { DoctorOptions } from './doctor-options.ts';

const marks = { ok: 'ok', warning: 'WARNING', fault: 'FAULT', skipped: 'skipped' } as const;
const colours = { ok: 'green', warning: 'yellow', fault: 'red', skipped: 'dim' } as const;

/**
 * `art doctor`: checks an agent, or the way to one on AgentCore.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`, `ART_INVALID_ARN`
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
          agent: /^https?:\/\//.test(first) ? { url: first } : { command: agentCommand(agent, cwd), cwd },
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

/** What only follows from a fault is left out: the fault says what to do. */
function formatFinding({ id, title, verdict, seen, because, why, todo }: Finding, paint: Paint): string {
  if (because !== undefined) return '';
  const mark = paint(colours[verdict], marks[verdict].padEnd(8));
  const line = `${mark}${title}  ${paint('dim', id)}\n`;
  if (verdict === 'ok') return line;
  const shown = `        seen  ${printableText(seen).replaceAll('\n', '\n              ')}\n`;
  return verdict === 'skipped'
    ? line + shown
    : `${line}${shown}        why   ${why}\n        do    ${todo}\n`;
}
