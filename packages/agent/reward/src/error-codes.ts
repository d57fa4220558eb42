export const errorCodes = {
  ART_CODE_NOT_ISOLATED:
    'A warning of the process: this machine cannot isolate programs, so `CodeTestsReward` runs them with the rights of this process.',
  ART_JUDGE_FAILED:
    'A judge could not be reached, its answer could not be read, or what it needs is not there. Nothing was judged, which is no 0.',
} as const;
