import { refuseOption } from '@art/ground';

/** A response and what it should have said: the input of rewards that judge text. */
export interface TextAnswer {
  /** The agent's final text. */
  responseText: string;
  /** The right answer. A number is taken as its decimal text. */
  groundTruth: string | number;
}

/**
 * Both texts of an answer. An empty ground truth is refused: nothing could ever match it, and every reward would be 0.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function readTextAnswer(answer: TextAnswer): { responseText: string; groundTruth: string } {
  const responseText: unknown = answer?.responseText;
  const groundTruth: unknown = answer?.groundTruth;
  if (typeof responseText !== 'string') refuseOption('responseText', 'a string', responseText);
  if (typeof groundTruth === 'number' && Number.isFinite(groundTruth)) {
    return { responseText, groundTruth: String(groundTruth) };
  }
  if (typeof groundTruth !== 'string' || groundTruth.trim() === '') {
    refuseOption('groundTruth', 'a non-empty string or a finite number', groundTruth);
  }
  return { responseText, groundTruth };
}
