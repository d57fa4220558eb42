/** Adds up what every package's test run reported, cached runs included, and prints one closing line. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { secondTryFile } from './second-try-reporter.ts';

const root = join(import.meta.dirname, '../../..');
const total = { passed: 0, failed: 0, skipped: 0 };
for (const manifest of globSync('{packages,examples}/*/package.json', { cwd: root })) {
  const directory = join(root, dirname(manifest));
  const secondTries = join(directory, secondTryFile);
  if (existsSync(secondTries)) {
    for (const name of JSON.parse(readFileSync(secondTries, 'utf8')) as string[]) {
      console.log(`passed on the second try only: ${dirname(manifest)}/${name}`);
    }
  }
  const report = join(directory, '.test-report.json');
  if (!existsSync(report)) continue;
  const result = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
  total.passed += result['numPassedTests'] ?? 0;
  total.failed += result['numFailedTests'] ?? 0;
  total.skipped += (result['numPendingTests'] ?? 0) + (result['numTodoTests'] ?? 0);
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
if (total.passed === 0 || total.failed > 0) process.exitCode = 1;
