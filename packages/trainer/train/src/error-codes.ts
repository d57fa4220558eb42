export const errorCodes = {
  ART_TRAIN_BAD_ROWS:
    'Rows do not fit what is trained: lists of different lengths, unknown token ids, too many tokens. The message names the first row.',
  ART_TRAIN_SAMPLING_REFUSED: 'The session cannot sample what was asked for. The message says what it takes.',
  ART_TRAIN_UNKNOWN_SAVE: 'There are no saved weights, or no saved state, of this name for this model.',
  ART_TRAIN_STOPPED: 'The training session was stopped. What was under way did not finish.',
  ART_TRAIN_NO_WEIGHTS: 'A call of the model came while no training run serves weights.',
  ART_TRAIN_CHANGED:
    'The folder has a run of other tasks or another seed. Give it what it had, or choose another folder.',
  ART_TRAIN_REWARD_RANGE: 'A reward is outside of `guards.rewardRange`.',
  ART_TRAIN_ROLLOUTS_FAILED: 'No rollout of a step has a reward. The message says how one failed.',
  ART_TRAIN_NOTHING_CAPTURED:
    'Rollouts have rewards, but nothing that the gateway captured of them trains. The agent has to call its model at `rollout.baseUrl`. The message says where `trains` chose none of its turns.',
  ART_TRAIN_LOGPROB_GAP:
    'Sampler and trainer differ in the logprobs of the same tokens: rows are not aligned, or their weights are not the same.',
  ART_TRAIN_NOT_FINITE:
    'A logprob, a gradient or a weight is not a finite number. The message names the row. The weights of that step are not served: the same command continues from the last checkpoint.',
  ART_TRAIN_TEACHER_FAILED:
    'The teacher does not answer, or gives no logprobs of the tokens that it is asked for. Where it is an endpoint, its /completions takes token ids, `echo` and `logprobs`.',
  ART_TRAIN_BUDGET_SPENT:
    'The budget of the run is spent: no further call of the model or the trainer is made. The run ends in good order.',
  ART_TRAIN_PASS_INCOMPLETE:
    'The service answered for fewer rows than a pass had, or no gradient came of them: a part of the step was not trained.',
  ART_TRAIN_WRONG_WAY:
    'Steps do not make the good answers of trained rows likelier: advantages are turned around, other rows train, a part of each pass is lost, or the new weights are not those that answer.',
  ART_TRAIN_NO_SPREAD:
    'For several steps all rollouts of each group had the same reward, so there was nothing to learn from.',
} as const;
