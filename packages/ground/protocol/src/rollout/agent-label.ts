import { custom, type OptionRule } from '@art/ground';

/** The header by which a call of the model says which agent makes it. */
export const agentLabelHeader = 'x-art-label';

/** The expected form of an agent's label, for messages. */
export const agentLabelExpected = 'a label of 1 to 64 letters, digits, ".", "_" and "-"';

/** True if a value can be the label of an agent: any header, file and log can hold it. */
export function isAgentLabel(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value);
}

const aLabel: OptionRule<string> = custom(agentLabelExpected, isAgentLabel);

/**
 * The headers that a model client sends for its calls to carry a label.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function agentLabelHeaders(label: string): Record<string, string> {
  return { [agentLabelHeader]: aLabel(label, 'label') };
}
