import type { Random } from '../random.ts';
import type { Known, Prediction } from './model.ts';
import type { Plan } from './plan.ts';
import { rendered, valuesOf } from './request.ts';

/** Whether a request comes to the quota of the key that is counted. */
export function isCounted({ request, mayBeLimited }: Prediction, { keys }: Known): boolean {
  return mayBeLimited && valuesOf(request, 'authorization').includes(`Bearer ${keys.counted}`);
}

/** A request that breaks off in its header, while the client waits. */
export function latePlan(random: Random, { keys }: Known): Plan {
  const request = {
    method: 'GET',
    target: '/neet/2024/s1/physics.json',
    version: 'HTTP/1.1',
    fields: [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${keys.live}`],
    ],
    body: '',
  } as const;
  const text = rendered(request);
  const prediction: Prediction = {
    kind: 'refused',
    statuses: [408],
    request,
    mayBeLimited: false,
    mayBeMalformed: false,
  };
  const items = [{ text: text.slice(0, random.between(1, text.length - 1)), prediction }];
  return { sends: [{ items, splits: [] }], ending: 'closes' };
}
