export const errorCodes = {
  ART_AGENTCORE_CLI:
    "AWS's command line, npm `@aws/agentcore`, is not there or has failed. What it wrote says why.",
} as const;
