export const errorCodes = {
  ART_GATEWAY_BAD_REQUEST:
    "A request cannot be put on the engine's wire as it is. The message names the member and what to do.",
  ART_ENGINE_BAD_REPLY:
    'An engine answered a call with something that is not a chat reply. Check what it is.',
} as const;
