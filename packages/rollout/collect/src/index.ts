export { AgentLightningController } from './agent-lightning/agent-lightning-controller.ts';
export type { AgentLightningOptions } from './agent-lightning/agent-lightning-options.ts';
export { CollectService, type CollectServiceOptions, type DrainReport } from './run/collect-service.ts';
export { pythonFolder } from './python-folder.ts';
export { type CollectServer, serveHttp, type ServeHttpOptions } from './serve/serve-http.ts';
export { serveLines, type ServeLinesOptions } from './serve/serve-lines.ts';
