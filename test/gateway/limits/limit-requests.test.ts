import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { defaultPlans, type Plans } from '../../../build/release/plans.ts';
import { limitRequests } from '../../../gateway/access/require-key.ts';
import type { LimitStore } from '../../../gateway/limits/store.ts';

/** The middleware with a store. */
function appWithStore(take: LimitStore['take'], plans: Plans = defaultPlans) {
  const middleware = limitRequests(plans, { take });
  const sendError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
    response.status(500).send(error.message);
  };
  return express()
    .use((request, response, next) => {
      Object.assign(response.locals, { key: { account: 'acc_1', plan: 'free' }, fields: [] });
      return middleware(request, response, next);
    })
    .use((_request, response) => void response.json(response.locals['fields']))
    .use(sendError);
}

describe('limitRequests', () => {
  const fault = new Error('an unexpected error');
  for (const [when, take] of [
    ['synchronously', () => assert.fail(fault)],
    ['asynchronously', () => Promise.reject(fault)],
  ] as const) {
    it(`passes on an error that the store throws ${when}, and does not call the next handler`, async () => {
      const { status, text } = await request(appWithStore(take)).get('/');
      assert.deepEqual([status, text], [500, fault.message]);
    });
  }
});
