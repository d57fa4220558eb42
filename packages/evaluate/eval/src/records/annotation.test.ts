import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { holdFolder } from '@art/ground';
import { expect, it } from 'vitest';
import { readLabels } from '../judges/read-labels.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { annotate, readAnnotations } from './annotation.ts';
import { runPath } from './run-folder.ts';

it('keeps every annotation, and the last of a sample counts, also behind a line that was torn', async () => {
  const folder = await temporaryFolder();
  await annotate(folder, { id: 'a#0', label: 0, remark: 'It made the number up.', replaces: 0 }, 1);
  await appendFile(runPath(folder, 'human'), '{"schema":"art.annot');
  await annotate(folder, { id: 'a#1', label: 0.5, remark: '', replaces: 0 }, 2);
  await annotate(folder, { id: 'a#0', label: 1, remark: 'It is in the table.', replaces: 1 }, 3);
  await annotate(folder, { id: 'a#1', label: null, remark: '', replaces: 1 }, 4);
  expect([...(await readAnnotations(folder)).values()]).toMatchObject([
    { id: 'a#0', judge: 'human', label: 1, remark: 'It is in the table.', revision: 2, atMs: 3 },
    { id: 'a#1', label: null, revision: 2 },
  ]);
  expect((await readFile(runPath(folder, 'human'), 'utf8')).trim().split('\n')).toHaveLength(4);
  // As labels of a judge: the last ones, which contradict nothing.
  expect(await Array.fromAsync(readLabels(runPath(folder, 'human'), true))).toMatchObject([
    { id: 'a#0', taskId: 'a', label: 1, judged: null },
    { id: 'a#1', taskId: 'a', label: null },
  ]);
  expect((await Array.fromAsync(readLabels(runPath(folder, 'human'), false)))[0]).toMatchObject({
    judged: null,
  });
});

it('refuses what is no score, what another page has changed, a run at work and a file that cannot be written', async () => {
  const folder = await temporaryFolder();
  const given = { id: 'a#0', label: 1, remark: '', replaces: 0 };
  for (const wrong of [{ label: '1' }, { label: NaN }, { label: undefined }, { remark: 7 }])
    await expect(annotate(folder, { ...given, ...wrong })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
  await expect(annotate(folder, { ...given, remark: 'x'.repeat(10_001) })).rejects.toThrow('10000');
  expect(await readAnnotations(folder)).toEqual(new Map());
  await annotate(folder, given);
  await expect(annotate(folder, { ...given, label: 0 })).rejects.toMatchObject({
    code: 'ART_ANNOTATION_CHANGED',
    message: expect.stringContaining('has given 1 meanwhile') as string,
  });
  {
    await using _ = await holdFolder(folder);
    await expect(annotate(folder, { ...given, replaces: 1 })).rejects.toMatchObject({
      code: 'ART_FOLDER_HELD',
    });
  }
  const other = await temporaryFolder();
  await mkdir(runPath(other, 'human'));
  await expect(annotate(other, given)).rejects.toMatchObject({ code: 'ART_ANNOTATION_NOT_KEPT' });
  await writeFile(`${other}/file`, '');
  await expect(annotate(`${other}/file`, given)).rejects.toMatchObject({ code: 'ART_ANNOTATION_NOT_KEPT' });
});
