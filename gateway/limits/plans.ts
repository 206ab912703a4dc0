import type { Plans } from '../../build/release/plans.ts';

/**
 * Reads a table of plans: `{"free": {"perSecond": 2, "perMonth": 1000}, ...}`.
 *
 * @throws Error with a sentence on what is wrong
 */
export function parsePlans(text: string): Plans {
  const table: unknown = JSON.parse(text);
  if (!isObject(table) || Object.keys(table).length === 0) {
    throw new Error('It is an object of plans by name, like {"free": {"perSecond": 2, "perMonth": 1000}}.');
  }
  for (const [name, plan] of Object.entries(table)) {
    if (!isObject(plan) || !isLimit(plan['perSecond']) || !isLimit(plan['perMonth'])) {
      throw new Error(`The plan "${name}" needs perSecond and perMonth, whole numbers from 1.`);
    }
    const unknown = Object.keys(plan).find((property) => property !== 'perSecond' && property !== 'perMonth');
    if (unknown !== undefined) throw new Error(`The plan "${name}" has no property "${unknown}".`);
  }
  return table as Plans;
}

/** The plan of an account that nothing else was said of: `free`, or the first of the table. */
export function defaultPlan(plans: Plans): string {
  const [first = 'free'] = Object.keys(plans);
  return Object.hasOwn(plans, 'free') ? 'free' : first;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
