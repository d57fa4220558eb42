/** Ends a request without an answer: its connection is reset, or stays open for as long as the client likes. */
export class ConnectionFault extends Error {
  readonly kind: 'reset' | 'silence';

  constructor(kind: 'reset' | 'silence') {
    super(`The request gets no answer: ${kind}.`);
    this.name = 'ConnectionFault';
    this.kind = kind;
  }
}
