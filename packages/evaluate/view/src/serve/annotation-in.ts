import type { Annotation } from '@art/eval/records';
import { jsonObjectIn, refuseOption } from '@art/ground';
import type { RunFolder } from '../read/find-runs.ts';

const mostBytes = 1 << 16;

/**
 * Keeps the annotation that a page has sent. It names the run and the sample that it shows: the server may be another one by now.
 * @throws ArtError `ART_INVALID_OPTION`, and what keeping it throws
 */
export async function annotationIn(request: AsyncIterable<Buffer>, run: RunFolder): Promise<Annotation> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > mostBytes) refuseOption('annotation', `at most ${mostBytes} bytes`, bytes);
    parts.push(part);
  }
  const { folder, at, id, label, remark, replaces } = jsonObjectIn(Buffer.concat(parts).toString()) ?? {};
  if (!('annotate' in run) || run.folder !== folder)
    refuseOption('folder', 'a run of "art eval" that is shown here', folder, {
      advice: 'Load the page again.',
    });
  const record = (await run.detail(Number(at)))?.record;
  if (record === undefined || record.id !== id)
    refuseOption('id', 'a sample of the run', id, { advice: 'Load the page again.' });
  return run.annotate({ id: record.id, label, remark, replaces });
}
