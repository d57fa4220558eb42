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
}

/** Ends a request the way the service would; the routes turn it into a response. */
export class ServiceFault extends Error {
  readonly type: FaultType;
  readonly httpStatus: number;
  readonly reason: string | undefined;

  constructor(init: ServiceFaultInit) {
    super(init.message);
    this.name = 'ServiceFault';
    this.type = init.type;
    this.httpStatus = faultStatus[init.type];
    this.reason = init.reason;
  }
}
