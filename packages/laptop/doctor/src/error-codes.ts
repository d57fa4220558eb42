export const errorCodes = {
  ART_NO_CONTAINER_ENGINE:
    'An image is to be checked, and there is neither docker nor podman nor finch on PATH to run it.',
} as const;
