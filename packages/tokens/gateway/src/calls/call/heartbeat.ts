import type { HeartbeatPlan } from '../../options/resolve-gateway-options.ts';
import type { ReceivedCall } from './call.ts';
import type { StageServices } from './gateway-services.ts';

/** Actions of a heartbeat on its call. */
interface HeartbeatActions {
  /** When something was sent to the agent last, on the clock of `performance.now`. */
  lastSoundAt(): number;
  /** The call was silent for so long that a sign of life is due. */
  beat(): void;
  /** The call has used up its time. */
  expire(): void;
}

/**
 * Keeps the connection of a silent call alive. The first beat sends the status 200, so what goes wrong afterwards is reported in
 * the body. White space before a JSON document and comments between events mean nothing to their readers.
 * @param stream whether the agent asked for events
 */
export function startHeartbeat(
  { options, metrics }: StageServices,
  { reply, life }: ReceivedCall,
  stream: boolean,
): Heartbeat | undefined {
  if (options.heartbeat === undefined) return undefined;
  return new Heartbeat(options.heartbeat, {
    lastSoundAt: () => reply.lastWriteAt,
    beat() {
      const type = stream ? 'text/event-stream; charset=utf-8' : 'application/json';
      reply.commit(200, { 'content-type': type, 'cache-control': 'no-cache' });
      reply.writeBeat(stream ? ': keepalive\n\n' : ' ');
      metrics.heartbeat();
    },
    expire: () => life.cancel('expired'),
  });
}

/** Watches one call for silence. Stopping it leaves no timer. */
export class Heartbeat {
  readonly #options: HeartbeatPlan;
  readonly #actions: HeartbeatActions;
  readonly #budget: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #hasBeaten = false;

  constructor(options: HeartbeatPlan, actions: HeartbeatActions) {
    this.#options = options;
    this.#actions = actions;
    this.#silence = setTimeout(this.#check, options.afterMs);
    this.#budget = setTimeout(() => actions.expire(), options.budgetMs);
  }

  stop(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#budget);
  }

  readonly #check = (): void => {
    const limit = this.#hasBeaten ? this.#options.everyMs : this.#options.afterMs;
    const left = limit - (performance.now() - this.#actions.lastSoundAt());
    if (left > 1) {
      this.#silence = setTimeout(this.#check, left);
      return;
    }
    this.#hasBeaten = true;
    this.#actions.beat();
    this.#silence = setTimeout(this.#check, this.#options.everyMs);
  };
}
