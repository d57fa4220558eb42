/** What each error code of this package means, and what to do about it. The page of all codes is made of these. */
export const errorCodes = {
  ART_TRAIN_BAD_ROWS:
    'Rows do not fit what is trained: lists of different lengths, unknown token ids, too many tokens. The message names the first row.',
  ART_TRAIN_SAMPLING_REFUSED: 'The session cannot sample what was asked for. The message says what it takes.',
  ART_TRAIN_UNKNOWN_SAVE: 'There are no saved weights, or no saved state, of this name for this model.',
  ART_TRAIN_STOPPED: 'The training session was stopped. What was under way did not finish.',
} as const;
