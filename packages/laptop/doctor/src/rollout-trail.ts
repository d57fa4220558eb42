import type { AgentCheck } from './agent-check.ts';
import { ok } from './finding.ts';
import { rolloutPair, type RolloutSeen } from './room/rollout-pair.ts';
import type { Room } from './room/room.ts';

/** The calls of a rollout's model and its result, without the ids, addresses and folders that differ from run to run. */
export interface RolloutTrail {
  /** One text a model call. */
  asked: string[];
  result: string;
}

/** A check that finds nothing, and notes the trail of a rollout: for two forms of one agent that are compared. */
export function notesTrail(note: (trail: RolloutTrail) => void): AgentCheck {
  return {
    id: 'rollout.trail',
    title: 'leaves a trail',
    why: '',
    todo: '',
    run: async (room) => {
      const [rollout] = (await rolloutPair(room)).rollouts;
      note(trailOf(rollout, room));
      return ok('noted');
    },
  };
}

// What stands in a document for the one who sent the request, and not for what the handler made of it.
const ofRequest = new Set(['input_id', 's3_bucket', 'result_key', 'payload']);

function trailOf(rollout: RolloutSeen, room: Room): RolloutTrail {
  const ofRun = [
    [rollout.apiKey, 'KEY'],
    [rollout.modelId, 'MODEL'],
    [rollout.sessionId, 'SESSION'],
    [room.secret, 'SECRET'],
    [room.word, 'WORD'],
    ...(room.folder === undefined ? [] : [[room.folder, 'FOLDER'] as const]),
    ...[room.bucket.url, ...room.models.flatMap(({ baseUrl, url }) => [baseUrl, url])].map(
      (url) => [url, 'URL'] as const,
    ),
  ] as const;
  const plain = (value: unknown): string =>
    ofRun.reduce((text, [part, name]) => text.replaceAll(part, name), JSON.stringify(value) ?? '');
  const members = Object.entries(rollout.document ?? {}).filter(([name]) => !ofRequest.has(name));
  return {
    asked: rollout.calls.map(({ body }) => plain(body)),
    result: plain(Object.fromEntries(members)),
  };
}

const mostShown = 160;

/** The first difference of two trails, for people; undefined where there is none. */
export function trailDifference(
  ofSources: RolloutTrail,
  ofBundle: RolloutTrail,
): { what: string; ofSources: string; ofBundle: string } | undefined {
  const [sources, bundle] = [ofSources, ofBundle].map(({ asked, result }) => [...asked, result]);
  if (ofSources.asked.length !== ofBundle.asked.length)
    return {
      what: 'number of model calls',
      ofSources: String(ofSources.asked.length),
      ofBundle: String(ofBundle.asked.length),
    };
  const at = sources!.findIndex((text, index) => text !== bundle![index]);
  if (at === -1) return undefined;
  const [own = '', other = ''] = [sources![at], bundle![at]];
  let from = 0;
  while (own[from] === other[from]) from += 1;
  const shown = (text: string): string => text.slice(Math.max(0, from - 40), from + mostShown);
  return {
    what: at === ofSources.asked.length ? 'result' : `model call ${at + 1}`,
    ofSources: shown(own),
    ofBundle: shown(other),
  };
}
