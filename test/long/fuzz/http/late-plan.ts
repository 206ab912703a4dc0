import type { Random } from '../random.ts';
import type { ModelContext, Prediction } from './model.ts';
import type { Plan } from './plan.ts';
import { renderRequest, valuesOf } from './request.ts';

/** Whether a request counts towards the quota of the `counted` key. */
export function isCounted({ request, mayBeLimited }: Prediction, { keys }: ModelContext): boolean {
  return mayBeLimited && valuesOf(request, 'authorization').includes(`Bearer ${keys.counted}`);
}

/** An incomplete request header, after which the client waits. */
export function latePlan(random: Random, { keys }: ModelContext): Plan {
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
  const text = renderRequest(request);
  const prediction: Prediction = {
    kind: 'rejected',
    statuses: [408],
    request,
    mayBeLimited: false,
    mayBeMalformed: false,
  };
  const items = [{ text: text.slice(0, random.between(1, text.length - 1)), prediction }];
  return { sends: [{ items, splits: [] }], ending: 'closes' };
}
