/** Error shapes of the data plane: HTTP status by error type. Source: the service model of bedrock-agentcore. */
export const faultStatus = {
  ValidationException: 400,
  ServiceQuotaExceededException: 402,
  AccessDeniedException: 403,
  ResourceNotFoundException: 404,
  RetryableConflictException: 409,
  RuntimeClientError: 424,
  ThrottlingException: 429,
  InternalServerException: 500,
} as const;

export type FaultType = keyof typeof faultStatus;

export interface ServiceFaultInit {
  type: FaultType;
  message: string;
  /** Only ValidationException has one: `FieldValidationFailed`, `CannotParse`, ... */
  reason?: 'CannotParse' | 'FieldValidationFailed' | undefined;
  /** When the caller may try again. */
  retryAfterMs?: number | undefined;
  /** The answer of a load balancer in front of the service: a status that is not in the model, and HTML. */
  gateway?: { httpStatus: number; title: string } | undefined;
}

/** Ends a request the way the service would; the routes turn it into a response. */
export class ServiceFault extends Error {
  readonly type: FaultType;
  readonly httpStatus: number;
  readonly reason: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly gateway: ServiceFaultInit['gateway'];

  constructor(init: ServiceFaultInit) {
    super(init.message);
    this.name = 'ServiceFault';
    this.type = init.type;
    this.httpStatus = init.gateway?.httpStatus ?? faultStatus[init.type];
    this.reason = init.reason;
    this.retryAfterMs = init.retryAfterMs;
    this.gateway = init.gateway;
  }
}

/** A field of a request does not fit. */
export function invalidField(message: string): ServiceFault {
  return new ServiceFault({ type: 'ValidationException', reason: 'FieldValidationFailed', message });
}

/** A request cannot be read at all. */
export function cannotParse(message: string): ServiceFault {
  return new ServiceFault({ type: 'ValidationException', reason: 'CannotParse', message });
}
