export const errorCodes = {
  ART_NO_PROMPTS:
    'The handler of the agent asks for no prompt by `context.prompt(name, text)`, so there is nothing to improve. Or its server is of a version that does not tell.',
  ART_PROMPT_VARIES:
    'The text of a prompt in the code of the agent differs from rollout to rollout, so that one text cannot replace it. What differs goes into its own message.',
  ART_REFLECTION_FAILED:
    'The reflecting model could not be reached, refused, or gave no text. The run can be gone on with, and nothing that was measured is run again.',
} as const;
