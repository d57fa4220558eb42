import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { exportView } from './export-view.ts';

it('a file that cannot be written leaves nothing behind, and one that is replaced stays whole until then', async () => {
  const folder = await temporaryFolder();
  await writeEvaluation(join(folder, 'a'), { tasks: 2, samples: 1 });
  const file = join(folder, 'report.html');
  await writeFile(file, 'old');
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(exportView({ folders: [join(folder, 'a')], file, signal: stopped })).rejects.toThrow(
    'stopped',
  );
  expect(await readFile(file, 'utf8')).toBe('old');
  await expect(
    exportView({ folders: [join(folder, 'a')], file: join(folder, 'none/r.html') }),
  ).rejects.toMatchObject({
    code: 'ART_VIEW_EXPORT_FAILED',
  });
  expect((await readdir(folder)).toSorted()).toEqual(['a', 'report.html']);
});
