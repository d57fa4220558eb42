export { exportView, type ExportViewOptions } from './export/export-view.ts';
export { serveView, type ServedView, type ServeViewOptions } from './serve/serve-view.ts';
