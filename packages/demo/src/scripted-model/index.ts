export { scriptedModelId } from './scripted-model-app.ts';
export { startScriptedModel } from './start-scripted-model.ts';
