export { type MockModelOptions } from './mock-model-app.ts';
export { type MockMessage, type MockRequest } from './mock-request.ts';
export { type MockToolCall, type MockTurn } from './mock-turn.ts';
export { readScript } from './script/read-script.ts';
export { type MockReply, type MockRule, ruleScript } from './script/rule-script.ts';
export { type MockModel, startMockModel, type StartMockModelOptions } from './start-mock-model.ts';
