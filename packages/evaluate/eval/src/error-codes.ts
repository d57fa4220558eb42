export const errorCodes = {
  ART_ANNOTATION_CHANGED:
    'Another page has annotated the same sample since this one has read it. Both are kept: load the page again, and decide.',
  ART_ANNOTATION_NOT_KEPT:
    'An annotation could not be written to `human.jsonl` in the folder of the run. Make room, or let this process write there.',
  ART_EVALUATOR_FAILED:
    'An evaluator of AgentCore gave no reward, or there was nothing captured to give it. The sample is excluded, which is no 0, and judged again when the run continues.',
  ART_JUDGE_TIMEOUT:
    'The judge of an evaluation took longer than it may, or blocked its thread. The sample is excluded, which is no 0, and judged again when the run continues.',
  ART_NOT_JUDGED:
    'An evaluation has too few judged samples for a figure: none, or no task with as many as k. A sample that was not judged is no 0.',
  ART_RUN_NOT_LIVE: 'No process works on the run of an evaluation, so no command reaches it.',
  ART_RUN_STOPPED: 'The run of an evaluation was ended by `art ctl stop`. It can be gone on with.',
} as const;
