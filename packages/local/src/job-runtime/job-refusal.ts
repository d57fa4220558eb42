/** An error of the job runtime by its HTTP status, from which its type follows. */
export class JobRefusal extends Error {
  override readonly name = 'JobRefusal';
  readonly httpStatus: number;

  constructor(httpStatus: 400 | 403 | 404 | 409 | 500, message: string) {
    super(message);
    this.httpStatus = httpStatus;
  }
}
