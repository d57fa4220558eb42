export const errorCodes = {
  ART_JOURNAL_LOCKED:
    'Another process holds the run of a journal. The message names host, process and since when.',
  ART_JOURNAL_LOST:
    'Another process has taken the run of this journal over; this one leaves everything to it.',
  ART_JOURNAL_NOT_FOUND: 'The journal has no such run.',
  ART_JOURNAL_EXISTS: 'The journal has a run of this id already. Resume it, or choose another id.',
  ART_JOURNAL_PAYLOADS_CHANGED:
    'The payloads are not those that the journal was written for. The message names the items that differ.',
  ART_JOURNAL_CORRUPT:
    'A record of the journal cannot be read, other than a torn last line. The message has the line.',
  ART_JOURNAL_WRITE_FAILED:
    'The journal could not be written. Nothing was started without it; make room, then resume.',
} as const;
