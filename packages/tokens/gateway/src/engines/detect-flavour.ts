import { jsonObjectIn } from '@art/ground';
import { type EngineFlavour, type EngineEvidence, engineProfiles } from './engine-profiles.ts';

/** An engine's answer to a GET of one of its paths. */
export interface DetectionReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** GETs a path of the engine, such as `/v1/models`. @throws where no status came */
export type DetectionGet = (path: string) => Promise<DetectionReply>;

/**
 * Finds out what kind of engine a worker is: by `owned_by` in its `/v1/models`, else by routes that only one kind has. One
 * that answers and has no such mark is taken for `vllm`, as drop-in users expect; `openai`, which switches the capture of
 * tokens off, must be said.
 * @throws what `get` threw for `/v1/models`: the worker may be starting up, ask again
 */
export async function detectFlavour(get: DetectionGet): Promise<EngineFlavour> {
  const owners = ownersOf(objectOf(await get('/v1/models')));
  const asked = new Map<string, Promise<Readonly<Record<string, unknown>> | undefined>>();
  const reply = (path: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
    // One route that breaks off says nothing of the others.
    const answer =
      asked.get(path) ??
      get(path).then(objectOf, () => {
        return undefined;
      });
    asked.set(path, answer);
    return answer;
  };

  const evidence: EngineEvidence = { owners, reply };
  for (const profile of Object.values(engineProfiles)) {
    if (await profile.recognise(evidence)) return profile.flavour;
  }
  return 'vllm';
}

/** An engine's answer where it is a JSON object. */
export function objectOf(reply: DetectionReply): Readonly<Record<string, unknown>> | undefined {
  // A page of a proxy in front is no JSON.
  return reply.status === 200 ? jsonObjectIn(reply.body) : undefined;
}

function ownersOf(models: Readonly<Record<string, unknown>> | undefined): string[] {
  const list = models?.['data'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((model: unknown) => {
    const owner =
      typeof model === 'object' && model !== null ? (model as { owned_by?: unknown }).owned_by : undefined;
    return typeof owner === 'string' ? [owner.toLowerCase()] : [];
  });
}
