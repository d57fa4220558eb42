// A moment's trouble passes unseen; an operator should hear when rollouts wait.
const failuresToWarn = 4;

/** Warns once when the gateway stays down, and again only when it had answered in between. Shared by a client's rollouts. */
export class GatewayOutageReporter {
  readonly #warn: (message: string) => void;
  #state: { kind: 'answers' } | { kind: 'down'; isTold: boolean } = { kind: 'answers' };

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  answered(): void {
    this.#state = { kind: 'answers' };
  }

  /** @param tries how often in a row the gateway failed one rollout. */
  failed(error: Error, tries: number): void {
    if (this.#state.kind === 'answers') this.#state = { kind: 'down', isTold: false };
    if (this.#state.isTold || tries < failuresToWarn) return;
    this.#state = { kind: 'down', isTold: true };
    this.#warn(`Rollouts wait for the model gateway, which does not make their sessions: ${error.message}`);
  }
}
