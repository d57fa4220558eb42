export const errorCodes = {
  ART_REACH_WIRE:
    'What came over the socket into a session is not the wire of `reach`. Use one version of the toolkit in the agent and in the trainer.',
  ART_REACH_REFUSED:
    'The agent in a session did not take the socket that the trainer opened. The message has the reason.',
  ART_REACH_LOST:
    'The socket into a session broke, or nothing came over it for a minute. It is opened again.',
} as const;
