export const errorCodes = {
  ART_RESULT_KEY_MISMATCH:
    'The agent announced another bucket or key than the client computed; its result would land where nobody looks.',
  ART_AGENT_ERROR: 'The handler of the agent failed; its error document was stored.',
  ART_ENDPOINT_UNREACHABLE:
    "The agent's machine could not connect to the base_url of its rollout, and no call of a model was captured. Give the agent a way to the gateway: VPC mode, a public address with session keys, or --reach session.",
  ART_ROLLOUT_LOST: 'The session ended without storing a result.',
  ART_ROLLOUT_CANCELLED: 'The rollout was cancelled by its caller.',
  ART_CEILING_REACHED:
    'The agent wanted more calls, tokens, time or money of the model than its rollout may have. It counts as a failure of the agent.',
  ART_RUN_CEILING_REACHED:
    'The ceiling of the run is reached, or a model has no price: the rollout was cut off or not sent, and says nothing of the agent. Continue the run with a higher ceiling.',
  ART_ROLLOUT_DETACHED:
    'The run was left with its sessions at work; a later process takes them over from the journal.',
  ART_TOO_MANY_FAILURES:
    'A run was ended because too many of its rollouts failed, or its first sessions all failed to start for one reason. Resume it from its journal.',
  ART_CLIENT_CLOSED: 'The client was closed before or during the call.',
  ART_TURN_REWARDS_MISMATCH:
    'With credit by turn, a rollout has not exactly one finite reward for each answer of the model, or its calls have no order. The rollout gives no rows; the group continues without it.',
  ART_DUPLICATE_ROLLOUT:
    'A rollout with the same result key is outstanding already; choose another session or input id.',
} as const;
