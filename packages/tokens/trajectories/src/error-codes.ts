export const errorCodes = {
  ART_INVALID_TRAINING_ROW:
    'A training row breaks an invariant of its format. The message names the row, the field and the first violation.',
  ART_INVALID_JSONL:
    'A line of a JSONL file is not a JSON object, or its last line is torn. The message has the line number.',
  ART_INVALID_CAPTURES:
    'Captures are not in the compact form that is known here. Were they written by a newer gateway?',
  ART_RECORD_TOO_NEW: 'A file has records of a newer version. Update the program that reads them.',
} as const;
