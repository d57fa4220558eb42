import { describeValue, type JsonObject } from '@art/ground';
import { invalidField, type ServiceFault } from '../service/service-fault.ts';
import { splitCommandLine } from './split-command-line.ts';

export interface CommandRequest {
  argv: readonly string[];
  timeoutMs: number;
}

// Source: AgentCore quotas and limits.
const maxCommandBytes = 65_536;
const maxTimeoutSeconds = 3_600;
const defaultTimeoutSeconds = 300;

/**
 * Checks the body of a command request: `{"command": "ls -l", "timeout": 60}`, the time-out in seconds.
 * @throws ServiceFault 400
 */
export function readCommandRequest(body: JsonObject): CommandRequest {
  const { command, timeout = defaultTimeoutSeconds } = body;
  if (typeof command !== 'string' || command === '' || Buffer.byteLength(command) > maxCommandBytes) {
    throw invalid('command', `text of 1 to ${maxCommandBytes} bytes`, command);
  }
  if (!Number.isInteger(timeout) || Number(timeout) < 1 || Number(timeout) > maxTimeoutSeconds) {
    throw invalid('timeout', `whole seconds from 1 to ${maxTimeoutSeconds}`, timeout);
  }
  const argv = splitCommandLine(command);
  if (argv === undefined) throw invalid('command', 'every quote closed', command);
  if (argv.length === 0) throw invalid('command', 'at least one word', command);
  return { argv, timeoutMs: Number(timeout) * 1_000 };
}

function invalid(field: string, expected: string, got: unknown): ServiceFault {
  return invalidField(
    `Value at '${field}' failed to satisfy constraint: expected ${expected}, got ${describeValue(got)}`,
  );
}
