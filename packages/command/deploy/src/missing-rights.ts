import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, jsonObjectIn } from '@art/ground';
import type { PolicyDocument } from './policies.ts';

type Statement = PolicyDocument['Statement'][number];

/**
 * Lists what a policy does not allow that another one does: `s3:GetObject on arn:aws:s3:::my-results/math/*`. A statement with conditions
 * of its own counts only where the other one has the same: what they come to is known to AWS alone.
 * @param existing its text
 * @param wanted that of the other one, which is ours
 */
export function missingRights(existing: string, wanted: string): string[] {
  const theirs = statementsOf(existing);
  return statementsOf(wanted).flatMap(({ Action, Resource, Condition }) =>
    [Action].flat().flatMap((action) =>
      [Resource].flat().flatMap((resource) => {
        const concerns = (statement: Statement): boolean =>
          covers(statement.Action, action, true) && covers(statement.Resource, resource, false);
        const isDenied = theirs.some((one) => (one.Effect as string) === 'Deny' && concerns(one));
        const isAllowed = theirs.some(
          (one) =>
            one.Effect === 'Allow' &&
            concerns(one) &&
            (one.Condition === undefined || isDeepStrictEqual(one.Condition, Condition)),
        );
        return isAllowed && !isDenied ? [] : [`${action} on ${resource}`];
      }),
    ),
  );
}

function statementsOf(text: string): Statement[] {
  const statements: unknown[] = [jsonObjectIn(text)?.['Statement']].flat();
  return statements.filter(isJsonObject) as unknown as Statement[];
}

/** As IAM compares: `*` is any text, `?` any character. */
function covers(patterns: unknown, wanted: string, ignoresCase: boolean): boolean {
  return [patterns].flat().some((pattern) => {
    if (typeof pattern !== 'string') return false;
    const source = pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^]*')
      .replaceAll('?', '[^]');
    return new RegExp(`^${source}$`, ignoresCase ? 'i' : '').test(wanted);
  });
}
