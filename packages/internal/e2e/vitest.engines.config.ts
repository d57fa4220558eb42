export { default } from '@art/tooling/vitest-engines';
