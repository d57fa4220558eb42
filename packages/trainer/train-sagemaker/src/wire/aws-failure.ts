import { jsonObjectIn } from '@art/ground';

/** The names that the two protocols have for keys that have expired, are not known yet, or sign with another time. */
const keyKinds =
  /^(ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|RequestTimeTooSkewed|CredentialsUnavailable)/;

/** A call that AWS did not answer with success. */
export class AwsFailure extends Error {
  /** AWS's own name of what went wrong, without its namespace; `''` where nobody answered. */
  readonly kind: string;
  /** 0 where nobody answered. */
  readonly status: number;

  constructor(kind: string, status: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = status;
  }

  /** True if the call may succeed with keys that are asked for anew, or with the time of the service. */
  get isOfKeys(): boolean {
    return this.status === 401 || this.status === 403 || keyKinds.test(this.kind);
  }

  /**
   * True if the same call may succeed later: what AWS's own SDK for training sessions tries again, and a request that did not arrive in
   * time.
   */
  get isTransient(): boolean {
    return (
      this.status === 0 ||
      [408, 429, 500, 502, 503, 504].includes(this.status) ||
      this.kind === 'ThrottlingException' ||
      this.kind === 'InternalServerException'
    );
  }
}

/** Reads an answer that is no success, in the shapes of both protocols: AWS JSON 1.1 and REST-JSON. */
export function readFailure(status: number, errorType: string | null, text: string): AwsFailure {
  const members = jsonObjectIn(text) ?? {};
  const named = [errorType, members['__type'], members['code']].find(
    (name): name is string => typeof name === 'string',
  );
  const kind = (named ?? '').split(':')[0]!.split('#').at(-1)!;
  const said = [members['message'], members['Message']].find((words) => typeof words === 'string');
  return new AwsFailure(kind, status, typeof said === 'string' ? said : text.slice(0, 500));
}
