import type { Connections } from '../../connections.ts';
import type { Metrics } from './metric.ts';

/** Tells what is under way. */
export function tellConnections(connections: Connections, metrics: Metrics | undefined): void {
  metrics?.add({
    name: 'pastpaper_http_connections',
    help: 'Open connections by which requests have come.',
    type: 'gauge',
    read: () => [{ value: connections.size }],
  });
  metrics?.add({
    name: 'pastpaper_http_requests_under_way',
    help: 'Requests that have come and are not answered yet.',
    type: 'gauge',
    read: () => [{ value: connections.underWay }],
  });
}
