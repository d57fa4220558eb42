/** Loaded before a program of a test (`node --import`), as an application sets OpenTelemetry up: by `OTEL_*` variables. */
import { startNodeSdk } from '@opentelemetry/sdk-node';

startNodeSdk({ metricReaders: [], logRecordProcessors: [] });
