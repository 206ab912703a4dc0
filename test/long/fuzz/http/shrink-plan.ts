import { shrink } from '../shrink.ts';
import { type ModelContext, predictResponse } from './model.ts';
import type { Item, Plan, Send } from './plan.ts';
import { renderRequest } from './request.ts';

/** The most smaller plans to try; each is a connection, and an open one takes seconds. */
const maxAttempts = 400;
const maxOpenAttempts = 20;

/**
 * Removes parts of a plan as long as it still fails.
 *
 * @param fails whether a plan fails
 */
export function shrinkPlan(
  plan: Plan,
  context: ModelContext,
  fails: (plan: Plan) => Promise<boolean>,
): Promise<Plan> {
  return shrink(
    plan,
    (each) => smallerPlans(each, context),
    fails,
    plan.ending === 'open' ? maxOpenAttempts : maxAttempts,
  );
}

/** The plan with parts removed, the largest parts first. */
function* smallerPlans(plan: Plan, context: ModelContext): Generator<Plan> {
  const { sends } = plan;
  const withSends = (changed: readonly Send[]): Plan => ({ ...plan, sends: changed });
  for (const index of sends.keys()) if (sends.length > 1) yield withSends(sends.toSpliced(index, 1));
  for (const [index, send] of sends.entries()) {
    const withSend = (changed: Send): Plan => withSends(sends.with(index, changed));
    if (send.splits.length > 0) yield withSend({ ...send, splits: [] });
    for (const at of send.items.keys())
      if (send.items.length > 1) yield withSend({ items: send.items.toSpliced(at, 1), splits: [] });
    for (const [at, item] of send.items.entries())
      for (const smaller of smallerItems(item, context))
        yield withSend({ items: send.items.with(at, smaller), splits: send.splits });
  }
}

function* smallerItems({ text, prediction }: Item, context: ModelContext): Generator<Item> {
  if (!prediction) {
    for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2))
      for (let at = 0; at < text.length; at += size)
        yield { text: text.slice(0, at) + text.slice(at + size) };
    return;
  }
  // A request that must be rejected is kept as a whole.
  if (prediction.kind === 'rejected') return;
  const { request } = prediction;
  const asItem = (smaller: typeof request): Item => ({
    text: renderRequest(smaller),
    prediction: predictResponse(smaller, context),
  });
  if (text !== renderRequest(request)) yield asItem(request);
  const unframed = request.fields.filter(([name]) => !isFraming(name));
  if (unframed.length < request.fields.length) yield asItem({ ...request, fields: unframed, body: '' });
  for (const [index, [name]] of request.fields.entries())
    if (!isFraming(name)) yield asItem({ ...request, fields: request.fields.toSpliced(index, 1) });
  for (const { index } of request.target.matchAll(/[/?%]/g))
    if (index > 0) yield asItem({ ...request, target: request.target.slice(0, index) });
}

/** Whether a field frames the body; without it, the body would be read as a request. */
function isFraming(name: string): boolean {
  return /^(content-length|transfer-encoding)$/i.test(name);
}
