import type { AskedAnswer } from './ask.ts';
import type { Room } from './room.ts';
import { streamFailure } from './stream-failure.ts';

/** The answer to the one plain request that several checks look at. */
export function plainAnswer(room: Room): Promise<AskedAnswer> {
  return room.once('production', () => room.invoke(room.payload));
}

/** True if a user has got what they asked for. */
export function isGood(answer: AskedAnswer): boolean {
  return answer.status >= 200 && answer.status < 300 && streamFailure(answer) === undefined;
}

/** An answer in one line. */
export function shown(answer: AskedAnswer): string {
  const { status, text } = answer;
  return `status ${status}: ${streamFailure(answer) ?? (text.slice(0, 200) || 'an empty body')}`;
}

// What clients of models and of AWS say of keys, and where Bedrock is.
const withoutKey =
  /api[ _-]?key|credentials|security token|UnrecognizedClient|InvalidSignature|workload ?(?:identity|access) ?token|bedrock-(?:runtime|agentcore)|Unauthorized\b.*model/i;

/**
 * True if it was the model of its users that kept an agent from answering: the doctor has no key for that, and gives an agent no
 * credentials of AWS.
 */
export function lacksModel(answer: AskedAnswer, output: string): boolean {
  return !isGood(answer) && (withoutKey.test(answer.text) || withoutKey.test(output));
}
