export { conversation, fullTrace, sampleTrace } from './sample-trace.ts';
export { sampleRow } from './sample-row.ts';
export { aTrace, scriptedTraces, type ScriptedTurn } from './scripted-traces.ts';
