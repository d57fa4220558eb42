export { scriptedModelId, startScriptedModel } from './start-scripted-model.ts';
