/** One reason why a payload was refused. */
export interface PayloadIssue {
  message: string;
  /** Where in the payload, `["turns", 0, "text"]`. */
  path: (string | number)[];
}

/** `value` is the schema's output: transformed, with its defaults. */
export type PayloadVerdict =
  | { kind: 'valid'; value: unknown }
  | { kind: 'invalid'; issues: readonly PayloadIssue[] };
