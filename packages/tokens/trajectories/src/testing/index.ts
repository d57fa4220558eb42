export { conversation, fullCapture, sampleCapture } from './sample-capture.ts';
export { sampleRow } from './sample-row.ts';
export { aCapture, scriptedCaptures, type ScriptedTurn } from './scripted-captures.ts';
