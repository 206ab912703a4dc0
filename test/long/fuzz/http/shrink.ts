import { smallest } from '../smallest.ts';
import { type Known, predicted } from './model.ts';
import type { Item, Plan, Send } from './plan.ts';
import { rendered } from './request.ts';

/** Tries of smaller plans, at most: each is a connection. */
const mostTries = 400;

/**
 * The smallest plan that still fails, of those that can be had by leaving something out.
 *
 * @param fails whether a plan fails
 */
export function smallestPlan(
  plan: Plan,
  known: Known,
  fails: (plan: Plan) => Promise<boolean>,
): Promise<Plan> {
  return smallest(plan, (each) => smallerPlans(each, known), fails, mostTries);
}

/** Plans that lack something of this one, the boldest first. */
function* smallerPlans(plan: Plan, known: Known): Generator<Plan> {
  const { sends } = plan;
  const withSends = (changed: readonly Send[]): Plan => ({ ...plan, sends: changed });
  for (const index of sends.keys()) if (sends.length > 1) yield withSends(sends.toSpliced(index, 1));
  for (const [index, send] of sends.entries()) {
    const withSend = (changed: Send): Plan => withSends(sends.with(index, changed));
    if (send.splits.length > 0) yield withSend({ ...send, splits: [] });
    for (const at of send.items.keys())
      if (send.items.length > 1) yield withSend({ items: send.items.toSpliced(at, 1), splits: [] });
    for (const [at, item] of send.items.entries())
      for (const smaller of smallerItems(item, known))
        yield withSend({ items: send.items.with(at, smaller), splits: send.splits });
  }
}

function* smallerItems({ text, prediction }: Item, known: Known): Generator<Item> {
  if (!prediction) {
    for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2))
      for (let at = 0; at < text.length; at += size)
        yield { text: text.slice(0, at) + text.slice(at + size) };
    return;
  }
  // Of those that have to be refused it is known as a whole that they have to be.
  if (prediction.kind === 'refused') return;
  const { request } = prediction;
  const asItem = (smaller: typeof request): Item => ({
    text: rendered(smaller),
    prediction: predicted(smaller, known),
  });
  if (text !== rendered(request)) yield asItem(request);
  const unframed = request.fields.filter(([name]) => !isFraming(name));
  if (unframed.length < request.fields.length) yield asItem({ ...request, fields: unframed, body: '' });
  for (const [index, [name]] of request.fields.entries())
    if (!isFraming(name)) yield asItem({ ...request, fields: request.fields.toSpliced(index, 1) });
  for (const { index } of request.target.matchAll(/[/?%]/g))
    if (index > 0) yield asItem({ ...request, target: request.target.slice(0, index) });
}

/** Whether a field says where the body ends: without it, another request would begin there. */
function isFraming(name: string): boolean {
  return /^(content-length|transfer-encoding)$/i.test(name);
}
