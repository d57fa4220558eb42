/** An error of one of the two services, by the code that clients act on. */
export class WireRefusal extends Error {
  override readonly name = 'WireRefusal';
  readonly code: keyof typeof statuses;

  constructor(code: keyof typeof statuses, message: string) {
    super(message);
    this.code = code;
  }

  /** The control plane answers 400 to everything but a call that it cannot authenticate. */
  get httpStatus(): number {
    return statuses[this.code];
  }
}

const statuses = {
  ValidationException: 400,
  ResourceNotFound: 400,
  ResourceInUse: 400,
  ResourceLimitExceeded: 400,
  InvalidSignatureException: 403,
  AccessDeniedException: 403,
  ResourceNotFoundException: 404,
  ConflictException: 409,
  ThrottlingException: 429,
  InternalServerException: 500,
  ServiceUnavailable: 503,
} as const;
