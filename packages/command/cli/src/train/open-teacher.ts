import { isHttpUrl, refuseOption } from '@art/ground';
import { endpointTeacher, type TrainOptions } from '@art/train';
import type { CliContext } from '../cli-context.ts';

/**
 * The teacher that was named: an endpoint, or weights of the training service.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function openTeacher(
  { teacher, teacherModel: model }: { teacher?: string | undefined; teacherModel?: string | undefined },
  env: CliContext['env'],
): TrainOptions['teacher'] {
  if (teacher === undefined || !isHttpUrl(teacher)) {
    if (model !== undefined)
      refuseOption('--teacher', 'the address of an endpoint beside --teacher-model', teacher);
    return teacher === undefined ? undefined : { weights: teacher };
  }
  if (model === undefined) refuseOption('--teacher-model', 'what the endpoint calls the teacher', model);
  const apiKey = env['TEACHER_API_KEY'];
  return endpointTeacher({ baseUrl: teacher, model, ...(apiKey && { apiKey }) });
}
